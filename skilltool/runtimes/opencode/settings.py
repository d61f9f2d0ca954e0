"""Which settings of opencode concern skills: paths, permissions and commands of `opencode.json`, environment.

Source: the results of opencode 1.18.33, whose rules for permissions are in its module Permission.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from skilltool.runtimes.base import Session

TOOL = "skill"
_ALLOW_ALL = {"permission": "*", "action": "allow", "pattern": "*"}
_EXTERNAL = "OPENCODE_DISABLE_EXTERNAL_SKILLS"
_CLAUDE = ("OPENCODE_DISABLE_CLAUDE_CODE", "OPENCODE_DISABLE_CLAUDE_CODE_SKILLS")


class Settings(NamedTuple):
    """What concerns skills: more directories, rules in their order, commands with their templates.

    `external_off` and `claude_off` say which variable turns the places of other clients off.
    """

    paths: tuple[str, ...]
    rules: tuple[Mapping[str, str], ...]
    commands: Mapping[str, str]
    external_off: str | None
    claude_off: str | None

    def action(self, name: str) -> str:
        """Return what the last rule says that matches a skill: `allow`, `ask` or `deny`."""
        matching = (rule for rule in reversed(self.relevant) if matches(name, rule["pattern"]))
        return next((rule["action"] for rule in matching), "ask")

    @property
    def relevant(self) -> list[Mapping[str, str]]:
        """The rules that can concern a skill."""
        return [rule for rule in self.rules if matches(TOOL, rule["permission"])]

    @property
    def no_tool(self) -> bool:
        """Whether the last rule for skills denies all of them, so that there is no tool and no listing."""
        last = self.relevant[-1]
        return last["pattern"] == "*" and last["action"] == "deny"


def settings_of(session: Session) -> Settings:
    """Return the settings of a session: `opencode.json` as an object or as its text."""
    config = session.settings["opencode.json"]
    if isinstance(config, str):
        config = _parsed(config)
    config = config if isinstance(config, dict) else {}
    environment = session.settings["env"] or {}
    paths = _mapping(config.get("skills")).get("paths", ())
    commands = {
        name: str(_mapping(command).get("template", ""))
        for name, command in _mapping(config.get("command")).items()
    }
    return Settings(
        tuple(path for path in paths if isinstance(path, str)) if isinstance(paths, list) else (),
        (_ALLOW_ALL, *_rules(config)),
        commands,
        _EXTERNAL if _is_on(environment, _EXTERNAL) else None,
        next((name for name in _CLAUDE if _is_on(environment, name)), None),
    )


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _is_on(environment: Mapping[str, Any], name: str) -> bool:
    return str(environment.get(name, "")).lower() in ("true", "1")


def _rules(config: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """Yield the rules in their order; `tools` come before `permission`, which overrides them."""
    given = config.get("permission", {})
    permissions: dict[str, Any] = {
        name: "allow" if on else "deny" for name, on in _mapping(config.get("tools")).items()
    }
    permissions |= {"*": given} if isinstance(given, str) else _mapping(given)
    for permission, value in permissions.items():
        if isinstance(value, str):
            yield {"permission": permission, "action": value, "pattern": "*"}
        for pattern, action in _mapping(value).items():
            yield {"permission": permission, "pattern": pattern, "action": str(action)}


def matches(text: str, pattern: str) -> bool:
    """Return whether a text matches a pattern of `*` and `?`; ` *` at its end is optional."""
    return _matches(text, pattern) or (pattern.endswith(" *") and _matches(text, pattern[:-2]))


def _matches(text: str, pattern: str) -> bool:
    at, star, resume = 0, -1, 0
    position = 0
    while position < len(text):
        if at < len(pattern) and pattern[at] == "*":
            star, resume = at, position
            at += 1
        elif at < len(pattern) and pattern[at] in ("?", text[position]):
            at += 1
            position += 1
        elif star >= 0:  # let the last star take one character more
            at, resume = star + 1, resume + 1
            position = resume
        else:
            return False
    return not re.sub(r"\*", "", pattern[at:])
