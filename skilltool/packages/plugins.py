"""Which plugins does a manifest declare, where are they, and which paths of skills do they list?"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path as FilePath
from typing import Any, NamedTuple

from skilltool.files.one_run import once_a_run
from skilltool.files.reading import MEBIBYTE, read_bounded
from skilltool.files.repository import is_repository_root
from skilltool.packages.manifest import Manifest, read_manifest
from skilltool.skill.discovery.walk import is_directory_entry
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.json_places import Path
from skilltool.text.lazy_pattern import lazy_pattern

MAX_PLUGINS, MAX_LISTED = 10_000, 10_000  # of a manifest, and of a plugin
_PATTERN = lazy_pattern(r"[*?\[{]")
_ABSOLUTE = lazy_pattern(r"[/\\]|[A-Za-z]:")


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
    """Yield the plugins that a manifest declares, in its order; a lock or an index declares none."""
    if manifest.kind.has_no_client:
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


FOLDER = "skills"
MAX_ENTRIES = 10_000  # of a directory of skills


class Offer(NamedTuple):
    """A skill that a plugin offers: its directory, absolute, and the path in the manifest that lists it.

    `where` is None for a skill that the client finds without a list; `by` says how in words.
    """

    directory: str
    where: Path | None
    by: str


def offers(plugin: Plugin, manifest: Manifest) -> Iterator[Offer]:
    """Yield the skills of a plugin, each directory once.

    The folder `skills/` first, unless the list replaces it, then what is listed, and the skill that the
    plugin's directory itself is, if it has neither.
    """
    seen: set[str] = set()
    for offer in _all(plugin, manifest):
        if offer.directory not in seen:
            seen.add(offer.directory)
            yield offer


def _all(plugin: Plugin, manifest: Manifest) -> Iterator[Offer]:
    if plugin.top is None:
        return
    folder = f"{plugin.top}/{FOLDER}"
    if not plugin.is_whole:
        for directory in skills_at(folder):
            yield Offer(directory, None, f"in {FOLDER}/")
    for listed in plugin.listed:
        if not listed.escapes:
            for directory in skills_at(listed.directory):
                yield Offer(directory, listed.where, f"listed as {listed.text}")
    if plugin.own is not None and plugin.own.path != manifest.path:
        for inner in plugins_of(plugin.own):
            for offer in _all(inner, plugin.own):
                yield offer._replace(where=None)
    elif not plugin.listed and not is_directory(folder) and _is_skill(plugin.top):
        yield Offer(plugin.top, None, "at the root of the plugin")


def skills_at(directory: str) -> tuple[str, ...]:
    """Return the skill that a directory is, else the skills directly in it, sorted; none if it is missing."""
    if _is_skill(directory):
        return (directory,)
    return tuple(child for child in children(directory) if _is_skill(child))


@once_a_run(1024)
def children(directory: str) -> tuple[str, ...]:
    """Return the directories in a directory, sorted; a link to one counts."""
    try:
        with os.scandir(directory) as entries:
            found = [each.path for each in islice(entries, MAX_ENTRIES) if is_directory_entry(each)]
    except (OSError, ValueError):
        return ()
    return tuple(sorted(each.replace(os.sep, "/") for each in found))


def _is_skill(directory: str) -> bool:
    try:
        return os.path.isfile(f"{directory}/{FILE_NAME}")
    except ValueError:
        return False


def is_directory(path: str) -> bool:
    """Return whether a path is a directory; False if that may not be asked."""
    return os.path.isdir(path)


def is_in_submodule(path: str) -> bool:
    """Return whether a path is in a submodule of the repository around it, which a clone need not have."""
    top = _around(os.path.dirname(path))
    try:
        raw = read_bounded(FilePath(top, ".gitmodules"), MEBIBYTE)
    except OSError:
        return False
    inside = os.path.relpath(os.path.realpath(path), top).replace(os.sep, "/")
    modules = _SUBMODULE.findall(raw.decode("utf-8", "replace"))
    return any(f"{inside}/".startswith(f"{module.strip().rstrip('/')}/") for module in modules)


_SUBMODULE = lazy_pattern(r"^[ \t]*path[ \t]*=[ \t]*(\S[^\n]*)$", re.MULTILINE)


def leads_out(directory: str, top: str) -> bool:
    """Return whether links to a directory lead out of the repository of `top`; without one, out of `top`."""
    real, around = os.path.realpath(directory), _around(top)
    return real != around and not real.startswith(os.path.join(around, ""))


@once_a_run(1024)
def _around(top: str) -> str:
    """Return the real path of the repository that holds a directory; without one, that of the directory."""
    holders = (FilePath(top), *FilePath(top).parents)
    return os.path.realpath(next((holder for holder in holders if is_repository_root(holder)), top))
