"""Answers to the questions of a template, checked before any of them becomes a path or a text."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from skilltool.errors import SkilltoolError
from skilltool.rules.shared.names import is_windows_device, to_kebab_case
from skilltool.runtimes.base import Runtime
from skilltool.scaffold.templates import Template
from skilltool.skill import schema

_LONGEST_ANSWER = 10_000


def check(template: Template, given: Mapping[str, str], runtime: Runtime) -> None:
    """Raise `SkilltoolError` for an answer to no question, or one that does not fit the runtime."""
    unknown = [key for key in given if key not in template.questions]
    if unknown:
        listed = ", ".join(template.questions)
        raise SkilltoolError(f"{template.name} does not ask for `{unknown[0]}`; it asks for: {listed}")
    for key, value in given.items():
        if value not in template.choices.get(key, [value]):
            raise SkilltoolError(f"`{key}` must be one of {', '.join(template.choices[key])}, not `{value}`")
        if found := problem(runtime, key, value):
            raise SkilltoolError(found)


def problem(runtime: Runtime, key: str, value: str) -> str | None:
    """Return what is wrong with the answer to one question, None for nothing."""
    if key == "name":
        return _name_problem(runtime, value)
    if re.search(r"[\0-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]", value):
        return f"`{key}`: one line of text without control characters"
    if len(value) > limit(runtime, key):
        return f"`{key}` has {len(value):,} characters; {runtime.id} takes {limit(runtime, key):,}"
    if key == "description" and not value.strip():
        return "`description` is empty; say what the skill does and when to use it"
    return None


def _name_problem(runtime: Runtime, name: str) -> str | None:
    """Return what is wrong with a skill's name, which is its directory's, too; None for nothing."""
    longest = limit(runtime, "name")
    if not re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", name):
        said = json.dumps(name, ensure_ascii=False)
        return f"the name {said} is not lowercase words joined by hyphens; {_better(name, longest)}"
    if len(name) > longest:
        return f"the name has {len(name)} characters; {runtime.id} takes {longest}; {_better(name, longest)}"
    if is_windows_device(name):
        return f"the name `{name}` is a device on Windows; did you mean `{name}-skill`?"
    return None


def _better(name: str, longest: int) -> str:
    """Return in words which name would fit."""
    found = to_kebab_case(name)
    if len(found) > longest:
        found = found[:longest].rpartition("-")[0] or found[:longest]
    return f"did you mean `{found}`?" if found else "write for instance `pdf-tools`"


def limit(runtime: Runtime, field: str) -> int:
    """Return how many characters a field may have: the runtime's limit or the portable one, the narrower."""
    found = [schema.load(name).get("properties", {}).get(field, {}) for name in (runtime.schema, "skill")]
    return min((each["maxLength"] for each in found if "maxLength" in each), default=_LONGEST_ANSWER)
