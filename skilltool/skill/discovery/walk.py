"""Walks down a directory tree: sorted, without loops, and never out of it through a link."""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from skilltool.skill.discovery.ignore import Ignore, Verdict
from skilltool.skill.skill_file import FILE_NAME, skill_file
from skilltool.skill.tree import SKIPPED_DIRECTORIES, VIRTUAL_ENVIRONMENT
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.unsaved import open_buffer_or_file

_NAMES = lazy_pattern(r"template|skeleton|scaffold|boilerplate|cookiecutter|\{\{", re.IGNORECASE)
_MAX_DEPTH = 3  # `templates/KIND/NAME`
# `name: {{name}}`, `name: <skill-name>`, `name: [NAME]`, `name: ${NAME}`, `name: __NAME__`
_PLACEHOLDER_NAME = lazy_pattern(rb"^name:[ \t]*[\"']?(?:\{|<|\[|\$\{|%|__)", re.MULTILINE)
_HEAD = 1024  # bytes at the start of the file that are searched


def is_template(top: str, directory: str, file: str) -> bool:
    """Return whether `directory` is a template: by its path under `top` and a placeholder name in `file`."""
    parts = Path(directory[len(top) :]).parts[-_MAX_DEPTH:]
    if not any(_NAMES.search(part) for part in parts):
        return False
    path = Path(directory, file)
    try:
        if path.is_symlink() or not path.is_file():
            return False
        with path.open("rb") as stream:
            return _PLACEHOLDER_NAME.search(stream.read(_HEAD)) is not None
    except OSError:
        return False


MAX_DIRECTORIES, MAX_ENTRIES = 250_000, 1_000_000  # of one walk: some seconds
_WAY_OUT = "the rest was not searched for skills; name the directories that contain skills, or exclude others"
_MAX_ABOVE = 33  # a skill has at most 32 levels of directories
_SHOWN = 200  # characters of a path that cannot be read, which can have thousands
# Directories of single files, where `skill.md` is the command, the agent or the page of that name. Web sites
# have a `/skill.md` for agents that read the site.
_FEW_PAGES = 2  # beside a `Skill.md` without frontmatter; a manual has more
_FLAT_DIRECTORIES = frozenset({"agents", "commands", "docs", "prompts", "public", "static", "www"})


