"""Which settings does Claude Code read, and from which files?

`settings.json` of the personal directory, `.claude/settings.json` and `.claude/settings.local.json` of the
working directory, then `--settings`: later ones override earlier ones, lists and maps are joined. A file with
an invalid value of a setting is dropped whole.

Only what a session is given counts: never the arguments or the environment of this process.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from skilltool.runtimes.loading import bytes_beside_skills
from skilltool.runtimes.values import Refusal
from skilltool.text.lazy_pattern import lazy_pattern

# Stands for text of the program's own skills and commands.
BUILTIN = "{builtin}"


@cache
def facts() -> dict[str, Any]:
    """Return the content of `facts.json`."""
    found: dict[str, Any] = json.loads((Path(__file__).parent / "facts.json").read_text("utf-8"))
    return found


# option -> the field of `Flags`; the value is the next argument, or every one up to the next option
_ONE = {"--model": "model", "--permission-mode": "permission_mode", "--session-id": "session_id"}
_ONE |= {"--settings": "settings", "--effort": "effort"}
_MANY = {"--add-dir": "add_dirs", "--plugin-dir": "plugin_dirs", "--tools": "tools"}
_MANY |= dict.fromkeys(("--allowedTools", "--allowed-tools"), "allowed")
_MANY |= dict.fromkeys(("--disallowedTools", "--disallowed-tools"), "disallowed")
_MANY["--setting-sources"] = "sources"
# A bracket that is never closed takes what follows into the rule, which then allows nothing.
_RULE = lazy_pattern(r"(?:[^\s,()]|\([^)]*(?:\)|\Z)|\))+")
_SPLIT = frozenset({"tools", "allowed", "disallowed"})


@dataclass(frozen=True)
class Flags:
    """The options of a session; lists are None where the option is not given."""

    add_dirs: tuple[str, ...] = ()
    plugin_dirs: tuple[str, ...] = ()
    tools: tuple[str, ...] | None = None
    allowed: tuple[str, ...] = ()
    disallowed: tuple[str, ...] = ()
    sources: tuple[str, ...] | None = None
    settings: str | None = None
    model: str | None = None
    effort: str | None = None
    session_id: str | None = None
    permission_mode: str | None = None
    bare: bool = False
    no_commands: bool = False
    skip_permissions: bool = False
    env: Mapping[str, str] = field(default_factory=dict)

    @property
    def bypasses(self) -> bool:
        """Whether nothing asks for permission."""
        return self.skip_permissions or self.permission_mode == "bypassPermissions"


def parsed(arguments: Sequence[str], env: Mapping[str, Any]) -> Flags:
    """Return the options that `arguments` and the given environment set; others are ignored."""
    found: dict[str, Any] = {"env": {name: str(value) for name, value in env.items()}}
    for option, values in _options(arguments):
        if option in _ONE and values:
            found[_ONE[option]] = values[0]
        elif option in _MANY:
            name = _MANY[option]
            if name in _SPLIT:
                values = [rule for value in values for rule in rules_in(value)]
            elif name == "sources":
                values = [part.strip() for value in values for part in value.split(",") if part.strip()]
            found[name] = (*(found.get(name) or ()), *values)
        elif option in ("--bare", "--safe-mode"):
            found["bare"] = True
        elif option == "--disable-slash-commands":
            found["no_commands"] = True
        elif option == "--dangerously-skip-permissions":
            found["skip_permissions"] = True
    return Flags(**found)


def rules_in(text: str) -> list[str]:
    """Return the rules in a text, separated by spaces or commas: `Read, Bash(git log *)`."""
    return _RULE.findall(text)


def _options(arguments: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield each option with the arguments up to the next one."""
    option, values = "", list[str]()
    for argument in arguments:
        if argument.startswith("--"):
            if option:
                yield option, values
            option, _, value = argument.partition("=")
            values = [value] if value else []
        else:
            values.append(argument)
    if option:
        yield option, values


def config_directory(flags: Flags, home: Path) -> Path:
    """Return the directory of personal settings and skills: `CLAUDE_CONFIG_DIR`, else `~/.claude`."""
    given = flags.env.get("CLAUDE_CONFIG_DIR")
    return Path(given) if given else home / ".claude"


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
