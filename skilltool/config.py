"""Configuration files: find the nearest one, read it, refuse what is not known. Knows no rule.

`skilltool.toml` holds the keys at its top, `pyproject.toml` below `[tool.skilltool]`. In one
directory the first of the two wins; a `pyproject.toml` without that table is passed over.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from skilltool import schema
from skilltool.errors import ConfigError, nearest

_FILES = (("skilltool.toml", ()), ("pyproject.toml", ("tool", "skilltool")))


@dataclass(frozen=True, slots=True)
class Config:
    """Raw values as a file gives them, and the file; no path where nothing was configured."""

    values: dict[str, Any] = field(default_factory=dict)
    path: Path | None = None

    @property
    def place(self) -> str:
        """The file and table, as an error names them."""
        if self.path is None:
            return "the configuration"
        return str(self.path) if self.path.name != "pyproject.toml" else f"{self.path} [tool.skilltool]"


def find(start: Path) -> Config:
    """Return the configuration nearest to the directory `start`, upwards to the repository's root.

    The repository's root is the first directory with a `.git`; without one the search ends at
    the root of the file system. Raises `ConfigError`.
    """
    directory = start.resolve()
    for candidate in (directory, *directory.parents):
        for name, table in _FILES:
            path = candidate / name
            if path.is_file() and (config := _read(path, table)) is not None:
                return config
        if (candidate / ".git").exists():
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
        values: Any = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: not UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: not valid TOML: {error}") from None
    for key in table:
        if not isinstance(values, dict) or key not in values:
            return None
        values = values[key]
    config = Config(values, path)
    _check(config)
    return config


def _check(config: Config) -> None:
    """Raise `ConfigError` for the first key or value that `schemas/config.schema.json` does not have."""
    if not config.values:
        return
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    error = best_match(Draft202012Validator(schema.load("config")).iter_errors(config.values))
    if error is None:
        return
    known = list(error.schema.get("properties", ()))
    where = ".".join(str(step) for step in error.absolute_path)
    if error.validator == "additionalProperties":
        extra = next(key for key in error.instance if key not in known)
        hint = nearest(extra, known)
        meant = f"did you mean `{hint}`?" if hint else f"known keys: {', '.join(sorted(known))}"
        raise ConfigError(f"{config.place}: unknown key `{extra}`; {meant}")
    if error.validator == "enum":
        hint = nearest(str(error.instance), map(str, error.validator_value))
        meant = f"did you mean `{hint}`? It" if hint else "it"
        listed = ", ".join(f"`{value}`" for value in error.validator_value)
        raise ConfigError(f"{config.place}: `{where}` is `{error.instance}`; {meant} must be one of {listed}")
    raise ConfigError(f"{config.place}: `{where or 'skilltool'}`: {error.message}")
