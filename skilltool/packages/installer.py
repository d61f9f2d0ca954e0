"""How the installer `skills` looks for skills in a repository, and where it would put them.

The tables are in `schemas/installers.json`, which says what they were taken from.

Source: skills 1.5.18, runs; the hash was computed again from the same files.
"""

from __future__ import annotations

import json
import os
import posixpath
import re
import stat
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from skilltool._resources import data
from skilltool.errors import UnknownNameError
from skilltool.files.reading import MEBIBYTE, read_bounded
from skilltool.packages.manifest import Manifest, kind_called, read_manifest
from skilltool.packages.plugins import children, is_directory, leads_out, local_source
from skilltool.skill.skill_file import FILE_NAME

_MANIFESTS = (".claude-plugin/marketplace.json", ".claude-plugin/plugin.json")
_MAX_NAME = 255


class Candidate(NamedTuple):
    """A directory with a SKILL.md that the installer comes to, and the container in which it does."""

    directory: str
    container: str


class Target(NamedTuple):
    """Where the installer puts a skill for an agent: a path in a project, and whether it is a link there.

    `needs` is a directory without which the agent gets nothing, None if there is no such condition.
    """

    agent: str
    path: str
    is_link: bool
    needs: str | None = None


@cache
def table() -> dict[str, Any]:
    """Return the tables of the installer."""
    found: dict[str, Any] = json.loads((data("schemas") / "installers.json").read_text("utf-8"))
    return found


def candidates(top: str) -> Iterator[Candidate]:
    """Yield the skills that the installer comes to in a repository (absolute, with `/`), in its order.

    A SKILL.md at the top is the only one. Only where no container has any is the tree searched.
    """
    if _has_skill(top):
        yield Candidate(top, "the repository itself")
        return
    seen: set[str] = set()
    for container in _in_containers(top):
        if container.directory not in seen:
            seen.add(container.directory)
            yield container
    if not seen:
        yield from (Candidate(each, "a search of the tree") for each in _in_tree(top, table()["depth"]))


def _in_containers(top: str) -> Iterator[Candidate]:
    for name in table()["containers"]:
        holder = top if name == "." else f"{top}/{name}"
        for directory in _real_children(holder):
            if _has_skill(directory):
                yield Candidate(directory, name)
            elif name != ".":
                for inner in _real_children(directory):
                    if _has_skill(inner):
                        yield Candidate(inner, name)
    for holder in manifest_containers(top):
        for directory in _real_children(holder):
            if _has_skill(directory):
                yield Candidate(directory, "a manifest")


def _in_tree(top: str, depth: int) -> Iterator[str]:
    for directory in _real_children(top):
        if directory.rpartition("/")[2] in table()["skipped"]:
            continue
        if _has_skill(directory):
            yield directory
        elif depth > 1:
            yield from _in_tree(directory, depth - 1)


def manifest_containers(top: str) -> Iterator[str]:
    """Yield the directories that manifests add: `skills` of each plugin, and the parents of listed paths."""
    for file in _MANIFESTS:
        kind = kind_called(file)
        manifest = read_manifest(f"{top}/{file}") if os.path.isfile(f"{top}/{file}") else None
        if kind is None or manifest is None:
            continue
        if kind.entries is None:
            yield from _of_plugin(top, top, manifest.data)
            continue
        for base, entry in _entries(top, manifest):
            yield from _of_plugin(base, top, entry)


