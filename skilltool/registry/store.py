"""The directory of a survey: complete tables, and beside them those of a run that is not complete yet.

    DIR/survey.json              makes the directory ours; the run whose tables these are
    DIR/skills/part-00000.parquet ... one directory per table, all of one complete run
    DIR/incomplete/              the tables of a run that goes on, or was killed; its `runs` says so
    DIR/earlier-1/ ...           the same of killed runs before it, until one is complete

Files are written under another name and moved. A complete run replaces the tables one by one; if it is killed
meanwhile, the next start goes on with that.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from skilltool.errors import SkilltoolError
from skilltool.registry import tables

_STATE = "survey.json"
_INCOMPLETE, _EARLIER, _REPLACED = "incomplete", "earlier-", "replaced"


class Store:
    """The directory that a run writes; use `open_store`."""

    def __init__(self, top: Path) -> None:
        """Take a directory that is locked for this run."""
        self.top = top
        self._new = top / _INCOMPLETE

    def begin(self, state: dict[str, Any]) -> None:
        """Begin a run; `state` is kept with its tables: what decides whether they can be carried over."""
        if _load(self._new).get("complete"):
            self._replace()
        if self._new.is_dir():
            number = 1 + max(
                (int(path.name.removeprefix(_EARLIER)) for path in self._unfinished()), default=0
            )
            self._new.rename(self.top / f"{_EARLIER}{number}")
        for name in tables.NAMES:
            (self._new / name).mkdir(parents=True)
        self._save(self._new, {**state, "complete": False})
        if not (self.top / _STATE).exists():
            self._save(self.top, {})

    def write(self, table: str, number: int, raw: bytes, part: int = 0) -> None:
        """Write a partition of a table."""
        name = f"part-{number:05d}{f'-{part:03d}' if part else ''}.parquet"
        _write(self._new / table / name, raw)

    def finish(self) -> None:
        """Make the tables of this run those of the directory, and drop what killed runs left."""
        state = _load(self._new)
        self._save(self._new, {**state, "complete": True})
        self._replace()

    def _replace(self) -> None:
        """Move the new tables to where the old ones are, as far as that is not done yet."""
        replaced = self.top / _REPLACED
        shutil.rmtree(replaced, ignore_errors=True)
        replaced.mkdir()
        for name in tables.NAMES:
            if (self._new / name).is_dir():
                if (self.top / name).is_dir():
                    (self.top / name).rename(replaced / name)
                (self._new / name).rename(self.top / name)
        self._save(self.top, _load(self._new))
        for left in (replaced, self._new, *self._unfinished()):
            shutil.rmtree(left)

    def sources(self, state: dict[str, Any]) -> list[Path]:
        """Return the directories with tables of earlier runs that had the same state."""
        return [
            path
            for path in (self.top, *self._unfinished())
            if usable(path, state) and (path / "skills").is_dir()
        ]

    def path(self, table: str) -> Path:
        """Return where the partitions of a table are while the run goes on."""
        return self._new / table

    def runs(self) -> list[dict[str, Any]]:
        """Return the rows of earlier complete runs."""
        from pyarrow import parquet

        files = sorted((self.top / "runs").glob("part-*.parquet"))
        rows: list[dict[str, Any]] = [row for file in files for row in parquet.read_table(file).to_pylist()]
        return rows

    def _unfinished(self) -> list[Path]:
        return sorted(
            path for path in self.top.glob(f"{_EARLIER}*") if path.name.removeprefix(_EARLIER).isdigit()
        )

    def _save(self, directory: Path, state: dict[str, Any]) -> None:
        known = {"about": "tables of `skilltool survey`", "schema_version": tables.schema_version()}
        _write(directory / _STATE, json.dumps({**known, **state}, indent=2).encode() + b"\n")


def usable(directory: Path, state: dict[str, Any]) -> bool:
    """Return whether the tables in a directory are of a run with the same state, by all of its values."""
    found = _load(directory)
    return found.get("schema_version") == tables.schema_version() and all(
        found.get(key) == value for key, value in state.items() if key != "run"
    )


def comparable(directory: Path, state: dict[str, Any]) -> bool:
    """Return whether rows can be carried over from a directory that was named; see `usable`.

    Raises `SkilltoolError` if it holds no tables of a survey.
    """
    if not _load(directory):
        raise SkilltoolError(f"{directory}: holds no tables of a survey")
    return usable(directory, state)


@contextmanager
def open_store(top: Path) -> Iterator[Store]:
    """Open or create the directory of a survey, for this process alone.

    Raises `SkilltoolError` for a directory that holds anything else, or that another run is writing.
    """
    if top.exists() and not top.is_dir():
        raise SkilltoolError(f"{top}: is not a directory")
    ours = _load(top)
    if not ours and top.is_dir() and any(path.name != "lock" for path in top.iterdir()):
        raise SkilltoolError(
            f"{top}: holds other files than tables of a survey; choose a new or empty directory"
        )
    if ours and ours.get("schema_version") != tables.schema_version():
        raise SkilltoolError(f"{top}: has tables of another version of skilltool; choose another directory")
    top.mkdir(parents=True, exist_ok=True)
    with _locked(top):
        yield Store(top)


@contextmanager
def _locked(top: Path) -> Iterator[None]:
    """Hold a lock that the system releases when the process ends, however it does; Windows has none such."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with (top / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise SkilltoolError(f"{top}: another survey is writing its tables there") from None
        yield


def _load(directory: Path) -> dict[str, Any]:
    try:
        found = json.loads((directory / _STATE).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) and "about" in found else {}


def _write(path: Path, raw: bytes) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_bytes(raw)
        temporary.replace(path)
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
