"""Which skills does a plugin offer, under which key, and from where?"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path as FilePath
from typing import NamedTuple

from skilltool.files.repository import is_repository_root
from skilltool.packages.manifest import Manifest
from skilltool.packages.plugins import Plugin, plugins_of
from skilltool.skill.discovery.walk import is_directory_entry
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.json_places import Path

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
    for each in _all(plugin, manifest):
        if each.directory not in seen:
            seen.add(each.directory)
            yield each


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
            for each in _all(inner, plugin.own):
                yield each._replace(where=None)
    elif not plugin.listed and not is_directory(folder) and _is_skill(plugin.top):
        yield Offer(plugin.top, None, "at the top of the plugin")


def skills_at(directory: str) -> tuple[str, ...]:
    """Return the skill that a directory is, else the skills directly in it, sorted; none if it is missing."""
    if _is_skill(directory):
        return (directory,)
    return tuple(each for each in children(directory) if _is_skill(each))


@lru_cache(maxsize=1024)
def children(directory: str) -> tuple[str, ...]:
    """Return the directories in a directory, sorted; a link to one counts."""
    try:
        with os.scandir(directory) as entries:
            found = [each.path for each in islice(entries, MAX_ENTRIES) if is_directory_entry(each)]
    except (OSError, ValueError):
        return ()
    return tuple(sorted(each.replace(os.sep, "/") for each in found))


def forget_offers() -> None:
    """Forget which directories were listed; every run does."""
    children.cache_clear()
    _around.cache_clear()


def _is_skill(directory: str) -> bool:
    try:
        return os.path.isfile(f"{directory}/{FILE_NAME}")
    except ValueError:
        return False


def is_directory(path: str) -> bool:
    """Return whether a path is a directory; False if that may not be asked."""
    return os.path.isdir(path)


def leads_out(directory: str, top: str) -> bool:
    """Return whether links to a directory lead out of the repository of `top`; without one, out of `top`."""
    real, around = os.path.realpath(directory), _around(top)
    return real != around and not real.startswith(os.path.join(around, ""))


@lru_cache(maxsize=1024)
def _around(top: str) -> str:
    """Return the real path of the repository that holds a directory; without one, that of the directory."""
    holders = (FilePath(top), *FilePath(top).parents)
    return os.path.realpath(next((each for each in holders if is_repository_root(each)), top))
