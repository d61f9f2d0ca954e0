"""Which client sees which copy of a skill here, and what becomes of it there?"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from skilltool.bounds.budget import InternalReason
from skilltool.explain.candidates import candidates
from skilltool.explain.contained import contained
from skilltool.runtimes.base import Session
from skilltool.runtimes.loading import display_path
from skilltool.runtimes.values import LoadedSkill, Refused, Shadowed
from skilltool.skill.skill_file import FILE_NAME

# From the best to the worst: where a client comes to a copy twice, the best counts.
STATES = ("loaded", "shadowed", "hidden", "refused", "unread")


class Seen(NamedTuple):
    """What becomes of a copy in one client.

    `state` is one of `STATES`. `key` is what a call must name (None unless it is loaded). `cut` says that the
    listing has only a part of the description, `listed` that it has the skill. `role` is that of the
    root, `by` the directory of the copy that is loaded instead (`by_shown`: for people), `why` a clause for
    people. `undetermined` marks copies of which the client may load any; `state` has the one taken here.
    """

    runtime: str
    state: str
    role: str
    why: str
    key: str | None = None
    cut: bool = False
    listed: bool = True
    by: Path | None = None
    by_shown: str = ""
    undetermined: bool = False


class Copy(NamedTuple):
    """One copy of a skill: its name, its directory, also as people read it, and by id who sees it."""

    skill: str
    directory: Path
    shown: str
    seen: dict[str, Seen]

    @property
    def is_skill_file(self) -> bool:
        """Whether it is the SKILL.md of its directory, and not another file that a client loads."""
        return self.skill == self.directory.name and os.path.lexists(self.directory / FILE_NAME)


def copies(sessions: Sequence[Session], name: str | None = None) -> list[Copy]:
    """Return every copy that some client looks at, by name and path; with `name`, those it could mean."""
    found: dict[tuple[str, str], Copy] = {}
    for session in sessions:
        seen_here = contained(session.runtime.id, _all, session)
        if isinstance(seen_here, InternalReason):
            session.failure = seen_here
            continue
        wanted = _wanted(session, name)
        for skill, directory, is_file, seen in seen_here:
            if wanted is not None and str(directory) not in wanted:
                continue
            # A file in a directory for several, such as that of a command, has a name of its own.
            own = not is_file and os.path.lexists(directory / FILE_NAME)
            real = os.path.realpath(directory)
            copy = Copy(directory.name if own else skill, directory, display_path(session, directory), {})
            copy = found.setdefault((real, "" if own else skill), copy)
            if real == str(directory) != str(copy.directory):  # the other path leads through a link
                copy = copy._replace(directory=directory, shown=display_path(session, directory))
                found[real, "" if own else skill] = copy
            known = copy.seen.get(session.runtime.id)
            if known is None or STATES.index(seen.state) < STATES.index(known.state):
                copy.seen[session.runtime.id] = seen
    return sorted(
        found.values(), key=lambda copy: (copy.skill, copy.shown.startswith(("~", "/")), copy.shown)
    )


_COMMANDS = "commands"  # the directory of what a user calls, which a client need not list


def is_other_file(copy: Copy) -> bool:
    """Return whether a copy is not a SKILL.md but another file, which clients load and do not list.

    OpenHands takes every Markdown file for a skill: AGENTS.md, and the files of skills.
    """
    is_loaded = all(seen.key is not None and not seen.listed for seen in copy.seen.values())
    return is_loaded and not copy.is_skill_file and _COMMANDS not in copy.directory.parts


def _wanted(session: Session, name: str | None) -> set[str] | None:
    """Return the directories of the copies that a name could mean, None for all."""
    return None if name is None else {str(candidate.directory) for candidate in candidates(session, name)}


def _all(session: Session) -> list[tuple[str, Path, bool, Seen]]:
    """Return what becomes of everything that a client comes to.

    Each with its key or name, its directory, whether it is a file in the directory of a skill, and its state.
    """
    return list(_each(session))


def _each(session: Session) -> Iterator[tuple[str, Path, bool, Seen]]:
    runtime = session.runtime
    omitted = frozenset(runtime.budget(session)[1]) if runtime.budget else frozenset()
    # A client may cut the text of a skill and leave its name, or the texts of all and leave out none.
    shares = runtime.shares(session) if runtime.budget and runtime.shares else None
    sent = shares.skills if shares is not None and omitted else {}
    named = frozenset(key for key in omitted if key in sent and sent[key].sent > 0)
    named |= frozenset(shares.shortened if shares is not None else ())
    shadows: dict[Path, list[Shadowed]] = {}
    for lost in session.shadowed:
        shadows.setdefault(lost.by.directory, []).append(lost)
    for skill in session.skills:
        losers = shadows.get(skill.directory, [])
        seen = _loaded(session, skill, omitted, named, _why(session, losers))
        chance = any(lost.undetermined for lost in losers)
        yield skill.key, skill.directory, is_beside(skill), seen._replace(undetermined=chance)
    for lost in session.shadowed:
        by = lost.by.directory
        shown = display_path(session, by)
        seen = Seen(
            runtime.id,
            "shadowed",
            lost.skill.role,
            lost.why,
            by=by,
            by_shown=shown,
            undetermined=lost.undetermined,
        )
        yield lost.skill.key, lost.skill.directory, is_beside(lost.skill), seen
    roots = {root.path for root in session.roots}
    for refused in session.skipped:
        if refused.directory not in roots:
            name = refused.key or refused.directory.name
            yield name, refused.directory, False, _refused(runtime.id, refused)


def _why(session: Session, losers: Sequence[Shadowed]) -> str:
    """Return a clause about the copies that a skill shadows, empty if there are none."""
    chance = next((lost.why for lost in losers if lost.undetermined), None)
    paths = ", ".join(display_path(session, path_of(lost.skill)) for lost in losers)
    return chance or (f"it shadows {paths}" if paths else "")


def is_beside(skill: LoadedSkill) -> bool:
    """Return whether a client loads, as a skill, another file than the SKILL.md in a skill's directory."""
    return skill.path.parent == skill.directory and skill.path.name.lower() != FILE_NAME.lower()


