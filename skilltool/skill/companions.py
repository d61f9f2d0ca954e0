"""Files beside a SKILL.md that clients read: do they parse, and do they fit their JSON Schemas?

Which files, and what is known of their readers, is in `schemas/companions.json`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from skilltool._resources import data
from skilltool.skill.schema import is_of_type
from skilltool.text import json_places
from skilltool.text.frontmatter import Frontmatter, envelope
from skilltool.text.frontmatter.composing import compose
from skilltool.text.frontmatter.nodes import BoundError, YamlError, plain
from skilltool.text.frontmatter.nodes import Mapping as MappingNode
from skilltool.text.source import Span

Path = tuple[str | int, ...]
Place = Callable[[Path, bool], Span]
EVALS = "evals/evals.json"
_MOST = 20  # violations of one file; the rest are ignored
_ANNOTATIONS = frozenset(
    {"$schema", "$id", "$comment", "title", "description", "x-form", "x-below", "x-values"}
)


class Companion(NamedTuple):
    """One kind of file: its path under a skill, its schema, and how much it matters.

    `reader` is the runtime that reads it, if one does, `rejects` and `drops` what that does with a file that
    does not fit, each for one runtime and for several. `evidence` and `source` say where the schema is from.
    """

    file: str
    schema: str
    severity: str
    evidence: str
    source: str
    reader: str | None = None
    rejects: tuple[str, str] | None = None
    drops: tuple[str, str] | None = None


class Misfit(NamedTuple):
    """One keyword of the schema that a value fails: path, span and schema of the value, and the value.

    The keyword of a file that does not parse is `syntax`, and its value the reason. A required key that is
    missing has the path and span of the mapping that it should be in.
    """

    keyword: str
    path: Path
    span: Span
    value: Any
    schema: Mapping[str, Any]


@cache
def companions() -> tuple[Companion, ...]:
    """Return the kinds of files."""
    table: dict[str, Any] = json.loads((data("schemas") / "companions.json").read_text("utf-8"))
    return tuple(_companion(row) for row in table["companions"])


def _companion(row: dict[str, Any]) -> Companion:
    clauses: dict[str, Any] = {name: tuple(row[name]) for name in ("rejects", "drops") if name in row}
    return Companion(**(row | clauses))


def misfits(companion: Companion, text: str) -> Iterator[Misfit]:
    """Yield what is wrong with the text of a file, in no order; nothing for YAML over the bounds."""
    schema = _schema(companion.schema)
    try:
        value, place = _of_json(text) if companion.file.endswith(".json") else _of_yaml(text)
    except BoundError:
        return
    except json_places.JsonError as error:
        yield Misfit("syntax", (), error.span, error.message, schema)
        return
    except YamlError as error:
        start = min(error.start, len(text))
        yield Misfit("syntax", (), Span(start, start), error.problem, schema)
        return
    if not surely_fits(value, schema):
        for failed in islice(_validator(companion.schema).iter_errors(value), _MOST):
            path = tuple(failed.absolute_path)
            if failed.validator == "not" and _holds(value, failed.schema["x-below"], path[-1]):
                continue  # where it belongs, it is, too
            at_key = failed.validator in {"not", "required"}
            span = place(path, at_key)
            if text[span.start : span.start + 1] == "{":
                span = Span(span.start, span.start + 1)
            yield Misfit(failed.validator, path, span, failed.instance, failed.schema)


def _holds(value: Any, name: str, key: str | int) -> bool:
    """Return whether the mapping `name` in a mapping has a key."""
    inner = value.get(name) if isinstance(value, dict) else None
    return isinstance(inner, dict) and key in inner


def surely_fits(value: Any, schema: Mapping[str, Any]) -> bool:
    """Return True only if a value fits a schema; if not, the real validator decides, which is slower."""
    for keyword, limit in schema.items():
        if keyword == "type":
            fits = is_of_type(value, limit)
        elif keyword == "required":
            fits = not isinstance(value, dict) or all(key in value for key in limit)
        elif keyword == "properties":
            known = value.items() if isinstance(value, dict) else ()
            fits = all(surely_fits(each, limit[key]) for key, each in known if key in limit)
        elif keyword == "items":
            fits = not isinstance(value, list) or all(surely_fits(each, limit) for each in value)
        elif keyword == "maxLength":
            fits = not isinstance(value, str) or len(value) <= limit
        elif keyword == "minLength":
            fits = not isinstance(value, str) or len(value) >= limit
        elif keyword == "pattern":
            fits = not isinstance(value, str) or re.search(limit, value) is not None
        else:
            fits = keyword in _ANNOTATIONS
        if not fits:
            return False
    return True


def _of_json(text: str) -> tuple[Any, Place]:
    read = json_places.read(text)
    return read.data, lambda path, key: read.key(path) if key else read.value(path)


def _of_yaml(text: str) -> tuple[Any, Place]:
    root = compose(text).root
    value = None if root is None else plain(root)
    nodes = root if isinstance(root, MappingNode) else None
    tree = Frontmatter(envelope.split(""), nodes, None, ())
    return value, lambda path, key: tree.span(*path, key=key)


@cache
def _schema(name: str) -> dict[str, Any]:
    file = data("schemas") / "companions" / f"{name}.schema.json"
    schema: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return schema


@cache
def _validator(name: str) -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(_schema(name))
