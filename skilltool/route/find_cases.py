"""Which files have routing cases? Those that are named, else those here that have the shape of some."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from skilltool.errors import PathError
from skilltool.explain.candidates import name_in_file
from skilltool.files.paths import display_path
from skilltool.files.reading import MEBIBYTE, read_bounded
from skilltool.skill import routing_cases
from skilltool.skill.routing_cases import Case, NotParsedError
from skilltool.skill.routing_files import ENDINGS, FOLDERS, has_telling_name
from skilltool.skill.skill_file import FILE_NAME

_MOST_FILES = 2_000  # are looked at in one directory
_MOST_LEVELS = 4  # under it


class Located(NamedTuple):
    """A case, where it is as people read it, and the skill in whose directory the file is.

    The place names it in reports, since a prompt may not be for everybody's eyes: the file and the line, or
    the id where the file has several cases on one line.
    """

    case: Case
    place: str
    skill: Path | None


class Wrong(NamedTuple):
    """What is wrong with the form of a file or of one of its cases: where, a clause, and what to do."""

    place: str
    message: str
    help: str


class Found(NamedTuple):
    """The files with cases, all of their cases, and what is wrong with their form.

    `outcomes` are files whose prompts are for a skill and do not say that it is to be called.
    """

    files: tuple[str, ...]
    cases: tuple[Located, ...]
    wrong: tuple[Wrong, ...]
    outcomes: tuple[str, ...]


def find(named: Sequence[Path], skills: Iterable[Path], project: Path, convert: bool = False) -> Found:
    """Return the cases of the `named` files and directories, else of those in `skills` and the project.

    A file that cannot be parsed is wrong where cases are kept: none of it was checked.

    With `convert` a file of outcomes has a case for each prompt. Raises `PathError` for a named file that
    cannot be read or has no cases.
    """
    files: list[str] = []
    cases: list[Located] = []
    wrong: list[Wrong] = []
    outcomes: list[str] = []
    for path, is_named in dict(_paths(named, skills, project)).items():
        owner = _owner(path)
        shown = display_path(path)
        try:
            text = read_bounded(path, MEBIBYTE, pipe=is_named).decode("utf-8", "replace")
            read = routing_cases.read(text, path.name, None if owner is None else owner[1])
        except OSError as error:
            if is_named:
                raise PathError(f"{shown}: {error.strerror}") from None
            continue
        except NotParsedError as error:
            if is_named:
                raise PathError(f"{shown}:{_line(text, error.span.start)}: {error.message}") from None
            if named or has_telling_name(path.name) or path.parent.name in FOLDERS[:2]:
                line = _line(text, error.span.start)
                wrong.append(Wrong(f"{shown}:{line}", error.message, "correct the file"))
            continue
        if read is None:
            if is_named:
                raise PathError(
                    f"{shown}: no routing cases in this file; `skilltool schema cases` describes the format"
                )
            continue
        if read.outcomes and not convert:
            outcomes.append(shown)
            continue
        files.append(shown)
        line_of = _Lines(text).of
        directory = None if owner is None else owner[0]
        lines = [line_of(read.span(case.path).start) for case in read.cases]
        often = Counter(lines)
        for case, line in zip(read.cases, lines, strict=True):
            place = f"{shown}:{line}" if often[line] == 1 else f"{shown}#{case.id}"
            cases.append(Located(case, place, directory))
        wrong += [
            Wrong(f"{shown}:{line_of(read.span(each.path).start)}", each.message, each.help)
            for each in read.misformed
        ]
    return Found(tuple(files), tuple(cases), tuple(wrong), tuple(outcomes))


def _line(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


class _Lines:
    """The line of each offset of a text, which is searched once."""

    def __init__(self, text: str) -> None:
        self._ends = [at for at, character in enumerate(text) if character == "\n"]

    def of(self, offset: int) -> int:
        return bisect_right(self._ends, offset - 1) + 1


def _paths(named: Sequence[Path], skills: Iterable[Path], project: Path) -> Iterator[tuple[Path, bool]]:
    """Yield the paths of files to look at, and whether the user has named them."""
    if named:
        for path in named:
            if path.is_dir():
                yield from ((file, False) for file in _below(path, deep=True))
            elif os.path.lexists(path):
                yield path, True
            else:
                raise PathError(f"{path}: no such file or directory")
        return
    for skill in skills:
        yield from ((file, False) for file in _in_skill(skill))
    for name in FOLDERS[:2]:  # a project's tests are most often of something else
        yield from ((file, False) for file in _below(project / name, deep=True))
    yield from ((file, False) for file in _below(project, deep=False) if has_telling_name(file.name))


def _in_skill(skill: Path) -> Iterator[Path]:
    """Yield the files of a skill that may have cases."""
    yield from (file for file in _below(skill, deep=False) if has_telling_name(file.name))
    for name in FOLDERS:
        yield from _below(skill / name, deep=True)


def _below(top: Path, deep: bool) -> Iterator[Path]:
    """Yield the files in a directory, not through links, whose names end as those of cases do."""
    seen = 0
    for directory, folders, files in os.walk(top):
        level = len(Path(directory).relative_to(top).parts)
        if not deep or level >= _MOST_LEVELS:
            folders.clear()
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "node_modules")
        for name in sorted(files):
            seen += 1
            if seen > _MOST_FILES:
                return
            path = Path(directory, name)
            if name.lower().endswith(ENDINGS) and not path.is_symlink():
                yield path


def _owner(file: Path) -> tuple[Path, str] | None:
    """Return the directory of the skill that a file belongs to, and the skill's name; None if to none."""
    for directory in list(Path(os.path.abspath(file)).parents)[: _MOST_LEVELS + 2]:
        if os.path.isfile(directory / FILE_NAME):
            return directory, name_in_file(directory) or directory.name
        if os.path.lexists(directory / ".git"):
            return None
    return None
