"""Which settings does Claude Code read, and from which files?

`settings.json` of the personal directory, `.claude/settings.json` and `.claude/settings.local.json` of the
working directory, then `--settings`: later ones override earlier ones, lists and maps are joined. A file with
an invalid value of a setting is dropped whole.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from skilltool.runtimes.claude_code.flags import Flags
from skilltool.runtimes.loading import bytes_beside_skills
from skilltool.runtimes.values import Refusal

OVERRIDES = frozenset({"on", "off", "name-only", "user-invocable-only"})
_PERMISSIONS = ("allow", "deny", "ask", "additionalDirectories")


def merged(flags: Flags, config: Path | None, project: Path) -> dict[str, Any]:
    """Return the settings of a session; `config` is the personal directory, None to leave it out."""
    sources = flags.sources
    found: dict[str, Any] = {}
    for source, file in _files(config, project):
        if sources is None or source in sources:
            found = _joined(found, _valid(_content(file)))
    given = flags.settings or ""
    text = given if given.lstrip().startswith("{") else None
    return _joined(found, _valid(_parsed(text) if text is not None else _content(project / given)))


def _files(config: Path | None, project: Path) -> Iterator[tuple[str, Path]]:
    if config is not None:
        yield "user", config / "settings.json"
    yield "project", project / ".claude" / "settings.json"
    if config is not None:  # the user's own, too, although it is in the project
        yield "local", project / ".claude" / "settings.local.json"


def in_text(text: str | None) -> dict[str, Any]:
    """Return what the text of one settings file sets, empty if it is None, or dropped."""
    return {} if text is None else _valid(_parsed(text))


def _content(file: Path) -> Any:
    try:
        return _parsed(bytes_beside_skills(file).decode("utf-8", "replace"))
    except (OSError, Refusal):
        return None


def _parsed(text: str) -> Any:
    try:
        return json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return None


def read_json(file: Path) -> dict[str, Any]:
    """Return the object in a JSON file, empty if there is none."""
    found = _content(file)
    return found if isinstance(found, dict) else {}


def _joined(base: dict[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    found = dict(base)
    for name, value in over.items():
        if isinstance(value, dict) and isinstance(found.get(name), dict):
            found[name] = _joined(found[name], value)
        elif isinstance(value, list) and isinstance(found.get(name), list):
            found[name] = [*found[name], *value]
        else:
            found[name] = value
    return found


def _valid(content: Any) -> dict[str, Any]:
    """Return settings, empty if a value that we know is not what Claude Code takes."""
    if not isinstance(content, dict):
        return {}
    return content if all(check(content[name]) for name, check in _CHECKS.items() if name in content) else {}


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _permissions(value: Any) -> bool:
    lists = (value.get(name, []) for name in _PERMISSIONS) if isinstance(value, dict) else ["no list"]
    return all(isinstance(each, list) and all(isinstance(rule, str) for rule in each) for each in lists)


_CHECKS: dict[str, Callable[[Any], bool]] = {
    "skillListingBudgetFraction": lambda value: _number(value) and 0 < value <= 1,
    "skillListingMaxDescChars": lambda value: _number(value) and value >= 1 and value == int(value),
    "skillOverrides": lambda value: isinstance(value, dict) and set(map(str, value.values())) <= OVERRIDES,
    "disableBundledSkills": lambda value: isinstance(value, bool),
    "disableSkillShellExecution": lambda value: isinstance(value, bool),
    "enabledPlugins": lambda value: isinstance(value, dict),
    "permissions": _permissions,
    "env": lambda value: isinstance(value, dict),
    "model": lambda value: isinstance(value, str),
}
