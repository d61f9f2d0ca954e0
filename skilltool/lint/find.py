"""Which skills does a run check, and for whom?"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from skilltool.errors import PathError
from skilltool.files.paths import display_path
from skilltool.lint import audience
from skilltool.lint.audience import Audience, audience_of
from skilltool.lint.settings import Settings
from skilltool.packages.kinds import file_names, kind_of
from skilltool.rules import PACKAGE_RULES
from skilltool.skill.discovery import Discovery, discover


def find_skills(settings: Settings) -> Discovery:
    """Find the skills that `settings.paths` name; raises `PathError` as `check_skills` does."""
    found = discover(
        settings.paths,
        exclude=settings.exclude,
        base=settings.base,
        respect_gitignore=settings.respect_gitignore,
        force_exclude=settings.force_exclude,
        wanted=file_names() if checks_manifests(settings) else frozenset(),
    )
    if found.files:
        found = found._replace(files=tuple(_manifests(found)))
    if audience.depends_on_place(settings):
        found = found._replace(skills=_at_real_places(found.skills))
    if (
        not found.skills
        and not found.files
        and not found.problems
        and not (settings.allow_empty or settings.force_exclude)
    ):
        raise PathError(_nothing_in(settings.paths))
    return found


def checks_manifests(settings: Settings) -> bool:
    """Return whether any rule about manifests runs."""
    return any(name in PACKAGE_RULES for name in settings.rules)


def _manifests(found: Discovery) -> Iterator[Path]:
    """Yield the manifests among the files found; those inside of a skill are its data, such as templates."""
    skills = set(found.skills)
    for file in found.files:
        kind = kind_of(file.as_posix())
        if kind is not None:
            top = file.parents[kind.file.count("/")]
            if skills.isdisjoint(top.parents):
                yield file


def planned_audiences(settings: Settings) -> dict[str, Audience]:
    """Return for whom each skill would be checked, by its path; empty if the user named the runtimes."""
    audience.forget()
    if not audience.depends_on_place(settings):
        return {}
    found = find_skills(settings._replace(allow_empty=True))
    return {display_path(each): audience_of(settings, each) for each in found.skills}


def _at_real_places(skills: Sequence[Path]) -> tuple[Path, ...]:
    """Return the directories with links inside a repository followed, each once: they are the same skill."""
    real = {audience.real_directory(os.fspath(each)) for each in skills}
    return tuple(sorted(map(Path, real), key=lambda each: each.parts))


def _nothing_in(paths: Sequence[Path]) -> str:
    named = ", ".join(f"`{path}`" for path in paths)
    return (
        f"no skills found in {named}: no directory contains a SKILL.md, or all of them are excluded; "
        "name another path, look into what git ignores with --no-respect-gitignore, "
        "or allow an empty run with --allow-empty"
    )
