"""What a report says of a skill that was given up, an error that no setting hides, and of files left out.

A skill is given up over a bound of skilltool, or by a defect of skilltool.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from skilltool import runtimes
from skilltool.bounds.budget import MORE_TIME, InternalReason, TimeReason
from skilltool.files.paths import display_path
from skilltool.findings.diagnostic import Diagnostic, Location, locate
from skilltool.findings.finding import Severity, stated
from skilltool.findings.secrets import without_secrets
from skilltool.lint.settings import Settings
from skilltool.lint.targets import Audience, audience_of
from skilltool.rules.records import CheckedSkill, Record
from skilltool.skill.skill_file import FILE_NAME, MAX_BYTES, skill_file
from skilltool.text.source import Source, Span

if TYPE_CHECKING:
    from skilltool.skill.model import Skill

_SIZE_RULE = "oversized-file"
# The rules; their modules, which read skills, are not imported where none is read.
ID = "over-bound"
INTERNAL_ID = "internal-error"


@cache
def _nowhere() -> Location:
    return locate(Source(""), Span(0, 0))


def message(reason: str) -> str:
    """Return the message for the reason of a `GivenUpError`."""
    return without_secrets(reason) if isinstance(reason, InternalReason) else f"check {reason}"


def rule_of(reason: str) -> str:
    """Return the rule that reports a skill which was given up for this reason."""
    return INTERNAL_ID if isinstance(reason, InternalReason) else ID


def diagnostic(file: Path, reason: str, settings: Settings) -> Diagnostic:
    """Return the finding for a skill, whose SKILL.md is `file`, that was given up."""
    return Diagnostic(
        path=display_path(file),
        location=_nowhere(),
        rule=rule_of(reason),
        severity=Severity.ERROR,
        message=message(reason),
        help=_advice(reason),
        skill=Path(os.path.abspath(file)).parent.name,
        runtimes=audience_of(settings, file.parent).runtimes,
    )


def _advice(reason: str) -> str | None:
    if isinstance(reason, InternalReason):
        return None
    smaller = "make the skill smaller"
    return f"{smaller}, or {MORE_TIME}" if isinstance(reason, TimeReason) else smaller


def is_given_up(found: Diagnostic) -> bool:
    """Return whether a finding says that a skill was given up, not one of its files."""
    return is_internal(found) or (found.rule == ID and not found.file)


def is_internal(found: Diagnostic) -> bool:
    """Return whether a finding says that a skill was given up by a defect of skilltool."""
    return found.rule == INTERNAL_ID


def unread(skill: Skill, path: str, audience: Audience) -> Iterator[Diagnostic]:
    """Yield a finding for each text file that the rules did not see; `path` is the skill's file as printed.

    The rest of the skill is checked, so it is information: most such files are data.
    """
    for file, limit, others, of_skill in skill.other_texts.unread:
        over = f"{'the skill' if of_skill else 'it'} exceeds skilltool's limit of {limit}"
        what = f"file and {others:,} more were" if others else "file was"
        yield Diagnostic(
            path=path.removesuffix(skill.file_name) + file,
            location=_nowhere(),
            rule=ID,
            severity=Severity.INFO,
            message=f"{what} not checked: {over}",
            help="split the file, or move it out of the skill",
            skill=skill.name,
            runtimes=audience.runtimes,
            file=file,
        )


def unchecked(directory: Path, settings: Settings) -> CheckedSkill:
    """Return what is known of a skill that was given up: where it is, and who loads no file of its size."""
    absolute = os.path.abspath(directory).replace(os.sep, "/")
    file = directory / file_of(directory)
    record = Record(display_path(file), absolute, directory.name, None, _nowhere())
    return CheckedSkill(record, tuple(_too_large(file, settings)))


def _too_large(file: Path, settings: Settings) -> Iterator[Diagnostic]:
    """Yield the findings for runtimes that load no file of this size, which is known without reading it."""
    try:
        size = file.stat().st_size
    except OSError:
        return
    if size <= MAX_BYTES or _SIZE_RULE not in settings.rules:
        return
    from skilltool.rules.file import oversized_file

    for target in map(runtimes.get, audience_of(settings, file.parent).runtimes):
        for finding in oversized_file.of_size(size, target, Span(0, 0)):
            yield Diagnostic(
                path=display_path(file),
                location=_nowhere(),
                rule=_SIZE_RULE,
                severity=finding.severity or oversized_file.SEVERITY,
                message=stated(finding.message, finding.clause, [target.id]),
                help=finding.help,
                skill=Path(os.path.abspath(file)).parent.name,
                runtimes=(target.id,),
            )


def file_of(directory: Path) -> str:
    """Return the name of the skill's file in a directory, whatever its case."""
    try:
        return skill_file(os.listdir(directory)) or FILE_NAME
    except OSError:
        return FILE_NAME
