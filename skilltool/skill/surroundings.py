"""What is around a skill, and which of it a result depends on: parents, neighbours, the repository.

Nothing above the project is looked at. Of what is there only a project's settings are read, by `content`, and
the programs at its top that read skills, by `programs`.
"""

from __future__ import annotations

import os
import posixpath
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import islice
from pathlib import Path

from skilltool.bounds import current_skill
from skilltool.files.one_run import once_a_run
from skilltool.skill.skill_file import FILE_NAME
from skilltool.skill.tree import SKIPPED_DIRECTORIES, bytes_of, digest_of, entries_of

_HOMES = (".claude/skills", ".agents/skills", ".codex/skills")  # into which builds copy skills


class Dependencies:
    """The paths that rules looked at, so that a cached result is valid until one of them changes.

    `files` are the files that were read, relative to the skill. `above` maps absolute paths outside the skill
    to whether they existed, `contents` those of files outside it to the digest of what they held, None for
    none, `below` directories outside it and a pattern to `state_below` of both. `everything` is True if any
    file of the skill may have been read, `unbounded` if anything outside it may have been.
    """

    def __init__(self) -> None:
        """Start without dependencies."""
        self.files: set[str] = set()
        self.above: dict[str, bool] = {}
        self.contents: dict[str, str | None] = {}
        self.below: dict[tuple[str, str], str] = {}
        self.everything = False
        self.unbounded = False


_MAX_PARENTS = 4  # enough for a plugin of a collection: `plugins/NAME/skills/SKILL`
_ROOT_NAME = "skills"  # the usual name of a directory whose skills are installed together


_MAX_NEIGHBOURS = 1_000


def _directories_in(parent: Path) -> list[Path]:
    """Return the directories in `parent`, none if there are too many or it cannot be listed."""
    entries = entries_of(os.fspath(parent), _MAX_NEIGHBOURS + 1) or []
    few = len(entries) <= _MAX_NEIGHBOURS
    return [Path(entry.path) for entry in entries if few and entry.is_dir(follow_symlinks=False)]


_MAX_BESIDE = 1 << 24  # bytes of the files of skills in one directory


@once_a_run(4)
def _texts_in(parent: Path) -> tuple[tuple[str, str], ...]:
    """Return the names of the skills in a directory, in order, with their texts; of too much, the first."""
    found, total = [], 0
    with current_skill.beside() as enter:
        for directory in sorted(_directories_in(parent)):
            raw = None if enter(directory) else bytes_of(directory / FILE_NAME)
            total += len(raw or b"")
            if total > _MAX_BESIDE:
                break
            if raw is not None:
                found.append((directory.name, raw.decode("utf-8", "replace")))
    return tuple(found)


_README = "README.md"
# Files that list skills by the names in their frontmatter.
_LISTS = (".well-known/agent-skills/index.json", "skills-lock.json")
# Where a repository keeps programs that check or publish its skills, and the ends of their names.
_PROGRAM_PLACES = (
    "",
    "scripts",
    "tools",
    "tools/scripts",
    "bin",
    "build",
    "ci",
    "src",
    ".github/scripts",
    "schemas",
)
_PROGRAM_ENDS = (".py", ".js", ".mjs", ".cjs", ".ts", ".sh", ".rb", ".go", ".schema.json")
_MOST_PROGRAMS, _MOST_IN_PROGRAMS = 200, 1 << 22  # files, and bytes of all of them


def _program_files(top: Path) -> list[Path]:
    """Return the programs at the usual places of a repository, at most so many; no link leads to another."""
    found: list[Path] = []
    for place in _PROGRAM_PLACES:
        if os.path.realpath(top / place) == os.fspath(top / place):
            entries = entries_of(os.fspath(top / place), _MAX_NEIGHBOURS) or ()
            named = (each for each in entries if each.name.endswith(_PROGRAM_ENDS))
            found += [Path(each.path) for each in named if each.is_file(follow_symlinks=False)]
    return sorted(found)[:_MOST_PROGRAMS]


