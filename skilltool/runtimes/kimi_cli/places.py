"""In which directories does Kimi CLI look for skills, and in which order?"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from skilltool.runtimes.base import Session
from skilltool.runtimes.loading import is_directory_here, is_here
from skilltool.runtimes.values import ResolvedRoot

PROJECT, USER, EXTRA, BUILTIN = "project", "user", "extra", "builtin"
_BRANDS = ("kimi", "claude", "codex")


class Place(NamedTuple):
    """A root, with links resolved, and the program's word for where it is: its scope."""

    root: ResolvedRoot
    scope: str


def places(session: Session) -> tuple[list[Place], list[ResolvedRoot]]:
    """Return the roots that are scanned, each real directory once, and those that others keep out."""
    top = project_root(session.project)
    found: list[Place] = []
    left_out: list[ResolvedRoot] = []
    if session.settings["skills_dir"]:
        why = "the setting `skills_dir` names other directories"
        usual = (root for root in session.roots if root.role != "plugin")
        left_out += [root._replace(unscanned=why) for root in usual if root.exists]
        found += [_place(path, "skills-dir", EXTRA) for path in _given(session, session.project)]
    else:
        for scope in (PROJECT, USER):
            scanned, others = _of_scope(session, scope, top)
            found += scanned
            left_out += others
    extra = (_extra(name, top, session.home) for name in session.settings["extra_skill_dirs"] if name)
    found += [_place(path, "extra", EXTRA) for path in extra if is_directory_here(path)]
    plugins = session.root("plugin")
    found += [_place(plugins.path, plugins.role, EXTRA)] if plugins is not None and plugins.exists else []
    return list(_numbered(_unique(found))), left_out


def project_root(directory: Path) -> Path:
    """Return the nearest directory upwards with a `.git`, else the directory itself."""
    tops = (each for each in (directory, *directory.parents) if is_here(each / ".git"))
    return next(tops, directory)


def _of_scope(session: Session, scope: str, top: Path) -> tuple[list[Place], list[ResolvedRoot]]:
    """Return the roots of the project or of the user that are scanned, and those that others keep out."""
    roots = [_moved(session, root, top) for root in session.roots if root.role.partition("-")[0] == scope]
    brands = [root for root in roots if root.role.endswith(_BRANDS) and root.exists]
    generic = [root for root in roots if not root.role.endswith(_BRANDS) and root.exists]
    kept = brands if session.settings["merge_all_available_skills"] else brands[:1]
    others = [_kept_out(root, kept[0]) for root in brands[len(kept) :]]
    others += [_kept_out(root, generic[0]) for root in generic[1:]]
    return [_place(root.path, root.role, scope) for root in [*kept, *generic[:1]]], others


def _kept_out(root: ResolvedRoot, first: ResolvedRoot) -> ResolvedRoot:
    return root._replace(unscanned=f"only the first directory that exists counts, and `{first.role}` does")


def _moved(session: Session, root: ResolvedRoot, top: Path) -> ResolvedRoot:
    """Return a root of the project in the root of its repository, unless `--root` names it."""
    template = next(each.path_template for each in session.runtime.roots if each.role == root.role) or ""
    if root.path != Path(template.format(project=session.project, home=session.home)):
        return root
    path = Path(template.format(project=top, home=session.home))
    return root._replace(path=path, display_path=str(path))


def _given(session: Session, base: Path) -> Iterator[Path]:
    return (base / name for name in session.settings["skills_dir"])


def _extra(name: str, top: Path, home: Path) -> Path:
    """Return a directory of `extra_skill_dirs`: below the home directory, absolute, or relative."""
    if name == "~" or name.startswith("~/"):
        return home / name[2:]
    return top / name


def _place(path: Path, role: str, scope: str) -> Place:
    resolved = Path(os.path.realpath(path))
    return Place(ResolvedRoot(role, resolved, str(resolved)), scope)


def _unique(found: Iterable[Place]) -> Iterator[Place]:
    seen: set[Path] = set()
    for place in found:
        if place.root.path not in seen:
            seen.add(place.root.path)
            yield place


def _numbered(found: Iterable[Place]) -> Iterator[Place]:
    """Yield roots with a number after the role where several have the same."""
    counts: dict[str, int] = {}
    for place in found:
        role = place.root.role
        counts[role] = counts.get(role, 0) + 1
        numbered = f"{role}-{counts[role]}" if role in ("extra", "skills-dir") else role
        yield place._replace(root=place.root._replace(role=numbered))
