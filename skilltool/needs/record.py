"""What is known of one skill: its references, what it is seen to ask for, and what was not read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from skilltool import runtimes
from skilltool.bounds import current_skill
from skilltool.files.reading import MEBIBYTE, read_bounded
from skilltool.needs.around import Around, Known
from skilltool.needs.reading import read
from skilltool.needs.references import SKILL, SKILL_FILE, Reference, cycles, references
from skilltool.needs.seen import Seen, Unread
from skilltool.skill.model import load_skill
from skilltool.skill.skill_file import MAX_BYTES
from skilltool.skill.tree import Tree

SCHEMA_VERSION = 1
_LARGEST = 256 * MEBIBYTE


class Record(NamedTuple):
    """One skill: where it is, a digest of its files, and what was found; `failure` is why nothing was.

    `sums` are the lines of which `digest` is the digest: the path of each file, and its SHA-256.
    """

    known: Known
    digest: str
    files: int
    references: tuple[Reference, ...] = ()
    seen: tuple[Seen, ...] = ()
    unread: tuple[Unread, ...] = ()
    failure: str | None = None
    sums: tuple[tuple[str, str], ...] = ()


def record_of(own: Known, known: Around, *, is_asked: bool = True) -> Record:
    """Read one skill, whose files are each parsed once; for one that is not asked for, references alone."""
    if (reason := current_skill.enter(own.directory)) is not None:
        return Record(own, "", 0, failure=reason)
    skill = load_skill(own.directory)
    if not skill.was_read:
        return Record(
            own, "", 0, failure=skill.unreadable or f"more than {MAX_BYTES >> 20} MiB in {skill.file_name}"
        )
    found = references(skill, own, known, runtimes.get("portable"))
    if not is_asked:
        return Record(own, "", len(skill.tree.files), found)
    rows, unread = read(skill, own.directory)
    sums = sums_of(own.directory, skill.tree)
    return Record(own, digest_of(sums), len(skill.tree.files), found, rows, unread, sums=sums)


def records(known: Around, asked: Sequence[Known]) -> list[Record]:
    """Read all skills of a repository in the order of their paths, and those that are asked for whole."""
    wanted = {each.directory for each in asked}
    found = [record_of(own, known, is_asked=own.directory in wanted) for own in known.skills]
    current_skill.leave()
    return found


def sums_of(directory: Path, tree: Tree) -> tuple[tuple[str, str], ...]:
    """Return the SHA-256 of each file of a skill, and where each link leads, in the order of their paths.

    Directories that are not read, such as `.git`, have no part in it.
    """
    sums = {path: _sum_of(directory / path) for path in tree.files}
    sums |= {link.path: f"-> {link.target}" for link in tree.links}
    return tuple(sorted(sums.items(), key=lambda each: each[0].encode("utf-8", "surrogateescape")))


def digest_of(sums: Iterable[tuple[str, str]]) -> str:
    """Return the digest of a skill: the SHA-256 of what `sha256sum` prints for its files in byte order.

    A link has the line `-> TARGET  PATH`.
    """
    lines = "".join(f"{found}  {path}\n" for path, found in sums)
    return f"sha256:{sha256(lines.encode('utf-8', 'surrogateescape')).hexdigest()}"


def _sum_of(path: Path) -> str:
    """Return the SHA-256 of a regular file; a dash for what cannot be read, or is very large."""
    try:
        return sha256(read_bounded(path, _LARGEST)).hexdigest()
    except OSError:
        return "-"


class Edge(NamedTuple):
    """One skill that refers to another, by directories as printed, and the references that say so."""

    start: str
    end: str
    references: tuple[Reference, ...]

    @property
    def is_note(self) -> bool:
        """Whether nothing but prose says so."""
        return all(each.is_note for each in self.references)


def edges(found: Iterable[Record]) -> list[Edge]:
    """Return which skills refer to which, in the order of the skills."""
    joined: dict[tuple[str, str], list[Reference]] = {}
    for record in found:
        for each in record.references:
            if each.to in (SKILL, SKILL_FILE) and each.skill:
                joined.setdefault((record.known.shown, each.skill), []).append(each)
    return [Edge(start, end, tuple(each)) for (start, end), each in joined.items()]


def circles(found: Iterable[Edge]) -> list[tuple[str, ...]]:
    """Return the groups of skills that refer to each other in a circle; prose alone makes none."""
    return cycles((edge.start, edge.end) for edge in found if not edge.is_note)


def data(chosen: Iterable[Record], found: list[Edge]) -> dict[str, Any]:
    """Return what `needs --output-format json` prints."""
    return {
        "schema_version": SCHEMA_VERSION,
        "skills": [_data(record, found) for record in chosen],
        "cycles": [list(group) for group in circles(found)],
    }


def _data(record: Record, found: list[Edge]) -> dict[str, Any]:
    known = record.known
    return {
        "name": known.name,
        "directory": known.shown,
        "plugins": list(known.plugins),
        "digest": record.digest or None,
        "files": record.files,
        "failure": record.failure,
        "seen": [each._asdict() for each in record.seen],
        "not_read": [each._asdict() for each in record.unread],
        "references": [each._asdict() for each in record.references],
        "referred_by": [
            {"from": edge.start, **each._asdict()}
            for edge in found
            if edge.end == known.shown
            for each in edge.references
        ],
    }
