"""The kinds of manifests, and the places of clients: the table `schemas/places.json`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from skilltool._resources import data


class Place(NamedTuple):
    """A directory of skills, relative to a project: its client, and the other runtimes that look there."""

    path: str
    client: str
    readers: tuple[str, ...]


class Kind(NamedTuple):
    """A kind of manifest, by the `file` that it is below the top of its package.

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
    def is_lock(self) -> bool:
        """Whether it says what an installer put into a project, and has no client."""
        return not self.client


LOCK = Kind("skills-lock.json", "", "skills-lock", "never", "name")


@cache
def places() -> tuple[Place, ...]:
    """Return the places, in the order of the table."""
    rows = _table()["places"]
    return tuple(Place(row["path"], row["client"], tuple(row.get("readers", ()))) for row in rows)


def skills_directories(top: Path) -> Iterator[Path]:
    """Yield where clients look for skills in a project or a home directory, whether it exists or not."""
    yield from (top / each.path for each in places())


@cache
def kinds() -> tuple[Kind, ...]:
    """Return the kinds of manifests, in the order of the table."""
    rows = _table()["manifests"]
    return tuple(Kind(**{key: value for key, value in row.items() if key != "source"}) for row in rows)


@cache
def kind_called(file: str) -> Kind | None:
    """Return the kind of manifest that is `file` below the top of a package."""
    return next((each for each in kinds() if each.file == file), None)


@cache
def file_names() -> frozenset[str]:
    """Return the last names of all manifests, and of the lock."""
    return frozenset(each.file.rpartition("/")[2] for each in (*kinds(), LOCK))


def kind_of(path: str) -> Kind | None:
    """Return the kind of manifest that a file (with `/`) is by its path, or `LOCK`; None if it is neither."""
    return next((each for each in (*kinds(), LOCK) if f"/{path}".endswith(f"/{each.file}")), None)


@cache
def leading_clients() -> tuple[str, ...]:
    """Return the ids of the clients that answer where nobody says which one is meant, the first one first."""
    return tuple(_table()["leading"])


@cache
def _table() -> dict[str, list[Any]]:
    table: dict[str, list[Any]] = json.loads((data("schemas") / "places.json").read_text("utf-8"))
    return table
