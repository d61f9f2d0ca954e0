"""Which skill directories could a name or a path mean, and where do runtimes look for skills?"""

from __future__ import annotations

import os
from collections.abc import Container, Iterable, Iterator
from functools import cached_property
from pathlib import Path

from skilltool.errors import suggestions
from skilltool.explain.candidates import name_in_file
from skilltool.files.repository import up_to_repository
from skilltool.packages.manifest import places, skills_directories
from skilltool.runtimes.base import Runtime
from skilltool.runtimes.home import holds_home
from skilltool.skill.discovery import discover
from skilltool.skill.skill_file import FILE_NAME, directory_meant, is_path

_HERE, _ELSEWHERE, _AT_HOME = range(3)
_MAX_ENTRIES = 10_000  # of a skills directory


class Surroundings:
    """What is around a project: the places of clients in it, above it and at home, and other skills below."""

    def __init__(self, project: Path, home: Path, looks_up: bool = True) -> None:
        """Take the project, the home directory, and whether skills of the whole repository count."""
        self._looks_up = looks_up
        self.project = Path(os.path.abspath(project))
        self.home = Path(os.path.abspath(home))

    @cached_property
    def levels(self) -> tuple[Path, ...]:
        """The project and the directories above it up to its repository's root; without one only itself."""
        return tuple(up_to_repository(self.project))

    @cached_property
    def below(self) -> tuple[Path, ...]:
        """All skills under the project, else under its repository; none of a home directory."""
        for top in dict.fromkeys((self.project, self.levels[-1] if self._looks_up else self.project)):
            if holds_home(top) or self.home.is_relative_to(top):
                break
            if paths := discover([top]).skills:
                return paths
        return ()

    def named(self, name: str) -> list[Path]:
        """Return the directories that `name` could mean, the nearest first.

        That is a path; else a directory or a name in a file, first in the places of clients here, above and
        at home, then anywhere below.
        """
        here = skill_at(Path(name))
        if here is not None and is_path(name):
            return [here]
        by_directory = [place for place in self._in_places() if place.name == name]
        paths = by_directory or [place for place in self._in_places() if name_in_file(place) == name]
        paths += [here] if here is not None else []
        if not any(self._distance(path)[0] == _HERE for path in paths):
            last = name.rpartition(":")[2]  # of `plugin:skill`
            paths += [path for path in self.below if last in (path.name, name_in_file(path))]
        return sorted(dict.fromkeys(paths), key=self._distance)

    def names(self) -> list[str]:
        """Return the names of all skills that are near: those of their directories."""
        return sorted({path.name for path in (*self._in_places(), *self.below)})

    def nearest_names(self, name: str) -> list[str]:
        """Return up to three names of skills that are spelled like `name`, the best first."""
        return suggestions(name, self.names())

    def projects(self, seen: Container[Path]) -> dict[Path, int]:
        """Return the directories around with skills for clients that are started there, and how many.

        Those are of skills that are not among `seen`.
        """
        found: dict[Path, int] = {}
        for skill in self.below:
            holder = None if skill in seen else _project_of(skill)
            if holder is not None and holder not in (self.project, self.home):
                found[holder] = found.get(holder, 0) + 1
        return found

    def in_no_place(self) -> list[Path]:
        """Return the skills further down that no client's place has: those of a library or of packages."""
        return [skill for skill in self.below if _project_of(skill) is None]

    def in_places_around(self) -> list[Path]:
        """Return the skills in places of clients in the directories above, up to the repository's root.

        If there are none, those of a few projects below or beside this one: clients are started there.
        """
        projects = {skill: _project_of(skill) for skill in self.below}
        above = [skill for skill, project in projects.items() if project in self.levels[1:]]
        others = [skill for skill, project in projects.items() if project not in (None, self.project)]
        few = len({projects[skill] for skill in others}) <= _FEW
        return above or (others if few else [])

    def is_at_home(self, directory: Path) -> bool:
        """Return whether a directory is in the home directory and not in this project or its repository."""
        return directory.is_relative_to(self.home) and not directory.is_relative_to(self.levels[-1])

    def _in_places(self) -> Iterator[Path]:
        tops = [place for level in (*self.levels, self.home) for place in skills_directories(level)]
        for top in dict.fromkeys(tops):
            yield from _skills_in(top)

    def _distance(self, directory: Path) -> tuple[int, int, str]:
        """Return how far a skill is: in a place of a client here or above, elsewhere here, or at home."""
        for number, level in enumerate(self.levels):
            if any(directory.is_relative_to(place) for place in skills_directories(level)):
                return _HERE, number, directory.as_posix()
        if self.is_at_home(directory):
            return _AT_HOME, 0, directory.as_posix()
        away = len(Path(os.path.relpath(directory, self.project)).parts)
        return _ELSEWHERE, away, directory.as_posix()


def _project_of(skill: Path) -> Path | None:
    """Return the directory in whose skills directory of a client a skill is; None if it is in none."""
    text = f"{skill.parent.as_posix()}/"
    for place in places():
        before, found, _ = text.partition(f"/{place.path}/")
        if found:
            return Path(before or "/")
    return None


def _skills_in(directory: Path) -> Iterator[Path]:
    try:
        names = sorted(os.listdir(directory))[:_MAX_ENTRIES]
    except OSError:
        return
    yield from (path for name in names if (path := skill_at(directory / name)) is not None)


def skill_at(path: Path) -> Path | None:
    """Return the absolute directory of the skill that a path names: its directory or its SKILL.md."""
    try:
        directory = directory_meant(Path(os.path.abspath(path)))
        return directory if os.path.isfile(directory / FILE_NAME) else None
    except (OSError, ValueError):
        return None


_FEW = 5  # projects that one answer is about
_PROJECT, _HOME = "{project}/", "{home}/"


def searched_places(runtimes: Iterable[Runtime], project: Path, home: Path) -> Iterator[Path]:
    """Yield the usual roots of runtimes: in the project, the directories above it, and the home directory."""
    above = up_to_repository(project)
    for runtime in runtimes:
        for root in runtime.roots:
            template = root.path_template or ""
            if template.startswith(_PROJECT):
                yield from (directory / template.removeprefix(_PROJECT) for directory in above)
            elif template.startswith(_HOME):
                yield Path(os.path.abspath(home)) / template.removeprefix(_HOME)
