"""Does a call of a skill run without asking, and may it run at all? In print mode, what asks is refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from skilltool.runtimes.claude_code.entry import Entry
from skilltool.runtimes.claude_code.state import State

_TOOL = "Skill"


def _rules(state: State, kind: str, given: Iterable[str]) -> Iterator[str]:
    permissions = state.settings.get("permissions", {})
    yield from permissions.get(kind, []) if isinstance(permissions, dict) else []
    yield from given


def _names(rules: Iterable[str], names: Iterable[str]) -> bool:
    """Return whether a rule names the tool with one of these names: `Skill(x)` or `Skill(x:*)`."""
    wanted = {f"{_TOOL}({name}{end})" for name in names for end in ("", ":*")}
    return any(rule in wanted for rule in rules)


def skill_tool_denied(state: State) -> bool:
    """Return whether the session has no Skill tool."""
    tools = state.flags.tools
    if tools is not None and _TOOL not in tools and "default" not in tools:
        return True
    return any(rule in (_TOOL, f"{_TOOL}(*)") for rule in _rules(state, "deny", state.flags.disallowed))


def denied(state: State, entry: Entry, called: str) -> bool:
    """Return whether a rule forbids a skill."""
    return _names(_rules(state, "deny", state.flags.disallowed), _names_of(entry, called))


def allowed(state: State, entry: Entry, called: str) -> bool:
    """Return whether a skill runs without asking."""
    if not entry.asks or state.flags.bypasses:
        return True
    rules = list(_rules(state, "allow", state.flags.allowed))
    return _TOOL in rules or _names(rules, _names_of(entry, called))


def _names_of(entry: Entry, called: str) -> set[str]:
    return {entry.key, called}
