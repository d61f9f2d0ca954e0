"""What of Claude Code's command line, environment and model name concerns skills?

Only what a session is given counts: never the arguments or the environment of this process.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# option -> the field of `Flags`; the value is the next argument, or every one up to the next option
_ONE = {"--model": "model", "--permission-mode": "permission_mode", "--session-id": "session_id"}
_ONE |= {"--settings": "settings", "--effort": "effort"}
_MANY = {"--add-dir": "add_dirs", "--plugin-dir": "plugin_dirs", "--tools": "tools"}
_MANY |= dict.fromkeys(("--allowedTools", "--allowed-tools"), "allowed")
_MANY |= dict.fromkeys(("--disallowedTools", "--disallowed-tools"), "disallowed")
_MANY["--setting-sources"] = "sources"
_RULE = re.compile(r"[^\s,()]+(?:\([^)]*\))?")
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
    """Return the rules in a text, parted by blanks or commas: `Read, Bash(git log *)`."""
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
