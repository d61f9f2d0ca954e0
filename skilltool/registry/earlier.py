"""Rows of earlier runs, by what decides about them: the files of the skill and the name of its directory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from skilltool.registry import tables
from skilltool.registry.clusters.sketch import Sketch
from skilltool.registry.shards import Partition
from skilltool.registry.submitted import Submitted

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
        from pyarrow import ArrowException, parquet

        if not all(_sibling(path, name).is_file() for name in tables.OF_SKILLS):
            return  # a run was killed between two tables of this partition
        try:
            found = parquet.read_table(
                path, columns=["content_sha256", "directory", "status"], use_threads=False
            )
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
            for name, found in self._chosen(part, chosen).items():
                gathered[name].append(found)
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
    from pyarrow import parquet

    return {
        name: parquet.read_table(_sibling(path, name), use_threads=False).cast(tables.arrow_schema(name))
        for name in tables.OF_SKILLS
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
