"""`lint --fix` and `lint --diff`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from skilltool.bounds.crew import Crew
from skilltool.bounds.raised import InternalReason
from skilltool.cli.color import use_color
from skilltool.cli.highlight import painted_diff
from skilltool.cli.lint_check import check
from skilltool.cli.lint_request import Answer, Request
from skilltool.cli.output import NOTHING, exact, exact_or_escaped, inform, note
from skilltool.text.printable import SafeText

if TYPE_CHECKING:
    from skilltool.fix.planned_edits import FixOutcome


def make_diff(request: Request) -> Answer:
    """Return the diff of all fixes; the status is 1 if there is any, 2 if some could not be planned."""
    from skilltool.cli import progress
    from skilltool.findings.secrets import without_secrets
    from skilltool.fix.diff import diff
    from skilltool.fix.plan import plan

    with progress.shown("fixing") as bar, Crew() as crew:
        outcome = plan(request.settings, request["unsafe_fixes"], bar, crew)
        patch, file = diff(outcome, crew), request["output_file"]
    notes = (*_refusals(outcome), *_given_up(outcome, request), *outcome.unread, *outcome.problems)
    hints = [*outcome.hints, *([NOTHING] if not outcome.skills and not outcome.unread else [])]
    if any(edit.path.startswith("/") for edit in outcome.edits):
        hints.append("paths outside this directory are relative to `/`; run `git apply` there")
    if any(without_secrets(edit.before) != edit.before for edit in outcome.edits):
        hints.append("secrets are hidden in the diff, which does not apply to lines with one")
    text: SafeText | bytes = exact(patch)
    if file is None:
        paint = painted_diff if use_color(request["color"]) else None
        text, remark = exact_or_escaped(patch, request["raw"], paint)
        hints += [remark] if remark else []
    has_defect = any(isinstance(reason, InternalReason) for reason in outcome.given_up.values())
    failed = outcome.unread or outcome.problems or has_defect
    found = bool(outcome.changes or outcome.given_up)
    status = 2 if failed else int(found and not request["exit_zero"])
    return Answer(text, status, notes, tuple(hints), file)


def fix_then_check(request: Request) -> Answer:
    """Apply the fixes, note what was fixed, then check and report the rest."""
    from skilltool.fix.apply import paths_after

    with Crew() as crew:
        done = _fix(request, crew)
        paths = tuple(paths_after(request.settings.paths, done))
        answer = check(request.with_settings(request.settings._replace(paths=paths)), crew)
    status = 2 if done.problems else answer.status
    return answer._replace(status=max(status, int(request["exit_non_zero_on_fix"] and done.fixed > 0)))


def _fix(request: Request, crew: Crew) -> FixOutcome:
    """Apply the fixes and note at once what was done, whatever becomes of the check after it."""
    from skilltool.cli import progress
    from skilltool.fix.apply import apply
    from skilltool.fix.plan import plan
    from skilltool.lint.result import count_of

    with progress.shown("fixing") as bar:
        planned = plan(request.settings, request["unsafe_fixes"], bar, crew)
    done = apply(planned)
    for each in (*_refusals(planned), *done.problems):
        note(each)
    if request["show_fixes"]:
        for edit in done.changes:
            rules = ", ".join(f"{rule} ({number})" for rule, number in sorted(edit.applied.items()))
            inform(f"fixed {edit.path}: {rules}")
    if done.changes:
        files = len({edit.file for edit in done.changes})
        inform(f"fixed {count_of(done.fixed, 'finding')} in {count_of(files, 'file')}")
    return done


def _given_up(outcome: FixOutcome, request: Request) -> Iterator[str]:
    """Yield a line for each skill that was given up, as the report of a check has it."""
    from skilltool.lint import over_bound
    from skilltool.report import PLAIN, concise

    for directory, reason in outcome.given_up.items():
        file = directory / over_bound.file_of(directory)
        yield concise.line(over_bound.diagnostic(file, reason, request.settings), PLAIN)


def _refusals(outcome: FixOutcome) -> Iterator[str]:
    for edit in outcome.edits:
        for rule, why in edit.refused.items():
            yield f"{edit.path}: fix of `{rule}` not applied: {why}"