@once_a_run(4)
def _programs_in(top: Path) -> tuple[str, ...]:
    """Return the texts of the programs at the usual places of a repository that read skills."""
    found: list[str] = []
    total = 0
    for path in _program_files(top):
        raw = bytes_of(path) or b""
        total += len(raw)
        if total > _MOST_IN_PROGRAMS:
            break
        if FILE_NAME.encode() in raw or b"frontmatter" in raw.lower():
            found.append(raw.decode("utf-8", "replace"))
    return tuple(found)


_MAX_BELOW = 100_000  # files of a repository whose names are looked at


@once_a_run(4)
def _places_below(top: Path) -> Mapping[str, Sequence[str]]:
    """Return the directories, in one and under it, that have a file of each name; of too many files, some."""
    found: dict[str, list[str]] = {}
    seen = 0
    for place, directories, files in os.walk(top):
        directories[:] = (name for name in directories if name not in SKIPPED_DIRECTORIES)
        for name in files:
            found.setdefault(name, []).append(place)
        seen += len(files)
        if seen > _MAX_BELOW:
            break
    return found


def _is_below(top: Path, end: str) -> bool:
    """Return whether a path under a directory ends in `end`: a file's name, or `forms/references/a.md`."""
    directories, _, name = end.rpartition("/")
    places = (place.replace(os.sep, "/") for place in _places_below(top).get(name, ()))
    return any(not directories or place.endswith(f"/{directories}") for place in places)


def _holders(parent: Path, relative: str) -> list[Path]:
    """Return the files at a path under each directory in `parent`."""
    return [path for place in _directories_in(parent) if os.path.isfile(path := place / relative)]


_PROGRAMS = "programs"
_WHERE = "where"
# ns: a file that is younger can change again within the same time stamp; the coarsest in use are FAT's
FRESH = 2_000_000_000