def _entries(top: str, manifest: Manifest) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the local plugins of a marketplace; `metadata.pluginRoot` goes before every source."""
    root = manifest.value("metadata", "pluginRoot")
    if isinstance(root, str) and not root.startswith("./"):
        return
    entries = manifest.value("plugins")
    for entry in entries if isinstance(entries, list) else ():
        source = local_source(entry) if isinstance(entry, dict) else None
        if source is not None and source.startswith("./"):
            base = os.path.normpath(f"{top}/{root if isinstance(root, str) else ''}/{source}")
            if _is_inside(base, top):
                yield base, entry


def _of_plugin(base: str, top: str, entry: dict[str, Any]) -> Iterator[str]:
    yield f"{base}/skills"
    listed = entry.get("skills")
    for path in listed if isinstance(listed, list) else ():
        if isinstance(path, str) and path.startswith("./") and "\0" not in path:
            holder = os.path.dirname(os.path.normpath(f"{base}/{path}"))
            if _is_inside(holder, top):
                yield holder


def _is_inside(path: str, top: str) -> bool:
    return path == top or path.startswith(f"{top}/")


def _real_children(directory: str) -> list[str]:
    """Return the directories in a directory that are no links: the installer does not follow those."""
    return [child for child in children(directory) if not os.path.islink(child)]


def _has_skill(directory: str) -> bool:
    return os.path.isfile(f"{directory}/{FILE_NAME}")


def directory_name(name: str) -> str:
    """Return the name of the directory in which a skill with this name is installed."""
    lower = re.sub(r"[^a-z0-9._]+", "-", name.lower())
    return re.sub(r"^[.-]+|[.-]+$", "", lower)[:_MAX_NAME] or "unnamed-skill"


def agents() -> tuple[str, ...]:
    """Return the ids of the agents that the installer knows."""
    return tuple(row["id"] for row in table()["agents"])


def targets(names: tuple[str, ...]) -> tuple[Target, ...]:
    """Return where a skill is put for some agents, with a `NAME`; raises `UnknownNameError`.

    For one agent it is a copy in its own directory. For several it is a copy in the shared directory, to
    which the directories of agents that do not read that one get links.
    """
    rows = {row["id"]: row["project"] for row in table()["agents"]}
    for name in names:
        if name not in rows:
            raise UnknownNameError("agent", name, rows)
    shared = table()["shared"]
    if len(names) == 1:
        return (Target(names[0], f"{rows[names[0]]}/NAME", False),)
    return tuple(_target(name, rows[name], shared) for name in names)


def _target(agent: str, project: str, shared: str) -> Target:
    is_link = project != shared
    made = not is_link or agent in table()["always"]
    return Target(agent, f"{project}/NAME", is_link, None if made else project.partition("/")[0])


_PASSED_OVER = (".git", "node_modules")
_MAX_FILES, _MAX_BYTES = 10_000, 64 * MEBIBYTE


def copies(manifest: Manifest, name: str) -> Iterator[str]:
    """Yield the directories (absolute, with `/`) in which a locked skill is installed, links left out."""
    for project in dict.fromkeys((table()["shared"], *(each["project"] for each in table()["agents"]))):
        directory = f"{manifest.top}/{project}/{directory_name(name)}"
        real = is_directory(directory) and os.path.lexists(f"{directory}/{FILE_NAME}")
        if real and not leads_out(directory, manifest.top):
            yield directory


def content_hash(directory: str) -> str | None:
    """Return the installer's hash of a skill's files; None for what cannot be read, or is over a bound.

    It is the SHA-256 of the path and the bytes of each regular file, in the order of `localeCompare`, without
    anything between.
    """
    from hashlib import sha256

    from skilltool.emulation.icu_collation import collation_key

    hashed = sha256()
    total = 0
    try:
        for name in sorted(_files(directory), key=collation_key):
            raw = read_bounded(Path(directory, name), _MAX_BYTES)
            total += len(raw)
            if total > _MAX_BYTES:
                return None
            hashed.update(name.encode("utf-8", "surrogateescape") + raw)
    except OSError:
        return None
    return hashed.hexdigest()


def _files(top: str) -> list[str]:
    """Return the regular files under a directory; raises OSError, also for more than `_MAX_FILES`."""
    found: list[str] = []
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        with os.scandir(posixpath.join(top, folder)) as entries:
            for entry in entries:
                path = posixpath.join(folder, entry.name)
                mode = entry.stat(follow_symlinks=False).st_mode
                if stat.S_ISDIR(mode) and entry.name not in _PASSED_OVER:
                    waiting.append(path)
                elif stat.S_ISREG(mode):
                    found.append(path)
        if len(found) + len(waiting) > _MAX_FILES:
            raise OSError("too many files")
    return found
