"""What does `agents/openai.yaml` say about a skill: may the model use it, is it for Codex, how is it shown?

Source: `skills/list` and listings of codex 0.169.0 for files of ours, `core-skills/src/loader.rs` of
openai/codex. A file that cannot be read or is of other types than expected says nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from skilltool.emulation import rust
from skilltool.emulation.serde_yaml import SWITCH, TEXT, SerdeYamlError, Struct, choice, items, optional, read
from skilltool.runtimes.loading import read_bytes
from skilltool.runtimes.values import Refusal
from skilltool.text.frontmatter.nodes import BoundError

FILE = "agents/openai.yaml"
_OURS = "codex"
_LONGEST, _LONGEST_NAME = 1024, 64
_COLOR = re.compile(r"#[0-9A-Fa-f]{6}")

# As named in the file and in `skills/list`; the longest in code points, None for an icon or a color.
_INTERFACE = {
    "display_name": ("displayName", _LONGEST_NAME),
    "short_description": ("shortDescription", _LONGEST),
    "icon_small": ("iconSmall", None),
    "icon_large": ("iconLarge", None),
    "brand_color": ("brandColor", None),
    "default_prompt": ("defaultPrompt", _LONGEST),
}
_TOOL = {
    "type": _LONGEST_NAME,
    "value": _LONGEST,
    "description": _LONGEST,
    "transport": _LONGEST_NAME,
    "command": _LONGEST,
    "url": _LONGEST,
}
_POLICY = Struct(
    "Policy",
    {"allow_implicit_invocation": SWITCH, "products": items(choice("chatgpt", _OURS, "atlas"))},
)
_DEPENDENCIES = Struct("Dependencies", {"tools": items(Struct("DependencyTool", dict.fromkeys(_TOOL, TEXT)))})
_FILE = Struct(
    "SkillMetadataFile",
    {
        "interface": optional(Struct("Interface", dict.fromkeys(_INTERFACE, TEXT))),
        "dependencies": optional(_DEPENDENCIES),
        "policy": optional(_POLICY),
    },
)


class Extras(NamedTuple):
    """What the file says: is the skill for Codex, may the model use it unasked, and what users see of it."""

    for_codex: bool = True
    implicit: bool = True
    shown: Mapping[str, Any] = {}


def extras(directory: Path) -> Extras:
    """Return what the file of a skill directory says."""
    try:
        fields = read(read_bytes(directory / FILE).decode("utf-8"), _FILE)
    except (OSError, UnicodeDecodeError, Refusal, SerdeYamlError, BoundError):
        return Extras()
    policy = fields.get("policy") or {}
    products = policy.get("products") or [_OURS]
    shown = {
        "interface": _interface(fields.get("interface") or {}, directory),
        "dependencies": _dependencies(fields.get("dependencies") or {}),
    }
    return Extras(
        _OURS in products,
        policy.get("allow_implicit_invocation") is not False,
        {name: value for name, value in shown.items() if value},
    )


def _interface(fields: Mapping[str, str | None], directory: Path) -> dict[str, str]:
    found: dict[str, str | None] = {}
    for name, (shown, longest) in _INTERFACE.items():
        value = fields.get(name)
        if value is not None and longest is not None:
            found[shown] = _line(value, longest)
        elif value is not None and name == "brand_color":
            found[shown] = rust.trim(value) if _COLOR.fullmatch(rust.trim(value)) else None
        elif value is not None:
            found[shown] = _icon(value, directory)
    return {name: value for name, value in found.items() if value is not None}


def _line(value: str, longest: int) -> str | None:
    line = rust.single_line(value)
    return line if line and len(line) <= longest else None


def _icon(value: str, directory: Path) -> str | None:
    """Return the path of an icon, which must lie in `assets`."""
    parts = [part for part in value.split("/") if part not in ("", ".")]
    inside = parts[:1] == ["assets"] and ".." not in parts and not value.startswith("/")
    return os.fspath(PurePosixPath(directory, *parts)) if inside else None


def _dependencies(fields: Mapping[str, Any]) -> dict[str, Any]:
    tools = []
    for tool in fields.get("tools") or ():
        lines = {name: _line(tool.get(name) or "", longest) for name, longest in _TOOL.items()}
        if lines["type"] and lines["value"]:
            tools.append({name: line for name, line in lines.items() if line})
    return {"tools": tools} if tools else {}
