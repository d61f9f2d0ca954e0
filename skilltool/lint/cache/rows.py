"""Converts the result of one skill to a row of the cache and back."""

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
    """The cached result of one skill.

    `signature` stands for the sizes, times and inodes of its files, empty if they are too fresh to be
    trusted; `digest` is that of everything the result depends on, which `dependencies` lists as JSON;
    `result` is the result as JSON without paths, which depend on the working directory.
    """

    signature: bytes
    digest: bytes
    dependencies: str
    result: str


def dumps(checked: CheckedSkill, file_name: str) -> str:
    """Serialize the result of a skill to JSON in ASCII."""
    record = checked.record
    data = [
        file_name,
        [record.skill, record.name, record.location, record.keywords],
        [diagnostic[1:] for diagnostic in checked.diagnostics],
        [comment[1:] for comment in checked.comments],
    ]
    return json.dumps(data, separators=(",", ":"))


def loads(text: str, directory: Path) -> CheckedSkill:
    """Deserialize the output of `dumps` for a skill in `directory`; raises ValueError for any other text."""
    try:
        file_name, record, diagnostics, comments = json.loads(text)
        absolute = os.fspath(directory)
        path = _path(absolute, file_name, "")
        skill, name, location, keywords = record
        return CheckedSkill(
            Record(path, absolute.replace(os.sep, "/"), skill, name, _location(location), tuple(keywords)),
            tuple(_diagnostic(_path(absolute, file_name, each[-1]), *each) for each in diagnostics),
            tuple(_comment(_path(absolute, file_name, each[-1]), *each) for each in comments),
        )
    except (TypeError, IndexError, AttributeError) as error:
        raise ValueError(str(error)) from None


def _path(directory: str, own: str, file: str) -> str:
    """Return a file of the skill as reports print it; `own` is what an empty path means."""
    return display_path(os.path.join(directory, file or own))


def _location(data: Any) -> Location:
    start, end, excerpt, digest = data
    return Location(Position(*start), Position(*end), Excerpt(*excerpt), digest)


def _diagnostic(
    path: str,
    location: Any,
    rule: str,
    severity: int,
    message: str,
    help_text: str | None,
    skill: str,
    runtimes: Any,
    fix: Any,
    bom: bool,
    ordinal: int,
    notes: Any,
    file: str,
) -> Diagnostic:
    where, level = _location(location), Severity(severity)
    said = tuple((tuple(names), text) for names, text in notes)
    begin = (path, where, rule, level, message, help_text, skill, tuple(runtimes))
    return Diagnostic(*begin, _fix(fix), bom, ordinal, said, file)


def _fix(data: Any) -> Fix | None:
    if data is None:
        return None
    safe, edits, rename = data
    return Fix(safe, tuple(Edit(*edit) for edit in edits), tuple(rename) if rename else None)


def _comment(
    path: str, skill: str, rules: Any, reason: str, location: Any, first: int, last: int | None, file: str
) -> IgnoreComment:
    return IgnoreComment(path, skill, tuple(rules), reason, _location(location), first, last, file)
