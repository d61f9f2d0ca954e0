"""One manifest as it was read: bounded, with the places of its values, whatever is wrong with it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path as FilePath
from typing import Any, NamedTuple

from skilltool.files.reading import MEBIBYTE, read_bounded
from skilltool.packages.kinds import Kind, kind_of
from skilltool.text.json_places import Json, JsonError, Path, read
from skilltool.text.source import Source, Span
from skilltool.text.unsaved import buffer_of


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


def forget_manifests() -> None:
    """Forget what was read; every run does."""
    _read.cache_clear()


@lru_cache(maxsize=1024)
def _read(path: str, kind: Kind) -> Manifest | None:
    try:
        unsaved = buffer_of(path)
        source = Source.decode(read_bounded(FilePath(path), MEBIBYTE) if unsaved is None else unsaved)
    except OSError as error:
        problem = Problem(f"cannot be read: {error.strerror or error}", Span(0, 0))
        return None if kind.marker else Manifest(kind, path, Source(""), None, problem)
    found = _parsed(source, path, kind)
    if kind.marker and not str(found.data.get("$schema", "")).startswith(kind.marker):
        return None
    return found


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
