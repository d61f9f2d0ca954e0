"""Which SKILL.md files does Codex find below a root, and which directories does it pass over?

Source: `skills/list` of codex 0.169.0 for trees of ours, `core-skills/src/loader/discovery.rs` of
openai/codex.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from skilltool.runtimes.loading import (
    is_directory_here,
    is_file_here,
    is_here,
    is_link_here,
    names,
)
from skilltool.runtimes.values import SILENTLY
from skilltool.skill.skill_file import FILE_NAME

MOST_LEVELS = 6
_MOST_DIRECTORIES, _MOST_ENTRIES = 2_000, 20_000


class Found(NamedTuple):
    """A SKILL.md: the directory by the path of the walk, and its real path."""

    directory: Path
    real: Path


class PassedOver(NamedTuple):
    """A directory that could have been meant as a skill, and why it is none."""

    directory: Path
    why: str


class Walk(NamedTuple):
    """What is below one root, in the order of the walk: level by level, in the byte order of names."""

    found: list[Found]
    passed_over: list[PassedOver]


def walk(root: Path, follow_links: bool = True) -> Walk:
    """Walk a root (a real path) as Codex does: each real directory once, by the path that comes first.

    Nothing at all if the root cannot be listed.
    """
    done = Walk([], [])
    visited = {os.path.realpath(root)}
    level = [root]
    entries = 0
    for depth in range(MOST_LEVELS + 1):
        below: list[Path] = []
        for directory in level:
            try:
                listed = names(directory)
            except OSError:
                continue
            entries += len(listed)
            if entries > _MOST_ENTRIES:
                return done
            if (why := _problem(directory, listed)) is not None:
                done.passed_over.append(PassedOver(directory, why))
            elif FILE_NAME in listed:
                done.found.append(Found(directory, Path(os.path.realpath(directory))))
            for child, hidden in _children(directory, listed, follow_links):
                if hidden is not None:
                    done.passed_over.append(PassedOver(child, hidden))
                elif depth == MOST_LEVELS:
                    done.passed_over.extend(_too_deep(child))
                elif (real := os.path.realpath(child)) not in visited and len(visited) < _MOST_DIRECTORIES:
                    visited.add(real)
                    below.append(child)
        level = below
    return done


def _problem(directory: Path, listed: list[str]) -> str | None:
    """Return why a directory with a file named like a SKILL.md is passed over, else None."""
    like = [name for name in listed if name.lower() == FILE_NAME.lower()]
    if not like:
        return None
    if FILE_NAME not in like:
        return f"`{like[0]}` is not named {FILE_NAME} {SILENTLY}"
    file = directory / FILE_NAME
    if is_link_here(file):
        return f"its {FILE_NAME} is a link, not a regular file {SILENTLY}"
    return None if is_file_here(file) else f"its {FILE_NAME} is not a regular file {SILENTLY}"


def _children(directory: Path, listed: list[str], follow: bool) -> Iterator[tuple[Path, str | None]]:
    """Yield the directories in a directory, each with why it is passed over if it could hold a skill."""
    for name in listed:
        path = directory / name
        if is_link_here(path) and (not follow or not is_directory_here(path)):
            continue
        if not is_directory_here(path):
            continue
        if not name.startswith("."):
            yield path, None
        elif is_here(path / FILE_NAME):
            yield path, f"its name begins with a dot {SILENTLY}"


def _too_deep(directory: Path) -> list[PassedOver]:
    if not is_here(directory / FILE_NAME):
        return []
    return [PassedOver(directory, f"it is more than {MOST_LEVELS} levels below the root {SILENTLY}")]


def refusal(directory: Path) -> str | None:
    """Return why a directory would not be found as a skill, None if it would be."""
    if directory.name.startswith("."):
        return f"its name begins with a dot {SILENTLY}"
    try:
        listed = names(directory)
    except OSError as error:
        return f"it cannot be listed: {error.strerror}"
    problem = _problem(directory, listed)
    return problem if problem or FILE_NAME in listed else f"it has no {FILE_NAME} {SILENTLY}"
