"""Opens sessions with the values of `--project`, `--home`, `--root` and `--set`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from skilltool.bounds import gate
from skilltool.errors import SkilltoolError, UnknownNameError
from skilltool.packages.standing import Standing

if TYPE_CHECKING:
    from skilltool.runtimes.base import Runtime, Session


class Given(NamedTuple):
    """The values of the options from which sessions are opened.

    `configured_at` is the directory that the configuration is searched from, the project where it is None.
    `standing` is what a client is told of beside them. `below_top` says that the rest of the repository
    counts, though a `project` is named, since that stands for the working directory.
    """

    project: Path | None = None
    home: Path | None = None
    roots: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    user_settings: bool = True
    configured_at: Path | None = None
    standing: Standing = Standing()
    below_top: bool = False

    @property
    def top(self) -> Path:
        """The project directory."""
        return self.project or Path()


def open_session(runtime: Runtime, given: Given) -> Session:
    """Open a session with the values of the options; raises `SkilltoolError` for one that is invalid."""
    from skilltool.lint import config

    for directory in (given.project, given.home):
        if directory is not None and not directory.is_dir():
            raise SkilltoolError(f"{directory}: no such directory")
    standing = given.standing
    if runtime.any_roots and not (given.roots or standing.roots):
        raise SkilltoolError(f"{runtime.id} has no default roots; name some with --root DIR")
    configured = config.find(given.configured_at or given.top).of_runtime(runtime.id)
    values = dict(_setting(runtime, entry) for entry in given.settings)
    if not given.user_settings and "user_settings" in runtime.settings:
        values["user_settings"] = False
    roots = {**standing.roots, **_roots(runtime, given.roots)}
    settings = {**configured, **standing.settings, **values}
    session = runtime.open(standing.project or given.top, given.home, settings, roots)
    gate.leave()
    return session


def open_sessions(runtimes: Sequence[Runtime], given: Given) -> list[Session]:
    """Open a session of each runtime, with the roots and settings that it has; raises as `check_options`."""
    check_options(runtimes, given)
    return [open_session(runtime, without_others(runtime, given)) for runtime in runtimes]


def check_options(runtimes: Sequence[Runtime], given: Given) -> None:
    """Raise `SkilltoolError` for a value that is invalid, or that none of the runtimes has."""
    ids = ", ".join(runtime.id for runtime in runtimes)
    which, one = (f"{ids} ", ids) if len(runtimes) == 1 else ("", "ID")
    roles = {root.role for runtime in runtimes for root in runtime.roots}
    for entry in given.roots:
        if not any(runtime.any_roots or _has_role(runtime, entry) for runtime in runtimes):
            role, equals, _ = entry.partition("=")
            if not equals:
                raise SkilltoolError(
                    f"--root {entry}: expected ROLE=DIR; the roles of {ids} are {', '.join(sorted(roles))}"
                )
            raise UnknownNameError(f"{which}root", role, roles, f"skilltool runtimes {one}")
    known = {name for runtime in runtimes for name in _names_of_settings(runtime)}
    for entry in given.settings:
        name, equals, _ = entry.partition("=")
        if equals and name not in known:
            raise UnknownNameError(f"{which}setting", name, known, f"skilltool runtimes {one}")


def without_others(runtime: Runtime, given: Given) -> Given:
    """Return the values without roots and settings that the runtime does not have."""
    names = set(_names_of_settings(runtime))
    return given._replace(
        roots=tuple(entry for entry in given.roots if runtime.any_roots or _has_role(runtime, entry)),
        settings=tuple(
            entry for entry in given.settings if "=" not in entry or entry.partition("=")[0] in names
        ),
    )


def _has_role(runtime: Runtime, entry: str) -> bool:
    role, equals, _ = entry.partition("=")
    return bool(equals) and role in {root.role for root in runtime.roots}


def _names_of_settings(runtime: Runtime) -> list[str]:
    return [name for key, known in runtime.settings.items() for name in (key, *known.aliases)]


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
