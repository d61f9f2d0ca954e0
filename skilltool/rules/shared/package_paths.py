"""What paths in a manifest lead to, and which path their author may have meant."""

from __future__ import annotations

import os
from collections.abc import Iterator

from skilltool.errors import nearest
from skilltool.packages.manifest import Manifest
from skilltool.packages.plugins import FOLDER, Listed, Plugin, children, skills_at
from skilltool.skill.skill_file import FILE_NAME


def is_file(listed: Listed) -> bool:
    """Return whether a path leads to the SKILL.md of a skill, or to another file."""
    return os.path.isfile(listed.directory)  # noqa: PTH113


def is_marked(path: str, manifest: Manifest) -> bool:
    """Return whether a path begins as its client wants it; else that is reported, and nothing more of it."""
    return manifest.kind.bare or path.startswith("./") or manifest.value("metadata", "pluginRoot") is not None


def meant(listed: Listed, plugin: Plugin, manifest: Manifest) -> str | None:
    """Return the path, from the plugin, that the author of a path without a skill most likely meant."""
    if plugin.top is None:
        return None
    found = next((each for each in _candidates(listed, plugin.top, manifest.top) if skills_at(each)), None)
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
            names = {each.rpartition("/")[2]: each for each in children(holder)}
            name = nearest(last, names)
            if name is not None:
                yield names[name]


def is_below(path: str, top: str) -> bool:
    """Return whether an absolute path is `top` or in it."""
    return path == top or path.startswith(f"{top}/")


def _parent(path: str) -> str:
    return path.rpartition("/")[0]
