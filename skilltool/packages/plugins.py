"""Which plugins does a manifest declare, where are they, and which paths of skills do they list?"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from skilltool.packages.manifest import Manifest, read_manifest
from skilltool.text.json_places import Path

MAX_PLUGINS, MAX_LISTED = 10_000, 10_000  # of a manifest, and of a plugin
_PATTERN = re.compile(r"[*?\[{]")
_ABSOLUTE = re.compile(r"[/\\]|[A-Za-z]:")


class Listed(NamedTuple):
    """A path of skills in a manifest: as it is written, where, and the absolute directory that it means.

    `escapes` says that it leads out of its plugin, by what is written.
    """

    text: str
    where: Path
    directory: str
    escapes: bool


class Plugin(NamedTuple):
    """A plugin that a manifest declares.

    `where` is its path in the manifest, `()` for the plugin whose own manifest it is. `top` is its directory,
    None if it is not in this repository or nobody can tell. `source` is that as it is written. `own` is the
    manifest in the plugin's directory, if that is another one. `is_whole` says that what is listed is all
    that the plugin offers.
    """

    name: str | None
    where: Path
    top: str | None
    listed: tuple[Listed, ...] = ()
    source: str | None = None
    own: Manifest | None = None
    is_whole: bool = False


def plugins_of(manifest: Manifest) -> Iterator[Plugin]:
    """Yield the plugins that a manifest declares, in its order; a lock declares none."""
    if manifest.kind.is_lock:
        return
    if manifest.kind.entries is None:
        yield _itself(manifest)
        return
    entries = manifest.value(manifest.kind.entries)
    for number, entry in enumerate(islice(entries, MAX_PLUGINS) if isinstance(entries, list) else ()):
        if isinstance(entry, dict):
            yield _entry(manifest, number, entry)


def _itself(manifest: Manifest) -> Plugin:
    listed = tuple(_listed(manifest, (), manifest.top))
    whole = manifest.kind.lists == "replaces" and "skills" in manifest.data
    name = _text(manifest.value("name"))
    return Plugin(name or manifest.top.rpartition("/")[2], (), manifest.top, listed, is_whole=whole)


def _entry(manifest: Manifest, number: int, entry: dict[str, Any]) -> Plugin:
    where: Path = (manifest.kind.entries or "", number)
    source = local_source(entry)
    top = None if source is None else _top(manifest, source)
    listed = tuple(_listed(manifest, where, top)) if top is not None else ()
    own = read_manifest(f"{top}/{manifest.kind.plugin}") if _has_own(top, manifest) else None
    # Claude Code 2.1.329: with the marketplace as its source, a plugin has what its entry lists, and no more.
    whole = top == manifest.top and any(os.path.isdir(each.directory) for each in listed)
    return Plugin(_text(entry.get("name")), where, top, listed, source, own, whole)


def _has_own(top: str | None, manifest: Manifest) -> bool:
    return top is not None and os.path.isfile(f"{top}/{manifest.kind.plugin}")


def sources_of(manifest: Manifest) -> Iterator[str]:
    """Yield the directories of a marketplace's plugins that are in this repository."""
    entries = manifest.value(manifest.kind.entries or "")
    for entry in islice(entries, MAX_PLUGINS) if isinstance(entries, list) else ():
        source = local_source(entry) if isinstance(entry, dict) else None
        top = None if source is None else _top(manifest, source)
        if top is not None:
            yield top


def local_source(entry: dict[str, Any]) -> str | None:
    """Return the path of a plugin that an entry of a marketplace names in its own repository, or None."""
    source = entry.get("source")
    if isinstance(source, dict) and source.get("source") == "local":
        source = source.get("path")
    return source if isinstance(source, str) else None


def _top(manifest: Manifest, source: str) -> str | None:
    """Return the directory that a source means; None if that is outside of the marketplace."""
    root = _text(manifest.value("metadata", "pluginRoot")) or ""
    path = source if source.startswith("./") or not root else f"{root}/{source}"
    if escapes_by_text(path) or "\0" in path:
        return None
    return os.path.normpath(f"{manifest.top}/{path}").replace(os.sep, "/")


def _listed(manifest: Manifest, where: Path, top: str | None) -> Iterator[Listed]:
    skills = manifest.value(*where, "skills") if top is not None and manifest.kind.lists != "never" else None
    if manifest.kind.entries is not None and manifest.kind.lists == "never":
        return
    one = [((*where, "skills"), skills)] if isinstance(skills, str) else []
    many = islice(skills, MAX_LISTED) if isinstance(skills, list) else ()
    for place, text in [*one, *(((*where, "skills", number), each) for number, each in enumerate(many))]:
        if isinstance(text, str) and text and "\0" not in text:
            if manifest.kind.bare and _PATTERN.search(text):
                continue
            escapes = escapes_by_text(text)
            directory = os.path.normpath(f"{top}/{text}").replace(os.sep, "/")
            yield Listed(text, place, directory, escapes)


def escapes_by_text(path: str) -> bool:
    """Return whether a path is absolute or goes up."""
    return _ABSOLUTE.match(path) is not None or ".." in path.replace("\\", "/").split("/")


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
