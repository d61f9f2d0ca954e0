"""For which runtimes is a skill checked? For those that the user names, else for those of its place.

The owner of a place decides what is an error. Other runtimes that look there are readers: what only they
object to is information.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from skilltool import runtimes
from skilltool.files.one_run import once_a_run
from skilltool.files.paths import cached_realpath
from skilltool.files.repository import is_repository_root
from skilltool.lint.settings import AUTO, Settings
from skilltool.packages.configurations import configuration_of
from skilltool.packages.owners import links_to, owners_of
from skilltool.skill.discovery.ignore import Ignore
from skilltool.text.printable import printable

ELSEWHERE = "portable"  # the runtime of a skill that lies in nobody's place
COMMON = "agentskills"  # the specification that stands for clients that are not known well enough


class Audience(NamedTuple):
    """For whom one skill is checked, and why.

    `owners` and `readers` are ids of runtimes. `reason` is the place or the manifest, relative to a project,
    that makes them owners, or the setting that names them; empty for `portable`. `clients` own the place,
    too, but are not known well enough. `links` are paths (absolute, sorted) of the repository that lead to
    the skill. `is_place` says that it was the place that decided, `is_package` that only manifests
    are, and `is_guess` that it is what lies beside the skills: nobody says that other clients are not meant.
    """

    owners: tuple[str, ...]
    readers: tuple[str, ...] = ()
    reason: str = ""
    clients: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    is_place: bool = False
    is_package: bool = False
    is_guess: bool = False

    @property
    def names(self) -> str:
        """The owners and the reason, for people: "`claude-code` (.claude/skills)"."""
        names = ", ".join(f"`{name}`" for name in self.owners)
        return f"{names} ({printable(self.reason)})" if self.reason else names

    def path_for(self, directory: str, runtime: str) -> str:
        """Return the absolute path at which a runtime finds the skill in `directory`: that, or a link."""
        owned = (path for path in (directory, *self.links) if runtime in _runtimes_at(path))
        return next(owned, directory)

    @property
    def runtimes(self) -> tuple[str, ...]:
        """The ids of all runtimes that the skill is checked against, owners first."""
        return self.owners + self.readers

    def is_common_ground(self, runtime: str) -> bool:
        """Return whether the specification stands for the clients that read the place."""
        return self.is_place and runtime == COMMON


def depends_on_place(settings: Settings) -> bool:
    """Return whether skills of one run can be checked against different runtimes."""
    return AUTO in settings.runtimes or bool(settings.per_path_runtimes)


def audience_of(settings: Settings, directory: str | Path) -> Audience:
    """Return for whom the skill in `directory` is checked."""
    if not depends_on_place(settings):
        return Audience(settings.runtimes)
    absolute = os.path.abspath(directory)
    return _audience(absolute, settings.runtimes, settings.per_path_runtimes, settings.base)


def cache_key(settings: Settings, directory: Path) -> list[str]:
    """Return what a cached result of one skill depends on besides the settings: for whom it was checked."""
    if not depends_on_place(settings):
        return []
    audience = audience_of(settings, directory)
    return [*audience.owners, "/", *audience.readers, "/", *audience.clients, str(audience.is_place)]


@once_a_run()
def _audience(
    directory: str, named: tuple[str, ...], per_path: tuple[tuple[str, tuple[str, ...]], ...], base: Path
) -> Audience:
    for pattern, ids in per_path:
        if _matches(pattern, base, directory):
            return _with(of_place(directory), ids, pattern)
    return _with(of_place(directory), named, "runtimes")


def _with(by_place: Audience, named: Sequence[str], reason: str) -> Audience:
    """Return an audience by the names that the user gave, of which `auto` stands for the place."""
    others = tuple(name for name in named if name != AUTO)
    if AUTO not in named:
        return Audience(others, reason=reason, links=by_place.links)
    readers = tuple(reader for reader in by_place.readers if reader not in others)
    owners = _unique((*by_place.owners, *others))
    return by_place._replace(owners=owners, readers=readers, is_place=COMMON not in others)


def of_place(directory: str) -> Audience:
    """Return for whom the skill in a directory (absolute) is, going by its place alone."""
    real = real_directory(directory)
    links = links_to(real)
    claims = [claim for path in (real, *links) if (claim := owners_of(path)) is not None]
    clients = _unique(client for claim in claims for client in claim.clients)
    if not claims and (own := configuration_of(real)) is not None:
        return Audience((own.place.client,), own.place.readers, own.reason, links=links, is_guess=True)
    owners = tuple(client for client in clients if client in runtimes.IDS and client not in runtimes.REPORTED)
    unknown = tuple(client for client in clients if client not in owners)
    if not owners:
        owners = (COMMON,) if unknown else (ELSEWHERE,)
    others = (name for claim in claims for name in claim.readers)
    readers = _unique(name for name in others if name not in owners and name not in runtimes.REPORTED)
    reason = ", ".join(_unique(claim.reason for claim in claims))
    package = bool(claims) and all(claim.is_package for claim in claims)
    return Audience(owners, readers, reason, unknown, links, is_place=True, is_package=package)


def real_directory(directory: str) -> str:
    """Return the real path of a skill (absolute) if that is in the same repository, else the path."""
    real = cached_realpath(directory)
    if real == directory:
        return directory
    enclosing = [parent for parent in Path(directory).parents if is_repository_root(parent)]
    inside = all(Path(real).is_relative_to(os.path.realpath(path)) for path in enclosing)
    return real if enclosing and inside else directory


def _runtimes_at(path: str) -> tuple[str, ...]:
    claim = owners_of(path)
    return () if claim is None else (*claim.clients, *claim.readers)


def _matches(pattern: str, base: Path, directory: str) -> bool:
    return Ignore((pattern,), base).covers(Path(directory, "SKILL.md")).drops


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
