"""Validates the answers to a template's questions before any of them becomes a path or a text."""

from __future__ import annotations

import re
from collections.abc import Mapping

from skilltool.errors import SkilltoolError
from skilltool.rules.shared.names import is_windows_device, to_kebab_case
from skilltool.runtimes.base import Runtime
from skilltool.scaffold.questions import answer_problem
from skilltool.scaffold.templates import Template
from skilltool.skill import schema

_MAX_ANSWER = 10_000  # characters, where no schema sets a limit


def check_answers(
    template: Template, given: Mapping[str, str], options: Mapping[str, list[str]], runtime: Runtime
) -> None:
    """Raise `SkilltoolError` for an answer the template does not ask for or the runtime does not allow.

    `options` are those of the closed questions.
    """
    unknown = [key for key in given if key not in template.questions]
    if unknown:
        listed = ", ".join(template.questions)
        raise SkilltoolError(
            f"template {template.name} does not ask for `{unknown[0]}` (it asks for: {listed})"
        )
    for key, value in given.items():
        problem = answer_problem(template.questions[key], value, options.get(key, []))
        if problem := problem or _problem(runtime, key, value):
            raise SkilltoolError(problem)


def check_name(name: str, runtime: Runtime) -> None:
    """Raise `SkilltoolError` for a name that no skill may have, or that the runtime does not allow."""
    if problem := _name_problem(runtime, name):
        raise SkilltoolError(problem)


def _problem(runtime: Runtime, key: str, value: str) -> str | None:
    """Return what is wrong with the answer to one question, or None."""
    if key == "name":
        return _name_problem(runtime, value)
    if re.search(r"[\0-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]", value):
        return f"`{key}` contains a line break or a control character"
    if len(value) > max_length(runtime, key):
        return f"`{key}` has {len(value):,} characters; {_allows(runtime, key)}"
    if key == "description" and not value.strip():
        return "`description` is empty; describe what the skill does and when to use it"
    return None


def _name_problem(runtime: Runtime, name: str) -> str | None:
    """Return what is wrong with the name of a skill, and so of its directory, or None."""
    longest = max_length(runtime, "name")
    if not name:
        return f"name is empty; {_suggestion(name, longest)}"
    if not re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", name):
        return f"name `{name}` is not lowercase words joined by hyphens; {_suggestion(name, longest)}"
    if len(name) > longest:
        return f"name has {len(name)} characters; {_allows(runtime, 'name')}; {_suggestion(name, longest)}"
    if is_windows_device(name):
        return f"name `{name}` is reserved on Windows; did you mean `{name}-skill`?"
    return None


def _suggestion(name: str, longest: int) -> str:
    """Return a hint with a valid name, similar to `name` if possible."""
    found = to_kebab_case(name)
    if len(found) > longest:
        found = found[:longest].rpartition("-")[0] or found[:longest]
    return f"did you mean `{found}`?" if found else "use a name such as `pdf-tools`"


def max_length(runtime: Runtime, field: str) -> int:
    """Return how many characters a field may have, by the runtime's or the portable limit."""
    return min(_limits(runtime, field).values(), default=_MAX_ANSWER)


def _allows(runtime: Runtime, field: str) -> str:
    """Return the limit of a field in words, with the id of the runtime that sets it."""
    limits = _limits(runtime, field)
    owner = min(limits, key=limits.__getitem__, default="skilltool")
    return f"{owner} allows {max_length(runtime, field):,}"


def _limits(runtime: Runtime, field: str) -> dict[str, int]:
    """Return the limits of a field in characters, by the id of the runtime that sets each."""
    schemas = {runtime.id: schema.load(runtime.schema), "portable": schema.load("skill")}
    properties = {owner: found.get("properties", {}).get(field, {}) for owner, found in schemas.items()}
    return {owner: found["maxLength"] for owner, found in properties.items() if "maxLength" in found}
