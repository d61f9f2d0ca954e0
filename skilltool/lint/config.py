"""Configuration files: finds the nearest one, reads it, rejects unknown keys and values. Knows no rule.

`.skilltool.toml` and `skilltool.toml` hold the keys at their top level, `pyproject.toml` below
`[tool.skilltool]`. In one directory the first of the three counts, as with ruff; a `pyproject.toml` without
that table is ignored.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from skilltool.errors import ConfigError, UnknownNameError, nearest
from skilltool.files.reading import MEBIBYTE, read_bounded
from skilltool.files.repository import is_repository_root

_TYPES = {"array": "a list", "string": "a string", "boolean": "true or false", "object": "a table"}
_TYPES |= {"integer": "an integer"}
_TABLE = ("tool", "skilltool")
_FILES = ((".skilltool.toml", ()), ("skilltool.toml", ()), ("pyproject.toml", _TABLE))
FILE_NAMES = tuple(name for name, _ in _FILES)
_MAX_BYTES = MEBIBYTE
_TOO_MANY = {"maxItems": "entries", "maxProperties": "keys"}
_MAX_SHOWN = 200  # characters of a wrong value
_MAX_ERRORS = 100  # of the schema, of which the best is told
# A key of more levels than any configuration has, for which tomllib takes more than quadratic time.
_PART = r"(?:[\w-]++|\"[^\"\n]*+\"|'[^'\n]*+')[ \t]*+"
_DEEP_KEY = rf"(?m)(?:^|[\[{{,])[ \t]*+(?P<key>{_PART}(?:\.[ \t]*+{_PART}){{32}})"
_WAY_OUT = "name another file with --config, or use none with --isolated"
# How tomllib ends its messages.
_POSITION = r" \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$"


class Config(NamedTuple):
    """The raw values of a configuration file and its path; None where there is no file."""

    values: Mapping[str, Any] = {}
    path: Path | None = None

    @property
    def origin(self) -> str:
        """The file and table that errors name."""
        if self.path is None:
            return "the configuration"
        return str(self.path) if self.path.name != "pyproject.toml" else f"{self.path} [tool.skilltool]"

    def of_runtime(self, name: str) -> Mapping[str, Any]:
        """Return the settings in `[tool.skilltool.runtime.ID]`, for an edition else those of its bare id."""
        tables: Mapping[str, Mapping[str, Any]] = self.values.get("runtime", {})
        return tables.get(name) or tables.get(name.partition("@")[0]) or {}


def find(start: Path) -> Config:
    """Return the nearest configuration at or above the directory `start`.

    The search ends at the root of the repository (the first directory with a `.git`) or of the file system.
    Raises `ConfigError`.
    """
    directory = start.resolve()
    for candidate in (directory, *directory.parents):
        for name, table in _FILES:
            path = candidate / name
            if os.path.isfile(path) and (config := _read(path, table)) is not None:
                return config
        if is_repository_root(candidate):
            break
    return Config()


def load(path: Path) -> Config:
    """Return the configuration in the file `path`, which the user named; raises `ConfigError`."""
    config = _read(path, _TABLE if path.name == "pyproject.toml" else (), named=True)
    if config is None:
        raise ConfigError(f"{path}: missing table [tool.skilltool]")
    return config


def _read(path: Path, table: tuple[str, ...], named: bool = False) -> Config | None:
    try:
        raw = read_bounded(path, _MAX_BYTES, pipe=named)
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}; {_WAY_OUT}") from None
    if table and b"skilltool" not in raw and b"\\" not in raw:
        return None  # most projects do not configure skilltool there: that needs no parser
    return _parsed(path, raw, table)


def _parsed(path: Path, raw: bytes, table: tuple[str, ...]) -> Config | None:
    import tomllib

    try:
        text = raw.decode("utf-8")
        if (deep := re.search(_DEEP_KEY, text)) is not None:
            line = text.count("\n", 0, deep.start("key")) + 1
            raise ConfigError(f"{path}:{line}: key is nested too deeply; {_WAY_OUT}")
        values: Any = tomllib.loads(text)
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: not UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(_syntax_error(path, text, str(error))) from None
    except RecursionError:
        raise ConfigError(f"{path}: nested too deeply; {_WAY_OUT}") from None
    for key in table:
        if not isinstance(values, dict) or key not in values:
            return None
        values = values[key]
    config = Config(values, path)
    if not isinstance(values, dict):
        raise ConfigError(f"{config.origin}: must be a table of keys and values")
    _check(config)
    return config


def _syntax_error(path: Path, text: str, message: str) -> str:
    """Return tomllib's message as `path:line:column: invalid TOML: ...`."""
    match = re.search(_POSITION, message)
    line = column = ""
    if match is not None:
        *lines, last = text.rstrip("\n").split("\n")
        line = match["line"] or str(len(lines) + 1)
        column = match["column"] or str(len(last) + 1)
        message = message[: match.start()]
    where = ":".join(part for part in (str(path), line, column) if part)
    return f"{where}: invalid TOML: {message[:1].lower()}{message[1:]}"


def _check(config: Config) -> None:
    """Raise `ConfigError` for the first key or value that `schemas/config.schema.json` does not allow."""
    if not config.values:
        return
    if isinstance(config.values.get("tool"), dict) and "skilltool" in config.values["tool"]:
        raise ConfigError(
            f"{config.origin}: [tool.skilltool] is for pyproject.toml; "
            "remove `tool.skilltool` here and move its keys to the top level"
        )
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    from skilltool.skill import schema

    errors = Draft202012Validator(schema.load("config")).iter_errors(config.values)
    error = best_match(_first_errors(errors))
    if error is not None:
        raise ConfigError(f"{config.origin}: {_message(error)}")


def _first_errors(errors: Iterable[Any]) -> Iterator[Any]:
    """Yield the first errors of a schema; after one about too many entries, each entry is not looked at."""
    for error in islice(errors, _MAX_ERRORS):
        yield error
        if error.validator in _TOO_MANY:
            return


def _message(error: Any) -> str:
    """Return a schema error as a message that names the key."""
    if error.validator == "additionalProperties":
        known = list(error.schema["properties"])
        extra = next(key for key in error.instance if key not in known)
        table = ".".join(error.absolute_path)
        kind = f"[{table}] key" if table else "key"
        return str(UnknownNameError(kind, extra, known, "skilltool schema config"))
    path = list(error.absolute_path)
    entry = f", entry {path.pop() + 1}," if isinstance(path[-1], int) else ""
    where = f"`{'.'.join(path)}`{entry}"
    if error.validator in _TOO_MANY:
        most, kind = error.validator_value, _TOO_MANY[error.validator]
        held = f"{where} has {len(error.instance):,} {kind}"
        return f"{held}, but at most {most:,} are allowed; use fewer, broader patterns"
    value = _shown(error.instance)
    if error.validator == "enum":
        hint = nearest(str(error.instance), error.validator_value)
        allowed = ", ".join(f'"{known}"' for known in error.validator_value)
        meant = f'; did you mean "{hint}"?' if hint else ""
        return f"{where} must be one of {allowed}, not {value}{meant}"
    if error.validator == "type":
        return f"{where} must be {_TYPES[error.validator_value]}, not {value}"
    if error.validator == "minimum":
        return f"{where} must be at least {error.validator_value}, not {value}"
    return f"{where} must not be empty; remove it to use the default"


def _shown(value: object) -> str:
    """Return a value as JSON, only the start of a long one."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except RecursionError:
        return "a nested value"
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}\u2026"
