"""One skill's results as a row of the cache, and back."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, NamedTuple

from skilltool.files.paths import display_path
from skilltool.findings.diagnostic import Diagnostic, Excerpt, Location
from skilltool.findings.finding import Edit, Fix, Severity
from skilltool.rules.records import CheckedSkill, IgnoreComment, Record
from skilltool.text.source import Position


class Row(NamedTuple):
    """What is kept of one skill.

    `stat` are the sizes, times and inodes of its files, empty where they are too fresh to be trusted;
    `content` is a digest of all that the rules looked at; `looked` says as JSON what that was; `result`
    is what they found, as JSON without the paths, which depend on where a run is started.
    """

    stat: bytes
    content: bytes
    looked: str
    result: str


def dumps(checked: CheckedSkill, file_name: str) -> str:
    """Return what was found in a skill as JSON text in ASCII."""
    record = checked.record
    data = [
        file_name,
        [record.skill, record.name, record.location, record.keywords],
        [diagnostic[1:] for diagnostic in checked.diagnostics],
        [comment[1:] for comment in checked.comments],
    ]
    return json.dumps(data, separators=(",", ":"))


def loads(text: str, directory: Path) -> CheckedSkill:
    """Return what `dumps` was given, for a skill in `directory`; raises ValueError for anything else."""
    try:
        file_name, record, diagnostics, comments = json.loads(text)
        place = os.fspath(directory)
        path = display_path(os.path.join(place, file_name))
        skill, name, start, keywords = record
        return CheckedSkill(
            Record(path, place.replace(os.sep, "/"), skill, name, _location(start), tuple(keywords)),
            tuple(_diagnostic(path, *each) for each in diagnostics),
            tuple(_comment(path, *each) for each in comments),
        )
    except (TypeError, IndexError, AttributeError) as error:
        raise ValueError(str(error)) from None


def _location(data: Any) -> Location:
    start, end, excerpt, digest = data
    return Location(Position(*start), Position(*end), Excerpt(*excerpt), digest)


def _diagnostic(
    path: str,
    place: Any,
    rule: str,
    severity: int,
    message: str,
    advice: str | None,
    skill: str,
    targets: Any,
    fix: Any,
    bom: bool,
    ordinal: int,
) -> Diagnostic:
    level, where = Severity(severity), _location(place)
    targets = tuple(targets)
    return Diagnostic(path, where, rule, level, message, advice, skill, targets, _fix(fix), bom, ordinal)


def _fix(data: Any) -> Fix | None:
    if data is None:
        return None
    safe, edits, rename = data
    return Fix(safe, tuple(Edit(*edit) for edit in edits), tuple(rename) if rename else None)


def _comment(
    path: str, skill: str, rules: Any, reason: str, place: Any, first: int, last: int | None
) -> IgnoreComment:
    return IgnoreComment(path, skill, tuple(rules), reason, _location(place), first, last)
