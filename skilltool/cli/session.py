"""What `resolve` and `render` share: options that say in which runtime, where, and in which state."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from skilltool.cli import completing
from skilltool.errors import SkilltoolError

if TYPE_CHECKING:
    from skilltool.runtimes.base import Runtime, Session

_OPTIONS = (
    click.option(
        "--runtime",
        "runtime_id",
        metavar="ID",
        shell_complete=completing.runtimes,
        help="The runtime; `skilltool runtimes` lists them.",
    ),
    click.option(
        "--project", type=click.Path(path_type=Path), metavar="DIR", help="The project; default: here."
    ),
    click.option(
        "--home", type=click.Path(path_type=Path), metavar="DIR", help="The user's home; default: yours."
    ),
    click.option(
        "--root", "roots", multiple=True, metavar="ROLE=DIR", help="Put a root elsewhere; repeatable."
    ),
    click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="A setting of the runtime."),
)


def session_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that open a session."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def open_session(
    runtime: Runtime,
    project: Path | None,
    home: Path | None,
    roots: tuple[str, ...],
    settings: tuple[str, ...],
) -> Session:
    """Open a session from the values of the options. Raises `SkilltoolError` for what does not fit."""
    from skilltool.lint import config

    for place in (project, home):
        if place is not None and not place.is_dir():
            raise SkilltoolError(f"{place}: no such directory")
    if runtime.any_roots and not roots:
        raise SkilltoolError(
            f"{runtime.id} has no roots of its own; name them: --root DIR, the first one wins"
        )
    configured = config.find(project or Path()).of_runtime(runtime.id)
    given = dict(_setting(runtime, entry) for entry in settings)
    return runtime.open(project or Path(), home, {**configured, **given}, _roots(runtime, roots))


def _roots(runtime: Runtime, entries: tuple[str, ...]) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for number, entry in enumerate(entries, start=1):
        role, equals, place = entry.partition("=")
        if runtime.any_roots and not (equals and not Path(entry).exists()):
            role, place = f"root {number}", entry
        elif not equals:
            roles = ", ".join(root.role for root in runtime.roots)
            raise SkilltoolError(f"--root {entry}: write ROLE=DIR; the roles of {runtime.id} are: {roles}")
        if role in found:
            raise SkilltoolError(f"--root {entry}: the root `{role}` is given twice")
        if not Path(place).is_dir():
            raise SkilltoolError(f"--root {entry}: {place}: no such directory")
        found[role] = Path(place)
    return found


def _setting(runtime: Runtime, entry: str) -> tuple[str, Any]:
    """Return the name and value of `KEY=VALUE`, the value read as the setting's type."""
    name, equals, text = entry.partition("=")
    if not equals:
        raise SkilltoolError(f"--set {entry}: write KEY=VALUE")
    known = next((s for key, s in runtime.settings.items() if name in (key, *s.aliases)), None)
    if known is None or (isinstance(known.default, str) and not text.startswith('"')):
        return name, text
    if isinstance(known.default, list) and not text.startswith("["):
        return name, [part for part in text.split(",") if part]
    try:
        value = json.loads(text)
    except ValueError:
        raise SkilltoolError(f'--set {entry}: the value is not JSON (true, 12, "text", ["a", "b"])') from None
    if known.default is not None and type(value) is not type(known.default):
        wanted = {bool: "true or false", int: "a number", list: "a list", str: "text"}[type(known.default)]
        raise SkilltoolError(f"--set {entry}: the value must be {wanted}")
    return name, value


def chosen_runtime(named: str | None, project: Path | None, skill: str | None) -> tuple[Runtime, str | None]:
    """Return the runtime to use, and why where nobody named one.

    Named, else the first configured one; else the one whose project root holds `skill` (raises
    `SkilltoolError` if several do), else agentskills.
    """
    from skilltool import runtimes
    from skilltool.lint import config

    if named:
        return runtimes.get(named), None
    top = project or Path()
    configured = config.find(top).values.get("runtimes", ())
    if first := next((name for name in configured if name != "all"), None):
        return runtimes.get(first), "configured"
    holding = [
        runtime
        for runtime in map(runtimes.get, runtimes.BARE)
        if any(_holds(top / root, skill) for root in runtime.project_roots)
    ]
    if len(holding) > 1:
        ids = ", ".join(runtime.id for runtime in holding)
        raise SkilltoolError(f"the roots of several runtimes hold it: {ids}; choose one with --runtime")
    if holding:
        where = holding[0].project_roots[0]
        return holding[0], f"its root {where} {'holds the skill' if skill else 'is here'}"
    return runtimes.get("agentskills"), "chosen because no other runtime's root " + (
        "holds it" if skill else "is here"
    )


def _holds(root: Path, skill: str | None) -> bool:
    if skill is None:
        return root.is_dir()
    inside = Path(skill).absolute().is_relative_to(root.absolute())
    return (root / skill).is_dir() or (inside and Path(skill).is_dir())
