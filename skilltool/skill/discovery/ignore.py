"""Matches paths against `.gitignore` files, as git reads them, and against the user's own patterns."""

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

# To git `a/**` matches what is in `a`, to pathspec `a` itself as well.
_INSIDE = r"/\*\*(/?)(?= *\Z)"


class Ignore:
    """The patterns of one run. All paths are absolute; a pattern file applies below its directory."""

    def __init__(
        self, patterns: tuple[str, ...] = (), base: Path = Path("/"), gitignore: bool = False
    ) -> None:
        """Take patterns that apply below `base`, and whether to read `.gitignore` files."""
        self._own = _compiled(patterns) if patterns else None
        self._base = os.fspath(base)
        self._gitignore = gitignore
        self._files: dict[str, _PatternFiles] = {}

    def enter(self, directory: str, names: Collection[str]) -> bool:
        """Note the names in a directory about to be walked; return whether any pattern can match there."""
        if not self._gitignore:
            return self._own is not None
        if directory not in self._files and ".gitignore" not in names and ".git" not in names:
            parent = os.path.dirname(directory)
            if parent in self._files and parent != directory:  # no pattern file to read
                self._files[directory] = self._files[parent]
        return self._own is not None or bool(self._pattern_files(directory))

    def matches(self, path: str, directory: bool) -> bool:
        """Return whether `path` itself matches; a walk never goes below a directory that does."""
        if self._own is not None:
            base = self._base if _below(path, self._base) else os.path.abspath(os.sep)
            if _verdict(self._own, base, path, directory):
                return True
        ignored = False
        for origin, spec in self._pattern_files(os.path.dirname(path)) if self._gitignore else ():
            verdict = _verdict(spec, origin, path, directory)
            ignored = ignored if verdict is None else verdict
        return ignored

    def covers(self, path: Path) -> bool:
        """Return whether `path`, or a directory above it in the same repository, matches."""
        chain = [path]
        while chain[-1].parent != chain[-1] and not is_repository_root(chain[-1]):
            chain.append(chain[-1].parent)
        return any(self.matches(os.fspath(each), each is not path or each.is_dir()) for each in chain[:-1])

    def _pattern_files(self, directory: str) -> _PatternFiles:
        """Return the pattern files that apply in `directory`, the outermost first."""
        if directory not in self._files:
            parent, here = os.path.dirname(directory), Path(directory)
            top = parent == directory or is_repository_root(here)
            outer = () if top else self._pattern_files(parent)
            names = (".git/info/exclude", ".gitignore") if top else (".gitignore",)
            found = [(directory, _compiled(lines)) for name in names if (lines := _read(here / name))]
            self._files[directory] = (*outer, *found)
        return self._files[directory]


@cache
def _compiled(lines: tuple[str, ...]) -> GitIgnoreSpec:
    """Compile the patterns in these lines; like git, ignore a line that is not a valid pattern."""
    from pathspec import GitIgnoreSpec

    try:
        with warnings.catch_warnings():  # about the regex of `[[]`, which is correct
            warnings.simplefilter("ignore", FutureWarning)
            return GitIgnoreSpec.from_lines(re.sub(_INSIDE, r"/**/*\1", line) for line in lines)
    except (ValueError, re.error):
        patterns = [each for line in lines if len(lines) > 1 for each in _compiled((line,)).patterns]
        return GitIgnoreSpec(patterns)


def _read(path: Path) -> tuple[str, ...]:
    """Return the lines of a pattern file; none if it is missing, or a link, which git does not follow."""
    try:
        if path.is_symlink() or not path.is_file():
            return ()
        text = path.read_text("utf-8-sig", errors="surrogateescape")
    except OSError:
        return ()
    lines = (line.removesuffix("\r") for line in text.split("\n"))
    return tuple(line for line in lines if line.strip() and not line.startswith("#"))


def _verdict(spec: GitIgnoreSpec, origin: str, path: str, directory: bool) -> bool | None:
    """Return whether patterns of the directory `origin` ignore `path`; None if no pattern matches.

    As in git, the last matching pattern decides, and only a match of the path itself counts: whether a
    directory above it is ignored was decided on the way down.
    """
    if not _below(path, origin):
        return None
    name = path[len(origin.rstrip(os.sep)) + 1 :].replace(os.sep, "/") + ("/" if directory else "")
    for pattern in reversed(list(spec.patterns)):
        if pattern.include is not None and _matches_itself(pattern, name):
            return pattern.include
    return None


def _below(path: str, directory: str) -> bool:
    return path.startswith(directory if directory.endswith(os.sep) else directory + os.sep)


def _matches_itself(pattern: RegexPattern, name: str) -> bool:
    """Return whether `name` itself matches, not a directory above it, after which the regex has a group."""
    matches = pattern.regex.finditer(name) if pattern.regex else ()
    return any(all(m.end(slash) in (-1, len(name)) for slash in m.re.groupindex) for m in matches)
