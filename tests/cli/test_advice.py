"""Every command that a message, a help text, a manual or a page advises exists, and those of messages run."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from skilltool.cli import COMMANDS, group
from tests.conftest import MakeSkill, Skilltool

TOP = Path(__file__).parents[2]
ADVISED = re.compile(r"`(skilltool(?: [^`\n]*)?)`")
# Words that stand for what a reader fills in, and for values that a message fills in when it is printed.
_BLANK = re.compile(r"^(?:[A-Z][A-Z_|\[\]%]*|\{.*\}|\.\.\.|…)$")


def texts() -> Iterator[tuple[str, str]]:
    """Yield every string in the code, with holes as `{}`, and every page, each with its file."""
    for file in (TOP / "skilltool").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.JoinedStr):
                parts = [each.value if isinstance(each, ast.Constant) else "{}" for each in node.values]
                yield file.name, "".join(map(str, parts))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield file.name, node.value
    for page in (*(TOP / "docs").rglob("*.md"), TOP / "README.md", TOP / "CONTRIBUTING.md"):
        yield page.name, page.read_text("utf-8")


def advised() -> list[tuple[str, str]]:
    """The commands in backticks that are whole: their words can be told apart."""
    found = []
    for file, text in texts():
        for command in ADVISED.findall(text):
            first = command.split()[1:2]
            if first and not _BLANK.match(first[0]) and re.fullmatch(r"[a-z-]+", first[0]):
                found.append((file, command))
    return sorted(set(found))


def problem(command: str) -> str | None:
    """Return what is wrong with a command line, going by the names of its command and its options."""
    try:
        words = shlex.split(command)[1:]
    except ValueError as error:
        return str(error)
    if words[0].startswith("-"):
        return None if words[0] in ("--version", "--help", "-V", "-h") else "no such option"
    if words[0] not in COMMANDS:
        return f"no command {words[0]}"
    known = group.get_command(click.Context(group), words[0])
    assert known is not None
    options = {name: each for each in known.params for name in (*each.opts, *each.secondary_opts)}
    options |= dict.fromkeys(("--help", "-h"), click.Option(["--help"]))
    for number, word in enumerate(words[1:], 2):
        name, equals, given = word.partition("=")
        if word.startswith("-") and word != "-" and name not in options:
            return f"no option {name}"
        value = given if equals else next(iter(words[number:]), "X")
        kind = getattr(options.get(name), "type", None)
        if isinstance(kind, click.Choice) and not _BLANK.match(value) and value not in kind.choices:
            return f"{name} has no value {value}"
    return None


@pytest.mark.slow
def test_whatever_is_advised_is_a_command_with_these_options() -> None:
    found = advised()
    assert len(found) > 60
    wrong = [(file, command, why) for file, command in found if (why := problem(command)) is not None]
    assert wrong == []


def test_the_check_notices_what_does_not_exist() -> None:
    assert problem("skilltool lint --output-format matrix x") == "--output-format has no value matrix"
    assert problem("skilltool lnt x") == "no command lnt"
    assert problem("skilltool render pdf --rt kodelet") == "no option --rt"
    assert problem("skilltool render NAME --runtime ID --args 'x y'") is None


SITUATIONS = (
    "lint nothing",
    "lint",
    "render",
    "render pdff",
    "render pdf --runtime codex",
    "render folder --runtime kodelet",
    "render broken --runtime kodelet",
    "resolve",
    "resolve pdff",
    "resolve pdf --runtime codex",
    "resolve pdff --runtime codex,kodelet",
    "resolve lib/b --runtime codex",
    "cost",
    "cost pdff",
    "cost pdf --runtime codex,gemini-cli",
    "render b --runtime kodelet",
    "render --runtime agent pdf --part result",
    "pack",
    "pack lib/nothing",
    "rule nosuch",
    "runtimes nosuch",
    "schema nosuch",
    "new",
    "new pdf --runtime claude-code",
    "new other --runtime kodelet --dry-run",
    "baseline lib/nothing",
    "lint --baseline nosuch.json",
    "lint --select nosuch",
    "lint --fromat x",
    "init x",
    "explain broken-link",
    "check",
    "cost --set nosuch=1",
    "resolve --root nosuch=.",
)


@pytest.fixture
def project(repo: Path, make_skill: MakeSkill) -> Path:
    """A project with skills of two clients, a library, a package of a monorepo, and mistakes."""
    make_skill(repo / ".claude/skills/pdf", "---\nname: pdf\ndescription: >\n  x\n---\n[a](b.md)\n")
    make_skill(repo / ".kodelet/skills/folder", "---\nname: forms\ndescription: Fills.\n---\n\nText.\n")
    make_skill(repo / ".kodelet/skills/broken", "# no frontmatter\n")
    make_skill(repo / "lib/b")
    make_skill(repo / "packages/api/.claude/skills/deploy")
    return repo


@pytest.mark.slow
@pytest.mark.parametrize("typed", SITUATIONS)
def test_what_a_message_advises_runs(skilltool: Skilltool, project: Path, typed: str) -> None:
    said = skilltool(*shlex.split(typed))
    for command in dict.fromkeys(ADVISED.findall(said.stdout + said.stderr)):
        run = skilltool(*shlex.split(command)[1:])
        blank = any(_BLANK.match(word) for word in command.split()[1:])
        usage = "Usage:" in run.stderr and "Try 'skilltool" in run.stderr
        assert not usage or blank or command == "skilltool new", (typed, command, run.stderr)
        assert run.returncode in (0, 1) or blank or usage, (typed, command, run.stderr)