@once_a_run(256)
def state_below(top: str, pattern: str) -> str | None:
    """Return a digest of what a result depends on under a directory, without reading a file.

    `*/SKILL.md` stands for the files of the skills in it, `programs` for its programs, `*/PATH` for those of
    its directories that have such a file, `**/END` for whether a path anywhere ends so, `where/NAME` for the
    directories that have a file of that name. None if a file has changed so recently that its times do not
    tell whether it changes again.
    """
    from hashlib import blake2b

    directory = Path(top)
    start, _, name = pattern.partition("/")
    if start == "**":
        stamps = [name] if _is_below(directory, name) else []
    elif start == _WHERE:
        stamps = sorted(_places_below(directory).get(name, ()))
    elif pattern == _PROGRAMS or name == FILE_NAME:
        skills = (each / name for each in sorted(_directories_in(directory)))
        stamps, newest = _stamps(skills if name else _program_files(directory))
        if newest >= time.time_ns() - FRESH:
            return None
    else:
        stamps = [os.fspath(path) for path in _holders(directory, name)]
    return blake2b("\0\0".join(stamps).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def stamp(name: str, status: os.stat_result) -> tuple[str, int]:
    """Return what tells a file from a changed one of that name, and when it was changed, in nanoseconds."""
    times = (status.st_mtime_ns, status.st_ctime_ns)
    return f"{name}\0{status.st_size}\0{times[0]}\0{times[1]}\0{status.st_ino}", max(times)


def _stamps(paths: Iterable[Path]) -> tuple[list[str], int]:
    """Return the stamps of those files that exist, and when the newest was changed."""
    found, newest = [], 0
    for path in paths:
        with suppress(OSError):
            text, changed = stamp(os.fspath(path), path.stat())
            found.append(text)
            newest = max(newest, changed)
    return found, newest


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

    def found_elsewhere(self, relative: str) -> str | None:
        """Return where a file is to which a path does not lead, as a path from the skill; None if unknown.

        `relative`, without the `../` that it begins with, is looked up in the directories above the skill,
        the nearest first. A file other than a page may also be in one of the skills beside this one.
        """
        rest = re.sub(r"\A(?:\.\./)+", "", relative)
        if not rest or rest.startswith(("/", "~")) or ".." in rest.split("/"):
            return None
        found = [parent / rest for parent in self._parents if self.exists(parent / rest)][:1]
        if not found and self._parents and "/" in rest and not rest.endswith((".md", "/")):
            self._depend_on_what_is_below(self._parents[0], f"*/{rest}")
            found = _holders(self._parents[0], rest)
        return os.path.relpath(found[0], self._directory).replace(os.sep, "/") if len(found) == 1 else None

    def leads_from_copy(self, name: str, relative: str) -> bool:
        """Return whether a path leads to a file from a copy of the skill in a client's directory at the top.

        A build may copy skills there, and their links are written for where they are used.
        """
        top = self._repository
        if top is None or not relative.startswith("../"):
            return False
        homes = (top / home / name for home in _HOMES)
        places = (Path(os.path.normpath(home / relative)) for home in homes if self.exists(home / FILE_NAME))
        return any(place.is_relative_to(top) and self.exists(place) for place in places)

    def is_in_repository(self, end: str) -> bool:
        """Return whether the repository has a file whose path ends so: `page.md`, `forms/page.md`."""
        if self._repository is None:
            return False
        self._depend_on_what_is_below(self._repository, f"**/{end}")
        return _is_below(self._repository, end)

    def only_outside_skills(self, name: str) -> str | None:
        """Return the path from the skill to the repository's only file of a name, unless a skill has it."""
        return found[0] if (found := self.only_file(name)) is not None and not found[1] else None

    def only_file(self, name: str) -> tuple[str, str] | None:
        """Return the path from the skill to the repository's only file of a name, and whose it is.

        The second is the name of the skill that has it, empty for none.
        """
        top = self._repository
        if top is None:
            return None
        self._depend_on_what_is_below(top, f"{_WHERE}/{name}")
        places = [Path(place) for place in islice(_places_below(top).get(name, ()), 2)]
        if len(places) != 1:
            return None
        above = (each for each in (places[0], *places[0].parents) if each.is_relative_to(top))
        owner = next(filter(self._is_skill, above), None)
        path = os.path.relpath(places[0] / name, self._directory).replace(os.sep, "/")
        return path, "" if owner is None else owner.name

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
            above[name] = os.path.exists(name)
        return above[name]

    def content(self, path: Path) -> str | None:
        """Return the text of a file of the project, None if it is missing or larger than skilltool reads.

        What it holds is recorded, so that a cached result ends with it.
        """
        raw = bytes_of(path)
        self._dependencies.contents[str(path)] = digest_of(raw)
        return None if raw is None else raw.decode("utf-8", "replace")

    def is_git_ignored(self, relative: str) -> bool:
        """Return whether `.gitignore` files match a path, taken from the skill or from its repository."""
        from skilltool.skill.discovery.ignore import Ignore, Verdict

        top = self._repository or self._directory
        places = {Path(os.path.normpath(start / relative)) for start in (self._directory, top)}
        places = {place for place in places if place.is_relative_to(top)}
        below = {above for place in places for above in place.parents if above.is_relative_to(top)}
        levels = {self._directory, *self._parents, *below}
        written = [self.content(level / ".gitignore") for level in sorted(levels)]  # each is a dependency
        if not any(written):
            return False
        ignore = Ignore(gitignore=True)
        return any(ignore.covers(place) is Verdict.IGNORED for place in places)

    def is_behind_lost_link(self, path: Path) -> bool:
        """Return whether an absolute path leads through a link of the repository whose target is missing."""
        missing = path
        while not self.exists(missing.parent) and missing.parent != missing:
            missing = missing.parent
        if self._repository is None or not missing.is_relative_to(self._repository):
            return False
        self._depend_on_what_is_below(self._repository, f"{_WHERE}/{missing.name}")
        return missing.is_symlink()

    def in_other_case(self, relative: str) -> str | None:
        """Return the path that differs from a normalized one only in the case of its name, if one does."""
        place = self.resolve(relative)
        if place is None or not self.exists(place.parent):
            return None
        names = [each.name for each in entries_of(os.fspath(place.parent), _MAX_NEIGHBOURS) or ()]
        alike = [name for name in names if name.casefold() == place.name.casefold()]
        if len(alike) != 1:
            return None
        self.exists(place.parent / alike[0])  # a dependency
        return posixpath.join(posixpath.dirname(relative), alike[0])

    @cached_property
    def _repository(self) -> Path | None:
        """The root of the repository around the skill, None if there is none."""
        top = self._directory if self._is_repository else self._parents[-1] if self._parents else None
        return top if top is not None and self.exists(top / ".git") else None

    def repository_file(self, name: str) -> str | None:
        """Return the text of a file in the `.git` directory around the skill, None if there is none."""
        top = self._repository
        return None if top is None else self.content(top / ".git" / name)

    def leads_into_repository(self, link: str) -> bool:
        """Return whether a symbolic link of the skill leads to what exists in the repository around it."""
        top, real = self._repository, os.path.realpath(self._directory / link)
        inside = top is not None and Path(real).is_relative_to(os.path.realpath(top))
        return inside and ".git" not in Path(real).parts and self.exists(Path(real))

    def link_within_repository(self, link: str, target: str) -> str | None:
        """Return a relative target for a link of the skill, if its absolute one is here."""
        top = self._repository
        *_, first, second, last = ("", "", *target.split("/"))
        if top is None or not target.startswith("/"):
            return None
        for parts in ((first, second, last), (second, last)):
            if all(parts) and self.exists(there := top.joinpath(*parts)):
                return os.path.relpath(there, (self._directory / link).parent).replace(os.sep, "/")
        return None

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
        outer = (parent for parent in reversed(self._parents) if self._is_skill(parent))
        return next(outer, self._directory)

    def is_in_sibling(self, path: Path) -> bool:
        """Return whether an absolute path is in another skill of the same root."""
        root = self._root
        if root is None or not path.is_relative_to(root):
            return False
        inner = (each for each in (path, *path.parents) if each != root and each.is_relative_to(root))
        return any(self._is_skill(each) for each in inner)

    def skill_beside(self, name: str) -> Path | None:
        """Return the directory `name` beside this skill if a skill is in it."""
        path = self.neighbour(name) if name else None
        return path if path is not None and self.exists(path / FILE_NAME) else None

    def neighbour(self, name: str) -> Path | None:
        """Return the directory `name` beside this skill if it exists."""
        path = self._parents[0] / name if self._parents else None
        return path if path is not None and self.exists(path) else None

    @property
    def is_nested(self) -> bool:
        """Whether the directory is in another skill."""
        return self.package != self._directory

    def beside(self) -> tuple[tuple[str, str], ...]:
        """Return the other skills in the directory that holds this one: directory's name and text."""
        if not self._parents:
            return ()
        self._depend_on_what_is_below(self._parents[0], f"*/{FILE_NAME}")
        texts = _texts_in(self._parents[0])
        return tuple((name, text) for name, text in texts if name != self._directory.name)

    def lists(self) -> tuple[tuple[str, str], ...]:
        """Return the files of the project that list skills by name, each with its path and its text."""
        found = [
            (name, self.content(parent / name))
            for parent in self._parents
            for name in _LISTS
            if self.exists(parent / name)
        ]
        return tuple((name, text) for name, text in found if text is not None)

    def readmes(self) -> str:
        """Return the texts of the README.md of the directories above the skill, one after another."""
        files = (parent / _README for parent in self._parents)
        return "\n".join(self.content(file) or "" for file in files if self.exists(file))

    def programs(self) -> tuple[str, ...]:
        """Return the texts of the repository's own programs that read skills; none outside a repository."""
        if not self._parents or not self.exists(self._parents[-1] / ".git"):
            return ()
        self._depend_on_what_is_below(self._parents[-1], _PROGRAMS)
        return _programs_in(self._parents[-1])

    def _depend_on_what_is_below(self, directory: Path, pattern: str) -> None:
        top = os.fspath(directory)
        state = state_below(top, pattern)
        if state is None:
            self._dependencies.unbounded = True
        else:
            self._dependencies.below[top, pattern] = state

    @property
    def _root(self) -> Path | None:
        """The nearest `skills` above the package, else its parent; None outside the project."""
        above = [parent for parent in self.package.parents if parent in self._parents]
        return next((path for path in above if path.name == _ROOT_NAME), above[0] if above else None)

    def _is_skill(self, directory: Path) -> bool:
        return self.exists(directory / FILE_NAME)

    @cached_property
    def _parents(self) -> tuple[Path, ...]:
        """The directories above the skill that belong to its project, the nearest first."""
        if self._is_repository:
            return ()
        parents = list(self._directory.parents)
        roots = (number for number, parent in enumerate(parents, start=1) if self.exists(parent / ".git"))
        return tuple(parents[: next(roots, _MAX_PARENTS)])
