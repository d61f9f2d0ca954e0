"""Which runtimes does a command ask: those that are named or configured, else those that the place serves?"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from skilltool.cli.output import inform
from skilltool.errors import PathError, SkilltoolError, UnknownNameError

if TYPE_CHECKING:
    from skilltool.cli.opening import Given
    from skilltool.inspect.answering_client import Answering, Open
    from skilltool.inspect.named_skill import Surroundings
    from skilltool.packages.standing import Standing
    from skilltool.runtimes.base import Runtime, Session


_OPEN = frozenset({"all", "auto"})  # names in a configuration that leave the choice of runtimes open
NO_SKILLS = "no skills here or at home; create one with `skilltool new`"
_MOST_OTHERS = 8  # clients or copies that a note names


class Chosen(NamedTuple):
    """The session that answers for a skill, the skill's directory, and for people why it is that one."""

    session: Session
    directory: Path | None
    why: str


def named(ids: Sequence[str]) -> list[Runtime]:
    """Return the runtimes that `--runtime` or a configuration names, by their ids or those of groups.

    Raises `UnknownNameError`.
    """
    from skilltool import runtimes

    found = (each for name in ids for each in runtimes.GROUPS.get(name, (name,)))
    return [runtimes.get(name) for name in dict.fromkeys(found)]


def configured(project: Path) -> list[Runtime]:
    """Return the runtimes that the configuration of a project names; none where it leaves the choice open."""
    from skilltool.lint import config

    names = config.find(project).values.get("runtimes", ())
    return [] if _OPEN & set(names) else named(names)


def surroundings(given: Given) -> Surroundings:
    """Return what is around the project of a command."""
    from skilltool.inspect.named_skill import Surroundings
    from skilltool.runtimes.home import user_home

    return Surroundings(given.top, given.home or user_home())


def sessions_of(
    ids: Sequence[str], given: Given, name: str | None = None
) -> tuple[list[Session], list[Runtime]]:
    """Open the sessions of several runtimes, and return the runtimes that are left out, too.

    The runtimes are those that `ids` name, else the configured ones, else those that have a skills directory
    here; where none has one, the leading clients, told of the skills that are here. Where `name` means a
    skill that lies where no client looks, or is a path, those that do not come to it are told of it. Of
    several runtimes, those without default roots are left out unless they are told of one.
    """
    from skilltool.cli.opening import check_options, open_sessions

    chosen = named(ids) or configured(given.top)
    if not chosen:
        return _those_here(given)
    skill = None if name is None else _untold(name, surroundings(given))
    if skill is not None:
        check_options(chosen, given)
        return _told_of(skill, chosen, given), []
    with_roots = [each for each in chosen if given.roots or not each.any_roots] or chosen
    return open_sessions(with_roots, given), [each for each in chosen if each not in with_roots]


def _untold(name: str, around: Surroundings) -> Path | None:
    """Return the copy of which clients have to be told: a path, or what lies where no client looks."""
    from skilltool.inspect.answering_client import is_in_no_place

    copies = around.named(name)
    if copies and (is_path(name) or is_in_no_place(copies[0])):
        return copies[0]
    return None


def projects_below(given: Given) -> dict[str, int]:
    """Return the projects below this one with skills for clients of their own, and how many each has."""
    found = {} if given.roots else surroundings(given).projects_below()
    return {shown_path(path): number for path, number in found.items()}


def unseen_skills(given: Given, sessions: Sequence[Session]) -> list[str]:
    """Return the paths of the skills here to which no session comes, and that are in no project below."""
    from skilltool.files.paths import written_as_path

    seen = {each for session in sessions for each in session.directories}
    return [written_as_path(each) for each in surroundings(given).in_no_project_below() if each not in seen]


def is_path(name: str) -> bool:
    """Return whether a name is written as a path."""
    return "/" in name or os.sep in name or name in (os.curdir, os.pardir)


