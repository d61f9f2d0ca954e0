"""Unquoted value that YAML 1.1 and YAML 1.2 read differently.

YAML 1.1 parsers (PyYAML, older Go libraries) read `no`, `on`, `010`, `1_000`, `12:30` and dates as booleans,
numbers or dates; YAML 1.2 parsers read them as strings or different numbers. The rule skips values under
`metadata` that no known client reads, such as dates.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
license: no
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
SKILL.md:4:10: warning[yaml-surprise]: [*] `no` is false in YAML 1.1 and a string in YAML 1.2
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
license: "no"
---

# PDF tools

Read the form's fields before you fill them in.
```
"""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.field_values import quoting_fix
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes import fields
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.frontmatter import Path, Scalar, Timestamp, core_value, yaml11_value

ID = "yaml-surprise"
SEVERITY = Severity.WARNING


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each unquoted value of a known field, and each top-level key, that the versions read differently."""
    frontmatter = skill.frontmatter
    known = fields.known(target)
    for path, scalar in frontmatter.scalars:
        if path[0] in known and scalar.plain and _differs(scalar.text) and _is_read(target, path):
            message = _describe(scalar.text)
            fix = quoting_fix(scalar) if _is_text(target, path, scalar) else None
            yield Finding(message, scalar.span, help="quote the value", fix=fix)
    if frontmatter.root is not None:
        for key, _value in frontmatter.root.entries:
            if isinstance(key, Scalar) and key.plain and _differs(key.text):
                message = f"key {_describe(key.text)}"
                yield Finding(message, key.span, help="quote the key", fix=quoting_fix(key))


def _is_read(target: Runtime, path: Path) -> bool:
    """Return whether a client is known to read the field: of what is under `metadata`, hardly any."""
    return path[0] != "metadata" or fields.about(target, tuple(map(str, path))) is not None


def _is_text(target: Runtime, path: Path, scalar: Scalar) -> bool:
    """Return whether quotes leave the type of a value: some client may read it, most of all under `metadata`."""
    if path[0] == "metadata":
        return False
    about = fields.about(target, tuple(map(str, path)))
    return isinstance(core_value(scalar.text), str) or "string" in fields.types(about or {})


def _differs(text: str) -> bool:
    new, old = core_value(text), yaml11_value(text)
    both_nan = new != new and old != old
    return type(new) is not type(old) or (new != old and not both_nan)


def _describe(text: str) -> str:
    old, new = _kind(yaml11_value(text)), _kind(core_value(text))
    return f"{backticked(text)} is {old} in YAML 1.1 and {new} in YAML 1.2"


def _kind(value: object) -> str:
    if isinstance(value, Timestamp):
        return "a date"
    if isinstance(value, str):
        return "a string"
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else f"the number {value}"
