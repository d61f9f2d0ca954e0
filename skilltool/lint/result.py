"""What a run found, as reports are made from it, and the lines that count it for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from skilltool.findings.diagnostic import Diagnostic, Suppressed, numbered
from skilltool.findings.finding import Severity
from skilltool.lint.settings import Settings
from skilltool.lint.targets import Audience, audience_of, depends_on_place
from skilltool.rules.records import CheckedSkill
from skilltool.skill.skill_file import FILE_NAME

if TYPE_CHECKING:
    from skilltool.bounds.budget import InternalReason
    from skilltool.lint.matrix import Row


FIX_MARK = "[*]"  # before a finding that `--fix` fixes, as ruff has it


class Together(NamedTuple):
    """What holds of all skills of a run: findings, and the rows of the matrix where it was asked for.

    `defects` are internal errors: one for each rule that raised what nobody expected, of which all else is
    left out.
    """

    diagnostics: tuple[Diagnostic, ...] = ()
    matrix: tuple[Row, ...] = ()
    defects: tuple[InternalReason, ...] = ()


class Report(NamedTuple):
    """The result of a run: sorted diagnostics, the number of skills checked, and against which runtimes.

    `matrix` has a row per skill where it was asked for. `suppressed` are the findings that a comment, a
    setting or a baseline hides; they are not among the diagnostics, and only SARIF, which has a place for
    them, shows more of them than their number. `problems` are sentences for the user about what could not be
    read or checked, `hints` about what did not fail the run. `skills_ignored` is the number of skills seen
    that git ignores. `audiences` says for whom each skill was checked, by the path of its file, where that
    depends on where it lies. `manifests` are the manifests that were checked, as reports print their paths.
    """

    diagnostics: Sequence[Diagnostic]
    skills: int
    runtimes: tuple[str, ...]
    matrix: tuple[Row, ...] = ()
    suppressed: Sequence[Suppressed] = ()
    problems: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    skills_ignored: int = 0
    audiences: Mapping[str, Audience] = MappingProxyType({})
    manifests: tuple[str, ...] = ()

    @property
    def accepted(self) -> int:
        """The number of findings that a baseline accepts."""
        return sum(each.by == "baseline" for each in self.suppressed)

    @property
    def ignored(self) -> int:
        """The number of findings that a comment or a setting ignores."""
        return len(self.suppressed) - self.accepted

    def number(self, severity: Severity) -> int:
        """Return how many diagnostics have this severity."""
        return sum(diagnostic.severity is severity for diagnostic in self.diagnostics)

    @property
    def worst(self) -> Severity | None:
        """The highest severity found, None if there is no finding."""
        return max((diagnostic.severity for diagnostic in self.diagnostics), default=None)


def summary(report: Report, notes: bool = True) -> str:
    """Return one line for people that counts findings and the skills they are in.

    Without `notes` it counts errors and warnings, since another line is about notes.

    It says for whom all were checked, if that was the same for all and the user did not say it. A finding can
    be in a file that is not a skill's, such as the configuration: such files count apart.
    """
    hidden = [f"{report.ignored:,} ignored"] if report.ignored else []
    hidden += [f"{report.accepted:,} in the baseline"] if report.accepted else []
    excluded = count_of(report.skills_ignored, "skill")
    hidden += [f"{excluded} excluded by .gitignore"] if report.skills_ignored else []
    suffix = f" ({', '.join(hidden)})" if hidden else ""
    if not report.skills and not report.manifests:
        return f"no skills checked{suffix}"
    checked = _checked(report)
    groups = {audience.names for audience in report.audiences.values()}
    names = f" against {groups.pop()}" if len(groups) == 1 else ""
    least = Severity.INFO if notes else Severity.WARNING
    counted = [diagnostic for diagnostic in report.diagnostics if diagnostic.severity >= least]
    if not counted:
        nothing = "no errors or warnings" if report.diagnostics else "no findings"
        return f"{checked} checked{names}, {nothing}{suffix}"
    severities = (severity for severity in sorted(Severity, reverse=True) if severity >= least)
    nouns = {Severity.INFO: "note"}
    counts = [
        count_of(number, nouns.get(how, str(how))) for how in severities if (number := report.number(how))
    ]
    skills = {diagnostic.directory for diagnostic in counted if _is_in_skill(diagnostic)}
    manifests = {diagnostic.path for diagnostic in counted}.intersection(report.manifests)
    others = {diagnostic.path for diagnostic in counted if not _is_in_skill(diagnostic)} - manifests
    where = [f"{len(skills):,} of {count_of(report.skills, 'skill')}"] if skills else []
    where += [f"{len(manifests):,} of {count_of(len(report.manifests), 'manifest')}"] if manifests else []
    where += [count_of(len(others), "other file" if where else "file")] if others else []
    rest = f", checked{names}" if names else ""
    rest = rest if skills else f"; {checked} checked{names}"
    return f"{', '.join(counts)} in {' and '.join(where)}{rest}{suffix}"


def _checked(report: Report) -> str:
    """Return what was checked: skills, manifests, or both."""
    skills = count_of(report.skills, "skill")
    manifests = count_of(len(report.manifests), "manifest")
    if not report.manifests:
        return skills
    return f"{skills} and {manifests}" if report.skills else manifests


def _is_in_skill(diagnostic: Diagnostic) -> bool:
    """Whether a finding is in a file of a checked skill; its own has another name only on standard input."""
    if diagnostic.file:
        return True
    directory, _, name = diagnostic.path.lower().rpartition("/")
    parent = directory.rpartition("/")[2]
    return name == FILE_NAME.lower() or (name.endswith(".md") and parent == diagnostic.skill.lower())


def is_fixable(diagnostic: Diagnostic) -> bool:
    """Return whether `--fix` fixes a finding, without `--unsafe-fixes`."""
    return diagnostic.fix is not None and diagnostic.fix.safe


def fixable(report: Report) -> str:
    """Return a line for people that counts what can be fixed and how, empty if nothing can."""
    fixes = [diagnostic.fix for diagnostic in report.diagnostics if diagnostic.fix is not None]
    safe = sum(fix.safe for fix in fixes)
    unsafe = len(fixes) - safe
    if safe:
        more = f" ({unsafe:,} more with `--unsafe-fixes`)" if unsafe else ""
        return f"{FIX_MARK} {safe:,} fixable with `--fix`{more}"
    return f"{unsafe:,} fixable with `--fix --unsafe-fixes`" if unsafe else ""


def count_of(number: int, noun: str) -> str:
    """Return a number and its noun, `1 skill` or `2,000 skills`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def report_of_one(checked: CheckedSkill, settings: Settings) -> Report:
    """Return the report on one skill that was checked."""
    kept, hidden = suppressed([checked], checked.diagnostics, settings)
    audiences = audiences_of([checked], settings)
    return Report(kept, 1, runtimes_of(audiences, settings), suppressed=hidden, audiences=audiences)


