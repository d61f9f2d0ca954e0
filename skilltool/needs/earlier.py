"""The skills of a repository as they were in an earlier revision, in a temporary directory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from skilltool.errors import SkilltoolError
from skilltool.files.git import GitError, laid_out
from skilltool.files.paths import display_path
from skilltool.files.reading import MEBIBYTE
from skilltool.files.repository import is_repository_root
from skilltool.needs.around import Around, Known, below
from skilltool.skill.skill_file import FILE_NAME, read_skill_file
from skilltool.text.frontmatter import envelope

MOST_BYTES = MEBIBYTE  # of a file of a revision; larger ones are not laid out


@contextmanager
def earlier(known: Around, revision: str) -> Iterator[Around]:
    """Yield the skills of a revision, from where there are skills now, and from where manifests are.

    Raises `SkilltoolError` outside of a repository, and if it has no such revision.
    """
    if not is_repository_root(known.top):
        raise SkilltoolError(f"--since needs a git repository, but {known.top} is not in one")
    try:
        with laid_out(known.top, revision, _places(known)) as top:
            found = below(top)
            skills = [_as_if_at(skill, top, known.top) for skill in found.skills]
            yield Around(found.top, skills, found.plugins)
    except GitError as error:
        raise SkilltoolError(f"--since {error}") from None


def _as_if_at(skill: Known, top: Path, place: Path) -> Known:
    """Return a skill that is printed with the path that it had in the repository, not that of the copy."""
    return skill._replace(shown=display_path(place / skill.directory.relative_to(top)))


def _places(known: Around) -> list[str]:
    """Return the directories around skills, and those of manifests, relative to the top."""
    found = {".claude-plugin", "skills"}
    for skill in known.skills:
        place = skill.directory if skill.directory == known.top else skill.directory.parent
        found.add("" if place == known.top else place.relative_to(known.top).as_posix())
        above = (parent for parent in place.parents if parent.is_relative_to(known.top))
        found |= {(parent / ".claude-plugin").relative_to(known.top).as_posix() for parent in above}
    return [""] if "" in found else sorted(found)


def apart(known: Around, wanted: Sequence[Known], before: Around) -> tuple[Around, list[Known]]:
    """Return the skills, and those that are asked for, without those in the directory of `before`.

    Raises `SkilltoolError` if nothing is left to compare.
    """
    left = [skill for skill in known.skills if not skill.directory.is_relative_to(before.top)]
    asked = [skill for skill in wanted if not skill.directory.is_relative_to(before.top)]
    if not asked:
        raise SkilltoolError(f"--compared-to {display_path(before.top)} contains every skill to compare")
    return Around(known.top, left, known.plugins), asked


def pairs(
    known: Around, wanted: Iterable[Known], before: Around, *, is_revision: bool, is_all: bool
) -> list[tuple[Known | None, Known | None]]:
    """Return each skill as it was and as it is; None for the state in which it is not there.

    A skill is known by its name, else by the name that it had; in a revision by its directory first. If there
    is one skill on both sides of a comparison of directories, those two are meant. With `is_all` skills that
    are gone are there as well.
    """
    asked = list(wanted)
    if not is_revision and len(asked) == len(before.skills) == 1:
        return [(before.skills[0], asked[0])]
    left = list(before.skills)
    was: dict[Path, Known] = {}

    def match(is_it: Callable[[Known, Known], bool]) -> None:
        for skill in asked:
            if skill.directory not in was:
                old = next((each for each in left if is_it(each, skill)), None)
                if old is not None:
                    left.remove(old)
                    was[skill.directory] = old

    if is_revision:
        match(lambda old, new: _below(old, before.top) == _below(new, known.top))
    match(lambda old, new: old.name == new.name)
    match(lambda old, new: known.former.get(old.name) == new.name)
    found: list[tuple[Known | None, Known | None]] = [(was.get(skill.directory), skill) for skill in asked]
    return [*found, *((old, None) for old in left)] if is_all else found


def _below(skill: Known, top: Path) -> str:
    return skill.directory.relative_to(top).as_posix()


def former_names(known: Around, before: Around, *, is_revision: bool) -> dict[str, str]:
    """Return each name that no skill has now, with the name that the skill has now; empty if it is gone.

    It is the skill in the same directory, or in one of the same name if a directory is compared with, or
    the new skill with the most similar body, if more than half of the lines are the same.
    """

    def place(skill: Known, top: Path) -> str:
        return _below(skill, top) if is_revision else skill.directory.name

    now = {place(skill, known.top): skill for skill in known.skills}
    there = [(place(skill, before.top), skill) for skill in before.skills]
    was = {name for at, skill in there for name in (at, skill.name)}
    gone = [skill for at, skill in there if at not in now and skill.name not in known.names]
    new = [skill for at, skill in now.items() if at not in was and skill.name not in was]
    successors = _most_alike(gone, new)
    found: dict[str, str] = {}
    for at, skill in there:
        successor = now.get(at) or successors.get(skill.directory)
        names = {skill.name, skill.directory.name}.difference(known.names)
        found |= dict.fromkeys(names, successor.name if successor else "")
    return found


def _most_alike(gone: Iterable[Known], new: Iterable[Known]) -> dict[Path, Known]:
    """Return the new skill with more than half of the lines of a removed one, by the directory of the latter.

    The most similar bodies are paired first.
    """
    lines = [(_lines(skill), skill) for skill in new]
    scored = [
        (len(body & other) / max(len(body), len(other), 1), number, old, skill)
        for old in gone
        for body in (_lines(old),)
        for number, (other, skill) in enumerate(lines)
    ]
    found: dict[Path, Known] = {}
    taken: set[int] = set()
    for alike, number, old, skill in sorted(scored, key=lambda row: -row[0]):
        if alike > _HALF and number not in taken and old.directory not in found:
            found[old.directory] = skill
            taken.add(number)
    return found


_HALF = 0.5


def _lines(skill: Known) -> frozenset[str]:
    """Return the lines of the body of a skill."""
    raw, _, _ = read_skill_file(skill.directory / FILE_NAME, skill.directory)
    text = raw.decode("utf-8", "replace")
    body = envelope.split(text).body
    return frozenset(filter(None, map(str.strip, text[body.start : body.end].splitlines())))
