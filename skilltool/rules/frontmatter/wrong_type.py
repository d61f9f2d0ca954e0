"""Value of a different type than a runtime expects.

YAML infers the type of a value from how the value is written: `1.0` is a number, `true` a boolean, `[a]` a
list. A runtime that expects a string rejects the skill or shows a value that differs from what the author
wrote.

The open specification expects a non-empty string for `compatibility`; if there is nothing to state, omit the
field. Values under `metadata` may have any type. The rule reports a value under `metadata` only for runtimes
that reject it, and no fix changes its type, because another client may read the value (for example,
`internal: true`).

In `user-invocable` and `disable-model-invocation`, Claude Code accepts `true`, `yes`, `on`, `1` and their
opposites, in upper or lower case and with or without quotes. Any other value counts as false, as does an
empty `user-invocable`. Tested with Claude Code 2.1.329.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
version: 1.0
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
SKILL.md:4:10: info[wrong-type]: [*] `version` is the number `1.0`; `agent` expects a string; 25 of 26 runtimes accept it
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
version: "1.0.0"
---

# PDF tools

Read the form's fields before you fill them in.
```
"""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity, listed_names
from skilltool.rules.shared.field_values import quoting_fix
from skilltool.rules.shared.limits import acceptance, owners_of, schema_violations
from skilltool.rules.shared.text_maps import text_map_of
from skilltool.rules.shared.wording import backticked, one_of_types
from skilltool.runtimes import fields
from skilltool.runtimes.base import Runtime
from skilltool.runtimes.fields import client_fields
from skilltool.skill.model import Skill
from skilltool.text.frontmatter import Path, Plain

ID = "wrong-type"
SEVERITY = Severity.ERROR

_TYPES = {
    "string": "a string",
    "object": "a mapping",
    "array": "a list",
    "boolean": "a boolean",
    "number": "a number",
}


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each value of a type that the runtime's schema does not allow, except where another rule reports it."""
    for violation in schema_violations(skill, target, "type"):
        path, value = violation.path, violation.value
        if (path == ("allowed-tools",) and violation.limit == "string") or (
            path == ("description",) and value is None
        ):
            continue
        field = ".".join(map(str, path)) or "frontmatter"
        wanted = violation.limit if isinstance(violation.limit, list) else [violation.limit]
        owners = owners_of(skill, target, violation)
        types = one_of_types(_TYPES.get(str(name), str(name)) for name in wanted)
        quotable = "string" in wanted and path[0] != "metadata"
        yield Finding(
            f"`{field}` is {_describe(value)}",
            violation.span,
            help=_advice(target, path, value, wanted),
            severity=_severity(target, owners),
            fix=quoting_fix(skill.frontmatter.node(*path)) if quotable else None,
            clause=(f"expects {types}", f"expect {types}"),
            owners=owners,
            accepted=acceptance(skill, target, violation),
            cause=f"{field}: {types}",
        )
    yield from _empty(skill, target)
    yield from _misread(skill, target)


def _empty(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each optional field with an empty text where some text is expected; other rules have the rest."""
    for violation in schema_violations(skill, target, "minLength"):
        path = violation.path
        if path not in {("name",), ("description",)} and not violation.value:
            yield Finding(
                f"`{'.'.join(map(str, path))}` is an empty string",
                violation.span,
                help="write some text, or remove the key",
                severity=Severity.INFO,
                clause=("expects a non-empty string", "expect a non-empty string"),
                owners=owners_of(skill, target, violation),
                accepted=acceptance(skill, target, violation),
            )


def _misread(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each switch whose value the runtime cannot read, with what it takes it for."""
    reading = text_map_of(skill, target)
    for field, meaning in reading.misread if reading is not None else ():
        shown = "true" if meaning else "false"
        message = f"`{field}` is {backticked(reading.fields.get(field) if reading else None)}"
        clause = (f"reads it as {shown}", f"read it as {shown}")
        span, advice = skill.frontmatter.span(field), "write `true` or `false`"
        yield Finding(message, span, advice, Severity.WARNING, clause=clause)


def _describe(value: object) -> str:
    if value is None:
        return "empty"
    if isinstance(value, bool):
        return f"the boolean {backticked(value)}"
    if isinstance(value, int | float):
        return f"the number {backticked(value)}"
    return "a list" if isinstance(value, list) else "a mapping" if isinstance(value, dict) else "a string"


def _severity(target: Runtime, owners: tuple[str, ...]) -> Severity | None:
    """Return info where only runtimes of a common ground object, to a field that the specification lacks."""
    return Severity.INFO if owners and set(owners) <= set(target.ground) else None


def _advice(target: Runtime, path: Path, value: Plain, wanted: list[str]) -> str:
    """Return what to write instead, with the shape, and who reads the field as it is."""
    if value is None:
        return "give it a value, or remove the key"
    if "string" in wanted:
        scalar = isinstance(value, bool | int | float)
        return "quote the value" if scalar else "write the value as a string on one line"
    advice = f"write `{path[-1]}:` as {_shape(target, path, wanted[0])}"
    takers = [row.client for row in client_fields().get(str(path[0]), ()) if _takes(row.type, value)]
    if not takers or len(path) > 1:
        return advice
    return f"{advice} ({listed_names(takers)} {'read' if len(takers) > 1 else 'reads'} {_describe(value)})"


def _shape(target: Runtime, path: Path, wanted: str) -> str:
    """Return the form of a value of the type `wanted`, with the first key that the schema has for it."""
    if wanted == "boolean":
        return "`true` or `false`"
    about = fields.about(target, tuple(map(str, path))) or {}
    for key, below in about.get("properties", {}).items():
        return f"a mapping with `{key}: {'[...]' if below.get('type') == 'array' else '...'}`"
    return "a list, `[...]`" if wanted == "array" else _TYPES.get(wanted, wanted)


def _takes(kind: str | None, value: Plain) -> bool:
    return (kind == "array" and isinstance(value, list)) or (kind == "object" and isinstance(value, dict))
