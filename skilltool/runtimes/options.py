"""What can a user choose of a runtime: the directories in which it looks for skills, and its switches."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from skilltool.errors import UnknownNameError
from skilltool.runtimes.values import ResolvedRoot


class Root(NamedTuple):
    """A directory in which a runtime looks for skills.

    `role` names it (`--root ROLE=DIR`). `path_template` is a path that begins with `{project}` or `{home}`,
    None if there is no default and the user has to name one. `scope` is `project`, `user`, `plugin`,
    `bundled` or, for the whole machine, `admin`. `unscanned` is a sentence that says why the runtime does not
    scan it as a whole, None if it does.
    """

    role: str
    path_template: str | None
    scope: str = "project"
    unscanned: str | None = None


class Setting(NamedTuple):
    """A switch of a runtime: its default, what it does, and other spellings of its name.

    The type of `default` is the type of the value: bool, int, str, list, or None for any JSON data. `about`
    is a phrase without a full stop for `skilltool runtimes ID` and for the description in the
    configuration's schema. `differs_from_runtime` marks a default that is not the runtime's own: a session
    starts with skills enabled even where the runtime has them disabled. `in_lint` is the value with which
    `lint` opens a session, None for the default: its findings must not depend on who runs it.
    """

    default: Any
    about: str
    aliases: tuple[str, ...] = ()
    differs_from_runtime: bool = False
    in_lint: Any = None


def resolved_roots(
    runtime_id: str, roots: Sequence[Root] | None, given: Mapping[str, Path], project: Path, home: Path
) -> tuple[ResolvedRoot, ...]:
    """Return the roots with their absolute paths: what is `given` by role, else the default if there is one.

    With None for `roots`, those that are given, in that order. Raises `UnknownNameError` for a role that the
    runtime does not have.
    """
    if roots is None:
        return tuple(
            ResolvedRoot(role, Path(os.path.abspath(path)), str(path)) for role, path in given.items()
        )
    known = {root.role for root in roots}
    for role in given:
        if role not in known:
            raise UnknownNameError(f"{runtime_id} root", role, known, f"skilltool runtimes {runtime_id}")
    resolved: list[ResolvedRoot] = []
    for root in roots:
        if root.role in given:
            path = Path(os.path.abspath(given[root.role]))
            resolved.append(ResolvedRoot(root.role, path, str(given[root.role]), root.unscanned))
        elif root.path_template is not None:
            usual = root.path_template.format(project=project, home=home)
            resolved.append(ResolvedRoot(root.role, Path(usual), usual, root.unscanned))
    return tuple(resolved)
