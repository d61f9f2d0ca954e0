"""The settings that an editor has for this server: what is wrong with them, and what they mean for `lint`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from skilltool.errors import SkilltoolError
from skilltool.lint import settings
from skilltool.lint.config import Config
from skilltool.text.printable import printable

SECTION = "skilltool"
KEYS = ("runtimes", "select", "ignore")  # as in a configuration file, over which they win
_OF_EXTENSION = frozenset({"path", "trace"})


class EditorSettings(NamedTuple):
    """Options of `lint` by name, each with its values, and sentences about settings that are ignored."""

    options: tuple[tuple[str, tuple[str, ...]], ...] = ()
    problems: tuple[str, ...] = ()


def read(value: object) -> EditorSettings:
    """Read the section `skilltool` of an editor's settings; what is wrong is ignored and told."""
    if value is None:
        return EditorSettings()
    if not isinstance(value, Mapping):
        return EditorSettings(problems=(f"the setting `{SECTION}` must be an object",))
    options: dict[str, tuple[str, ...]] = {}
    problems = []
    for key, given in value.items():
        if key in KEYS and given is not None:
            names = _names(given)
            problem = "must be a list of names" if names is None else _problem(key, names)
            if problem:
                problems.append(f"the editor's setting `{SECTION}.{key}` is ignored: {problem}")
            elif names:
                options[key] = names
        elif key not in KEYS and key not in _OF_EXTENSION:
            known = ", ".join(f"`{SECTION}.{each}`" for each in KEYS)
            problems.append(
                f"the editor's setting `{SECTION}.{printable(str(key))}` is unknown; known settings: {known}"
            )
    return EditorSettings(tuple(sorted(options.items())), tuple(problems))


def _names(given: Any) -> tuple[str, ...] | None:
    """Return a list of names, which may be a text with commas; None for anything else."""
    if isinstance(given, str):
        return tuple(name for name in map(str.strip, given.split(",")) if name)
    if isinstance(given, list | tuple) and all(isinstance(name, str) for name in given):
        return tuple(given)
    return None


def _problem(key: str, names: tuple[str, ...]) -> str:
    try:
        settings.resolve(Config(), {key: list(names)})
    except SkilltoolError as error:
        return str(error)
    return ""
