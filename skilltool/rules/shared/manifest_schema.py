"""What a manifest has that its JSON Schema does not allow, as findings.

In `schemas/packages`, `x-effect` is what the client does with a plugin or marketplace that has such a value:
that is an error unless `x-severity` says less, everything else a warning. `x-states` says in words what a pattern asks for.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import islice
from typing import Any

from skilltool._resources import data
from skilltool.errors import nearest
from skilltool.findings.finding import Finding, Severity, listed_names
from skilltool.packages.manifest import Manifest
from skilltool.packages.plugins import FOLDER, escapes_by_text
from skilltool.rules.shared.names import to_kebab_case
from skilltool.rules.shared.wording import and_more, backticked, one_of_types
from skilltool.text.json_places import Path
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Span

_MOST = 200  # errors of one manifest
_TYPES = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "a number",
    "null": "null",
    "number": "a number",
    "object": "an object",
    "string": "a string",
}


@cache
def schema(name: str) -> dict[str, Any]:
    """Return the schema of a kind of manifest."""
    found: dict[str, Any] = json.loads(
        (data("schemas") / "packages" / f"{name}.schema.json").read_text("utf-8")
    )
    return found


def violations(manifest: Manifest) -> Iterator[Finding]:
    """Yield what a manifest has that its schema does not allow, and keys that look like a known one."""
    if manifest.json is None:
        return
    for errors in _of_lists(islice(_validator(manifest.kind.schema).iter_errors(manifest.data), _MOST)):
        first = min(errors, key=lambda error: manifest.span(tuple(error.absolute_path)).start)
        for finding in _of_error(first, manifest):
            if _is_of_whole_file(first):
                keys = listed_names([key for error in errors for key in _missing(error)])
                is_one = len(errors) == 1
                message = f"{keys} {'is' if is_one else 'are'} missing"
                advice = finding.help if is_one else f"add {keys}"
                yield finding._replace(message=message, help=advice)
                continue
            others = len(errors) - 1
            more = and_more(others, "entries" if others > 1 else "entry")
            yield finding._replace(message=finding.message + more)
    rules = schema(manifest.kind.schema)
    yield from _misspelled(manifest, (), manifest.data, rules)
    if manifest.kind.entries is not None:
        entries = manifest.value(manifest.kind.entries)
        below = rules["properties"][manifest.kind.entries]["items"]
        for number, entry in enumerate(entries if isinstance(entries, list) else ()):
            if isinstance(entry, dict):
                yield from _misspelled(manifest, (manifest.kind.entries, number), entry, below)


def _of_lists(errors: Iterable[Any]) -> Iterable[list[Any]]:
    """Return errors in groups: those of one list that have one cause, such as paths without `./`.

    So are entries of a marketplace or a lock that lack one key, or have a name that is not allowed.
    """
    found: dict[tuple[object, ...], list[Any]] = {}
    for error in errors:
        path: Path = tuple(error.absolute_path)
        key: tuple[object, ...] = (path, error.validator, error.message)
        if path and isinstance(path[-1], int) and error.validator == "pattern":
            is_of_entry = len(path) > _IN_ENTRY and isinstance(path[1], int)
            listed = (*path[:1], *path[2:-1]) if is_of_entry else path[:-1]
            key = (listed, error.validator, bool(error.instance), escapes_by_text(error.instance))
        elif _is_of_whole_file(error):
            key = (path, error.validator)
        elif len(path) > 1 and isinstance(path[1], int):
            missing = _missing(error) if error.validator == "required" else ()
            key = (path[:1], path[2:], error.validator, *error.schema_path, *missing)
        elif len(path) > 1 and error.validator == "required":
            key = (path[:-1], error.validator, *_missing(error))
        found.setdefault(key, []).append(error)
    return found.values()


def _is_of_whole_file(error: Any) -> bool:
    """Return whether an error is about a key that a manifest lacks: it is often another format that lacks all."""
    return error.validator == "required" and not error.absolute_path


_IN_ENTRY = (
    3  # parts of the path of what is in a list of an entry: `plugins`, its number, `skills`, and a number
)


def _missing(error: Any) -> list[str]:
    """Return the keys that an object lacks; the validator has an error for each of them."""
    named = [each for each in error.validator_value if error.message.startswith(repr(each))]
    return named or [each for each in error.validator_value if each not in error.instance]


@cache
def _validator(name: str) -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(schema(name))


def effect(rules: dict[str, Any]) -> tuple[str, str] | None:
    """Return the clause about what the client does, if the schema has one; a manifest has one client."""
    found = rules.get("x-effect")
    return None if found is None else (found, found)


def _of_error(error: Any, manifest: Manifest) -> Iterator[Finding]:
    path: Path = tuple(error.absolute_path)
    clause = effect(error.schema)
    severity = Severity[error.schema.get("x-severity", "error" if clause else "warning").upper()]
    value, keyword, limit = error.instance, error.validator, error.validator_value
    if keyword == "required":
        for key in _missing(error):
            message = f"{_of(path)} has no `{key}`" if path else f"`{key}` is missing"
            shape = _to_add(key, error.schema)
            yield Finding(message, start_of(manifest, path), shape, severity, clause=clause)
    elif keyword == "additionalProperties":
        for key in (each for each in value if each not in error.schema["properties"]):
            message = f"unknown key {backticked(key)}"
            yield Finding(message, manifest.key_span((*path, key)), "remove it", severity, clause=clause)
    elif not (keyword == "pattern" and escapes_by_text(value) and _is_of_paths(error.schema)):
        message, advice = _stated(keyword, limit, value, path, error.schema)
        if keyword == "pattern" and _is_of_paths(error.schema) and manifest.kind.entries is None:
            advice = _existing(value, manifest.top) or advice
        # Whoever writes the manifest of one plugin so, writes those of all plugins so.
        is_habit = len(path) == 1 and manifest.kind.entries is None
        cause = f"{_of(path)} {error.schema.get('x-states') or keyword}" if is_habit else ""
        yield Finding(message, manifest.span(path), advice, severity, clause=clause, cause=cause)


def _to_add(key: str, rules: dict[str, Any]) -> str:
    """Return the help for a key that an object lacks, with the shape of its value if that is an object."""
    inner = rules.get("properties", {}).get(key, {}).get("required")
    return f"add `{_json({key: {inner[0]: '…'}})[1:-1]}`" if inner else f"add `{key}`"


def _existing(value: str, top: str) -> str | None:
    """Return what to write for a path without `./` that is not in the plugin; None if it is there."""
    if not value or value.startswith(".") or os.path.lexists(f"{top}/{value}"):
        return None
    if os.path.isdir(f"{top}/{FOLDER}/{value}"):
        return f"write `./{FOLDER}/{value}`"
    return f"write the path of a directory of the plugin, such as `./{FOLDER}`; {backticked(value)} does not exist"


def start_of(manifest: Manifest, path: Path) -> Span:
    """Return the opening bracket of the object at a path: the object can have hundreds of lines."""
    start = manifest.span(path).start
    return Span(start, start + 1)


def _stated(
    keyword: str, limit: Any, value: Any, path: Path, rules: dict[str, Any]
) -> tuple[str, str | None]:
    """Return message and help about one value that fails one keyword."""
    name = _of(path)
    if keyword == "type":
        kinds = [limit] if isinstance(limit, str) else limit
        wanted = one_of_types(_TYPES[kind] for kind in kinds)
        advice = f"write {wanted}"
        if isinstance(value, str) and kinds == ["object"] and "required" in rules:
            advice = f"write `{_json(_of_person(value, rules))}`"
        return f"{name} is {_kind(value)}, not {wanted}", advice
    if keyword == "pattern":
        if not value:
            return f"{name} is empty", None
        states = rules.get("x-states", f"does not match `{limit}`")
        begin = _as_path(value) if _is_of_paths(rules) else _as_name(value, limit)
        if _is_of_paths(rules) and value.startswith("./"):
            states, begin = (
                "is the plugin's own directory",
                "write the path of a directory in it, such as `./skills`",
            )
        is_apart = isinstance(path[-1], int) or value == path[-1]  # "`skills`, `skills`, does not"
        said = f"{name}, {backticked(value)}," if is_apart else f"{name} {backticked(value)}"
        return f"{said} {states}", begin
    if keyword == "not":
        return f"{_named(path)} {backticked(value)} {rules['x-states']}", rules.get("x-help")
    if keyword == "minLength":
        return f"{name} is empty", None
    if keyword == "maxLength":
        return f"{name} has {len(value):,} characters, more than {limit:,}", "shorten it"
    if keyword == "maxItems":
        return f"{name} has {len(value):,} entries; the limit is {limit:,}", f"keep at most {limit:,}"
    allowed = ", ".join(f"`{each}`" for each in limit) if isinstance(limit, list) else f"`{limit}`"
    return f"{name} is {backticked(value)}, not {allowed}", None


def _json(value: Mapping[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False)


def _of_person(value: str, rules: dict[str, Any]) -> dict[str, str]:
    """Return the object that a string stands for: `Ada <ada@shop.dev>` is a name and an address."""
    whole = _PERSON.fullmatch(value)
    if whole is None or "email" not in rules.get("properties", {}):
        return {rules["required"][0]: value}
    return {rules["required"][0]: whole["name"], "email": whole["email"]}


_PERSON = lazy_pattern(r"(?P<name>[^<>\n]{1,100}?) {0,3}<(?P<email>[^<>@\s]{1,100}@[^<>@\s]{1,100})>")


def _as_path(value: str) -> str:
    """Return the help for a path without `./`, or for the address of a repository in its place."""
    if (repo := _ON_GITHUB.fullmatch(value)) is not None:
        return f"write `{_json({'source': 'github', 'repo': repo['repo']})}`"
    if _ADDRESS.match(value) is not None:
        return f"write `{_json({'source': 'url', 'url': value})}`"
    return f"write `./{'' if value == '.' else value}`"


_ON_GITHUB = lazy_pattern(
    r"(?:github:|https://github\.com/)(?P<repo>[\w.-]{1,100}/[\w.-]{1,100}?)(?:\.git)?/?"
)
_ADDRESS = lazy_pattern(r"[a-z][a-z+]{1,9}://|git@")


def _as_name(value: str, pattern: str) -> str | None:
    """Return the help for a value that is a name, if the same words in lower case with hyphens are allowed."""
    name = to_kebab_case(value)
    return f"write `{name}`" if name and re.search(pattern, name) else None


def _is_of_paths(rules: dict[str, Any]) -> bool:
    """Return whether a pattern is about paths; those that escape are reported as such."""
    return str(rules.get("x-states", "")).endswith("begin with `./`")


def _of(path: Path) -> str:
    """Return a path as a name for people: `keywords`, or `author.name`; of a list also the entry."""
    keys = [str(each) for each in path if isinstance(each, str)]
    keys = keys[1:] if len(path) > 2 and isinstance(path[1], int) else keys
    number = f"entry {path[-1] + 1} of " if path and isinstance(path[-1], int) else ""
    return f"{number}`{'.'.join(keys)}`" if keys else "the file"


def _named(path: Path) -> str:
    """Return a path before its value: `name` is a word, so that no text in backticks follows another."""
    return "name" if path == ("name",) else _of(path)


def _kind(value: Any) -> str:
    kinds = ((bool, "boolean"), (str, "string"), (list, "array"), (dict, "object"), (type(None), "null"))
    if isinstance(value, bool):
        return "true" if value else "false"
    return _TYPES[next((name for kind, name in kinds if isinstance(value, kind)), "number")]


def _misspelled(
    manifest: Manifest, path: Path, value: dict[str, Any], rules: dict[str, Any]
) -> Iterator[Finding]:
    """Yield keys that the schema does not know, but which look like one that it knows."""
    known = rules.get("properties", {})
    if not known or rules.get("additionalProperties") is False:
        return
    for key in value:
        meant = None if key in known else nearest(key, [each for each in known if each not in value], 0.8)
        if meant is not None:
            message = f"unknown key {backticked(key)}"
            span = manifest.key_span((*path, key))
            yield Finding(
                message, span, f"write `{meant}`", Severity.WARNING, clause=("ignores it", "ignore it")
            )
