"""What the frontmatter of a skill in a package says, as far as rules about packages ask.

In `schemas/packages`, `x-effect` is what the client does with a plugin or marketplace that has such a value:
that is an error, everything else a warning. `x-states` says in words what a pattern asks for.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from skilltool.errors import nearest
from skilltool.files.reading import MEBIBYTE, read_bounded
from skilltool.packages.manifest import Manifest
from skilltool.packages.plugins import FOLDER, Listed, Plugin, children, skills_at
from skilltool.skill.skill_file import FILE_NAME


def is_file(listed: Listed) -> bool:
    """Return whether a path leads to the SKILL.md of a skill, or to another file."""
    return os.path.isfile(listed.directory)


def is_marked(path: str, manifest: Manifest) -> bool:
    """Return whether a path begins as its client wants it; else that is reported, and nothing more of it."""
    return manifest.kind.bare or path.startswith("./") or manifest.value("metadata", "pluginRoot") is not None


def meant(listed: Listed, plugin: Plugin, manifest: Manifest) -> str | None:
    """Return the path, from the plugin, that the author of a path without a skill most likely meant."""
    if plugin.top is None:
        return None
    found = next(
        (candidate for candidate in _candidates(listed, plugin.top, manifest.top) if skills_at(candidate)),
        None,
    )
    return None if found is None else relative(found, plugin.top)


def relative(path: str, top: str) -> str:
    """Return an absolute path as manifests write it, from the directory `top` that holds it."""
    below = os.path.relpath(path, top).replace(os.sep, "/")
    return "./" if below == "." else f"./{below}"


def _candidates(listed: Listed, top: str, root: str) -> Iterator[str]:
    """Yield directories of the plugin: as if from the marketplace, without the file, in `skills/`, alike."""
    text = listed.text.replace("\\", "/").removeprefix("./")
    for base in dict.fromkeys((root, _parent(root), _parent(top))):
        path = os.path.normpath(f"{base}/{text}").replace(os.sep, "/")
        if is_below(path, top):
            yield path
    if text.endswith(f"/{FILE_NAME}"):
        yield listed.directory.rpartition("/")[0]
    last = listed.directory.rpartition("/")[2]
    yield f"{top}/{FOLDER}/{last}"
    for holder in dict.fromkeys((_parent(listed.directory), f"{top}/{FOLDER}", top)):
        if is_below(holder, top) or holder == top:
            names = {child.rpartition("/")[2]: child for child in children(holder)}
            name = nearest(last, names)
            if name is not None:
                yield names[name]


def is_below(path: str, top: str) -> bool:
    """Return whether an absolute path is `top` or in it."""
    return path == top or path.startswith(f"{top}/")


def _parent(path: str) -> str:
    return path.rpartition("/")[0]


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
