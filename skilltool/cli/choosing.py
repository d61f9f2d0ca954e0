"""Which runtimes does a command ask: those that are named, those that are configured, or those here?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from skilltool.cli.dead_ends import no_runtime_has
from skilltool.errors import SkilltoolError

if TYPE_CHECKING:
    from skilltool.cli.opening import Given
    from skilltool.runtimes.base import Runtime, Session


_OPEN = frozenset({"all", "auto"})  # names in a configuration that leave the choice of runtimes open


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


def sessions_of(ids: Sequence[str], given: Given) -> tuple[list[Session], list[Runtime]]:
    """Open the sessions of several runtimes, and return the runtimes that are left out, too.

    The runtimes are those that `ids` name, else the configured ones, else those that have a root here. Of
    several, those without default roots are left out where no root is given.
    """
    from skilltool.cli.opening import open_sessions

    chosen = named(ids) or configured(given.top)
    if not chosen:
        return _those_here(given)
    with_roots = [each for each in chosen if given.roots or not each.any_roots] or chosen
    return open_sessions(with_roots, given), [each for each in chosen if each not in with_roots]


def _those_here(given: Given) -> tuple[list[Session], list[Runtime]]:
    """Return a session of each runtime that has a root here, and the runtimes that have none."""
    from skilltool import runtimes
    from skilltool.cli.opening import open_sessions

    known = [runtimes.get(name) for name in runtimes.BARE]
    sessions = open_sessions([each for each in known if given.roots or not each.any_roots], given)
    here = [session for session in sessions if any(root.exists for root in session.roots)]
    seen = [session.runtime for session in here]
    return here, [runtime for runtime in known if runtime not in seen]


def chosen_runtime(given: Given, skill: str | None) -> tuple[Runtime, str]:
    """Return the runtime to use where none is named, and the reason for the choice.

    That is the first one in the configuration, else the one whose root contains `skill`, and without a
    skill agentskills. Raises `SkilltoolError` if the roots of several runtimes contain the skill, or those
    of none.
    """
    from skilltool import runtimes

    top, home = given.top, given.home
    if first := configured(top)[:1]:
        return first[0], "configured"
    targets = [runtimes.get(name) for name in runtimes.BARE]
    holding = [(each, root) for each in targets if (root := _holding_root(each, top, skill)) is not None]
    if skill is not None and not holding:
        holding = [
            (each, root) for each in targets if (root := _root_with(each, top, home, skill)) is not None
        ]
        if not holding:
            raise no_runtime_has(skill, top, home)
    if len(holding) > 1:
        ids = ", ".join(runtime.id for runtime, _ in holding)
        raise SkilltoolError(
            f"the roots of several runtimes contain it: {ids}; choose one with --runtime, or --runtime all"
        )
    if holding:
        runtime, root = holding[0]
        return runtime, f"its root {root} {'contains the skill' if skill else 'exists'}"
    return runtimes.get("agentskills"), "the default, since no runtime's root exists"


def _holding_root(runtime: Runtime, project: Path, skill: str | None) -> str | None:
    """Return the project root of a runtime that has a folder for a skill, by its name or path."""
    return next((root for root in runtime.project_roots if _holds(project / root, skill)), None)


def _root_with(runtime: Runtime, project: Path, home: Path | None, skill: str) -> str | None:
    """Return the root in which a session of a runtime finds a copy of a skill; also those of the user."""
    from skilltool.inspect.resolve.candidates import candidates
    from skilltool.runtimes.discovery.precedence import display_path

    session = runtime.open(project, home)
    roots = (session.root(copy.role) for copy in candidates(session, skill))
    return next((display_path(session, root.path) for root in roots if root is not None), None)


def _holds(root: Path, skill: str | None) -> bool:
    if skill is None:
        return root.is_dir()
    inside = Path(skill).absolute().is_relative_to(root.absolute())
    return (root / skill).is_dir() or (inside and Path(skill).is_dir())