def _told_of(skill: Path, chosen: Sequence[Runtime], given: Given) -> list[Session]:
    """Open a session of each runtime, which is told of a skill unless it comes to it by itself."""
    from skilltool.inspect.answering_client import comes_to
    from skilltool.packages.standing import standing_of

    found, told = [], []
    for runtime in chosen:
        session = None if runtime.any_roots and not given.roots else opened(given)(runtime, None)
        if session is None or not (runtime.ground or comes_to(session, skill)):
            session = opened(given)(runtime, standing_of(runtime, skill))
            told.append(runtime.id)
        found.append(session)
    if told:
        inform(f"{some(told)}: as if told to look at {shown_path(skill)}")
    return found


def opened(given: Given) -> Open:
    """Return what opens a session of a runtime with the values of the options that it has."""
    from skilltool.cli.opening import open_session, without_others
    from skilltool.packages.standing import Standing

    def opens(runtime: Runtime, standing: Standing | None) -> Session:
        return open_session(runtime, without_others(runtime, given)._replace(standing=standing or Standing()))

    return opens


def _those_here(given: Given) -> tuple[list[Session], list[Runtime]]:
    """Return the sessions of the runtimes that have skills here, and the runtimes that have none.

    Those are the runtimes with a skills directory here, and where skills lie in nobody's, the owner of their
    package or the leading clients, told of them.
    """
    from skilltool import runtimes
    from skilltool.cli.opening import open_sessions

    known = [runtimes.get(name) for name in runtimes.BARE]
    sessions = open_sessions([each for each in known if given.roots or not each.any_roots], given)
    here = {each.runtime.id: [each] for each in sessions if _has_own_directory(each)}
    for told in _told_here(given, [each for found in here.values() for each in found]):
        natural = here.setdefault(told.runtime.id, [])
        if natural and _is_part_of(natural[0], told):
            del natural[0]
        natural.append(told)
    found = [each for runtime in known for each in here.get(runtime.id, ())]
    return found, [runtime for runtime in known if runtime.id not in here]


def _has_own_directory(session: Session) -> bool:
    """Return whether a skills directory of a runtime exists; `skills` in a project is anybody's."""
    return any(root.exists and root.path != session.project / "skills" for root in session.roots)


def _is_part_of(session: Session, told: Session) -> bool:
    """Return whether a session that is told of a directory loses nothing that the other one has."""
    kept = {each.directory for each in told.skills}
    return all(each.directory in kept for each in session.skills)


def _told_here(given: Given, sessions: Sequence[Session]) -> list[Session]:
    """Open sessions that are told of the skills here, if no client comes to any of this project by itself.

    Skills in the places of clients further down are left to the projects there.
    """
    from skilltool import runtimes
    from skilltool.inspect.answering_client import answering_for
    from skilltool.packages.kinds import leading_clients
    from skilltool.packages.standing import standing_of

    around = surroundings(given)
    seen = [each for session in sessions if is_client(session.runtime) for each in session.directories]
    if given.roots or not all(around.is_at_home(each) for each in seen):
        return []
    leading = [runtimes.get(name) for name in leading_clients()]
    standings: dict[str, list[Standing]] = {}
    for skill in around.in_no_project_below():
        owner = answering_for(skill)
        for runtime in [owner.runtime] if owner.place else leading:
            _add(standings.setdefault(runtime.id, []), standing_of(runtime, skill))
    if standings:
        plugins = any(each.plugin for told in standings.values() for each in told)
        how = "with their plugins installed" if plugins else "as if told to"
        inform(f"no client looks at the skills here by itself; shown {how}: {some(list(standings))}")
    return [opened(given)(runtimes.get(name), each) for name, told in standings.items() for each in told]


def _add(standings: list[Standing], standing: Standing) -> None:
    """Add a standing to a list, joined with one of it if that can be."""
    for number, each in enumerate(standings):
        if (both := each.joined(standing)) is not None:
            standings[number] = both
            return
    standings.append(standing)


def is_client(runtime: Runtime) -> bool:
    """Return whether a runtime is a program for which people write who do not name it."""
    from skilltool import runtimes

    return runtime.id in runtimes.GROUPS["clients"]


