"""Which paths are passed over: `.gitignore` files as git reads them, and the user's own patterns."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


class Ignore:
    """The patterns of one run. Paths are absolute; a pattern file reaches what lies below it."""

    def __init__(self, patterns: tuple[str, ...], base: Path, respect_gitignore: bool) -> None:
        """Take patterns that hold below `base`, and whether `.gitignore` files count."""
        self._own = _compiled(patterns) if patterns else None
        self._base = base
        self._respect_gitignore = respect_gitignore
        self._gitignores: dict[Path, tuple[tuple[Path, GitIgnoreSpec], ...]] = {}

    def matches(self, path: Path, directory: bool) -> bool:
        """Return whether `path` itself matches; whether a parent does is the walker's to know."""
        if self._own and _verdict(self._own, self._base, path, directory):
            return True
        if not self._respect_gitignore:
            return False
        ignored = False
        for place, spec in self._around(path.parent):
            verdict = _verdict(spec, place, path, directory)
            ignored = ignored if verdict is None else verdict
        return ignored

    def covers(self, path: Path) -> bool:
        """Return whether `path` or a directory above it matches."""
        ways = (path, *path.parents)
        return any(self.matches(way, directory=way is not path or way.is_dir()) for way in ways[:-1])

    def _around(self, directory: Path) -> tuple[tuple[Path, GitIgnoreSpec], ...]:
        """Return the pattern files that reach into `directory`, the outermost first."""
        if directory not in self._gitignores:
            top = directory.parent == directory or (directory / ".git").exists()
            above = () if top else self._around(directory.parent)
            names = (".git/info/exclude", ".gitignore") if top else (".gitignore",)
            here = tuple((directory, spec) for name in names if (spec := _read(directory / name)) is not None)
            self._gitignores[directory] = above + here
        return self._gitignores[directory]


@cache
def _compiled(lines: tuple[str, ...]) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(lines)


def _read(path: Path) -> GitIgnoreSpec | None:
    """Return the patterns of a file, or None where there are none or it cannot be read."""
    try:
        lines = path.read_text("utf-8", errors="replace").splitlines()
    except OSError:
        return None
    lines = [line for line in lines if line.strip() and not line.startswith("#")]
    return _compiled(tuple(lines)) if lines else None


def _verdict(spec: GitIgnoreSpec, place: Path, path: Path, directory: bool) -> bool | None:
    """Return whether patterns in `place` ignore `path`, or None where they say nothing of it."""
    if not path.is_relative_to(place) or path == place:
        return None
    name = path.relative_to(place).as_posix() + ("/" if directory else "")
    return spec.check_file(name).include
