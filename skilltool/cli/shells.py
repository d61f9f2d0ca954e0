"""What click's shell completion lacks: values joined to their option (`--runtime=kod`), and commas in fish.

zsh and fish replace the whole word by the completion, so it must include the option. bash splits the word:
there `=` is a word of its own.
"""

from __future__ import annotations

from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ZshComplete,
    add_completion_class,
)


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
