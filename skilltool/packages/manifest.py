"""One manifest as it was read: bounded, with the places of its values, whatever is wrong with it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path as FilePath
from typing import Any, NamedTuple

from skilltool._resources import data
from skilltool.files.one_run import once_a_run
from skilltool.files.reading import MEBIBYTE, read_bounded
from skilltool.text.json_places import Json, JsonError, Path, read
from skilltool.text.source import Source, Span
from skilltool.text.unsaved import buffer_of


class Place(NamedTuple):
    """A directory of skills, relative to a project: its client, and the other runtimes that look there.

    `flat` says that its client does not find a skill inside another.
    """

    path: str
    client: str
    readers: tuple[str, ...]
    flat: bool = False


class Kind(NamedTuple):
    """A kind of manifest, by the `file` that it is under the top of its package.

    `client` is an id, `schema` a file in `schemas/packages`. A manifest with `entries`, a marketplace, names
    plugins under that key, each of which may have the manifest `plugin` of its own. `lists` says what a list
    of paths under `skills` does to the folder `skills/`: it `adds` to it, `replaces` it, or is `never` read.
    `keys` says what names a skill, its `directory` or the `name` in its frontmatter. `bare` paths need no
    `./`. With `marker`, only a file whose `$schema` begins with it is a manifest.
    """

    file: str
    client: str
    schema: str
    lists: str
    keys: str
    entries: str | None = None
    plugin: str | None = None
    bare: bool = False
    marker: str | None = None

    @property
    def has_no_client(self) -> bool:
        """Whether it declares no plugin: what an installer put into a project, or a web server offers."""
        return not self.client


LOCK = Kind("skills-lock.json", "", "skills-lock", "never", "name")
INDEX = Kind(
    ".well-known/agent-skills/index.json",
    "",
    "agent-skills-index",
    "never",
    "name",
    marker="https://schemas.agentskills.io/discovery/0.2.0/",
)
# A file in its place with another `$schema` or none, and the place of version 0.1.0.
OTHER_INDEX = INDEX._replace(schema="agent-skills-index-other", marker=None)
OLD_INDEX = OTHER_INDEX._replace(file=".well-known/skills/index.json")


@cache
def places() -> tuple[Place, ...]:
    """Return the places, in the order of the table."""
    rows = _table()["places"]
    return tuple(
        Place(row["path"], row["client"], tuple(row.get("readers", ())), row.get("flat", False))
        for row in rows
    )


def skills_directories(top: FilePath) -> Iterator[FilePath]:
    """Yield where clients look for skills in a project or a home directory, whether it exists or not."""
    yield from (top / place.path for place in places())


@cache
def configurations() -> tuple[dict[str, Any], ...]:
    """Return the rows about the configuration directories of clients, in the order of the table."""
    return tuple(_table()["configurations"])


@cache
def signs() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the clients that a project may have files of, each with the names of those at its top."""
    return tuple((row["client"], tuple(row["files"])) for row in _table()["signs"])


@cache
def kinds() -> tuple[Kind, ...]:
    """Return the kinds of manifests, in the order of the table."""
    rows = _table()["manifests"]
    return tuple(Kind(**{key: value for key, value in row.items() if key != "source"}) for row in rows)


@cache
def kind_called(file: str) -> Kind | None:
    """Return the kind of manifest that is `file` under the top of a package."""
    return next((kind for kind in kinds() if kind.file == file), None)


@cache
def file_names() -> frozenset[str]:
    """Return the last names of all manifests, of the lock and of the index."""
    return frozenset(kind.file.rpartition("/")[2] for kind in (*kinds(), LOCK, INDEX, OLD_INDEX))


def kind_of(path: str) -> Kind | None:
    """Return the kind of manifest that a file (with `/`) is by its path, also a lock or an index; or None."""
    all_kinds = (*kinds(), LOCK, INDEX, OLD_INDEX)
    return next((kind for kind in all_kinds if f"/{path}".endswith(f"/{kind.file}")), None)


@cache
def leading_clients() -> tuple[str, ...]:
    """Return the ids of the clients that answer where nobody says which one is meant, the first one first."""
    return tuple(_table()["leading"])


@cache
def _table() -> dict[str, list[Any]]:
    table: dict[str, list[Any]] = json.loads((data("schemas") / "places.json").read_text("utf-8"))
    return table


class Problem(NamedTuple):
    """Why a manifest says nothing: a clause without a full stop, and where in the file."""

    message: str
    span: Span


class Manifest(NamedTuple):
    """A manifest: its kind, its absolute path with `/`, and what it holds.

    `json` is None where the file could not be read as an object; `problem` says why.
    """

    kind: Kind
    path: str
    source: Source
    json: Json | None
    problem: Problem | None = None

    @property
    def top(self) -> str:
        """The directory of the package: the one that paths in a marketplace begin in."""
        return self.path[: -len(self.kind.file) - 1]

    @property
    def data(self) -> dict[str, Any]:
        """The object that the file holds, empty if there is none."""
        return self.json.data if self.json is not None else {}

    def value(self, *path: str | int) -> Any:
        """Return the value at a path, None if there is none."""
        found: Any = self.data
        for step in path:
            if isinstance(found, dict):
                found = found.get(step)
            elif isinstance(found, list) and isinstance(step, int) and step < len(found):
                found = found[step]
            else:
                return None
        return found

    def span(self, path: Path) -> Span:
        """Return where the value at a path is."""
        return self.json.value(path) if self.json is not None else Span(0, 0)

    def key_span(self, path: Path) -> Span:
        """Return where the key at a path is."""
        return self.json.key(path) if self.json is not None else Span(0, 0)


def read_manifest(path: str) -> Manifest | None:
    """Read the manifest at an absolute path (with `/`); None if the file is not one. Never raises."""
    kind = kind_of(path)
    return None if kind is None else _read(path, kind)


@once_a_run(1024)
def _read(path: str, kind: Kind) -> Manifest | None:
    try:
        unsaved = buffer_of(path)
        source = Source.decode(read_bounded(FilePath(path), MEBIBYTE) if unsaved is None else unsaved)
    except OSError as error:
        problem = Problem(f"cannot be read: {error.strerror or error}", Span(0, 0))
        return None if kind.marker else Manifest(kind, path, Source(""), None, problem)
    manifest = _parsed(source, path, kind)
    if kind is LOCK and manifest.json is not None and not _is_of_installer(manifest):
        return None
    if kind.marker and not str(manifest.data.get("$schema", "")).startswith(kind.marker):
        return manifest._replace(kind=OTHER_INDEX) if kind is INDEX and manifest.json is not None else None
    return manifest


def _is_of_installer(lock: Manifest) -> bool:
    """Return whether a lock has a version or a source: other programs write files of that name, too."""
    skills = lock.value("skills")
    entries = skills.values() if isinstance(skills, dict) else ()
    return "version" in lock.data or any(isinstance(each, dict) and "source" in each for each in entries)


def _parsed(source: Source, path: str, kind: Kind) -> Manifest:
    if source.invalid:
        problem = Problem("is not UTF-8", source.invalid[0])
        return Manifest(kind, path, source, None, problem)
    try:
        json = read(source.text)
    except JsonError as error:
        return Manifest(kind, path, source, None, Problem(error.message, error.span))
    if not isinstance(json.data, dict):
        return Manifest(kind, path, source, None, Problem("is not an object", json.value(())))
    return Manifest(kind, path, source, json)
