"""Which skills does the completion of a shell offer? Only those that no shell takes for code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skilltool.errors import SkilltoolError

if TYPE_CHECKING:
    from skilltool.cli.opening import Given

# A shell puts a completion into the line as it is: `$(x)` in a stranger's name would run with it.
_HARMLESS = re.compile(r"[^\W_][\w.:@+-]*(?:/[\w.:@+-]+)*")
_HARMLESS_PATH = re.compile(r"(?![~-])(?:[\w.@+-]+/)*[\w.@+-]+")


def loaded(parameters: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the keys that the chosen runtimes load, each with the runtimes; none where that fails."""
    from skilltool.cli.opening import Given
    from skilltool.cli.watched import watched

    given = Given(parameters.get("project"), parameters.get("home"), parameters.get("roots") or ())
    ids = tuple(parameters.get("runtimes") or ())
    try:
        found: list[tuple[str, str]] = watched(_keys, ids, given, notes=lambda _: None, doing="")
    except (SkilltoolError, OSError):
        return []
    return found


def _keys(ids: tuple[str, ...], given: Given) -> list[tuple[str, str]]:
    from skilltool.cli.choosing import sessions_of

    runtimes: dict[str, list[str]] = {}
    for session in sessions_of(ids, given).sessions:
        for skill in session.skills:
            if _HARMLESS.fullmatch(skill.key):
                runtimes.setdefault(skill.key, []).append(session.runtime.id)
    return [(key, ", ".join(ids)) for key, ids in sorted(runtimes.items())]


def directories() -> Iterator[tuple[str, str]]:
    """Yield the path and the name of each skill below this directory; a home directory is not searched."""
    from skilltool.files.paths import display_path
    from skilltool.runtimes.home import user_home
    from skilltool.skill.discovery import discover

    if user_home().is_relative_to(Path.cwd()):
        return
    for skill in discover([Path()]).skills:
        path = display_path(skill)
        if _HARMLESS_PATH.fullmatch(path):
            yield path, skill.name
