"""Which file of the skill did the author of a broken link mean, and which edit says so?"""

from __future__ import annotations

import posixpath
from typing import NamedTuple

from skilltool.errors import nearest
from skilltool.findings.finding import Edit, Fix
from skilltool.skill.model import Skill
from skilltool.skill.texts import Text
from skilltool.text.markdown import Link

_ALIKE = 0.85  # of two paths, from 0 to 1
_MOST_FILES = 2_000  # of a skill; comparing a path with more takes too long
# Names that many directories have: a file of this name elsewhere is another file.
_COMMON_NAMES = frozenset(
    {"readme.md", "index.md", "skill.md", "license", "license.md", "license.txt", "changelog.md"}
)


class Repair(NamedTuple):
    """A file of the skill that a link may mean; `by_case` if the link differs from its path only in case."""

    path: str
    by_case: bool


def repair(skill: Skill, path: str) -> Repair | None:
    """Return the only file that a path, which does not exist, may mean: by case, by name, or by a slip of a key."""
    files = skill.tree.files
    if len(files) > _MOST_FILES:
        return None
    by_case = [name for name in files if name.casefold() == path.casefold()]
    if by_case:
        return Repair(by_case[0], by_case=True) if len(by_case) == 1 else None
    base = posixpath.basename(path).casefold()
    if "." not in base or base in _COMMON_NAMES:
        return None
    by_name = [name for name in files if posixpath.basename(name).casefold() == base]
    if by_name:
        return Repair(by_name[0], by_case=False) if len(by_name) == 1 else None
    alike = nearest(path, (name for name in files if _extension(name) == _extension(path)), _ALIKE)
    return Repair(alike, by_case=False) if alike is not None else None


def fix(text: Text, link: Link, path: str, safe: bool) -> Fix | None:
    """Return the fix that makes a link lead to `path`, relative to its page; None where it is not spelled plainly."""
    start, end = link.target_span
    written = text.source.text[start:end]
    if written.startswith("<") and written.endswith(">"):
        start, end, written = start + 1, end - 1, written[1:-1]
    if written != link.target or any(mark in written for mark in "%{}$\\&"):
        return None
    new = relative(text, path)
    if any(mark in new for mark in " ()<>"):
        return None
    stop = (
        min(at for mark in "#?" if (at := written.find(mark)) >= 0)
        if set("#?") & set(written)
        else len(written)
    )
    return Fix(safe, (Edit(start, start + stop, new),))


def relative(text: Text, path: str) -> str:
    """Return a path below the skill as a link in a page writes it."""
    return posixpath.relpath(path, text.directory) if text.directory else path


def _extension(path: str) -> str:
    return posixpath.splitext(path)[1].lower()
