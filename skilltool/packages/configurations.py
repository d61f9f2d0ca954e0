"""Is a directory the configuration of one client, which somebody keeps in a repository under another name?

`~/.claude` has `skills/` beside `commands/`, `agents/` and CLAUDE.md. A repository with these and nothing of
other clients is not a library for all of them. The table is in `schemas/places.json`.
"""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from skilltool.files.one_run import once_a_run
from skilltool.files.reading import MEBIBYTE, read_bounded
from skilltool.packages.manifest import Place, configurations, places, signs
from skilltool.packages.owners import directories_up

_OF_ALL = (".agents", "AGENTS.md", "plugin.json")  # files of a client that are also those of others
_IN_PASSING = 10  # mentions of a client for each of others


class Configuration(NamedTuple):
    """The place of which a directory is a copy, and the names in it that say so, for people."""

    place: Place
    reason: str


def configuration_of(directory: str) -> Configuration | None:
    """Return whose configuration directory has a skill (absolute path) in its directory of skills, if any."""
    for holder in directories_up(directory.replace(os.sep, "/"))[1:]:
        found = _configuration_at(holder)
        if found is not None and directory.startswith(f"{holder}/{found[1]}/"):
            return found[0]
    return None


@once_a_run()
def _configuration_at(directory: str) -> tuple[Configuration, str] | None:
    """Return the configuration that a directory is, and the name of its directory of skills."""
    for row in configurations():
        if not os.path.isdir(f"{directory}/{row['skills']}"):
            continue
        *needed, last = row["beside"]
        named = [_has(directory, names) for names in (*needed, last)]
        has_others = bool(_has(directory, row["without"]))
        if all(named[:-1]) and _is_for(directory, row, bool(named[-1]), has_others):
            place = next(each for each in places() if each.path == row["place"])
            signs = " and ".join(name for name in named if name)
            top = place.path.partition("/")[0]
            return Configuration(place, f"as in ~/{top}, beside {signs}"), row["skills"]
    return None


def _has(directory: str, names: list[str]) -> str:
    """Return the first of some names that a directory has, empty for none."""
    return next((name for name in names if os.path.lexists(f"{directory}/{name}")), "")


def _is_for(directory: str, row: dict[str, Any], has_sign: bool, has_others: bool) -> bool:
    """Return whether a README leaves a directory to one client; with a sign it may mention others rarely.

    Beside files of other clients it has to name the client's directory in a home directory, `~/.claude`.
    """
    text = _readme(directory)
    if not text:
        return has_sign and not has_others
    own, others = _mentions(text, row)
    if has_others:
        return f"~/{row['place'].partition('/')[0]}" in text and own > 0 and others == 0
    return others * _IN_PASSING <= own if has_sign else own > 0 and others == 0


@once_a_run()
def names_clients(directory: str) -> bool:
    """Return whether the top of a repository (absolute path) names clients, in a README or by a file."""
    for row in configurations():
        if _has(directory, [name for name in row["without"] if name not in _OF_ALL] + row["beside"][-1]):
            return True
    text = _readme(directory)
    return any(re.search(row["named"], text) is not None for row in configurations())


@once_a_run()
def clients_of(directory: str) -> frozenset[str]:
    """Return the clients of which the top of a repository (absolute path) has files, such as `.codex`."""
    return frozenset(client for client, names in signs() if _has(directory, list(names)))


def names_one_client(directory: str) -> bool:
    """Return whether the README at the top of a repository names one client, and nothing is for others."""
    return any(_is_for_one(directory, row) for row in configurations())


def names_strict_client(directory: str) -> bool:
    """Return whether the README at the top of a repository names a client that is strict about names."""
    return any(re.search(row["strict"], _readme(directory)) is not None for row in configurations())


def _is_for_one(directory: str, row: dict[str, Any]) -> bool:
    own, others = _mentions(_readme(directory), row)
    return own > 0 and others == 0 and not _has(directory, row["without"])


def _mentions(text: str, row: dict[str, Any]) -> tuple[int, int]:
    """Return how often a README names the client of a row, and how often others."""
    return len(_pattern(row["readme"]).findall(text)), len(_pattern(row["others"]).findall(text))


@once_a_run()
def _readme(directory: str) -> str:
    try:
        return read_bounded(Path(directory, "README.md"), MEBIBYTE).decode("utf-8", "replace")
    except OSError:
        return ""


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)