def audiences_of(checked: Sequence[CheckedSkill], settings: Settings) -> dict[str, Audience]:
    """Return for whom each skill was checked, by the path of its file; empty where all are checked alike."""
    if not depends_on_place(settings):
        return {}
    return {one.record.path: audience_of(settings, one.record.directory) for one in checked}


def runtimes_of(audiences: Mapping[str, Audience], settings: Settings) -> tuple[str, ...]:
    """Return the ids of all runtimes that skills were checked against, each once."""
    found = dict.fromkeys(name for audience in audiences.values() for name in audience.runtimes)
    return tuple(found) if depends_on_place(settings) else settings.runtimes


def without_baseline(report: Report, settings: Settings) -> Report:
    """Return a report without what the baseline accepts, if there is one."""
    if settings.baseline is None:
        return report
    from skilltool.lint import baseline

    fresh, known = baseline.split(report.diagnostics, baseline.load(settings.baseline))
    accepted = [Suppressed(diagnostic, "baseline", f"in {settings.baseline.name}") for diagnostic in known]
    return report._replace(diagnostics=fresh, suppressed=[*report.suppressed, *accepted])


def suppressed(
    checked: Sequence[CheckedSkill], diagnostics: Sequence[Diagnostic], settings: Settings
) -> tuple[list[Diagnostic], list[Suppressed]]:
    """Return the findings that count, one for each cause, and those that the user suppresses.

    That is by a comment or by `per-file-ignores`. What one finding tells of another rule (`Diagnostic.also`)
    is gathered after that, so that a suppressed finding hides nothing.
    """
    comments = [comment for one in checked for comment in one.comments]
    if not diagnostics and not comments:
        return [], []
    from skilltool.lint.merging import told_once
    from skilltool.lint.suppress import apply_suppressions

    kept, hidden = apply_suppressions(numbered(diagnostics), comments, settings)
    return told_once(kept), hidden
