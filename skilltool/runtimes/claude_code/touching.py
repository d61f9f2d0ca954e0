"""Which skills become available when the model reads or writes a file: nested ones, those with `paths`?"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from skilltool.runtimes.base import Session
from skilltool.runtimes.claude_code import discovery, files
from skilltool.runtimes.claude_code.entry import Entry
from skilltool.runtimes.claude_code.listing import HEADING, lines
from skilltool.runtimes.claude_code.names import with_aliases
from skilltool.runtimes.claude_code.path_patterns import matches
from skilltool.runtimes.claude_code.places import Place
from skilltool.runtimes.claude_code.state import State, state_of
from skilltool.runtimes.loading import is_directory_here
from skilltool.runtimes.values import Refused, ResolvedRoot


def touch(session: Session, file: Path) -> str | None:
    """Load what a touched file makes available, and return what the model is told; None for nothing."""
    state = state_of(session)
    if state.flags.bare or state.flags.no_commands:
        return None
    path = Path(os.path.abspath(session.project / file))
    places = list(_nested(session, state, path))
    found = [entry for place in places for entry in _entries(session, state, place)]
    activated = [entry for entry in state.waiting if _matches(session, entry, path)]
    active = {entry.key for entry in activated}
    state.waiting = [entry for entry in state.waiting if entry.key not in active]
    new = [*with_aliases(found, [entry.key for entry in state.entries]), *activated]
    state.entries += new
    session.skipped = [lost for lost in session.skipped if lost.key not in active or not lost.hidden]
    session.skills += [discovery.skill_of(entry) for entry in new]
    return _told(session, new, [place for place in places if found])


def _told(session: Session, new: list[Entry], places: list[Place]) -> str | None:
    shown = lines(session, new)
    if not shown:
        return None
    listing = HEADING + "\n".join(line.shown for line in shown)
    if not places:
        return listing
    where = ", ".join(_below(session, place.path) for place in places)
    nested = "\n".join(f"- {line.key}" for line in shown)
    return f"New skills discovered in {where}, now available via the Skill tool:\n{nested}\n\n{listing}"


def _nested(session: Session, state: State, file: Path) -> Iterator[Place]:
    """Yield each `.claude/skills` between the file and the working directory that is new, deepest first."""
    for directory in file.parents:
        if directory == session.project or not directory.is_relative_to(session.project):
            return
        path = directory / ".claude" / "skills"
        if path not in state.visited and is_directory_here(path):
            state.visited.add(path)
            session.roots += (ResolvedRoot(f"nested-{len(state.visited)}", path, str(path)),)
            scope = _below(session, directory)
            yield Place(path, f"nested-{len(state.visited)}", "projectSettings", "project", scope=scope)


def _below(session: Session, path: Path) -> str:
    return path.relative_to(session.project).as_posix()


def _entries(session: Session, state: State, place: Place) -> Iterator[Entry]:
    """Yield the skills of a nested place: under their own key if it is free, else under the directory's."""
    taken = {entry.key for entry in state.entries}
    scope = place.scope or ""
    for each in files.skills(place):
        if not isinstance(each, files.Found):
            continue
        entry = discovery.read(each, place.source, place.role)
        if isinstance(entry, Refused):
            session.skipped.append(entry)
        elif entry.key in taken:
            scoped = discovery.with_scope(entry, scope)
            state.scoped.setdefault(entry.key, []).append(scoped)
            yield scoped
        else:
            applies = f" (from {scope}/.claude/skills — applies when working on files under {scope}/)"
            yield entry._replace(scope=scope, tail=applies)


def _matches(session: Session, entry: Entry, file: Path) -> bool:
    """Return whether a file below the working directory matches a pattern of `paths`."""
    if not file.is_relative_to(session.project):
        return False
    return matches(entry.paths, _below(session, file))
