"""Which new names conflict with the name of another skill in the same collection?

A skill renamed to the name of its neighbour would shadow it, or be shadowed, in every runtime that finds
skills by name.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from skilltool import runtimes
from skilltool.bounds.budget import GivenUpError
from skilltool.rules.records import root_of
from skilltool.skill.discovery import skill_at


class Claim(NamedTuple):
    """The name of a skill before and after its fixes; it must be unique in each of its `collections`.

    A skill that was given up may have any name: its name is not known.
    """

    directory: Path
    collections: frozenset[str]
    before: str | None
    after: str | None
    is_known: bool = True

    @property
    def is_new(self) -> bool:
        """Whether a name is replaced by another."""
        return self.before is not None and self.after != self.before


def conflicting(claims: Sequence[Claim]) -> set[Path]:
    """Return the directories whose new names conflict; each of them keeps its old name."""
    found: set[Path] = set()
    unknown = {where for each in claims if not each.is_known for where in each.collections}
    while True:
        holders: dict[tuple[str, str | None], int] = {}
        now = [each.before if each.directory in found else each.after for each in claims]
        keys = [[(where, name) for where in each.collections] for each, name in zip(claims, now, strict=True)]
        for key in (key for several in keys for key in several):
            holders[key] = holders.get(key, 0) + 1
        more = {
            each.directory
            for each, own in zip(claims, keys, strict=True)
            if each.is_new
            and each.directory not in found
            and (each.collections & unknown or any(holders[key] > 1 for key in own))
        }
        if not more:
            return found
        found |= more


def collections(directory: Path, targets: Sequence[str]) -> frozenset[str]:
    """Return the directories in which a name must be unique: the roots of the targets, and the parent."""
    parent = os.path.abspath(directory.parent).replace(os.sep, "/")
    return frozenset({parent, *(root_of(parent, runtimes.get(target)) for target in targets)})


def unchanged(directory: Path, targets: Sequence[str], name_of: Callable[[Path], str | None]) -> Claim:
    """Return the claim of a skill that keeps its name.

    `name_of` returns the name in the frontmatter of the skill in a directory; it raises `GivenUpError` for
    one that was given up.
    """
    where = collections(directory, targets)
    try:
        name = name_of(directory)
    except GivenUpError:
        return Claim(directory, where, None, None, is_known=False)
    return Claim(directory, where, name, name)


def neighbours(
    claims: Sequence[Claim],
    targets_of: Callable[[Path], Sequence[str]],
    name_of: Callable[[Path], str | None],
) -> Iterator[Claim]:
    """Yield the siblings of skills that get a new name, as far as they are not among the claims.

    `targets_of` returns the runtimes that a skill is checked for; `name_of` is as in `unchanged`.
    """
    known: Collection[Path] = {each.directory for each in claims}
    for parent in sorted({each.directory.parent for each in claims if each.is_new}):
        for directory in sorted(parent.iterdir()):
            if directory not in known and directory.is_dir() and _is_skill(directory):
                yield unchanged(directory, targets_of(directory), name_of)


def _is_skill(directory: Path) -> bool:
    try:
        return skill_at(os.fspath(directory), os.listdir(directory)) is not None
    except OSError:
        return False
