"""What a report says of a skill that was given up: an error that no setting hides, and nothing else."""

from __future__ import annotations

import os
from pathlib import Path

from skilltool.bounds.budget import VARIABLE, is_of_time
from skilltool.files.paths import display_path
from skilltool.findings.diagnostic import Diagnostic, locate
from skilltool.findings.finding import Severity
from skilltool.lint.audience import audience_of
from skilltool.lint.settings import Settings
from skilltool.rules.records import CheckedSkill, Record
from skilltool.skill.skill_file import FILE_NAME, skill_file
from skilltool.text.source import Source, Span

ID = "over-bound"  # the rule; its module, which reads skills, is not imported where none is read
_NOWHERE = locate(Source(""), Span(0, 0))


def message(reason: object) -> str:
    """Return the message for a reason as in `OverBudgetError`."""
    return f"check {reason}"


def diagnostic(file: Path, reason: object, settings: Settings) -> Diagnostic:
    """Return the finding for a skill, whose SKILL.md is `file`, that was given up."""
    return Diagnostic(
        path=display_path(file),
        location=_NOWHERE,
        rule=ID,
        severity=Severity.ERROR,
        message=message(reason),
        help=_advice(str(reason)),
        skill=Path(os.path.abspath(file)).parent.name,
        runtimes=audience_of(settings, file.parent).runtimes,
    )


def _advice(reason: str) -> str:
    smaller = "make the skill smaller"
    return f"{smaller}, or set {VARIABLE} to more seconds" if is_of_time(reason) else smaller


def unchecked(directory: Path) -> CheckedSkill:
    """Return what is known of a skill that was given up: only where it is."""
    absolute = os.path.abspath(directory).replace(os.sep, "/")
    path = display_path(directory / file_of(directory))
    return CheckedSkill(Record(path, absolute, directory.name, None, _NOWHERE), ())


def file_of(directory: Path) -> str:
    """Return the name of the skill's file in a directory, whatever its case."""
    try:
        return skill_file(os.listdir(directory)) or FILE_NAME
    except OSError:
        return FILE_NAME