def path_of(skill: LoadedSkill) -> Path:
    """Return the directory of a skill, or the file of what has no directory of its own, such as a command."""
    if not is_beside(skill) and os.path.lexists(skill.directory / FILE_NAME):
        return skill.directory
    files = (skill.path, Path(skill.display_path))
    return next((file for file in files if os.path.isfile(file)), skill.directory)


def _loaded(
    session: Session, skill: LoadedSkill, omitted: frozenset[str], named: frozenset[str], why: str
) -> Seen:
    runtime = session.runtime
    listed = runtime.lists(skill) and skill.key not in omitted - named
    cut = (runtime.cuts(skill) or skill.key in named) and listed
    return Seen(runtime.id, "loaded", skill.role, why, skill.key, cut, listed)


def _refused(runtime: str, refused: Refused) -> Seen:
    state = "unread" if refused.not_read else "hidden" if refused.hidden else "refused"
    why = refused.why
    if refused.message:
        why = refused.message if why in refused.message else f"{why}; {refused.message}"
    return Seen(runtime, state, refused.role, why)


def troubles(session: Session) -> Iterator[str]:
    """Yield sentences about roots that cannot be listed or are too much, and what ended all loading."""
    for root in session.roots:
        if root.problem:
            yield f"{session.runtime.id}: {display_path(session, root.path)} {root.problem}"
    roots = {root.path for root in session.roots}
    for refused in session.skipped:
        if refused.not_read and refused.directory in roots:
            yield f"{session.runtime.id}: {display_path(session, refused.directory)}: {refused.why}"
    if isinstance(session.failure, InternalReason):
        yield session.failure
    elif session.failure is not None:
        yield f"{session.runtime.id} fails to load its skills: {session.failure}"


def data(
    sessions: Sequence[Session], left_out: Iterable[str], found: Sequence[Copy], described: Sequence[Any]
) -> dict[str, Any]:
    """Return what `resolve --output-format json` prints for several clients.

    `described` is the data of each session.
    """
    return {
        "schema_version": 1,
        "runtimes": list(described),
        "left_out": list(left_out),
        "copies": [
            {
                "skill": copy.skill,
                "directory": str(copy.directory),
                "seen": [
                    _seen_data(copy.seen[session.runtime.id])
                    for session in sessions
                    if session.runtime.id in copy.seen
                ],
            }
            for copy in found
        ],
    }


def _seen_data(seen: Seen) -> dict[str, Any]:
    data = {**seen._asdict(), "by": None if seen.by is None else str(seen.by)}
    del data["by_shown"]
    return data
