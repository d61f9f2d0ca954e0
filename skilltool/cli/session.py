"""The options that `resolve` and `render` share: the runtime, its directories and its settings."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from skilltool.bounds import gate
from skilltool.cli import completing
from skilltool.cli.dead_ends import no_runtime_has
from skilltool.cli.help import option
from skilltool.cli.output import note
from skilltool.errors import SkilltoolError

if TYPE_CHECKING:
    from skilltool.runtimes.base import Runtime, Session

_OPTIONS = (
    option(
        "Runtime",
        "--runtime",
        "runtime_id",
        metavar="ID",
        shell_complete=completing.runtimes,
        help="The runtime; `skilltool runtimes` lists them. [default: the first configured one, else the one "
        "whose directory the project has]",
    ),
    option(
        "Runtime",
        "--project",
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="The project directory. [default: the current directory]",
    ),
    option(
        "Runtime",
        "--home",
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="The user's home directory. [default: yours]",
    ),
    option(
        "Runtime",
        "--root",
        "roots",
        multiple=True,
        metavar="ROLE=DIR",
        help="Use DIR as the root with this role; may be repeated.",
    ),
    option(
        "Runtime",
        "--set",
        "settings",
        multiple=True,
        metavar="KEY=VALUE",
        help="Change a setting of the runtime; may be repeated.",
    ),
    option(
        "Runtime",
        "--no-user-settings",
        "user_settings",
        is_flag=True,
        default=True,
        flag_value=False,
        help="Do not read the runtime's settings in the home directory, if it has any there.",
    ),
)


def session_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that `open_session` takes."""
    for add in reversed(_OPTIONS):
        function = add(function)
    return function


class SessionQuestion(NamedTuple):
    """The values of the options, from which a session is opened."""

    runtime_id: str | None
    project: Path | None
    home: Path | None
    roots: tuple[str, ...]
    settings: tuple[str, ...]
    user_settings: bool = True

    def open(self, skill: str | None) -> Session:
        """Choose the runtime, say why, and open its session; raises `SkilltoolError` as these do."""
        runtime, why = chosen_runtime(self.runtime_id, self.project, self.home, skill)
        if why:
            note(f"runtime {runtime.id}: {why}")
        session = open_session(runtime, *self[1:])
        gate.leave()
        return session


def open_session(
    runtime: Runtime,
    project: Path | None,
    home: Path | None,
    roots: tuple[str, ...],
    settings: tuple[str, ...],
    user_settings: bool = True,
) -> Session:
    """Open a session with the values of the options; raises `SkilltoolError` for one that is invalid."""
    from skilltool.lint import config

    for directory in (project, home):
        if directory is not None and not directory.is_dir():
            raise SkilltoolError(f"{directory}: no such directory")
    if runtime.any_roots and not roots:
        raise SkilltoolError(
            f"{runtime.id} has no default roots; name some with --root DIR (the first one takes precedence)"
        )
    configured = config.find(project or Path()).of_runtime(runtime.id)
    given = dict(_setting(runtime, entry) for entry in settings)
    if not user_settings and "user_settings" in runtime.settings:
        given["user_settings"] = False
    return runtime.open(project or Path(), home, {**configured, **given}, _roots(runtime, roots))


def _roots(runtime: Runtime, entries: tuple[str, ...]) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for number, entry in enumerate(entries, start=1):
        role, equals, directory = entry.partition("=")
        if runtime.any_roots and not (equals and not Path(entry).exists()):
            role, directory = f"root {number}", entry
        elif not equals:
            roles = ", ".join(root.role for root in runtime.roots)
            raise SkilltoolError(f"--root {entry}: expected ROLE=DIR; the roles of {runtime.id} are {roles}")
        if role in found:
            raise SkilltoolError(f"--root {entry}: the root `{role}` was already given")
        if not Path(directory).is_dir():
            raise SkilltoolError(f"--root {entry}: {directory}: no such directory")
        found[role] = Path(directory)
    return found


def _setting(runtime: Runtime, entry: str) -> tuple[str, Any]:
    """Split `KEY=VALUE` and parse the value as the type of the setting's default."""
    name, equals, text = entry.partition("=")
    if not equals:
        raise SkilltoolError(f"--set {entry}: expected KEY=VALUE")
    known = next((s for key, s in runtime.settings.items() if name in (key, *s.aliases)), None)
    if known is None or (isinstance(known.default, str) and not text.startswith('"')):
        return name, text
    if isinstance(known.default, list) and not text.startswith("["):
        return name, [part for part in text.split(",") if part]
    try:
        value = json.loads(text)
    except ValueError:
        raise SkilltoolError(
            f'--set {entry}: invalid JSON value; examples are true, 12, "text" and ["a", "b"]'
        ) from None
    if known.default is not None and type(value) is not type(known.default):
        wanted = {bool: "true or false", int: "an integer", list: "a list", str: "a string"}
        raise SkilltoolError(f"--set {entry}: the value must be {wanted[type(known.default)]}")
    return name, value


def chosen_runtime(
    named: str | None, project: Path | None, home: Path | None, skill: str | None
) -> tuple[Runtime, str | None]:
    """Return the runtime to use, and the reason for the choice (None if `named`).

    That is the named one, else the first one in the configuration, else the one whose root contains `skill`,
    and without a skill agentskills. Raises `SkilltoolError` if the roots of several runtimes contain the
    skill, or those of none.
    """
    from skilltool import runtimes
    from skilltool.lint import config

    if named == "all" or "," in (named or ""):
        raise SkilltoolError(f"--runtime {named}: name one runtime; only `skilltool lint` takes several")
    if named:
        return runtimes.get(named), None
    top = project or Path()
    configured = config.find(top).values.get("runtimes", ())
    if first := next((name for name in configured if name in runtimes.IDS), None):
        return runtimes.get(first), "configured"
    targets = [runtimes.get(name) for name in runtimes.BARE]
    holding = [(each, root) for each in targets if (root := _holding_root(each, top, skill)) is not None]
    if skill is not None and not holding:
        holding = [
            (each, root) for each in targets if (root := _root_with(each, top, home, skill)) is not None
        ]
        if not holding:
            raise no_runtime_has(skill, top, home)
    if len(holding) > 1:
        ids = ", ".join(runtime.id for runtime, _ in holding)
        raise SkilltoolError(f"the roots of several runtimes contain it: {ids}; choose one with --runtime")
    if holding:
        runtime, root = holding[0]
        return runtime, f"its root {root} {'contains the skill' if skill else 'exists'}"
    return runtimes.get("agentskills"), "the default, since no runtime's root exists"


def _holding_root(runtime: Runtime, project: Path, skill: str | None) -> str | None:
    """Return the project root of a runtime that has a folder for a skill, by its name or path."""
    return next((root for root in runtime.project_roots if _holds(project / root, skill)), None)


def _root_with(runtime: Runtime, project: Path, home: Path | None, skill: str) -> str | None:
    """Return the root in which a session of a runtime finds a copy of a skill; also those of the user."""
    from skilltool.inspect.resolve.candidates import candidates
    from skilltool.runtimes.discovery.precedence import display_path

    session = runtime.open(project, home)
    roots = (session.root(copy.role) for copy in candidates(session, skill))
    return next((display_path(session, root.path) for root in roots if root is not None), None)


def _holds(root: Path, skill: str | None) -> bool:
    if skill is None:
        return root.is_dir()
    inside = Path(skill).absolute().is_relative_to(root.absolute())
    return (root / skill).is_dir() or (inside and Path(skill).is_dir())
