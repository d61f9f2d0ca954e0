"""Whose is a skill, going by where it lies? A place of a client, or a package with a client's manifest.

The table is `schemas/places.json`. The answer is a function of the path up to the root of the repository and
of the manifests on the way; it is looked up once a run.
"""

from __future__ import annotations

import os
from functools import cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from skilltool import runtimes
from skilltool.files.one_run import once_a_run
from skilltool.files.repository import is_repository_root
from skilltool.packages.manifest import Kind, Place, kinds, places, read_manifest
from skilltool.packages.plugins import FOLDER, plugins_of, sources_of

_MAX_ENTRIES = 10_000  # of a directory that may hold links to skills
_MAX_LISTED = 2_000  # entries of a directory; in a larger one names are looked for one by one


class Owners(NamedTuple):
    """The clients that own a place, most specific first, and what says so: a row of the table for each.

    `clients` are ids, of which not every one has a profile; `reason` is a `path` of the table, or the `file`
    of each client. `readers` are the ids of the other runtimes that look there. `is_package` says that it is
    a manifest.
    """

    clients: tuple[str, ...]
    reason: str
    readers: tuple[str, ...] = ()
    is_package: bool = False


@cache
def _names() -> frozenset[str]:
    """Return the names at the top of a project that can make a place, a manifest or a repository."""
    paths = [place.path for place in places()] + [kind.file for kind in kinds()]
    return frozenset({".git", *(path.partition("/")[0] for path in paths)})


def owners_of(directory: str) -> Owners | None:
    """Return the owners of a skill directory (absolute), or None if nothing on its path belongs to a client.

    The nearest place or manifest counts; a package does not own what is in a hidden directory at its top. If
    there is none, what else lies in the directory of one client (`.gemini/old/pdf`) is that client's.
    """
    holders = directories_up(directory.replace(os.sep, "/"))
    for holder in holders:
        place = _place_at(holder) if holder != holders[0] else None
        if place is not None:
            return Owners((place.client,), place.path, place.readers)
        below = holders[0][len(holder) + 1 :].partition("/")[0]
        # `.kiro/skills/pdf` is for another client, and no part of the package around it; in `.claude-plugin`
        # somebody misplaced a skill of the plugin.
        near = [
            kind
            for kind in _manifests_in(holder)
            if not below.startswith(".") or kind.file.startswith(f"{below}/")
        ]
        named = [kind for kind in near if _covers(holder, kind, holders)]
        if named:
            files: dict[str, str] = {}
            for kind in named:
                files.setdefault(kind.client, kind.file)
            return Owners(tuple(files), ", ".join(dict.fromkeys(files.values())), is_package=True)
    if not _is_root(holders[-1]):
        return None  # a home directory has much that is of no project
    above = (holder.rpartition("/")[2] for holder in holders[1:] if holder.rpartition("/")[2] not in _OF_ALL)
    top = next((name for name in above if name in _clients_of_tops()), None)
    return _of_unknown_client(holders) if top is None else Owners((_clients_of_tops()[top],), top)


def _of_unknown_client(holders: tuple[str, ...]) -> Owners | None:
    """Return the owner of a place that the table lacks: a client by its name, else the specification."""
    packages = {kind.file.partition("/")[0] for kind in kinds()}
    for holder in holders[1:]:
        *_, top, name = ("", *holder.split("/"))
        if name == FOLDER and top.startswith(".") and top not in _OF_ALL | packages:
            place = f"{top}/{name}"
            return Owners((_other_clients().get(place, _SPECIFICATION),), place)
    return None


@cache
def _other_clients() -> dict[str, str]:
    """Return the clients whose places the installer of skills knows, by place."""
    from skilltool.packages import installer

    clients: dict[str, str] = {}
    for agent in installer.table()["agents"]:
        clients.setdefault(agent["project"], agent["id"])
    return clients


@cache
def _clients_of_tops() -> dict[str, str]:
    """Return whose the hidden directories of one client are, in which skills have one of their own."""
    tops: dict[str, set[str]] = {}
    for place in places():
        tops.setdefault(place.path.partition("/")[0], set()).add(place.client)
    programs = runtimes.GROUPS["clients"]
    return {top: client for top, (client, *others) in tops.items() if not others and client in programs}


_SPECIFICATION = "agentskills"
_OF_ALL = frozenset({".agents", ".github"})  # what others than the client have there, too


