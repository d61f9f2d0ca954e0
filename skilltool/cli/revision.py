"""Skills in a git revision or another directory: what `cost --since` and `route --against` compare with."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from skilltool.cli.answer import in_other_process
from skilltool.cli.sessions import SessionOptions, SessionQuestion, asked_runtimes, surroundings
from skilltool.cli.signals import ended_by_sigterm
from skilltool.errors import SkilltoolError

Result = TypeVar("Result")


def in_revision(
    question: SessionQuestion, option: str, revision: str, function: Callable[..., Result], *arguments: object
) -> Result:
    """Return what a function returns of a question in the tree of a revision, with today's settings and home.

    It is called with the question, then with the directory of the tree and the repository that it stands for,
    and the arguments. Raises `SkilltoolError`, in words about the `option`, outside of a repository and if it
    has no such revision.
    """
    from skilltool.files.git import GitError, laid_out

    project = Path(os.path.abspath(question.given.top))
    repository = _repository(project, option)
    wanted = _paths_to_extract(question, project, repository)
    try:
        with ended_by_sigterm(), laid_out(repository, revision, wanted) as top:
            given = _in_tree(question.given, project, repository, top)
            there = question._replace(given=given)
            # What there is to say is said of the skills of today.
            return in_other_process(function, there, (top, repository), *arguments, notes=lambda _: None)
    except GitError as error:
        raise SkilltoolError(f"{option} {error}") from None


def in_directory(
    question: SessionQuestion, directory: Path, function: Callable[..., Result], *arguments: object
) -> Result:
    """Return what a function returns of a question in another project, as `in_revision` does."""
    project, top = Path(os.path.abspath(question.given.top)), Path(os.path.abspath(directory))
    given = question.given._replace(project=top, configured_at=project)
    there = question._replace(given=given)
    return in_other_process(function, there, (top, project), *arguments, notes=lambda _: None)


def _repository(project: Path, option: str) -> Path:
    from skilltool.files.repository import is_repository_root, up_to_repository

    top = up_to_repository(project)[-1]
    if not is_repository_root(top):
        raise SkilltoolError(f"{option} needs a git repository, but {project} is not in one")
    return top


def _paths_to_extract(question: SessionQuestion, project: Path, repository: Path) -> list[str]:
    """Return the paths in which clients may look, with the settings beside them."""
    from skilltool.explain.find_skill import searched_places as places
    from skilltool.files.repository import up_to_repository
    from skilltool.runtimes.home import user_home

    asked = asked_runtimes(question.runtimes, question.given)
    paths = [Path(os.path.abspath(entry.rpartition("=")[2])) for entry in question.given.roots]
    above = up_to_repository(project)
    for path in places(asked, project, question.given.home or user_home()):
        for directory in above:
            if path.is_relative_to(directory):  # `.claude`, which has the settings, too
                paths.append(directory / path.relative_to(directory).parts[0])
                break
    paths += (directory / name for runtime in asked for name in runtime.files for directory in above)
    paths += _paths_in_no_place(question.given)
    inside = (path.relative_to(repository) for path in paths if path.is_relative_to(repository))
    return sorted({path.as_posix() for path in inside})


def _paths_in_no_place(given: SessionOptions) -> Iterator[Path]:
    """Yield the directories of skills that no client looks at by itself, and of the manifests above them."""
    from skilltool.packages.manifest import kinds
    from skilltool.packages.owners import directories_up

    around = surroundings(given)
    top = around.levels[-1]
    for skill in around.in_no_place():
        yield skill.parent if skill.parent != top and skill.parent.is_relative_to(top) else skill
        for level in directories_up(skill.as_posix()):
            yield from (Path(level, kind.file.partition("/")[0]) for kind in kinds())


def _in_tree(given: SessionOptions, project: Path, repository: Path, top: Path) -> SessionOptions:
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
