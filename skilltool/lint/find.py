"""Which skills does a run check, and for whom?"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from skilltool.errors import PathError
from skilltool.files.one_run import one_run
from skilltool.files.paths import display_path
from skilltool.files.repository import up_to_repository
from skilltool.lint import targets
from skilltool.lint.settings import Settings
from skilltool.lint.targets import Audience, audience_of
from skilltool.packages.manifest import file_names, kind_of, skills_directories
from skilltool.rules import PACKAGE_RULES
from skilltool.runtimes.home import user_home_or_none
from skilltool.skill.discovery import Discovery, discover


def find_skills(settings: Settings) -> Discovery:
    """Find the skills that `settings.paths` name; raises `PathError` as `check_skills` does.

    Where no path was named and none lies under the working directory, those above it: in the places where the
    clients of this directory look, else all of the repository. A note says so.
    """
    discovery = _found_in(settings.paths, settings)
    if settings.looks_up and not (discovery.skills or discovery.files or discovery.problems):
        discovery = _found_above(settings) or discovery
    if discovery.problems:
        discovery = discovery._replace(
            problems=tuple(_with_nearest(problem, settings) for problem in discovery.problems)
        )
    if discovery.files:
        discovery = discovery._replace(files=tuple(_manifests(discovery)))
    if targets.depends_on_place(settings):
        discovery = discovery._replace(skills=_at_real_places(discovery.skills))
    if (
        not discovery.skills
        and not discovery.files
        and not discovery.problems
        and not (settings.allow_empty or settings.force_exclude)
    ):
        raise PathError("; ".join((_nothing_in(settings.paths), *discovery.notes)))
    return discovery


def _found_in(paths: Sequence[Path], settings: Settings) -> Discovery:
    return discover(
        paths,
        exclude=settings.exclude,
        base=settings.base,
        respect_gitignore=settings.respect_gitignore,
        force_exclude=settings.force_exclude,
        wanted=file_names() if checks_manifests(settings) else frozenset(),
    )


def _found_above(settings: Settings) -> Discovery | None:
    """Return what a repository has for a directory under its top, with a note; None if there is none."""
    levels = up_to_repository(Path())[1:]
    places = [place for level in levels for place in skills_directories(level) if os.path.isdir(place)]
    for paths in (places, levels[-1:]):
        discovery = _found_in(paths, settings)
        if discovery.skills or discovery.files:
            shown = ", ".join(os.path.relpath(path) for path in paths)
            note = f"no skills under this directory; checked its repository instead: {shown}"
            return discovery._replace(notes=(*discovery.notes, note))
    return None


def checks_manifests(settings: Settings) -> bool:
    """Return whether any rule about manifests runs."""
    return any(name in PACKAGE_RULES for name in settings.rules)


def _manifests(discovery: Discovery) -> Iterator[Path]:
    """Yield the manifests among the files found; those inside of a skill are its data, such as templates."""
    skills = set(discovery.skills)
    for file in discovery.files:
        kind = kind_of(file.as_posix())
        if kind is not None:
            top = file.parents[kind.file.count("/")]
            if skills.isdisjoint(top.parents):
                yield file


@one_run()
def planned_audiences(settings: Settings) -> dict[str, Audience]:
    """Return for whom each skill would be checked, by its path; empty if the user named the runtimes."""
    if not targets.depends_on_place(settings):
        return {}
    discovery = find_skills(settings._replace(allow_empty=True))
    return {display_path(skill): audience_of(settings, skill) for skill in discovery.skills}


def _at_real_places(skills: Sequence[Path]) -> tuple[Path, ...]:
    """Return the directories with links inside a repository followed, each once: they are the same skill."""
    real = {targets.real_directory(os.fspath(skill)) for skill in skills}
    return tuple(sorted(map(Path, real), key=lambda path: path.parts))


def _with_nearest(problem: str, settings: Settings) -> str:
    """Return a problem, for a path that does not exist with the path of a skill of that name."""
    for path in settings.paths:
        if os.path.lexists(path) or not problem.startswith(f"{path}: "):
            continue
        near = [skill for skill in discover([Path()]).skills if skill.name == path.name]
        if near:
            return f"{problem}; did you mean `{display_path(near[0])}`?"
    return problem


def _nothing_in(paths: Sequence[Path]) -> str:
    named = ", ".join(f"`{path}`" for path in paths)
    return (
        f"no skills found in {named}: no directory contains a SKILL.md, or all of them are excluded; "
        f"{_at_home()}name a different path, include ignored files with --no-respect-gitignore, "
        "or allow an empty run with --allow-empty"
    )


def _at_home() -> str:
    """Return which skills directories the home directory has, as a part of a sentence; empty for none."""
    home = user_home_or_none()
    there = (
        []
        if home is None
        else [directory for directory in skills_directories(home) if os.path.isdir(directory)]
    )
    names = [f"~/{path.relative_to(home).as_posix()}" for path in there if home is not None]
    return f"your home directory has {', '.join(names)} (`skilltool lint {names[0]}`); " if names else ""