class Walk:
    """One walk; `problems` collects messages about directories that could not be read.

    `files` collects the files with one of the names `wanted`.
    `ignored` collects skills that git ignores, as far as they are seen: nothing under an ignored directory is
    walked, but skills at its top and in the places where clients look are counted. A walk ends after
    `MAX_DIRECTORIES` directories or `MAX_ENTRIES` entries of them, those near the top first, with a problem.
    """

    def __init__(self, ignore: Ignore, wanted: frozenset[str] = frozenset()) -> None:
        """Take the patterns of what to exclude, and the names of files to look for on the way."""
        self._ignore = ignore
        self._wanted = wanted
        self.files: list[str] = []
        self.problems: list[str] = []
        self.ignored: set[str] = set()
        self._directories = self._entries = 0

    def skills(self, top: str, seen_from: str | None = None, inside: bool = False) -> list[str]:
        """Return the skills at and under `top`, as a walk from `seen_from` (default: `top`) finds them.

        A link to a directory inside `top` is ignored, because its target is walked anyway. A link that leads
        outside counts only if its target is itself a skill; nothing below the target is visited, so no link
        makes the walk leave the tree. Below a skill, only a file called exactly `SKILL.md` makes another one.
        A template counts only if it is `seen_from` itself. `inside` tells that git ignores `top`: then, as in
        every directory that is ignored, only what git tracks counts.
        """
        found: list[str] = []
        links: list[str] = []
        pending = deque([(top, inside)])
        while pending:
            directory, inside = pending.popleft()
            if self._is_over(top):
                break
            entries = self._list(directory)
            names = [entry.name for entry in entries]
            if directory != top and VIRTUAL_ENVIRONMENT in names:
                continue
            patterns = self._ignore.enter(directory, names) or inside
            name = skill_at(directory, names)
            if name and name != FILE_NAME and any(directory.startswith(f"{each}{os.sep}") for each in found):
                name = None  # a page of the skill around it, which was found before
            if name and self.accepts(directory, name, seen_from or top, patterns, inside):
                found.append(directory)
            if not self._wanted.isdisjoint(names):
                self._add_files(directory, names, patterns, inside)
            for entry in entries:
                if entry.name in SKIPPED_DIRECTORIES or not is_directory_entry(entry):
                    continue
                verdict = self._ignore.verdict(entry.path, True, inside) if patterns else Verdict.KEPT
                if verdict is Verdict.IGNORED:
                    self.ignored.update(self._skills_near(entry.path))
                elif not verdict.drops and entry.is_symlink():
                    links.append(entry.path)
                elif not verdict.drops:
                    pending.append((entry.path, verdict is Verdict.TRACKED))
        real = os.path.realpath(top)
        return found + [link for link in links if self._leads_out_to_skill(link, real)]

    def accepts(
        self, directory: str, name: str, seen_from: str, patterns: bool = True, inside: bool = False
    ) -> bool:
        """Return whether the file `name` in `directory` is neither excluded nor a template under `seen_from`.

        `patterns` is False if no pattern can match, `inside` True if git ignores the directory.
        """
        file = os.path.join(directory, name)
        verdict = self._ignore.verdict(file, False, inside) if patterns else Verdict.KEPT
        if verdict is Verdict.IGNORED:
            self.ignored.add(directory)
        return not verdict.drops and not is_template(seen_from, directory, name)

    def _add_files(self, directory: str, names: list[str], patterns: bool, inside: bool) -> None:
        for path in (os.path.join(directory, name) for name in names if name in self._wanted):
            if not (patterns and self._ignore.verdict(path, False, inside).drops):
                self.files.append(path)

    def _is_over(self, top: str) -> bool:
        """Return whether the walk from `top` has reached a limit, and note that as a problem."""
        if self._directories <= MAX_DIRECTORIES and self._entries <= MAX_ENTRIES:
            return False
        many = f"{MAX_DIRECTORIES:,} directories or {MAX_ENTRIES:,} files"
        self.problems.append(f"{_shown(top)}: more than {many}; {_WAY_OUT}")
        return True

    def _list(self, directory: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(directory) as entries:
                found = sorted(islice(entries, MAX_ENTRIES + 1), key=_name)
        except OSError as error:
            self.problems.append(f"{_shown(directory)}: {error.strerror or 'cannot be read'}")
            return []
        self._directories += 1
        self._entries += len(found)
        return found

    def _skills_near(self, directory: str) -> Iterator[str]:
        """Yield a directory, those in it and those in its `skills`, each if it is a skill."""
        for top in (directory, os.path.join(directory, "skills")):
            if self._entries > MAX_ENTRIES:
                return
            try:
                with os.scandir(top) as entries:
                    names = list(islice(entries, MAX_ENTRIES))
            except OSError:
                continue
            below = [entry.path for entry in names if entry.is_dir(follow_symlinks=False)]
            self._entries += len(names)
            yield from (each for each in (top, *below) if os.path.isfile(os.path.join(each, FILE_NAME)))

    def _leads_out_to_skill(self, link: str, inside: str) -> bool:
        target = os.path.realpath(link)
        if target == inside or target.startswith(os.path.join(inside, "")):
            return False
        return skill_at(link, [entry.name for entry in self._list(link)]) is not None


def is_skipped(path: Path, top: Path) -> bool:
    """Return whether a walk from `top` never reaches `path`, whatever the patterns are."""
    chain = (path, *path.parents)[: len(path.relative_to(top).parts)]
    return any(
        each.name in SKIPPED_DIRECTORIES or Path(each / VIRTUAL_ENVIRONMENT).exists() for each in chain
    )


def _shown(path: str) -> str:
    half = _SHOWN // 2
    return path if len(path) <= _SHOWN else f"{path[:half]}…{path[-half:]}"


def _name(entry: os.DirEntry[str]) -> str:
    return entry.name


def skill_at(directory: str, names: list[str]) -> str | None:
    """Return which of `names`, the files in `directory`, makes it a skill; None if it is not one.

    A `skill.md` counts only if it starts with frontmatter that has a name or a description, and not in a
    directory of single files: `docs/skill.md` is a page about skills. Other spellings, such as `Skill.md`,
    are meant to be `SKILL.md`: with such frontmatter, or beside few other pages.
    """
    name = skill_file(names)
    if name is None or name == FILE_NAME:
        return name
    flat = os.path.basename(directory) in _FLAT_DIRECTORIES
    pages = [each for each in names if each.lower().endswith(".md") and each.lower() != FILE_NAME.lower()]
    alone = name != FILE_NAME.lower() and len(pages) <= _FEW_PAGES
    return name if alone or (not flat and _describes_skill(Path(directory, name))) else None


def skill_around(file: Path) -> Path | None:
    """Return the nearest directory above a file, which need not exist, that is a skill; None if none is.

    It is not looked for above the repository, nor above `_MAX_ABOVE` directories.
    """
    for directory in islice(file.parents, _MAX_ABOVE):
        try:
            names = os.listdir(directory)
        except OSError:
            continue
        if skill_at(os.fspath(directory), names) is not None:
            return directory
        if ".git" in names:
            return None
    return None


_FIELD = lazy_pattern(rb"^(?:name|description)[ \t]*:", re.MULTILINE | re.IGNORECASE)


def _describes_skill(path: Path) -> bool:
    try:
        if path.is_symlink() or not path.is_file():
            return False
        with open_buffer_or_file(path) as file:
            head = file.read(_HEAD).removeprefix(b"\xef\xbb\xbf").lstrip()
        return head.startswith(b"---") and _FIELD.search(head.partition(b"\n---")[0]) is not None
    except OSError:
        return False


def is_directory_entry(entry: os.DirEntry[str]) -> bool:
    """Return whether an entry is a directory or a link to one; False if that cannot be asked."""
    try:
        return entry.is_dir()
    except OSError:
        return False
