"""JSON Schema errors of frontmatter, with their places.

The numbers of limits are in `schemas/` only. Each broken keyword is one `Violation`; the
rules make findings of them, with a message each.
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

_TOP = ("skill", "report", "config")
_ANNOTATIONS = frozenset({"$comment", "default", "description", "examples", "title"})


class Violation(NamedTuple):
    """One keyword of a schema that one value breaks.

    `path` leads to the value, or for `required` and `additionalProperties` to the key that is
    missing or too much; `value` is what stands there (None where it is missing), `limit` what
    the keyword demands; `known` are the keys that the schema has beside the one concerned.
    """

    keyword: str
    path: Path
    span: Span
    value: Plain
    limit: Any
    known: tuple[str, ...] = ()


def names() -> list[str]:
    """Return the names of all schemas: our own, and one per runtime that has one."""
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


def surely_fits(data: Mapping[str, Plain], name: str) -> bool:
    """Return True only if `data` breaks nothing of the schema called `name`.

    It judges only the commonest shape, text below keys that the schema has; whatever else stands there,
    in the data or in the schema, gets a False and is for the real validator.
    """
    schema = load(name)
    fields = schema.get("properties", {})
    return all(key in data for key in schema.get("required", ())) and all(
        key in fields and _surely_fits(value, fields[key]) for key, value in data.items()
    )


def _surely_fits(value: Plain, field: Mapping[str, Any]) -> bool:
    demands = {key: demand for key, demand in field.items() if key not in _ANNOTATIONS}
    if not demands:
        return True
    if isinstance(value, str) and demands.pop("type", None) == "string":
        least, most = demands.pop("minLength", 0), demands.pop("maxLength", len(value))
        pattern = demands.pop("pattern", "")
        return not demands and least <= len(value) <= most and re.search(pattern, value) is not None
    texts = {"type": "object", "additionalProperties": {"type": "string"}}
    return demands == texts and isinstance(value, dict) and all(isinstance(v, str) for v in value.values())


def takes(name: str, path: Path, value: Plain) -> bool:
    """Return whether a field of the schema called `name` may hold a value of this type."""
    from jsonschema import Draft202012Validator

    field = load(name)
    for key in path:
        field = field.get("properties", {}).get(key, {})
    return "type" not in field or Draft202012Validator({"type": field["type"]}).is_valid(value)


@lru_cache(maxsize=16)
def violations(frontmatter: Frontmatter, name: str) -> tuple[Violation, ...]:
    """Return what in `frontmatter` breaks the schema called `name`, in the order of the file.

    Frontmatter that could not be read breaks nothing here: other rules speak of it. Every rule
    of a skill asks for the same few results, so the last ones are kept.
    """
    if frontmatter.data is None:
        return ()
    found: dict[tuple[str, Path], Violation] = {}
    for error in _validator(name).iter_errors(frontmatter.data):
        for violation in _violations(frontmatter, error):
            found[violation.keyword, violation.path] = violation
    return tuple(sorted(found.values(), key=lambda violation: violation.span))


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
        place = frontmatter.span(*path, key=True)
        missing = [key for key in limit if key not in value]
        return [Violation(keyword, (*path, key), place, None, limit, known) for key in missing]
    return [Violation(keyword, path, frontmatter.span(*path), value, limit, known)]
