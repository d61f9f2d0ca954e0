"""After a save in one skill: reads that skill again, and takes what is known of all others.

Where several skills changed, or it is not known what changed, all has to be read. Rules about many skills are
not asked, so their findings are those of before until then, as is which skill counts what others have, too.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, NamedTuple

from skilltool.errors import SkilltoolError
from skilltool.findings.diagnostic import Diagnostic
from skilltool.lint.check_alone import check_one
from skilltool.lint.result import Report, without_baseline
from skilltool.lint.settings import Settings
from skilltool.packages.registration import Setup
from skilltool.preview.model import Row
from skilltool.preview.overview import State, recounted, stated
from skilltool.preview.sessions import Opened, Source, open_all
from skilltool.rules import COLLECTION_RULES
from skilltool.runtimes.base import Runtime, Session
from skilltool.runtimes.values import LoadedSkill
from skilltool.skill.discovery import is_excluded
from skilltool.skill.skill_file import FILE_NAME


def edited(source: Source, state: State, paths: Iterable[Path]) -> State | None:
    """Return the state after `paths` changed (absolute); None if all has to be read again.

    The sessions of `state` are brought up to date. May raise `SkilltoolError`.
    """
    row = _only_row(state, paths)
    if row is None:
        return None
    settings = source.settings()._replace(allow_empty=True)
    try:
        report = _checked(state, row, settings)
    except SkilltoolError:
        return None
    directory = Path(row.directory)
    seeing = [opened for opened in state.opened if directory in opened.session.directories]
    moved = [opened.session for opened in seeing if not _read_again(source, opened, directory)]
    if not moved:
        return recounted(state, row.id, report)
    known = _Known(source, {_name_of(opened): opened.session for opened in state.opened})
    asked = state.asked
    found, opened = open_all(known, asked, settings)
    return stated(source, asked, found, opened, report, state, {id(session) for session in moved})


def is_same(one: State, other: State) -> bool:
    """Return whether pages show the same of two states."""
    sessions = [[opened.session for opened in state.opened] for state in (one, other)]
    return (one.project, one.findings) == (other.project, other.findings) and all(
        (a.skills, a.shadowed, a.skipped) == (b.skills, b.shadowed, b.skipped)
        for a, b in zip(*sessions, strict=True)
    )


def _only_row(state: State, paths: Iterable[Path]) -> Row | None:
    """Return the row of the skill in which all paths are, None if they are in none or in several."""
    rows: dict[str, Row | None] = {}
    for row in state.project.rows:
        rows[row.directory] = None if row.directory in rows else row
    found = {_directory_of(path, rows) for path in paths}
    only = rows.get(found.pop() or "") if len(found) == 1 else None
    if only is None or os.path.realpath(only.directory) != only.directory:
        return None
    return only if os.path.lexists(Path(only.directory, FILE_NAME)) else None


def _directory_of(path: Path, rows: Mapping[str, object]) -> str | None:
    return next((str(each) for each in (path, *path.parents) if str(each) in rows), None)


def _checked(state: State, row: Row, settings: Settings) -> Report | None:
    """Return the last report with the findings that the skill has now."""
    before, file = state.report, Path(row.directory, FILE_NAME)
    if before is None or not row.is_here:
        return before
    if is_excluded(file, settings.exclude, settings.base, settings.respect_gitignore):
        return before
    now = without_baseline(check_one(Path(row.directory), settings), settings).diagnostics
    kept = [each for each in before.diagnostics if each.rule in COLLECTION_RULES or not _is_in(each, row)]
    return before._replace(diagnostics=sorted([*kept, *now], key=lambda diagnostic: diagnostic.order))


def _is_in(diagnostic: Diagnostic, row: Row) -> bool:
    return os.path.realpath(os.path.dirname(diagnostic.path) or ".") == row.directory  # noqa: PTH120


_OTHERS = 3  # unchanged skills by which it is seen whether `load` returns what a session keeps


class _Known(NamedTuple):
    """A source whose sessions were opened before."""

    source: Source
    sessions: Mapping[object, Session]

    @property
    def project(self) -> Path:
        return self.source.project

    def settings(self) -> Settings:
        return self.source.settings()

    def runtimes(self) -> Sequence[Runtime]:
        return self.source.runtimes()

    def open(self, runtime: Runtime, setup: Setup | None) -> Session:
        return self.sessions.get((runtime.id, repr(setup))) or self.source.open(runtime, setup)

    def command(self, name: str, runtime: str, arguments: str) -> str:
        return self.source.command(name, runtime, arguments)


def _name_of(opened: Opened) -> object:
    return opened.session.runtime.id, repr(opened.setup)


def _read_again(source: Source, opened: Opened, directory: Path) -> bool:
    """Bring a session up to date with a skill; return whether its skills and listing are as before."""
    session = opened.session
    if _takes_body(session, directory):
        return True
    now = source.open(session.runtime, opened.setup)
    is_as_before = _outline(session) == _outline(now)
    vars(session).update(vars(now))
    return is_as_before


def _outline(session: Session) -> object:
    """Return what the overview shows of the skills of a session, as far as their files decide it."""
    loaded = [skill._replace(body="", told={}, details=None) for skill in session.skills]
    lost = [(shadowed.skill.directory, shadowed.by.directory, shadowed.why) for shadowed in session.shadowed]
    return loaded, lost, session.skipped, session.logs, session.failure, session.catalog()


def _takes_body(session: Session, directory: Path) -> bool:
    """Give a session the new body of a skill, if nothing else in the skill has changed for it."""
    olds = [skill for skill in session.skills if skill.directory == directory]
    others = [skill for skill in session.skills if skill.directory != directory][:_OTHERS]
    if len(olds) != 1 or not others or any(_loaded_as(other, session.runtime) != other for other in others):
        return False  # it keeps something else of a skill than `load` returns
    (old,) = olds
    now = _loaded_as(old, session.runtime)
    new = None if now is None else old._replace(body=now.body)
    if now is None or new is None or now != new:
        return False
    if new != old:
        session.skills = _replaced(session.skills, old, new)
        session.shadowed = _replaced(session.shadowed, old, new)
        session.memory = _replaced(session.memory, old, new)
    return True


def _loaded_as(skill: LoadedSkill, runtime: Runtime) -> LoadedSkill | None:
    """Return a skill as `load` reads it now, in the place where a session has it."""
    now = runtime.load(skill.directory) if runtime.load is not None else None
    if not isinstance(now, LoadedSkill):
        return None
    return now._replace(key=skill.key, role=skill.role, display_path=skill.display_path)


def _replaced(value: Any, old: LoadedSkill, new: LoadedSkill) -> Any:
    """Return what a session remembers with one skill in the place of another."""
    if value is old or (isinstance(value, LoadedSkill) and value == old):
        return new
    if isinstance(value, dict):
        return {key: _replaced(each, old, new) for key, each in value.items()}
    if isinstance(value, list):
        return [_replaced(each, old, new) for each in value]
    if isinstance(value, tuple):
        parts = [_replaced(each, old, new) for each in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            before = getattr(value, field.name)
            after = _replaced(before, old, new)
            if after is not before:
                object.__setattr__(value, field.name, after)
    return value
