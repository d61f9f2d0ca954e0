"""The skills of a repository as they were in an earlier revision, in a temporary directory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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


def pairs(
    known: Around, wanted: Iterable[Known], before: Around, *, is_revision: bool, is_all: bool
) -> list[tuple[Known | None, Known | None]]:
    """Return each skill as it was and as it is; None for the state in which it is not there.

    In a revision a skill is known by its directory, else by the name that it had; in a directory that was
    named it is known by its name, and if there is one skill on both sides those two are meant. With `is_all`
    skills that are gone are there, too.
    """
    asked = list(wanted)
    if not is_revision and len(asked) == len(before.skills) == 1:
        return [(before.skills[0], asked[0])]
    found: list[tuple[Known | None, Known | None]] = []
    left = list(before.skills)
    for skill in asked:
        place = skill.directory.relative_to(known.top) if is_revision else None
        old = next((each for each in left if place and each.directory.relative_to(before.top) == place), None)
        names = [each for each in left if not is_revision and each.name == skill.name]
        names += [each for each in left if is_revision and known.former.get(each.name) == skill.name]
        old = old or next(iter(names), None)
        if old is not None:
            left.remove(old)
        found.append((old, skill))
    return [*found, *((old, None) for old in left)] if is_all else found


def former_names(known: Around, before: Around) -> dict[str, str]:
    """Return each name that no skill has now, with the name that the skill has now; empty if it is gone.

    It is the skill in the same directory, else a new one with the same body.
    """
    now = {skill.directory.relative_to(known.top).as_posix(): skill for skill in known.skills}
    old = {skill.directory.relative_to(before.top).as_posix() for skill in before.skills}
    bodies = {_body(skill): skill.name for place, skill in now.items() if place not in old}
    found: dict[str, str] = {}
    for skill in before.skills:
        successor = now.get(skill.directory.relative_to(before.top).as_posix())
        name = successor.name if successor else bodies.get(_body(skill), "")
        found |= dict.fromkeys({skill.name, skill.directory.name}.difference(known.names), name)
    return found


def _body(skill: Known) -> str:
    raw, _, _ = read_skill_file(skill.directory / FILE_NAME, skill.directory)
    text = raw.decode("utf-8", "replace")
    body = envelope.split(text).body
    return text[body.start : body.end].strip()
