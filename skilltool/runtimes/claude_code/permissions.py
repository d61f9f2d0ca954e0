"""Does a call of a skill run without asking, and may it run at all? In print mode, what asks is refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from skilltool.runtimes.claude_code.entry import Entry
from skilltool.runtimes.claude_code.state import State

_TOOL = "Skill"


def rules(state: State, kind: str, given: Iterable[str]) -> Iterator[str]:
    """Yield the rules of a kind (`allow`, `deny`) in the settings, then those given by flags."""
    permissions = state.settings.get("permissions", {})
    yield from permissions.get(kind, []) if isinstance(permissions, dict) else []
    yield from given


def _names(known: Iterable[str], names: Iterable[str]) -> bool:
    """Return whether a rule names the tool with one of these names: `Skill(x)` or `Skill(x:*)`."""
    wanted = {f"{_TOOL}({name}{end})" for name in names for end in ("", ":*")}
    return any(rule in wanted for rule in known)


def skill_tool_denied(state: State) -> bool:
    """Return whether the session has no Skill tool."""
    tools = state.flags.tools
    if tools is not None and _TOOL not in tools and "default" not in tools:
        return True
    return any(rule in (_TOOL, f"{_TOOL}(*)") for rule in rules(state, "deny", state.flags.disallowed))


def denied(state: State, entry: Entry, called: str) -> bool:
    """Return whether a rule forbids a skill."""
    return _names(rules(state, "deny", state.flags.disallowed), _names_of(entry, called))


def allowed(state: State, entry: Entry, called: str) -> bool:
    """Return whether a skill runs without asking."""
    if not entry.asks or state.flags.bypasses:
        return True
    known = list(rules(state, "allow", state.flags.allowed))
    return _TOOL in known or _names(known, _names_of(entry, called))


def _names_of(entry: Entry, called: str) -> set[str]:
    return {entry.key, called}
