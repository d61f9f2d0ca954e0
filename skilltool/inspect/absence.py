"""Why does a runtime not have a skill that somebody named, where is a copy, and which root would show it?"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from skilltool import runtimes
from skilltool.errors import suggestions
from skilltool.files.paths import display_path
from skilltool.inspect.resolve.candidates import candidates
from skilltool.runtimes.base import Runtime, Session
from skilltool.runtimes.discovery import precedence
from skilltool.runtimes.home import user_home
from skilltool.runtimes.values import ResolvedRoot
from skilltool.skill.discovery import discover
from skilltool.skill.skill_file import FILE_NAME

_MOST_NAMES = 5


class RootThatShows(NamedTuple):
    """The root that makes a runtime load a copy: `role` and `directory` for `--root`, and the key it gets."""

    runtime: Runtime
    key: str
    role: str
    directory: Path

    @property
    def options(self) -> list[str]:
        """The options `--runtime` and `--root` for it, with the directory as seen from here."""
        value = display_path(self.directory)
        value = value if self.runtime.any_roots else f"{self.role}={value}"
        return ["--runtime", self.runtime.id, "--root", value]


def why_absent(session: Session, name: str) -> str:
    """Return a sentence that says why a runtime does not have a skill."""
    runtime = session.runtime.id
    if why := why_not(session, name):
        return f"{runtime} does not load `{name}`: {why}"
    return f"no root of {runtime} contains a skill called `{name}`; it {where_it_looks(session)}"


def where_it_looks(session: Session) -> str:
    """Return the roots of a session and what is in each, as the end of a sentence: `looks in ...`."""
    roots = [
        f"{precedence.display_path(session, root.path)} ({_contents(session, root)})"
        for root in session.roots
    ]
    return f"looks in {', '.join(roots)}" if roots else "has no directory to look in"


def _contents(session: Session, root: ResolvedRoot) -> str:
    if not root.exists:
        return "does not exist"
    keys = [skill.key for skill in session.skills if skill.role == root.role]
    more = f" and {len(keys) - _MOST_NAMES} more" if len(keys) > _MOST_NAMES else ""
    said = [f"loads {', '.join(keys[:_MOST_NAMES])}{more}" if keys else "loads nothing"]
    skipped = sum(each.role == root.role for each in session.skipped)
    said += [f"skips {skipped}"] if skipped else []
    return "; ".join([*said, *([root.unscanned] if root.unscanned else [])])


def why_not(session: Session, name: str) -> str | None:
    """Return what became of a copy of `name` in the session's roots, None if they contain none."""
    copies = candidates(session, name)
    loaded = next((copy for copy in copies if copy.outcome.startswith("loads")), None)
    if loaded is not None:
        return f"{precedence.display_path(session, loaded.directory)} {loaded.outcome}"
    for copy in copies:
        return (
            f"{precedence.display_path(session, copy.directory)} {copy.outcome}: {' '.join(copy.why.split())}"
        )
    return None


def meant(session: Session, name: str) -> str | None:
    """Return the key that `name` probably stands for: of the copy in its directory, else spelled alike."""
    for skill in session.skills:
        if skill.directory in {copy.directory for copy in candidates(session, name)}:
            return skill.key
    return next(iter(suggestions(name, [skill.key for skill in session.skills])), None)


def copies_of(name: str, project: Path, home: Path) -> list[Path]:
    """Return the directories of skills that `name` could mean.

    That is a path, else a folder in some runtime's root, else one anywhere below the project. Nothing is
    searched below a project that is your home directory, or contains it.
    """
    project, home = Path(os.path.abspath(project)), Path(os.path.abspath(home))
    found = dict.fromkeys(filter(_is_skill, _places(name, project, home)))
    if not found and not user_home().is_relative_to(project):
        found = dict.fromkeys(path for path in discover([project]).skills if path.name == name)
    return list(found)


def _is_skill(directory: Path) -> bool:
    return (directory / FILE_NAME).is_file()


def _places(name: str, project: Path, home: Path) -> Iterator[Path]:
    here = Path(os.path.abspath(name))
    yield here.parent if here.name == FILE_NAME else here
    for runtime in map(runtimes.get, runtimes.BARE):
        for root in runtime.roots:
            if root.path_template is not None:
                yield Path(root.path_template.format(project=project, home=home)) / name


def root_that_shows(session: Session, copy: Path) -> RootThatShows | None:
    """Return the `--root` with which the runtime loads `copy`, found by trying; None if there is none."""
    runtime = session.runtime
    usual = sorted(runtime.roots, key=lambda root: (root.scope != "project", root.unscanned is not None))
    for role in ["root 1"] if runtime.any_roots else [root.role for root in usual]:
        given = {root.role: root.path for root in session.roots} | {role: copy.parent}
        trial = runtime.open(session.project, session.home, session.settings, given)
        for skill in trial.skills:
            if skill.directory.resolve() == copy.resolve():
                return RootThatShows(runtime, skill.key, role, copy.parent)
    return None
