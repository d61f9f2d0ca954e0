"""`skilltool completion`: what a shell is told when somebody presses Tab.

The values of options that several commands share complete in `options`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ZshComplete,
    add_completion_class,
    get_completion_class,
)

from skilltool.cli.help import Command
from skilltool.cli.options import Choice, completions
from skilltool.cli.output import write
from skilltool.errors import SkilltoolError
from skilltool.text.printable import safe_text

if TYPE_CHECKING:
    from skilltool.cli.sessions import SessionOptions

_EPILOG = """\b
Examples:
  skilltool completion bash >> ~/.bashrc
  skilltool completion zsh >> ~/.zshrc
  skilltool completion fish > ~/.config/fish/completions/skilltool.fish
"""
_COMPINIT = "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }"


@click.command("completion", cls=Command, epilog=_EPILOG)
@click.argument("shell", type=Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> int:
    """Print the script that completes commands, options and names in bash, zsh or fish."""
    group = click.get_current_context().find_root().command
    register()
    found = get_completion_class(shell)
    if found is None:
        raise click.UsageError(f"click cannot complete in {shell}")
    script = found(group, {}, "skilltool", "_SKILLTOOL_COMPLETE").source()
    if shell == "zsh":  # `compdef` exists only after `compinit`, which not every `.zshrc` calls
        script = script.replace("    compdef ", f"    {_COMPINIT}\n    compdef ", 1)
    write(safe_text(f"{script}\n"))
    return 0


def complete_skills(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return the keys of skills that a runtime loads here; directories where none begins with `begun`."""
    return completions(_loaded_keys(context.params), begun, lists=False) or [
        CompletionItem(begun, type="dir")
    ]


def complete_skill_directories(
    context: click.Context, parameter: click.Parameter, begun: str
) -> list[CompletionItem]:
    """Return the directories of skills under this one, by path or name; files where none begins so."""
    found = [
        (path, name)
        for path, name in _skill_directories()
        if path.startswith(begun) or name.startswith(begun)
    ]
    return [CompletionItem(path) for path, _ in found] or [CompletionItem(begun, type="file")]


def complete_schemas(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return the schemas whose names begin with `begun`, with their titles."""
    from skilltool.skill import schema

    return completions([(name, str(schema.load(name)["title"])) for name in schema.names()], begun)


def complete_templates(
    context: click.Context, parameter: click.Parameter, begun: str
) -> list[CompletionItem]:
    """Return those of our templates whose names begin with `begun`."""
    from skilltool.scaffold.templates import template_names

    return completions([(name, "") for name in template_names()], begun)


# A shell puts a completion into the line as it is: `$(x)` in a stranger's name would run with it.
_HARMLESS = r"[^\W_][\w.:@+-]*(?:/[\w.:@+-]+)*"
_HARMLESS_PATH = r"(?![~-])(?:[\w.@+-]+/)*[\w.@+-]+"


def _loaded_keys(parameters: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the keys that the chosen runtimes load, each with the runtimes; none where that fails."""
    from skilltool.cli.answer import in_other_process
    from skilltool.cli.sessions import SessionOptions

    given = SessionOptions(parameters.get("project"), parameters.get("home"), parameters.get("roots") or ())
    ids = tuple(parameters.get("runtimes") or ())
    try:
        found: list[tuple[str, str]] = in_other_process(_keys, ids, given, notes=lambda _: None, doing="")
    except (SkilltoolError, OSError):
        return []
    return found


def _keys(ids: tuple[str, ...], given: SessionOptions) -> list[tuple[str, str]]:
    from skilltool.cli.sessions import sessions_of

    runtimes: dict[str, list[str]] = {}
    for session in sessions_of(ids, given).sessions:
        for skill in session.skills:
            if re.fullmatch(_HARMLESS, skill.key):
                runtimes.setdefault(skill.key, []).append(session.runtime.id)
    return [(key, ", ".join(ids)) for key, ids in sorted(runtimes.items())]


def _skill_directories() -> Iterator[tuple[str, str]]:
    """Yield the path and the name of each skill under this directory; a home directory is not searched."""
    from skilltool.files.paths import display_path
    from skilltool.runtimes.home import holds_home
    from skilltool.skill.discovery import discover

    if holds_home(Path.cwd()):
        return
    for skill in discover([Path()]).skills:
        path = display_path(skill)
        if re.fullmatch(_HARMLESS_PATH, path):
            yield path, skill.name


# What click's classes lack: values joined to their option (`--runtime=kod`), and commas in fish. zsh and fish
# replace the whole word by the completion, so it must include the option. bash splits the word: there `=` is
# a word of its own.
class _Bash(BashComplete):
    def get_completion_args(self) -> tuple[list[str], str]:
        args, incomplete = super().get_completion_args()
        return [arg for arg in args if arg != "="], incomplete


class _Zsh(ZshComplete):
    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        return _whole(super().get_completions(args, incomplete), incomplete)


class _Fish(FishComplete):
    # Each line of the answer is `type,value`; click's script splits it at every comma.
    source_template = FishComplete.source_template.replace('split ","', 'split --max 1 ","')

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        return _whole(super().get_completions(args, incomplete), incomplete)


def register() -> None:
    """Replace click's classes for bash, zsh and fish by these."""
    add_completion_class(_Bash)
    add_completion_class(_Zsh)
    add_completion_class(_Fish)


def _whole(items: list[CompletionItem], incomplete: str) -> list[CompletionItem]:
    option, equals, _ = incomplete.partition("=")
    if not equals or not option.startswith("--"):
        return items
    return [CompletionItem(f"{option}={item.value}", item.type, item.help) for item in items]
