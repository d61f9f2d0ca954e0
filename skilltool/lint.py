"""Checking skills: run the rules for each target, stamp what they find, sort it.

Checking one skill is a pure function of its files and the settings. Rules that need the
whole collection run afterwards, on one short record per skill.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from skilltool import baseline, matrix, runtimes, suppress
from skilltool import skill as skills
from skilltool.diagnostic import Diagnostic, Finding, Severity, place
from skilltool.discovery import discover
from skilltool.errors import PathError
from skilltool.report.base import Report
from skilltool.rules import COLLECTION_RULES, GROUP_OF, RULES, about
from skilltool.rules.base import Record, entries
from skilltool.rules.suspicion import suspected
from skilltool.runtimes.base import Runtime
from skilltool.runtimes.values import LoadedSkill
from skilltool.settings import Settings
from skilltool.skill import FILE_NAME, Skill
from skilltool.source import Source, Span
from skilltool.suppress import Ignore

# The groups whose errors mean that a skill does not load.
_LOADING = frozenset({"file", "frontmatter", "triggers", "runtime"})


@dataclass(frozen=True, slots=True)
class Checked:
    """What is left of one skill when it has been checked: findings, and comments that switch some off."""

    record: Record
    diagnostics: tuple[Diagnostic, ...]
    comments: tuple[Ignore, ...] = ()


@dataclass(frozen=True, slots=True)
class Run:
    """The result of a run, and in words for a user what could not be read or checked."""

    report: Report
    problems: tuple[str, ...]


def run(paths: Sequence[Path], settings: Settings) -> Run:
    """Check the skills that `paths` stand for.

    Raises `PathError` if there is nothing to check, unless the settings allow that.
    """
    found = discover(
        paths,
        exclude=settings.exclude,
        base=settings.base,
        respect_gitignore=settings.respect_gitignore,
        force_exclude=settings.force_exclude,
    )
    problems = list(found.problems)
    checked: list[Checked] = []
    for directory in found.skills:
        try:
            checked.append(check(directory, settings))
        except Exception as error:  # a defect of ours in one skill must not hide the others
            problems.append(f"{directory}: skilltool failed here, please report it: {error!r}")
    if not found.skills and not problems and not (settings.allow_empty or settings.force_exclude):
        raise PathError(_nothing_in(paths))
    diagnostics = [diagnostic for one in checked for diagnostic in one.diagnostics]
    records = [one.record for one in checked]
    diagnostics += check_collection(records, settings)
    rows = matrix.build(records, list(map(runtimes.get, settings.runtimes))) if settings.matrix else ()
    kept, ignored = _not_ignored(diagnostics, [each for one in checked for each in one.comments], settings)
    fresh = baseline.new(kept, baseline.load(settings.baseline)) if settings.baseline else kept
    report = Report(
        fresh, len(found.skills), settings.runtimes, rows, ignored=ignored, accepted=len(kept) - len(fresh)
    )
    return Run(report, tuple(problems))


def _not_ignored(
    diagnostics: Sequence[Diagnostic], comments: Sequence[Ignore], settings: Settings
) -> tuple[list[Diagnostic], int]:
    """Return what nobody has switched off, sorted and with the user's severities, and how much is."""
    per_file = suppress.PerFile(settings.base, settings.per_file_ignores)
    kept, used = suppress.split(diagnostics, comments, per_file)
    ignored = len(diagnostics) - len(kept)
    if suppress.RULE in settings.rules:
        unused = suppress.unused(comments, used, settings.rules, settings.runtimes)
        kept += [each for each in unused if not per_file.covers(each.path, each.rule)]
    severities = dict(settings.severities)
    kept = [replace(each, severity=severities.get(each.rule, each.severity)) for each in kept]
    return sorted(kept, key=lambda diagnostic: diagnostic.order), ignored


def check(directory: Path, settings: Settings) -> Checked:
    """Check one skill directory by the rules about one skill."""
    return check_skill(skills.load(directory), directory, settings)


def check_text(raw: bytes, file: Path, settings: Settings) -> Report:
    """Check bytes as if they were the SKILL.md `file`, which need not exist; what lies beside it counts."""
    directory = file.parent
    skill = (
        skills.load(directory)
        if directory.is_dir()
        else Skill(directory.absolute().name, FILE_NAME, Source(""))
    )
    changed = replace(skill, source=Source.decode(raw), size=len(raw), unreadable=None, file_name=file.name)
    checked = check_skill(changed, directory, settings)
    kept, ignored = _not_ignored(checked.diagnostics, checked.comments, settings)
    return Report(kept, 1, settings.runtimes, ignored=ignored)


