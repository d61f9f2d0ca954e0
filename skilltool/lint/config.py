"""Configuration files: find the nearest one, read it, refuse what is not known. Knows no rule.

`skilltool.toml` holds the keys at its top, `pyproject.toml` below `[tool.skilltool]`. In one
directory the first of the two wins; a `pyproject.toml` without that table is passed over.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from skilltool.errors import ConfigError, nearest
from skilltool.files.repository import is_repository_root

_TYPES = {"array": "a list", "string": "a string", "boolean": "true or false", "object": "a table"}
_TYPES |= {"integer": "a whole number"}
_FILES = (("skilltool.toml", ()), ("pyproject.toml", ("tool", "skilltool")))
FILE_NAMES = tuple(name for name, _ in _FILES)


class Config(NamedTuple):
    """Raw values as a file gives them, and the file; no path where nothing was configured."""

    values: Mapping[str, Any] = {}
    path: Path | None = None

    @property
    def place(self) -> str:
        """The file and table, as an error names them."""
        if self.path is None:
            return "the configuration"
        return str(self.path) if self.path.name != "pyproject.toml" else f"{self.path} [tool.skilltool]"

    def of_runtime(self, name: str) -> Mapping[str, Any]:
        """Return the settings in `[tool.skilltool.runtime.ID]`; those of a bare id hold for its editions."""
        tables: Mapping[str, Mapping[str, Any]] = self.values.get("runtime", {})
        return tables.get(name) or tables.get(name.partition("@")[0]) or {}


def find(start: Path) -> Config:
    """Return the configuration nearest to the directory `start`, upwards to the repository's root.

    The repository's root is the first directory with a `.git`; without one the search ends at
    the root of the file system. Raises `ConfigError`.
    """
    directory = start.resolve()
    for candidate in (directory, *directory.parents):
        for name, table in _FILES:
            path = candidate / name
            if _is_file(path) and (config := _read(path, table)) is not None:
                return config
        if is_repository_root(candidate):
            break
    return Config()


def load(path: Path) -> Config:
    """Return the configuration in the file `path`, which the user named. Raises `ConfigError`."""
    table = ("tool", "skilltool") if path.name == "pyproject.toml" else ()
    config = _read(path, table)
    if config is None:
        raise ConfigError(f"{path}: there is no [tool.skilltool] table")
    return config


def _read(path: Path, table: tuple[str, ...]) -> Config | None:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from None
    if table and b"skilltool" not in raw and b"\\" not in raw:
        return None  # most projects' files have no word for us: that needs no parser
    return _parsed(path, raw, table)


def _parsed(path: Path, raw: bytes, table: tuple[str, ...]) -> Config | None:
    import tomllib

    try:
        values: Any = tomllib.loads(raw.decode("utf-8"))
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: not UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: not valid TOML: {error}") from None
    except RecursionError:
        raise ConfigError(f"{path}: nested too deeply") from None
    for key in table:
        if not isinstance(values, dict) or key not in values:
            return None
        values = values[key]
    config = Config(values, path)
    if not isinstance(values, dict):
        raise ConfigError(f"{config.place}: must be a table of keys and values")
    _check(config)
    return config


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # in a directory that must not be looked into, there is nothing for us
        return False


def _check(config: Config) -> None:
    """Raise `ConfigError` for the first key or value that `schemas/config.schema.json` does not have."""
    if not config.values:
        return
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    from skilltool.skill import schema

    error = best_match(Draft202012Validator(schema.load("config")).iter_errors(config.values))
    if error is not None:
        raise ConfigError(f"{config.place}: {_said(error)}")


def _said(error: Any) -> str:
    """Return what a key or value breaks, in words for a user."""
    if error.validator == "additionalProperties":
        known = list(error.schema["properties"])
        extra = next(key for key in error.instance if key not in known)
        hint = nearest(extra, known)
        meant = f"did you mean `{hint}`?" if hint else f"known keys: {', '.join(sorted(known))}"
        return f"unknown key `{'.'.join([*error.absolute_path, extra])}`; {meant}"
    path = list(error.absolute_path)
    entry = f", entry {path.pop() + 1}," if isinstance(path[-1], int) else ""
    where = f"`{'.'.join(path)}`{entry}"
    value = json.dumps(error.instance, ensure_ascii=False, default=str)
    if error.validator == "enum":
        hint = nearest(str(error.instance), error.validator_value)
        listed = ", ".join(f'"{known}"' for known in error.validator_value)
        meant = f'; did you mean "{hint}"?' if hint else ""
        return f"{where} must be one of {listed}, not {value}{meant}"
    if error.validator == "type":
        return f"{where} must be {_TYPES[error.validator_value]}, not {value}"
    return f"{where} must not be empty; leave it out for the default"
