"""Where can an archive be uploaded, and is it over a limit there? The facts are in `schemas/uploads.json`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from skilltool._resources import data
from skilltool.pack.entry_names import shown
from skilltool.skill.model import load_skill
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.lazy_pattern import lazy_pattern

_TAG = lazy_pattern(r"</?[A-Za-z][^<>]{0,200}>")
_BOTH = ("either", "unknown")


class Upload(NamedTuple):
    """One place: its name and title, the layout and formats that it takes, and its limits as in the table."""

    name: str
    title: str
    layout: str
    formats: tuple[str, ...]
    limits: tuple[Mapping[str, Any], ...]
    evidence: str
    source: str

    @property
    def in_folder(self) -> bool:
        """Whether an archive for this place has one top-level directory."""
        return self.layout != "root"


class Packed(NamedTuple):
    """What is in an archive: its size in bytes, and that of each file by its path under the skill.

    `in_folder` tells whether the skill is in a directory of the archive. `begins` are the first characters of
    SKILL.md, `name` and `description` are those of its frontmatter, empty if it has none.
    """

    size: int
    files: Mapping[str, int]
    in_folder: bool
    begins: str
    name: str
    description: str


def packed(directory: Path, files: Mapping[str, int], size: int, in_folder: bool) -> Packed:
    """Return what is in the archive of a skill; raises OSError if its SKILL.md cannot be read."""
    with (directory / FILE_NAME).open("rb") as file:
        begins = file.read(16).decode("utf-8", "replace")
    frontmatter = load_skill(directory).frontmatter
    name, description = (frontmatter.text(key) or "" for key in ("name", "description"))
    return Packed(size, files, in_folder, begins, name, description)


@cache
def uploads() -> dict[str, Upload]:
    """Return the places by name."""
    table = json.loads((data("schemas") / "uploads.json").read_text("utf-8"))
    return {
        name: Upload(name, **{**row, "formats": tuple(row["formats"]), "limits": tuple(row["limits"])})
        for name, row in table["places"].items()
    }


def excesses(place: Upload, packed: Packed) -> list[str]:
    """Return what the place does not take, each as a sentence with the limit and its source."""
    found: list[tuple[Mapping[str, Any], str, str]] = []
    if not _fits(place, packed):
        found.append((place._asdict(), *_layout(place, packed)))
    for limit in place.limits:
        found += [(limit, said, takes) for said, takes in _CHECKS[limit["limit"]](packed, limit)]
    return [f"{said}; {place.name} {takes} ({_source(place, about)})" for about, said, takes in found]


def _source(place: Upload, limit: Mapping[str, Any]) -> str:
    return f"{limit.get('evidence', place.evidence)}: {limit.get('source', place.source)}"


def _fits(place: Upload, packed: Packed) -> bool:
    return place.layout in _BOTH or place.in_folder == packed.in_folder


def _layout(place: Upload, packed: Packed) -> tuple[str, str]:
    where = "in a folder of the archive" if packed.in_folder else "at the root of the archive"
    wants = "expects it in a folder" if place.in_folder else "expects it at the root"
    return f"SKILL.md is {where}", wants


Excess = Iterator[tuple[str, str]]


def _most(count: int, limit: Mapping[str, Any], said: str, unit: str = "") -> Excess:
    """Yield one excess if `count` is not between the least and the most of a limit; `said` holds `{}`."""
    if count > limit["most"]:
        yield said.format(f"{count:,}"), f"allows {limit['most']:,}{unit}"
    elif count < limit.get("least", 0):
        yield said.format(f"{count:,}"), f"requires at least {limit['least']:,}{unit}"


def _files(packed: Packed, limit: Mapping[str, Any]) -> Excess:
    return _most(len(packed.files), limit, "the archive contains {} files")


def _archive_bytes(packed: Packed, limit: Mapping[str, Any]) -> Excess:
    return _most(packed.size, limit, "the archive is {} bytes")


def _total_bytes(packed: Packed, limit: Mapping[str, Any]) -> Excess:
    return _most(sum(packed.files.values()), limit, "the files are {} bytes in total")


def _file_bytes(packed: Packed, limit: Mapping[str, Any]) -> Excess:
    for path, size in packed.files.items():
        yield from _most(size, limit, f"{_braced(path)} is {{}} bytes")


def _path_length(packed: Packed, limit: Mapping[str, Any]) -> Excess:
    for path in packed.files:
        yield from _most(len(path), limit, f"the path {_braced(path)} has {{}} characters")


def _depth(packed: Packed, limit: Mapping[str, Any]) -> Excess:
    for path in packed.files:
        yield from _most(path.count("/") + 1, limit, f"{_braced(path)} is {{}} levels deep")


def _paths(packed: Packed, limit: Mapping[str, Any]) -> Excess:
    for path in limit["none"]:
        if path in packed.files:
            yield f"the archive contains {shown(path)}", "rejects it"


def _name_length(packed: Packed, limit: Mapping[str, Any]) -> Excess:
    return _most(len(packed.name), limit, f"the name {_braced(packed.name)} has {{}} characters")


def _name_pattern(packed: Packed, limit: Mapping[str, Any]) -> Excess:
    if not re.fullmatch(limit["is"], packed.name[:1000]):
        yield f"the name {shown(packed.name)} does not match", f"requires `{limit['is']}`"


def _name_words(packed: Packed, limit: Mapping[str, Any]) -> Excess:
    for word in limit["none"]:
        if word in packed.name.lower():
            yield f"the name {shown(packed.name)} contains `{word}`", "does not allow that word"


def _description_length(packed: Packed, limit: Mapping[str, Any]) -> Excess:
    return _most(len(packed.description), limit, "the description has {} characters")


def _description_tags(packed: Packed, limit: Mapping[str, Any]) -> Excess:
    if (tag := _TAG.search(packed.description)) is not None:
        yield f"the description contains the tag {shown(tag[0])}", "does not allow tags there"


def _first_line(packed: Packed, limit: Mapping[str, Any]) -> Excess:
    if not packed.begins.startswith(limit["is"]):
        yield f"SKILL.md does not begin with `{limit['is']}`", "ignores frontmatter that starts later"


def _braced(text: str) -> str:
    return shown(text).replace("{", "{{").replace("}", "}}")


_CHECKS: dict[str, Callable[[Packed, Mapping[str, Any]], Excess]] = {
    "archive-bytes": _archive_bytes,
    "depth": _depth,
    "description-length": _description_length,
    "description-tags": _description_tags,
    "file-bytes": _file_bytes,
    "files": _files,
    "first-line": _first_line,
    "name-length": _name_length,
    "name-pattern": _name_pattern,
    "name-words": _name_words,
    "path-length": _path_length,
    "paths": _paths,
    "total-bytes": _total_bytes,
}
