"""How do clients look for folders with a SKILL.md: directly in each root or at any depth, and who wins?"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from skilltool.runtimes.base import Session
from skilltool.runtimes.discovery.precedence import first_wins
from skilltool.runtimes.discovery.scanning import children, is_directory_entry, is_directory_here, names
from skilltool.runtimes.values import LoadedSkill, Refused, unlistable_root
from skilltool.skill.skill_file import FILE_NAME

Loader = Callable[[Path], LoadedSkill | Refused]
Finder = Callable[[Path], list[Path]]
_MOST_ENTRIES = 20_000


def directly_in(root: Path) -> list[Path]:
    """Return the directories in a root, links to some included; raises OSError."""
    return list(filter(is_directory_entry, children(root)))


def anywhere_in(root: Path, passed_over: frozenset[str] = frozenset()) -> list[Path]:
    """Return the root and the directories below it that have a SKILL.md, links followed; raises OSError.

    So are those with a file of that name in another case, for the loader to refuse. Each real directory comes
    once, after the directory it is in, in the byte order of names; directories with a name of `passed_over`
    are not entered.
    """
    found: list[Path] = []
    visited: set[str] = set()
    entries = 0
    waiting = [root]
    while waiting:
        directory = waiting.pop()
        real = os.path.realpath(directory)
        if real in visited or entries > _MOST_ENTRIES:
            continue
        visited.add(real)
        try:
            listed = names(directory)
        except OSError:
            if directory == root:
                raise
            continue
        entries += len(listed)
        if FILE_NAME.lower() in map(str.lower, listed) and not is_directory_here(directory / FILE_NAME):
            found.append(directory)
        below = [directory / name for name in listed if name not in passed_over]
        waiting += reversed([path for path in below if is_directory_here(path)])
    return found


def loaded(session: Session, load: Loader, find: Finder) -> Iterator[LoadedSkill]:
    """Yield the skills of each root of a session, in order; what is refused is noted in the session."""
    for root in session.roots:
        try:
            directories = find(root.path) if root.exists else []
        except OSError as error:
            session.skipped.append(unlistable_root(root, error))
            continue
        for directory in directories:
            found = load(directory)
            if isinstance(found, Refused):
                session.skipped.append(found._replace(role=root.role))
            else:
                yield found._replace(role=root.role)


def scan(session: Session, load: Loader, find: Finder = directly_in) -> None:
    """Fill a session in which the first copy of a key wins."""
    for skill in loaded(session, load, find):
        first = session.find(skill.key)
        if first is None:
            session.skills.append(skill)
        else:
            session.shadowed.append(first_wins(session, first, skill))
