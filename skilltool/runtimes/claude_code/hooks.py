"""Which hooks of a skill does Claude Code register, what does it drop, and what does it say?

Measured on the records in `tests/goldens/packs/claude-code/fields.jsonl`: what is wrong with a hook drops
that entry. On an event that may guard what is allowed, it drops all hooks, and `allowed-tools` with them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from skilltool.runtimes.claude_code.settings import facts
from skilltool.runtimes.values import Log

Path = tuple[str | int, ...]
_LOSS = (
    " — a PreToolUse/PermissionRequest hook that cannot be loaded may be what guards the permissions "
    "declared beside it, so nothing it sits in is applied until the entry is fixed or removed (the skill "
    "loads with no hooks and no allowed-tools)"
)
_TYPES = {str: "a string", bool: "a boolean", int: "a number", float: "a number", type(None): "null"}
_KINDS = {**_TYPES, list: "an array", dict: "an object"}


class Fault(NamedTuple):
    """What is wrong with an entry: its path under `hooks`, what the program says, if all is dropped."""

    path: Path
    said: str
    drops_all: bool = False


class Hooks(NamedTuple):
    """The hooks of one skill: the paths of those that are registered, and what is wrong with the others.

    `counts` tells whether there is anything left for which a call needs permission. `drops_tools` tells that
    `allowed-tools` is dropped as well.
    """

    registered: tuple[Path, ...] = ()
    faults: tuple[Fault, ...] = ()
    counts: bool = False
    drops_tools: bool = False

    def logs(self, name: str) -> Iterator[Log]:
        """Yield what is logged when the skill `name` is called."""
        for fault in self.faults:
            if not fault.path:
                yield Log("DEBUG", "", f"\"Invalid hooks in skill '{name}': {fault.said}\"")
                continue
            place = ".".join(map(str, ("hooks", *fault.path)))
            rest = _LOSS if fault.drops_all else "; entry ignored"
            level = "ERROR" if fault.drops_all else "WARNING"
            yield Log(level, "", f"Skill '{name}': {place}: {fault.said}{rest}")


def read(value: Any) -> Hooks:
    """Return what becomes of the value of the field `hooks`, None if there is none."""
    if value is None:
        return Hooks()
    if not isinstance(value, dict):
        return Hooks(faults=(Fault((), _not_a_mapping(value), True),), drops_tools=True)
    rows = facts()["hooks"]
    found: list[Path] = []
    faults: list[Fault] = []
    counts = False
    for event, matchers in value.items():
        if event not in rows["events"]:
            faults.append(Fault((event,), "unknown hook event"))
            continue
        counts = counts or isinstance(matchers, list)
        for path, said in _of_event(event, matchers):
            if said is None:
                found.append(path)
            else:
                faults.append(Fault(path, said, event in rows["guards"]))
    if any(fault.drops_all for fault in faults):
        return Hooks(faults=tuple(faults), drops_tools=True)
    return Hooks(tuple(found), tuple(faults), counts)


def _of_event(event: str, matchers: Any) -> Iterator[tuple[Path, str | None]]:
    """Yield the path of each hook of an event, with what is wrong with it or what holds it, else None."""
    if not isinstance(matchers, list):
        yield (event,), f"must be an array of matchers; received {_kind(matchers)}"
        return
    for number, matcher in enumerate(matchers):
        path: Path = (event, number)
        if not isinstance(matcher, dict):
            yield path, f"Hook matcher must be an object; received {_kind(matcher)}"
        elif not isinstance(matcher.get("hooks"), list):
            kind = _kind(matcher["hooks"]) if "hooks" in matcher else "undefined"
            yield path, f'Hook matcher "hooks" must be an array of hook entries; received {kind}'
        else:
            yield from (((*path, "hooks", at), _problem(hook)) for at, hook in enumerate(matcher["hooks"]))


def _problem(hook: Any) -> str | None:
    if not isinstance(hook, dict):
        return f"Hook entry must be an object; received {_kind(hook)}"
    if "type" not in hook:
        return 'Hook entry has no "type"'
    kind = hook["type"]
    if kind not in facts()["hooks"]["types"]:
        return f'Unknown hook type "{kind}"'
    timeout = hook.get("timeout", 0)
    if isinstance(timeout, bool) or not isinstance(timeout, int | float):
        said = f"timeout: Invalid input: expected number, received {_kind(timeout).partition(' ')[2]}"
        return f"Invalid {kind} hook ({said})"
    return None


def _kind(value: Any) -> str:
    return _KINDS[type(value)]


def _not_a_mapping(value: Any) -> str:
    kind = "array" if isinstance(value, list) else _kind(value).rpartition(" ")[2]
    issue = {
        "expected": "record",
        "code": "invalid_type",
        "path": [],
        "message": f"Invalid input: expected record, received {kind}",
    }
    return json.dumps(json.dumps([issue], indent=2))[1:-1]
