"""The directory of a survey: complete tables, those of a run that is under way, and rows of earlier runs.

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
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from skilltool.errors import PathError, SkilltoolError
from skilltool.registry import tables
from skilltool.registry.clusters.sketch import Sketch
from skilltool.registry.shards import Partition
from skilltool.registry.submitted import Submitted

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
        files = sorted((self.top / "runs").glob("part-*.parquet"))
        rows: list[dict[str, Any]] = [row for file in files for row in tables.read(file).to_pylist()]
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
        raise SkilltoolError(f"{directory}: contains no survey tables")
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
            f"{top}: contains files that are not survey tables; choose a new or empty directory"
        )
    if ours and ours.get("schema_version") != tables.schema_version():
        raise SkilltoolError(
            f"{top}: contains tables from a different skilltool version; choose a different directory"
        )
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
            raise SkilltoolError(f"{top}: another survey is writing to this directory") from None
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
    except OSError as error:
        raise PathError(f"{path}: {error.strerror}") from None
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


_CARRIED = ("checked", "over-bound")  # what would be the same again; a worker that died is tried again
_DECIDING = ("content_sha256", "directory", "status")
_LOADED = 4  # partitions kept in memory


class Match(NamedTuple):
    """A skill, and where its rows are: the number of a partition, and of the row in its table `skills`."""

    skill: Submitted
    part: int
    row: int


class Earlier:
    """The skills that earlier runs have checked; memory is some 150 bytes for each."""

    def __init__(self, folders: Sequence[Path]) -> None:
        """Read the hashes of all skills in the tables of these directories; later ones win."""
        self._parts = [
            path for folder in folders for path in sorted((folder / "skills").glob("part-*.parquet"))
        ]
        self._known: dict[int, int] = {}
        self._load = lru_cache(_LOADED)(_tables)
        for number, path in enumerate(self._parts):
            self._add(number, path)

    def _add(self, number: int, path: Path) -> None:
        from pyarrow import ArrowException

        if not all(_sibling(path, name).is_file() for name in tables.OF_SKILLS):
            return  # a run was killed between two tables of this partition
        try:
            found = tables.read(path, ["content_sha256", "directory", "status"])
        except (OSError, ArrowException):
            return
        columns = (found.column(name).to_pylist() for name in _DECIDING)
        for row, (content, directory, status) in enumerate(zip(*columns, strict=True)):
            if content is not None and status in _CARRIED:
                self._known[_key(bytes.fromhex(content), directory)] = number << 32 | row

    def __len__(self) -> int:
        """Return how many different skills are known."""
        return len(self._known)

    def find(self, skill: Submitted) -> Match | None:
        """Return where the rows of a skill are, None if there are none."""
        found = self._known.get(_key(skill.content, skill.directory))
        return None if found is None else Match(skill, found >> 32, found & 0xFFFFFFFF)

    def carried(self, matches: Sequence[Match]) -> Partition:
        """Return the rows of these skills as a partition, under the ids and sources that they have now."""
        import pyarrow as pa

        gathered: dict[str, list[Any]] = {
            name: [tables.arrow_schema(name).empty_table()] for name in tables.OF_SKILLS
        }
        for part, chosen in _groups(matches):
            for name, value in self._chosen(part, chosen).items():
                gathered[name].append(value)
        whole = {name: pa.concat_tables(found) for name, found in gathered.items()}
        sketches = whole["sketches"]
        columns = [sketches.column(name).to_pylist() for name in sketches.column_names]
        rows = [(skill_id, content, Sketch(*rest)) for skill_id, content, *rest in zip(*columns, strict=True)]
        return Partition({name: tables.parquet_of(found) for name, found in whole.items()}, rows)

    def _chosen(self, part: int, chosen: Sequence[Match]) -> dict[str, Any]:
        """Return the rows of skills in one partition, of which each row of `skills` is used once."""
        import pyarrow as pa
        import pyarrow.compute as pc

        loaded = self._load(self._parts[part])
        skills = loaded["skills"].take(pa.array([match.row for match in chosen]))
        old = skills.column("skill_id").combine_chunks()
        new = pa.array([match.skill.skill_id for match in chosen], pa.string())
        found = {
            "skills": _with(skills, skill_id=new, source=pa.array([match.skill.source for match in chosen]))
        }
        for name in tables.OF_SKILLS[1:]:
            index = pc.index_in(loaded[name].column("skill_id"), value_set=old)
            kept = loaded[name].filter(pc.is_valid(index))
            found[name] = _with(kept, skill_id=new.take(pc.drop_null(index).combine_chunks()))
        return found


def _groups(matches: Sequence[Match]) -> Iterator[tuple[int, list[Match]]]:
    """Yield the matches of each partition; those of one row, which are copies, in groups of their own."""
    groups: dict[tuple[int, int], list[Match]] = defaultdict(list)
    seen: dict[tuple[int, int], int] = defaultdict(int)
    for match in matches:
        where = match.part, match.row
        groups[match.part, seen[where]].append(match)
        seen[where] += 1
    for (part, _), chosen in sorted(groups.items()):
        yield part, chosen


def _tables(path: Path) -> dict[str, Any]:
    return {
        name: tables.read(_sibling(path, name)).cast(tables.arrow_schema(name)) for name in tables.OF_SKILLS
    }


def _sibling(path: Path, table: str) -> Path:
    """Return the partition of another table that belongs to a partition of `skills`."""
    return path.parents[1] / table / path.name


def _with(table: Any, **columns: Any) -> Any:
    for name, values in columns.items():
        number = table.column_names.index(name)
        table = table.set_column(number, table.schema.field(name), values)
    return table


def _key(content: bytes, directory: str) -> int:
    raw = content + directory.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(raw, digest_size=16).digest(), "big")
