"""Which paths are passed over: `.gitignore` files as git reads them, and the user's own patterns."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from skilltool.files.repository import is_repository_root

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec
    from pathspec.pattern import RegexPattern

_PatternFiles: TypeAlias = "tuple[tuple[str, GitIgnoreSpec], ...]"

# To git `a/**` is what lies in `a`, to pathspec `a` itself as well.
_INSIDE = r"/\*\*(/?)(?= *\Z)"


class Ignore:
    """The patterns of one run. Paths are absolute; a pattern file reaches what lies below it."""

    def __init__(
        self, patterns: tuple[str, ...] = (), base: Path = Path("/"), gitignore: bool = False
    ) -> None:
        """Take patterns that hold below `base`, and whether `.gitignore` files count."""
        self._own = _compiled(patterns) if patterns else None
        self._base = os.fspath(base)
        self._gitignore = gitignore
        self._files: dict[str, _PatternFiles] = {}

    def enter(self, directory: str, names: Collection[str]) -> bool:
        """Learn what a directory holds; return whether anything in it can match at all."""
        if not self._gitignore:
            return self._own is not None
        if directory not in self._files and ".gitignore" not in names and ".git" not in names:
            parent = os.path.dirname(directory)
            if parent in self._files and parent != directory:  # nothing to look up on the disk
                self._files[directory] = self._files[parent]
        return self._own is not None or bool(self._around(directory))

    def matches(self, path: str, directory: bool) -> bool:
        """Return whether `path` matches; of a path below one that matches, the walk never asks."""
        if self._own is not None:
            base = self._base if _below(path, self._base) else os.path.abspath(os.sep)
            if _verdict(self._own, base, path, directory):
                return True
        ignored = False
        for place, spec in self._around(os.path.dirname(path)) if self._gitignore else ():
            verdict = _verdict(spec, place, path, directory)
            ignored = ignored if verdict is None else verdict
        return ignored

    def covers(self, path: Path) -> bool:
        """Return whether `path`, or a directory above it in the same repository, matches."""
        ways = [path]
        while ways[-1].parent != ways[-1] and not is_repository_root(ways[-1]):
            ways.append(ways[-1].parent)
        return any(self.matches(os.fspath(way), way is not path or way.is_dir()) for way in ways[:-1])

    def _around(self, directory: str) -> _PatternFiles:
        """Return the pattern files that reach into `directory`, the outermost first."""
        if directory not in self._files:
            parent, here = os.path.dirname(directory), Path(directory)
            top = parent == directory or is_repository_root(here)
            above = () if top else self._around(parent)
            names = (".git/info/exclude", ".gitignore") if top else (".gitignore",)
            found = [(directory, _compiled(lines)) for name in names if (lines := _read(here / name))]
            self._files[directory] = (*above, *found)
        return self._files[directory]


@cache
def _compiled(lines: tuple[str, ...]) -> GitIgnoreSpec:
    """Return the patterns of these lines; like git, pass over a line that is none."""
    from pathspec import GitIgnoreSpec

    try:
        with warnings.catch_warnings():  # of the regex of `[[]`, which means what it says
            warnings.simplefilter("ignore", FutureWarning)
            return GitIgnoreSpec.from_lines(re.sub(_INSIDE, r"/**/*\1", line) for line in lines)
    except (ValueError, re.error):
        patterns = [each for line in lines if len(lines) > 1 for each in _compiled((line,)).patterns]
        return GitIgnoreSpec(patterns)


def _read(path: Path) -> tuple[str, ...]:
    """Return the lines of a pattern file; none where there is none, or a link: git follows none."""
    try:
        if path.is_symlink() or not path.is_file():
            return ()
        text = path.read_text("utf-8-sig", errors="surrogateescape")
    except OSError:
        return ()
    lines = (line.removesuffix("\r") for line in text.split("\n"))
    return tuple(line for line in lines if line.strip() and not line.startswith("#"))


def _verdict(spec: GitIgnoreSpec, place: str, path: str, directory: bool) -> bool | None:
    """Return whether patterns in `place` ignore `path`, or None where they say nothing of it.

    As in git the last pattern that matches decides, and only a match of the path itself counts:
    whether a directory above it is ignored is asked on the way to it.
    """
    if not _below(path, place):
        return None
    name = path[len(place.rstrip(os.sep)) + 1 :].replace(os.sep, "/") + ("/" if directory else "")
    for pattern in reversed(list(spec.patterns)):
        if pattern.include is not None and _matches_itself(pattern, name):
            return pattern.include
    return None


def _below(path: str, place: str) -> bool:
    return path.startswith(place if place.endswith(os.sep) else place + os.sep)


def _matches_itself(pattern: RegexPattern, name: str) -> bool:
    """Return whether `name` matches, not only a directory above it; the regex has a group for that slash."""
    matches = pattern.regex.finditer(name) if pattern.regex else ()
    return any(all(m.end(slash) in (-1, len(name)) for slash in m.re.groupindex) for m in matches)
