"""A value is not of the type that the field has.

YAML decides types by the look of a value: `1.0` is a number, `true` a truth value, `[a]` a list.
Where a runtime wants text it refuses the skill, or shows something that the author did not write.
Values below `metadata` are a warning: most runtimes do not look at them.

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
SKILL.md:4:10: error[wrong-type]: [*] `version` is the number `1.0`, expected text
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

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.field_fixes import quoting_fix
from skilltool.rules.shared.violations import schema_violations
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill

ID = "wrong-type"
SEVERITY = Severity.ERROR

_WORDS = {"string": "text", "object": "keys and values", "array": "a list", "boolean": "true or false"}


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each value of another type than the schema's; other rules speak of some fields."""
    for violation in schema_violations(skill, target, "type"):
        path, value = violation.path, violation.value
        if path == ("allowed-tools",) or (path == ("description",) and value is None):
            continue
        field = ".".join(map(str, path)) or "frontmatter"
        wanted = violation.limit if isinstance(violation.limit, list) else [violation.limit]
        words = " or ".join(_WORDS.get(str(name), str(name)) for name in wanted)
        severity = Severity.WARNING if path[0] == "metadata" and len(path) > 1 else None
        message = f"`{field}` is {_described(value)}, expected {words}"
        yield Finding(
            message,
            violation.span,
            help=_remedy(value, "string" in wanted),
            severity=severity,
            fix=quoting_fix(skill.frontmatter.node(*path)) if "string" in wanted else None,
        )


def _described(value: object) -> str:
    if value is None:
        return "empty"
    if isinstance(value, bool):
        return f"the truth value {backticked(value)}"
    if isinstance(value, int | float):
        return f"the number {backticked(value)}"
    return "a list" if isinstance(value, list) else "a mapping" if isinstance(value, dict) else "text"


def _remedy(value: object, text_wanted: bool) -> str:
    if value is None:
        return "give it a value, or leave the key out"
    if text_wanted and isinstance(value, bool | int | float):
        return "put the value in quotes"
    return "write the value in one line of text" if text_wanted else "write it as the field expects"
