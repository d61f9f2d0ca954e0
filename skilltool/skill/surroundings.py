"""What lies around a skill: the directories above it, up to the root of its repository, and skills in them.

Nothing above the project is looked at. Of what is there only a project's settings are read, by `content`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

from skilltool.skill.dependencies import Dependencies
from skilltool.skill.outside import bytes_of, digest_of
from skilltool.skill.skill_file import FILE_NAME

_MAX_PARENTS = 4  # enough for a plugin of a collection: `plugins/NAME/skills/SKILL`
_ROOT_NAME = "skills"  # the usual name of a directory whose skills are installed together


class Surroundings:
    """The project around a skill; each answer is recorded among the dependencies of the skill's result."""

    def __init__(self, directory: Path, dependencies: Dependencies, is_repository: bool = False) -> None:
        """Take the directory of the skill; `is_repository` says that it is the root of a repository."""
        self._directory = directory
        self._dependencies = dependencies
        self._is_repository = is_repository
        self._above: dict[str, bool] = {}

    def exists_above(self, relative: str) -> bool:
        """Return whether `relative` exists in a directory above the skill, up to the root of the repository.

        Without a repository, only the nearest `_MAX_PARENTS` directories are checked.
        """
        if relative.startswith("/") or ".." in relative.split("/"):
            return False
        if relative not in self._above:
            self._above[relative] = any(self.exists(directory / relative) for directory in self._parents)
        return self._above[relative]

    def resolve(self, relative: str) -> Path | None:
        """Return where a normalized path with `/` leads; None if it is absolute or leaves the project."""
        if relative.startswith(("/", "~")):
            return None
        parts = relative.split("/")
        up = parts.count("..")
        if up > len(self._parents):
            return None
        return (self._parents[up - 1] if up else self._directory).joinpath(*parts[up:])

    def exists(self, path: Path) -> bool:
        """Return whether an absolute path exists; False if that cannot be told."""
        above, name = self._dependencies.above, str(path)
        if name not in above:
            above[name] = os.path.exists(name)  # noqa: PTH110 - does not raise where it cannot be told
        return above[name]

    def content(self, path: Path) -> str | None:
        """Return the text of a file of the project, None if it is missing or larger than skilltool reads.

        What it holds is recorded, so that a cached result ends with it.
        """
        raw = bytes_of(path)
        self._dependencies.contents[str(path)] = digest_of(raw)
        return None if raw is None else raw.decode("utf-8", "replace")

    def repository_file(self, name: str) -> str | None:
        """Return the text of a file in the `.git` directory around the skill, None if there is none."""
        top = self._directory if self._is_repository else self._parents[-1] if self._parents else None
        return None if top is None or not self.exists(top / ".git") else self.content(top / ".git" / name)

    def project(self, roots: Iterable[str]) -> Path | None:
        """Return the directory of which a root, such as `.claude/skills`, holds the skill, if any."""
        parent = self._directory.parent.as_posix()
        for root in roots:
            if parent.endswith(f"/{root}"):
                return Path(parent.removesuffix(root))
        return None

    def holds_above(self, relative: str) -> bool:
        """Return whether `relative` exists in the skill, or above the directory that holds the skill."""
        places = (self._directory, self._directory.parent.parent)
        return any(self.exists(place / relative) for place in places)

    @cached_property
    def package(self) -> Path:
        """The directory of the outermost skill around this one; its own directory if there is none."""
        outer = (each for each in reversed(self._parents) if self._is_skill(each))
        return next(outer, self._directory)

    def is_in_sibling(self, path: Path) -> bool:
        """Return whether an absolute path is in another skill of the same root."""
        root = self._root
        if root is None or not path.is_relative_to(root):
            return False
        inner = (each for each in (path, *path.parents) if each != root and each.is_relative_to(root))
        return any(self._is_skill(each) for each in inner)

    def neighbour(self, name: str) -> Path | None:
        """Return the directory `name` beside this skill if it exists."""
        path = self._parents[0] / name if self._parents else None
        return path if path is not None and self.exists(path) else None

    @property
    def _root(self) -> Path | None:
        """The nearest `skills` above the package, else its parent; None outside the project."""
        above = [each for each in self.package.parents if each in self._parents]
        return next((each for each in above if each.name == _ROOT_NAME), above[0] if above else None)

    def _is_skill(self, directory: Path) -> bool:
        return self.exists(directory / FILE_NAME)

    @cached_property
    def _parents(self) -> tuple[Path, ...]:
        """The directories above the skill that belong to its project, the nearest first."""
        if self._is_repository:
            return ()
        parents = list(self._directory.parents)
        roots = (number for number, each in enumerate(parents, start=1) if self.exists(each / ".git"))
        return tuple(parents[: next(roots, _MAX_PARENTS)])
