"""`skilltool cost --since`: the cost of the skills in a git revision, as the same command measures them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from skilltool.cli.opening import Given
from skilltool.cli.session import SessionQuestion
from skilltool.cli.signals import ended_by_sigterm
from skilltool.cli.watched import watched
from skilltool.errors import SkilltoolError

if TYPE_CHECKING:
    from skilltool.inspect.cost import ClientCost
    from skilltool.runtimes.base import Runtime


def costs_in(question: SessionQuestion, revision: str) -> list[ClientCost]:
    """Return what the skills of a revision cost each client, with today's settings and home directory.

    Raises `SkilltoolError` outside of a repository, and if it has no such revision.
    """
    from skilltool.files.git import GitError
    from skilltool.files.revision import lay

    project = Path(os.path.abspath(question.given.top))
    repository = _repository(project)
    with ended_by_sigterm(), TemporaryDirectory(prefix="skilltool-since-") as folder:
        top = Path(os.path.realpath(folder)) / "tree"
        (top / ".git").mkdir(parents=True)  # a client looks no further up than the root of the repository
        try:
            lay(repository, revision, _wanted(question, project, repository), top)
        except GitError as error:
            raise SkilltoolError(f"--since {revision}: {error}") from None
        given = _moved(question.given, project, repository, top)
        # What there is to say is said of the skills of today.
        return watched(_measured, question._replace(given=given), (top, repository), notes=lambda _: None)


def _repository(project: Path) -> Path:
    from skilltool.files.repository import is_repository_root, up_to_repository

    top = up_to_repository(project)[-1]
    if not is_repository_root(top):
        raise SkilltoolError(f"--since needs a git repository, and {project} is in none")
    return top


def _wanted(question: SessionQuestion, project: Path, repository: Path) -> list[str]:
    """Return the paths in which clients may look, with the settings beside them."""
    from skilltool import runtimes
    from skilltool.cli.choosing import configured, named
    from skilltool.files.repository import up_to_repository
    from skilltool.inspect.places import places
    from skilltool.runtimes.home import user_home

    chosen = named(question.runtimes) or configured(project) or [*map(runtimes.get, runtimes.BARE)]
    found = [Path(os.path.abspath(entry.rpartition("=")[2])) for entry in question.given.roots]
    above = up_to_repository(project)
    for path in places(chosen, project, question.given.home or user_home()):
        for directory in above:
            if path.is_relative_to(directory):  # `.claude`, which has the settings, too
                found.append(directory / path.relative_to(directory).parts[0])
                break
    found += _told_of(question.given)
    inside = (path.relative_to(repository) for path in found if path.is_relative_to(repository))
    return sorted({path.as_posix() for path in inside})


def _told_of(given: Given) -> Iterator[Path]:
    """Yield the directories of skills that no client looks at by itself, and of the manifests above them."""
    from skilltool.cli.choosing import surroundings
    from skilltool.packages.kinds import kinds
    from skilltool.packages.owners import directories_up

    around = surroundings(given)
    top = around.levels[-1]
    for skill in around.in_no_place():
        yield skill.parent if skill.parent != top and skill.parent.is_relative_to(top) else skill
        for level in directories_up(skill.as_posix()):
            yield from (Path(level, kind.file.partition("/")[0]) for kind in kinds())


def _moved(given: Given, project: Path, repository: Path, top: Path) -> Given:
    """Return the options with the directories of the repository replaced by those of the revision."""

    def moved(path: Path) -> Path:
        path = Path(os.path.abspath(path))
        if not path.is_relative_to(repository):
            return path
        found = top / path.relative_to(repository)
        found.mkdir(parents=True, exist_ok=True)
        return found

    roots = []
    for entry in given.roots:
        role, equals, directory = entry.rpartition("=")
        roots.append(f"{role}{equals}{moved(Path(directory))}")
    below_top = given.project is None
    return given._replace(
        project=moved(project), roots=tuple(roots), configured_at=project, below_top=below_top
    )


def is_listing_unknown(runtime: Runtime) -> bool:
    """Return whether nobody knows what a client lists, so that its cost cannot be told."""
    return runtime.catalog is None and not runtime.ground


def _measured(question: SessionQuestion, stands_for: tuple[Path, Path]) -> list[ClientCost]:
    from skilltool.inspect.cost import cost_of

    sessions = question.open_all()[0]
    return [cost_of(session, stands_for) for session in sessions if not is_listing_unknown(session.runtime)]
