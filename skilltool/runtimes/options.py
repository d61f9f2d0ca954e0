"""What can be chosen of a runtime: the places in which it looks for skills, and its switches."""

from __future__ import annotations

from typing import Any, NamedTuple


class Root(NamedTuple):
    """A place in which a runtime looks for skills.

    `place` is a path with `{project}` or `{home}` at its beginning, None where there is no default
    place and the user has to name one. `scope` is `project`, `user`, `plugin` or `bundled`.
    `unscanned` says why the runtime does not look through it, None where it does.
    """

    role: str
    place: str | None
    scope: str = "project"
    unscanned: str | None = None


class Setting(NamedTuple):
    """A switch of a runtime: its default, what it does, and other spellings of its name.

    With `assumed` the default is that of a session in which skills are on, and not the runtime's own.
    The type of `default` is the type of the value: bool, int, str, list or None for any JSON data.
    """

    default: Any
    about: str
    aliases: tuple[str, ...] = ()
    assumed: bool = False
