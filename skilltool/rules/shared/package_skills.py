"""What the frontmatter of a skill in a package says, as far as rules about packages ask."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from skilltool.files.reading import MEBIBYTE, read_bounded
from skilltool.packages.manifest import Manifest
from skilltool.packages.plugins import FOLDER, Plugin
from skilltool.skill.skill_file import FILE_NAME


def is_internal(directory: str) -> bool:
    """Return whether a skill says that it is not for installers: `metadata` with `internal: true`."""
    raw = _raw(directory)
    if b"internal" not in raw:
        return False
    metadata = _fields(directory).get("metadata")
    return isinstance(metadata, dict) and metadata.get("internal") is True


def name_of(directory: str) -> str:
    """Return the name in a skill's frontmatter, else the name of its directory."""
    name = _fields(directory).get("name")
    return name if isinstance(name, str) and name.strip() else directory.rpartition("/")[2]


def key_of(directory: str, plugin: Plugin, manifest: Manifest) -> str:
    """Return the key of a skill of a plugin.

    Where directories make keys, a skill at the top of the plugin or of `skills/` has its own name, and the
    name of the plugin is that in its own manifest.
    """
    if manifest.kind.keys == "name":
        return name_of(directory)
    own = plugin.own.value("name") if plugin.own is not None else None
    prefix = own if isinstance(own, str) and own else plugin.name
    is_top = directory in (plugin.top, f"{plugin.top}/{FOLDER}")
    return f"{prefix}:{name_of(directory) if is_top else directory.rpartition('/')[2]}"


@lru_cache(maxsize=4)
def _raw(directory: str) -> bytes:
    try:
        return read_bounded(Path(directory, FILE_NAME), MEBIBYTE)
    except (OSError, ValueError):
        return b""


@lru_cache(maxsize=4)
def _fields(directory: str) -> dict[str, Any]:
    from skilltool.text.frontmatter import read
    from skilltool.text.source import Source

    data = read(Source.decode(_raw(directory))).data
    return dict(data) if data is not None else {}