def check_skill(skill: Skill, directory: Path, settings: Settings) -> Checked:
    """Check a skill that has been read, or changed in memory, by the rules about one skill."""
    path = shown(directory / skill.file_name)
    merged: dict[tuple[str, Finding], dict[str, Severity]] = {}
    for target in map(runtimes.get, settings.runtimes):
        for rule, finding in _findings(skill, target, settings):
            severity = capped(finding.severity or severity_of(rule, target), rule, skill, target)
            merged.setdefault((rule, finding), {})[target.id] = severity
    diagnostics = tuple(
        Diagnostic(
            path=path,
            place=place(skill.source, finding.span),
            rule=rule,
            severity=max(severities.values()),
            message=finding.message,
            help=finding.help,
            skill=skill.name,
            runtimes=tuple(severities),
            fix=finding.fix,
        )
        for (rule, finding), severities in merged.items()
    )
    return Checked(_record(skill, directory, path), diagnostics, suppress.ignores(skill, path))


def check_collection(records: Sequence[Record], settings: Settings) -> Iterator[Diagnostic]:
    """Yield what the rules about many skills find among `records`, which are in path order."""
    for name in (name for name in settings.rules if name in COLLECTION_RULES):
        merged: dict[tuple[Record, str, str | None], dict[str, Severity]] = {}
        for target in map(runtimes.get, settings.runtimes):
            for clash in COLLECTION_RULES[name].check_all(records, target):
                key = (clash.record, clash.message, clash.help)
                merged.setdefault(key, {})[target.id] = severity_of(name, target)
        unanimous = getattr(COLLECTION_RULES[name], "UNANIMOUS", False)
        for (record, message, advice), severities in merged.items():
            if unanimous and len(severities) < len(settings.runtimes):
                continue
            yield Diagnostic(
                path=record.path,
                place=record.place,
                rule=name,
                severity=max(severities.values()),
                message=message,
                help=advice,
                skill=record.skill,
                runtimes=tuple(severities),
            )


def severity_of(rule: str, target: Runtime) -> Severity:
    """Return how bad a finding of `rule` is for `target`."""
    return target.severities.get(rule, about(rule).SEVERITY)


def capped(severity: Severity, rule: str, skill: Skill, target: Runtime) -> Severity:
    """Return a severity that agrees with the target: what it loads all the same is no error.

    Whether a skill loads is the profile's to say, for each runtime; for a specification, whose
    clients differ, the rules decide.
    """
    load = None if target.specification else target.load
    if severity is not Severity.ERROR or load is None or GROUP_OF[rule] not in _LOADING:
        return severity
    return Severity.WARNING if isinstance(skill.ask(load), LoadedSkill) else severity


def shown(path: Path) -> str:
    """Return an absolute path as reports print it: relative below the working directory, with `/`."""
    here = Path.cwd()
    return (path.relative_to(here) if path.is_relative_to(here) else path).as_posix()


def _nothing_in(paths: Sequence[Path]) -> str:
    named = ", ".join(f"`{path}`" for path in paths)
    return (
        f"no skill to check in {named}: no directory there holds a SKILL.md, or what does is excluded. "
        "Name another path, look at what git ignores with --no-respect-gitignore, "
        "or accept an empty run with --allow-empty"
    )


def _findings(skill: Skill, target: Runtime, settings: Settings) -> Iterable[tuple[str, Finding]]:
    for name in suspected(_about_one(settings.rules), skill, target):
        for finding in RULES[name].check(skill, target):
            yield name, finding


@lru_cache(maxsize=2)
def _about_one(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if name in RULES)


def _record(skill: Skill, directory: Path, path: str) -> Record:
    name = skill.frontmatter.text("name")
    span = skill.frontmatter.span("name") if name else Span(0, 0)
    absolute = Path(os.path.abspath(directory)).as_posix()
    text = "\n".join(skill.source.text.splitlines())
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    keywords = tuple(
        dict.fromkeys(text for _, text, _ in entries(skill, "triggers", "keywords") if text.strip())
    )
    return Record(path, absolute, skill.name, name, place(skill.source, span), digest, keywords)
