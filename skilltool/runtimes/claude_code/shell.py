"""Would Claude Code run a command in a skill's body without asking? Nothing is run here."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator

from skilltool.runtimes.claude_code.data import facts
from skilltool.runtimes.claude_code.entry import Entry
from skilltool.runtimes.claude_code.flags import rules_in
from skilltool.runtimes.claude_code.permissions import rules
from skilltool.runtimes.claude_code.state import State

_BASH = re.compile(r"Bash(?:\((?P<pattern>.*)\))?", re.DOTALL)
_REDIRECTION = re.compile(r"\d?>&\d|\d?>\s*/dev/null")


def refusal(state: State, entry: Entry, patterns: Iterable[tuple[str, str]]) -> str | None:
    """Return the answer to a call whose body has a command that asks, None if all run.

    Each of `patterns` is a command as it stands in the body, and the command itself.
    """
    if state.flags.bypasses:
        return None
    granted = [*rules(state, "allow", state.flags.allowed), *allowed_tools(entry)]
    for pattern, command in patterns:
        if not runs_unasked(command, granted):
            failed = f'Shell command permission check failed for pattern "{pattern}"'
            return f"{failed}: This command requires approval"
    return None


def runs_unasked(command: str, granted: Iterable[str]) -> bool:
    """Return whether a command runs without asking, with these rules that allow tools."""
    return is_read_only(command) or any(_grants(rule, command) for rule in granted)


def allowed_tools(entry: Entry) -> list[str]:
    """Return the rules in the field `allowed-tools`."""
    value = entry.read_as.fields.get("allowed-tools")
    texts = value if isinstance(value, list) else [value]
    return [rule for text in texts if isinstance(text, str) for rule in rules_in(text)]


def _grants(rule: str, command: str) -> bool:
    """Return whether a rule such as `Bash(git *)` or `Bash(git:*)` covers a command."""
    match = _BASH.fullmatch(rule)
    if match is None:
        return False
    pattern = match["pattern"]
    if pattern is None or pattern in ("*", ":*"):
        return True
    if pattern.endswith(":*"):
        return command.startswith(pattern[:-2])
    parts = (re.escape(part) for part in pattern.split("*"))
    return re.fullmatch("[\\s\\S]*".join(parts), command) is not None


def is_read_only(command: str) -> bool:
    """Return whether every part of a command is one that is known to run without asking."""
    text = _REDIRECTION.sub(" ", command)
    if any(sign in text for sign in ("`", "$(", ">", "<")):
        return False
    return all(_only_reads(part) for part in _parts(text))


def _only_reads(words: list[str]) -> bool:
    data = facts()["read_only"]
    return bool(words) and (
        words[0] in data["commands"] or tuple(words[:2]) in map(tuple, data["subcommands"])
    )


def _parts(text: str) -> Iterator[list[str]]:
    """Yield the words of each simple command; one without words if it is not readable."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars=";|&\n")
    lexer.whitespace = " \t\r"
    lexer.commenters = ""
    words: list[str] = []
    try:
        for word in lexer:
            if set(word) <= set(";|&\n"):
                yield words
                words = []
            else:
                words.append(word)
    except ValueError:  # a quote that is never closed
        yield []
        return
    if words:
        yield words
