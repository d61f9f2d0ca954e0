"""Check one skill by the rules about one skill, outside of a run: a text, or a directory."""

from __future__ import annotations

import os
from pathlib import Path

from skilltool.bounds.budget import GivenUpError
from skilltool.bounds.pool import WorkerPool
from skilltool.errors import PathError
from skilltool.files.one_run import one_run
from skilltool.files.paths import display_path
from skilltool.lint import given_up, targets
from skilltool.lint.result import Report, report_of_one, without_baseline
from skilltool.lint.settings import Settings
from skilltool.lint.targets import audience_of
from skilltool.rules import COLLECTION_RULES, GROUP_OF
from skilltool.rules.records import CheckedSkill
from skilltool.skill.discovery import is_excluded
from skilltool.skill.discovery.walk import skill_around
from skilltool.skill.skill_file import may_be_skill
from skilltool.text import unsaved

_NEED_THE_FILE = frozenset({"runtime"})  # groups of rules


@one_run()
def check_text(raw: bytes, file: Path, settings: Settings) -> Report:
    """Check bytes as if they were the SKILL.md `file`, by the rules about one skill.

    What lies beside it counts. It need not exist; the rules of a runtime, which would only say that, are
    left out then. A file of another name under a skill is one of its pages or scripts: only what is found in
    that is reported.
    """
    inner = None if may_be_skill(file) else Path(os.path.abspath(file))
    if inner is not None and (directory := skill_around(inner)) is not None:
        return _check_inner(raw, inner, directory, settings)
    patterns = settings.exclude, settings.base, settings.respect_gitignore
    if settings.force_exclude and is_excluded(file, *patterns):
        return Report((), 0, audience_of(settings, file.parent).runtimes)
    if targets.depends_on_place(settings):
        file = Path(targets.real_directory(os.path.abspath(file.parent)), file.name)
    unsaved_file = not os.path.lexists(file)
    left_out = {rule for rule in settings.rules if unsaved_file and GROUP_OF[rule] in _NEED_THE_FILE}
    rules = tuple(rule for rule in settings.rules if rule not in left_out | {*COLLECTION_RULES})
    settings = settings._replace(rules=rules)
    with WorkerPool() as pool:
        try:
            checked = pool.call(file.parent, _check_unsaved, raw, file, settings)
        except GivenUpError as error:
            diagnostics = [given_up.diagnostic(file, error.reason, settings)]
            return Report(diagnostics, 1, audience_of(settings, file.parent).runtimes)
    return _report(checked, file, settings)


def _check_inner(raw: bytes, file: Path, directory: Path, settings: Settings) -> Report:
    """Check bytes as if they were the page or script `file` of the skill in `directory`."""
    patterns = settings.exclude, settings.base, settings.respect_gitignore
    if settings.force_exclude and is_excluded(directory / given_up.file_of(directory), *patterns):
        return Report((), 0, audience_of(settings, directory).runtimes)
    name = file.relative_to(directory).as_posix()
    rules = tuple(rule for rule in settings.rules if rule not in COLLECTION_RULES)
    settings = settings._replace(rules=rules)
    with WorkerPool() as pool:
        try:
            checked = pool.call(directory, _check_with_buffer, raw, file, directory, settings)
        except GivenUpError as error:
            diagnostics = [given_up.diagnostic(file, error.reason, settings)]
            return Report(diagnostics, 1, audience_of(settings, directory).runtimes)
    checked = checked._replace(
        diagnostics=tuple(diagnostic for diagnostic in checked.diagnostics if diagnostic.file == name),
        comments=tuple(comment for comment in checked.comments if comment.file == name),
    )
    return _report(checked, file, settings)


def _report(checked: CheckedSkill, file: Path, settings: Settings) -> Report:
    report = without_baseline(report_of_one(checked, settings), settings)
    if checked.defect is None:
        return report
    diagnostics = [*report.diagnostics, given_up.diagnostic(file, checked.defect, settings)]
    return report._replace(diagnostics=sorted(diagnostics, key=lambda diagnostic: diagnostic.order))


def _check_with_buffer(raw: bytes, file: Path, directory: Path, settings: Settings) -> CheckedSkill:
    from skilltool.lint.check import check_directory

    with unsaved.unsaved_buffer(file, raw):
        return check_directory(directory, settings)


def _check_unsaved(raw: bytes, file: Path, settings: Settings) -> CheckedSkill:
    from skilltool.lint.check import check_bytes

    with unsaved.unsaved_buffer(file, raw):
        return check_bytes(raw, file, settings)


def check_one(directory: Path, settings: Settings) -> Report:
    """Check one skill directory, by the rules about one skill.

    Raises `PathError` if it is given up.
    """
    from skilltool.lint.check import check_directory

    with WorkerPool() as pool:
        try:
            checked = pool.call(directory, check_directory, directory, settings)
        except GivenUpError as error:
            raise PathError(f"{display_path(directory)}: {given_up.message(error.with_way_out)}") from None
    if checked.defect is not None:
        raise PathError(f"{display_path(directory)}: {given_up.message(checked.defect)}")
    return report_of_one(checked, settings)
