"""What do kodelet's configuration files say about skills?

`skills.enabled` and `skills.allowed` in `~/.kodelet/config.yaml` and in `kodelet-config.yaml` of the working
directory, which overrides it key by key.

Sources: document 004, "Configuration"; `cmd/kodelet/main.go`, `pkg/llm/config.go` and
`pkg/types/llm/config.go` at the commits named in the profile. They read with viper: yaml.v3, keys in any
case, values converted as mapstructure does.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from skilltool.emulation.go_yaml import compose, targets
from skilltool.runtimes.base import Session
from skilltool.runtimes.config_files import apply, ignore, text_of
from skilltool.text.frontmatter.nodes import Mapping, Node, Scalar, Sequence, YamlError

# Go's strconv.ParseBool; an empty string is false for mapstructure.
_TRUE = frozenset({"1", "t", "T", "true", "TRUE", "True"})
_FALSE = frozenset({"0", "f", "F", "false", "FALSE", "False", ""})


def read_config(session: Session, section_enables: bool) -> None:
    """Take `enabled` and `allowed` from the files, the user's first, but for what was chosen for the session.

    `section_enables`: a section `skills` without `enabled` leaves skills enabled; else it disables them.
    """
    files = [session.project / "kodelet-config.yaml"]
    if session.settings["user_settings"]:
        files.insert(0, session.home / ".kodelet" / "config.yaml")
    found: dict[str, Any] = {}
    sections = [entries for file in files if (entries := _section(session, file))]
    for entries in sections:
        found |= entries
    if sections and not section_enables:
        found.setdefault("enabled", False)
    apply(session, {name: value for name, value in found.items() if name in ("enabled", "allowed")})


def _section(session: Session, file: Path) -> dict[str, Any]:
    """Return what is under `skills` in a file, keys in lower case; values that are null count as absent."""
    text = text_of(session, file)
    if text is None:
        return {}
    try:
        root = compose(text, reads_ahead=True)
        aliased = targets(root) if root is not None else {}
    except YamlError:
        ignore(session, file, "it is not valid YAML")
        return {}

    def entries(node: Node) -> Iterator[tuple[str, Node]]:
        for key, value in node.entries if isinstance(node, Mapping) else ():
            value = aliased.get(id(value), value)
            if isinstance(key, Scalar) and not (isinstance(value, Scalar) and value.value is None):
                yield key.text.lower(), value

    if root is not None and not isinstance(root, Mapping):
        ignore(session, file, "it is not a mapping")
        return {}
    found: dict[str, Any] = {}
    section = dict(entries(root)).get("skills") if root is not None else None
    if section is not None and not isinstance(section, Mapping):
        ignore(session, file, "`skills` is not a mapping")
    for key, value in entries(section) if section is not None else ():
        found[key] = None
        if key == "enabled":
            found[key] = _boolean(value)
        elif key == "allowed":
            items = value.items if isinstance(value, Sequence) else ()
            found[key] = _names(value, [aliased.get(id(item), item) for item in items])
        if key in ("enabled", "allowed") and found[key] is None:
            ignore(
                session,
                file,
                f"`skills.{key}` is not {'a boolean' if key == 'enabled' else 'a list of names'}",
            )
            del found[key]
    return found


def _boolean(node: Node) -> bool | None:
    """Return a value as the boolean that mapstructure makes of it, None if it makes none."""
    if not isinstance(node, Scalar):
        return None
    value = node.value
    if isinstance(value, int | float):
        return bool(value)
    return True if node.text in _TRUE else False if node.text in _FALSE else None


def _names(node: Node, items: list[Node]) -> list[str] | None:
    """Return a list of names, or the names in one text with commas; None for anything else."""
    if isinstance(node, Scalar):
        return node.text.split(",") if node.text else []
    if not isinstance(node, Sequence) or not all(isinstance(item, Scalar) for item in items):
        return None
    return [item.text for item in items if isinstance(item, Scalar)]