def chosen_for_skill(given: Given, name: str) -> Chosen:
    """Open the session that answers for a skill where no runtime is named; see `inspect.answering_client`.

    Raises `UnknownNameError` if there is no skill with this name or path.
    """
    from skilltool.inspect.answering_client import answering_for, open_for

    around = surroundings(given)
    if first := configured(given.top)[:1]:
        session = sessions_of((first[0].id,), given, name)[0][0]
        return Chosen(session, None, f"for {first[0].id}, which is configured")
    copies = around.named(name)
    if not copies:
        return _with_key(given, name, around)
    answers = [answering_for(each) for each in copies]
    session, standing = open_for(opened(given), answers[0])
    return Chosen(session, copies[0], _why(answers, standing))


def _with_key(given: Given, name: str, around: Surroundings) -> Chosen:
    """Return the first client here that has a key which is no directory's, such as that of a command."""
    for session in _those_here(given)[0]:
        if session.find(name) is not None:
            return Chosen(session, None, f"for {session.runtime.id}")
    raise unknown_skill(name, around)


def unknown_skill(name: str, around: Surroundings) -> SkilltoolError:
    """Return the error for a name that no skill has, or for a path that is none of a skill."""
    if is_path(name) and Path(name).is_dir():
        return PathError(f"{name}: has no SKILL.md")
    if not around.names():
        return PathError(f"no skill `{name}`: {NO_SKILLS}")
    last = name.rstrip("/").rpartition("/")[2]
    return UnknownNameError("skill", name, around.nearest_names(last), "skilltool resolve")


def _why(answers: Sequence[Answering], standing: Standing) -> str:
    """Return for whom a text is, for people: the client, why it is that one, and what else there is."""
    first = answers[0]
    runtime = first.runtime.id
    if first.unknown:
        runtime = f"{runtime} (what {first.unknown} gives its model is not known)"
    if standing.plugin:
        text = f"for {runtime}, with the plugin `{standing.plugin}` installed"
    elif standing.project is not None:
        text = f"for {runtime}, started in {shown_path(standing.project)}"
    elif standing.roots:
        text = f"for {runtime}, as if told to look in {shown_path(next(iter(standing.roots.values())))}"
    else:
        text = f"for {runtime}, which reads {shown_path(first.directory)}"
    copies = [f"{shown_path(each.directory)} ({each.runtime.id})" for each in answers[1:]]
    text += f"; other copies: {some(copies)}" if copies else ""
    return f"{text}; others with --runtime{_readers(first.others)}"


def _readers(others: Sequence[str]) -> str:
    return f": {some(others)}" if others else ""


def some(names: Sequence[str]) -> str:
    """Return names as a list, the first ones and how many more there are."""
    more = len(names) - _MOST_OTHERS
    return ", ".join(names[:_MOST_OTHERS]) + (f" and {more} more" if more > 0 else "")


def shown_path(path: Path) -> str:
    """Return a path for people: relative to the working directory, with `~` for your home directory."""
    from skilltool.runtimes.home import user_home_or_none

    relative = Path(os.path.relpath(path)).as_posix()
    home = user_home_or_none()
    if home is not None and path.is_relative_to(home) and not Path.cwd().is_relative_to(home):
        return f"~/{path.relative_to(home).as_posix()}"
    return "this directory" if relative == "." else relative


def chosen_without_skill(given: Given) -> Chosen:
    """Open the session that answers for what belongs to no skill, such as a listing, where none is named.

    That is the configured runtime, else the first leading client that has a skills directory here, else the
    first of all that has one; where none has, the first leading client, told of the skills that are here.
    """
    from skilltool import runtimes
    from skilltool.inspect.answering_client import gives_text
    from skilltool.packages.kinds import leading_clients

    if first := configured(given.top)[:1]:
        return Chosen(opened(given)(first[0], None), None, f"for {first[0].id}, which is configured")
    sessions = [each for each in _those_here(given)[0] if gives_text(each.runtime)]
    leading = leading_clients()
    sessions.sort(
        key=lambda each: leading.index(each.runtime.id) if each.runtime.id in leading else len(leading)
    )
    session = sessions[0] if sessions else opened(given)(runtimes.get(leading[0]), None)
    others = [each.runtime.id for each in sessions[1:]]
    return Chosen(session, None, f"for {session.runtime.id}; others with --runtime{_readers(others)}")