def links_to(directory: str) -> tuple[str, ...]:
    """Return the paths in places of clients, as links of the repository, that lead to a real skill directory.

    They are absolute and sorted: links to the skill itself, and the skill's path under a linked directory.
    """
    directory = directory.replace(os.sep, "/")
    found = {
        link + directory[len(target) :]
        for holder in directories_up(directory)
        for link, target in _links_in(holder)
        if f"{directory}/".startswith(f"{target}/")
    }
    return tuple(sorted(found - {directory}))


def directories_up(directory: str) -> tuple[str, ...]:
    """Return a directory (absolute, with `/`) and those above, to its repository's root or the very top."""
    above = directory.rpartition("/")[0]
    return (directory,) if not above or _is_root(directory) else (directory, *_up_from(above))


@once_a_run()
def _up_from(directory: str) -> tuple[str, ...]:
    holders = [directory]
    while not _is_root(directory) and (directory := directory.rpartition("/")[0]):
        holders.append(directory)
    return tuple(holders)


def _is_root(directory: str) -> bool:
    return ".git" in _names_in(directory) and is_repository_root(Path(directory))


@once_a_run()
def _names_in(directory: str) -> frozenset[str]:
    """Return which of `_names` a directory has; one with very many entries is not listed."""
    try:
        with os.scandir(directory) as entries:
            names = [entry.name for entry in islice(entries, _MAX_LISTED)]
    except OSError:
        return frozenset()
    if len(names) < _MAX_LISTED:
        return _names().intersection(names)
    return frozenset(name for name in _names() if os.path.lexists(f"{directory}/{name}"))


@once_a_run()
def _place_at(directory: str) -> Place | None:
    return next((place for place in places() if directory.endswith(f"/{place.path}")), None)


@once_a_run()
def _manifests_in(directory: str) -> tuple[Kind, ...]:
    names = _names_in(directory)
    near = (kind for kind in kinds() if kind.file.partition("/")[0] in names)
    # `Path.is_file` raises where that may not be asked.
    return tuple(kind for kind in near if os.path.isfile(f"{directory}/{kind.file}"))


def _covers(directory: str, kind: Kind, holders: tuple[str, ...]) -> bool:
    """Return whether a manifest at the top of `directory` is about a skill; `holders` is its path upwards."""
    if kind.marker is not None:
        manifest = read_manifest(f"{directory}/{kind.file}")
        return manifest is not None and manifest.kind is kind
    if kind.entries is None:
        offered = _offered(directory, kind)
        return offered is None or not offered.isdisjoint(holders)
    return not _sources(directory, kind).isdisjoint(holders)


@once_a_run()
def _offered(directory: str, kind: Kind) -> frozenset[str] | None:
    """Return the directories that are all that a plugin offers; None if it offers its directory of skills."""
    manifest = read_manifest(f"{directory}/{kind.file}") if kind.lists == "replaces" else None
    plugins = () if manifest is None else plugins_of(manifest)
    listed = [plugin for plugin in plugins if plugin.is_whole and plugin.listed]
    return frozenset(each.directory for plugin in listed for each in plugin.listed) if listed else None


@once_a_run()
def _sources(directory: str, kind: Kind) -> frozenset[str]:
    """Return the directories that the entries of a marketplace name as sources."""
    manifest = read_manifest(f"{directory}/{kind.file}")
    return frozenset() if manifest is None else frozenset(sources_of(manifest))


@once_a_run()
def _links_in(directory: str) -> tuple[tuple[str, str], ...]:
    """Return the links in the places of a project: each with the real path it leads to.

    A place can be a link, or hold links to skills.
    """
    found = []
    names = _names_in(directory)
    for place in places() if names else ():
        if place.path.partition("/")[0] not in names:
            continue
        path = f"{directory}/{place.path}"
        real = os.path.realpath(path)
        if real != os.path.realpath(directory) + f"/{place.path}":
            found.append((path, real))
        found += [(link, os.path.realpath(link)) for link in _linked_entries(path)]
    return tuple(found)


def _linked_entries(directory: str) -> list[str]:
    try:
        with os.scandir(directory) as entries:
            return [
                f"{directory}/{entry.name}" for entry in islice(entries, _MAX_ENTRIES) if entry.is_symlink()
            ]
    except OSError:
        return []
