"""Matches paths against `.gitignore` files, as git reads them, and against the user's own patterns.

git is asked only if the index of the repository contains such a path, so most runs start no process.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Collection
from enum import Enum
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from skilltool.errors import PathError
from skilltool.files.paths import display_path
from skilltool.files.reading import MEBIBYTE, read_bounded
from skilltool.files.repository import is_repository_root
from skilltool.skill.skill_file import FILE_NAME

if TYPE_CHECKING:
    from skilltool.skill.discovery.wildmatch import Pattern


_SKILLS = f":(top,icase,glob)**/{FILE_NAME}"
_NAME = FILE_NAME.lower().encode()
# Extensions of an index that is not complete by itself.
_PARTIAL = (b"link\0", b"sdir\0")
_COMPRESSED = b"\0\0\0\4"  # version 4 cuts off what a path shares with the one before


class TrackedFiles:
    """What git tracks, in each repository of a run; `note` says why it could not be asked.

    A repository for which git fails is not asked about again, and after one for which it takes too long none
    is: each could be made to take as long.
    """

    def __init__(self, below: Path | None = None) -> None:
        """Take the directory whose files count; without one, only each SKILL.md counts."""
        self._below = below
        self._roots: dict[str, str | None] = {}
        self._indexes: dict[str, bytes | None] = {}  # None: cannot tell
        self._asks = True
        self.note: str | None = None

    def holds(self, path: str, directory: bool) -> bool:
        """Return whether git tracks an absolute path or, for a directory, something in it that counts."""
        root = self._root(os.path.dirname(path))
        if root is None:
            return False
        name = path[len(root.rstrip(os.sep)) + 1 :].replace(os.sep, "/")
        if not self._may_hold(root, os.fsencode(name)):
            return False
        own = self._below is not None and self._below.is_relative_to(root)
        spec = (
            _literal(os.path.relpath(self._below or root, root)) if own else ":/" if self._below else _SKILLS
        )
        if name in self._listed(root, spec):
            return True
        as_file = directory and (os.path.islink(path) or is_repository_root(Path(path)))
        return as_file and name in self._listed(root, _literal(name))

    def _root(self, directory: str) -> str | None:
        if directory not in self._roots:
            parent = os.path.dirname(directory)
            found = directory if is_repository_root(Path(directory)) else None
            self._roots[directory] = found or (self._root(parent) if parent != directory else None)
        return self._roots[directory]

    def _may_hold(self, root: str, name: bytes) -> bool:
        """Return False if the index of a repository tells without git that it does not contain a path."""
        if root not in self._indexes:
            data = _read_index(_index_file(root))
            partial = data[4:8] == _COMPRESSED or any(mark in data for mark in _PARTIAL)
            relevant = self._below is not None or _NAME in data.lower()
            self._indexes[root] = None if partial else data if relevant else b""
        known = self._indexes[root] if self._asks else b""
        return known is None or name + b"/" in known or name + b"\0" in known

    def _listed(self, root: str, spec: str) -> frozenset[str]:
        from skilltool.files import git

        try:
            status = _index_file(root).stat()
            return _listing(root, spec, (status.st_mtime_ns, status.st_size, status.st_ino))
        except (OSError, git.GitError) as error:
            self._indexes[root] = b""
            self._asks = self._asks and not isinstance(error, git.TooSlowError)
            where = display_path(root) or root
            self.note = self.note or f"{where}: ignored files were determined without git: {error}"
            return frozenset()


@lru_cache(maxsize=16)
def _listing(root: str, spec: str, state: tuple[int, ...]) -> frozenset[str]:
    """Return tracked paths under `root` and the directories they are in; `state` is that of the index."""
    from skilltool.files import git

    printed = git.read(Path(root), "ls-files", "-z", "--cached", "--", spec)
    found: set[str] = set()
    for raw in printed.split(b"\0"):
        path = os.fsdecode(raw)
        while path and path not in found:
            found.add(path)
            path = path.rpartition("/")[0]
    return frozenset(found)


def _literal(path: str) -> str:
    return f":(top,literal){path.replace(os.sep, '/')}" if path != os.curdir else ":/"


def _index_file(root: str) -> Path:
    """Return where the index of a repository is; a work tree or a submodule has a file that names it."""
    entry = Path(root, ".git")
    if not entry.is_file():
        return entry / "index"
    _, _, named = _read_index(entry).partition(b"gitdir:")
    return Path(root, os.fsdecode(named.strip().partition(b"\0")[0]), "index")


def _read_index(path: Path) -> bytes:
    try:
        return path.read_bytes() if path.is_file() else b""
    except OSError:
        return b""


_PatternFiles: TypeAlias = "tuple[tuple[str, tuple[Pattern, ...]], ...]"


# A pattern takes a hundred times as long to compile as to match.
_MAX_BYTES, _MAX_PATTERNS = MEBIBYTE, 10_000  # of one file
_WAY_OUT = "shorten it, or check what git ignores, too, with --no-respect-gitignore"


class Verdict(Enum):
    """What patterns say about a path; `TRACKED` is kept although a `.gitignore` matches."""

    KEPT = 0
    TRACKED = 1
    IGNORED = 2  # by git
    EXCLUDED = 3  # by the user's own patterns

    @property
    def drops(self) -> bool:
        """Whether the path does not count."""
        return self in (Verdict.IGNORED, Verdict.EXCLUDED)


class Ignore:
    """The patterns of one run. All paths are absolute; a pattern file applies under its directory."""

    def __init__(
        self,
        patterns: tuple[str, ...] = (),
        base: Path = Path("/"),
        gitignore: bool = False,
        tracked: TrackedFiles | None = None,
    ) -> None:
        """Take patterns that apply under `base`, whether to read `.gitignore` files, and what git tracks."""
        self._own = _compiled(tuple(map(_encoded, patterns))) if patterns else None
        self._base = os.fspath(base)
        self._gitignore = gitignore
        self._tracked = tracked
        self._files: dict[str, _PatternFiles] = {}

    @property
    def note(self) -> str | None:
        """Why tracked files may have been ignored, None if there is no reason."""
        return self._tracked.note if self._tracked is not None else None

    def enter(self, directory: str, names: Collection[str]) -> bool:
        """Note the names in a directory about to be walked; return whether any pattern can match there."""
        if not self._gitignore:
            return self._own is not None
        if directory not in self._files and ".gitignore" not in names and ".git" not in names:
            parent = os.path.dirname(directory)
            if parent in self._files:  # no pattern file to read
                self._files[directory] = self._files[parent]
        return self._own is not None or bool(self._pattern_files(directory))

    def verdict(self, path: str, directory: bool, inside: bool = False) -> Verdict:
        """Return what the patterns say of `path` itself; `inside` tells that git ignores its directory.

        A walk goes under a directory only if the verdict keeps it.
        """
        if self._own is not None:
            base = self._base if _below(path, self._base) else os.path.abspath(os.sep)
            if _matches(self._own, base, path, directory):
                return Verdict.EXCLUDED
        if not inside and not self._is_ignored(path, directory):
            return Verdict.KEPT
        tracked = self._tracked is not None and self._tracked.holds(path, directory)
        return Verdict.TRACKED if tracked else Verdict.IGNORED

    def covers(self, path: Path) -> Verdict:
        """Return what the patterns say of `path` or of a directory above it in the same repository.

        A file is tracked if it is itself, or is in a skill that is.
        """
        chain = [path]
        while chain[-1].parent != chain[-1] and not is_repository_root(chain[-1]):
            chain.append(chain[-1].parent)
        verdicts = [self.verdict(os.fspath(each), each is not path or each.is_dir()) for each in chain[:-1]]
        if Verdict.EXCLUDED in verdicts:
            return Verdict.EXCLUDED
        if not {Verdict.IGNORED, Verdict.TRACKED} & {*verdicts}:
            return Verdict.KEPT
        return Verdict.TRACKED if self._holds(chain[:-1]) else Verdict.IGNORED

    def _holds(self, chain: list[Path]) -> bool:
        if self._tracked is None:
            return False
        if chain[0].is_dir():
            return self._tracked.holds(os.fspath(chain[0]), directory=True)
        names = (os.path.join(path, FILE_NAME) for path in chain[1:])
        return any(self._tracked.holds(name, directory=False) for name in (os.fspath(chain[0]), *names))

    def _is_ignored(self, path: str, directory: bool) -> bool:
        ignored = False
        for origin, patterns in self._pattern_files(os.path.dirname(path)) if self._gitignore else ():
            matched = _matches(patterns, origin, path, directory)
            ignored = ignored if matched is None else matched
        return ignored

    def _pattern_files(self, directory: str) -> _PatternFiles:
        """Return the pattern files that apply in `directory`, the outermost first."""
        if directory not in self._files:
            parent, here = os.path.dirname(directory), Path(directory)
            top = parent == directory or is_repository_root(here)
            outer = () if top else self._pattern_files(parent)
            names = (".git/info/exclude", ".gitignore") if top else (".gitignore",)
            found = [(directory, _compiled(lines)) for name in names if (lines := _read(here / name))]
            self._files[directory] = (*outer, *((origin, patterns) for origin, patterns in found if patterns))
        return self._files[directory]


@cache
def _compiled(lines: tuple[bytes, ...]) -> tuple[Pattern, ...]:
    """Compile the patterns in these lines, the last first, which decides."""
    from skilltool.skill.discovery.wildmatch import compile_line

    return tuple(pattern for line in reversed(lines) if (pattern := compile_line(line)) is not None)


def _read(path: Path) -> tuple[bytes, ...]:
    """Return the lines of a pattern file; none if it is missing, or a link, which git does not follow.

    Raises `PathError` if it is larger than `_MAX_BYTES` or has more than `_MAX_PATTERNS` patterns.
    """
    try:
        if path.is_symlink() or not path.is_file():
            return ()
        content = read_bounded(path, _MAX_BYTES).removeprefix(b"\xef\xbb\xbf")
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise PathError(f"{display_path(path)}: {error.strerror}; {_WAY_OUT}") from None
        return ()
    lines = (line.removesuffix(b"\r") for line in content.split(b"\n"))
    found = [line for line in lines if line.strip() and not line.startswith(b"#")]
    if len(found) > _MAX_PATTERNS:
        raise PathError(f"{display_path(path)}: more than {_MAX_PATTERNS:,} patterns; {_WAY_OUT}")
    return tuple(found)


def _matches(patterns: tuple[Pattern, ...], origin: str, path: str, directory: bool) -> bool | None:
    """Return whether patterns of the directory `origin` ignore `path`; None if no pattern matches.

    As in git, the last matching pattern decides, and only a match of the path itself counts: whether a
    directory above it is ignored was decided on the way down.
    """
    if not _below(path, origin):
        return None
    relative = _encoded(path[len(origin.rstrip(os.sep)) + 1 :].replace(os.sep, "/"))
    name = relative.rpartition(b"/")[2]
    for pattern in patterns:
        if pattern.matches(relative, name, directory):
            return pattern.include
    return None


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _below(path: str, directory: str) -> bool:
    return path.startswith(directory if directory.endswith(os.sep) else directory + os.sep)
