"""Validates frontmatter against the JSON Schemas, and locates the errors in the file.

The numbers of limits are in `schemas/` only. Each failed keyword is one `Violation`; the rules turn
violations into findings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, NamedTuple

from skilltool._resources import data
from skilltool.errors import UnknownNameError
from skilltool.text.frontmatter import Frontmatter, Path, Plain
from skilltool.text.source import Span

_TOP = ("skill", "report", "config", "resolve", "render", "cost")
_ANNOTATIONS = frozenset({"$comment", "default", "description", "examples", "title", "x-values"})


class Violation(NamedTuple):
    """One keyword of a schema that one value fails.

    `path` is the path of the value, or for `required` and `additionalProperties` of the missing or unknown
    key. `value` is the value there (None if it is missing), `limit` the value of the keyword in the schema,
    `known` the keys that the schema knows at that level.
    """

    keyword: str
    path: Path
    span: Span
    value: Plain
    limit: Any
    known: tuple[str, ...] = ()


def names() -> list[str]:
    """Return the names of all schemas: our own, and those of the runtimes."""
    runtimes = (entry.name for entry in (data("schemas") / "runtimes").iterdir())
    return [*_TOP, *sorted(name.removesuffix(".schema.json") for name in runtimes)]


@cache
def text(name: str) -> str:
    """Return the JSON text of the schema called `name`; raises `UnknownNameError`."""
    if name not in names():
        raise UnknownNameError("schema", name, names(), "skilltool schema --list")
    folder = data("schemas") if name in _TOP else data("schemas") / "runtimes"
    return (folder / f"{name}.schema.json").read_text("utf-8")


@cache
def load(name: str) -> dict[str, Any]:
    """Return the schema called `name` as data; raises `UnknownNameError`."""
    schema: dict[str, Any] = json.loads(text(name))
    return schema


def surely_valid(data: Mapping[str, Plain], name: str) -> bool:
    """Return True only if `data` is valid by the schema called `name`; much faster than the real validator.

    It judges only the most common shapes: strings below known keys, and mappings that are free or hold
    strings. Anything else, in the data or in the schema, gives False, which means that the real validator
    has to decide.
    """
    schema = load(name)
    fields = schema.get("properties", {})
    return all(key in data for key in schema.get("required", ())) and all(
        key in fields and _field_is_surely_valid(value, fields[key]) for key, value in data.items()
    )


def _field_is_surely_valid(value: Plain, field: Mapping[str, Any]) -> bool:
    keywords = {key: value for key, value in field.items() if key not in _ANNOTATIONS}
    if not keywords:
        return True
    kinds = keywords.get("type")
    if isinstance(value, str) and (kinds == "string" or (isinstance(kinds, list) and "string" in kinds)):
        del keywords["type"]
        shortest, longest = keywords.pop("minLength", 0), keywords.pop("maxLength", len(value))
        pattern = keywords.pop("pattern", "")
        return not keywords and shortest <= len(value) <= longest and re.search(pattern, value) is not None
    strings = {"type": "object", "additionalProperties": {"type": "string"}}
    if not isinstance(value, dict) or keywords not in ({"type": "object"}, strings):
        return False
    return keywords != strings or all(isinstance(each, str) for each in value.values())


def accepts_type(name: str, path: Path, value: Plain) -> bool:
    """Return whether the schema called `name` accepts a value of this type at `path`."""
    from jsonschema import Draft202012Validator

    field = load(name)
    for key in path:
        field = field.get("properties", {}).get(key, {})
    return "type" not in field or Draft202012Validator({"type": field["type"]}).is_valid(value)


@lru_cache(maxsize=16)
def violations(frontmatter: Frontmatter, name: str) -> tuple[Violation, ...]:
    """Return the violations of the schema called `name`, in the order of the file.

    Frontmatter that could not be read has none here: other rules report it. Several rules ask for the same
    results, so the last ones are cached.
    """
    if frontmatter.data is None:
        return ()
    found: dict[tuple[str, Path], Violation] = {}
    for error in _validator(name).iter_errors(frontmatter.data):
        for violation in _violations(frontmatter, error):
            found[violation.keyword, violation.path] = violation
    return tuple(sorted(found.values(), key=lambda violation: violation.span))


def prepare(name: str) -> None:
    """Import the validator, and load the schema called `name`."""
    _validator(name)


@cache
def _validator(name: str) -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(load(name))


def _violations(frontmatter: Frontmatter, error: Any) -> list[Violation]:
    path = tuple(error.absolute_path)
    keyword, limit, value = error.validator, error.validator_value, error.instance
    known = tuple(error.schema.get("properties", ()))
    if keyword == "additionalProperties":
        extra = [key for key in value if key not in known]
        return [
            Violation(keyword, (*path, key), frontmatter.span(*path, key, key=True), value[key], limit, known)
            for key in extra
        ]
    if keyword == "required":
        span = frontmatter.span(*path, key=True)
        missing = [key for key in limit if key not in value]
        return [Violation(keyword, (*path, key), span, None, limit, known) for key in missing]
    return [Violation(keyword, path, frontmatter.span(*path), value, limit, known)]
