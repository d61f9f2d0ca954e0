"""Field that a runtime does not know.

Most runtimes ignore it silently, so it has no effect there; some reject the skill. A key that looks
like a misspelled field is a warning, because it was meant to have an effect.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
licence: MIT
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
SKILL.md:4:1: warning[unknown-field]: unknown field `licence`, similar to `license`
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
license: MIT
---

# PDF tools

Read the form's fields before you fill them in.
```
"""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.errors import nearest
from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.field_fixes import moving_fix
from skilltool.rules.shared.violations import schema_violations
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill import schema
from skilltool.skill.model import Skill
from skilltool.skill.schema import Violation

ID = "unknown-field"
SEVERITY = Severity.INFO

# `descripton` is a typo for `description`; `tools` is not a typo for `toolsets`, but a field of other clients.
_SIMILARITY = 0.85
_HELP = "remove it, or move it under `metadata`"
_CLAUSE = ("has no such field", "have no such field")


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each key that the runtime's schema does not define; a typo gets the field that it resembles."""
    for violation in schema_violations(skill, target, "additionalProperties"):
        key = str(violation.path[-1])
        field = ".".join(map(str, violation.path))
        meant = nearest(key, violation.known, _SIMILARITY)
        if meant and meant not in (skill.frontmatter.data or {}) and _is_typo(target, violation, meant):
            message = f"unknown field {backticked(field)}, similar to `{meant}`"
            yield Finding(message, violation.span, help=f"rename it to `{meant}`", severity=Severity.WARNING)
        else:
            movable = len(violation.path) == 1 and "metadata" in violation.known
            fix = moving_fix(skill, key) if movable else None
            message = f"unknown field {backticked(field)}"
            yield Finding(message, violation.span, help=_HELP, fix=fix, clause=_CLAUSE)


def _is_typo(target: Runtime, violation: Violation, meant: str) -> bool:
    """Return whether a key is a typo for `meant`: same letters, or a value of the type that `meant` has.

    `trigger: /pdf` is a field of other clients, not a typo for `triggers`, which is a mapping.
    """
    *above, key = violation.path
    same = _plain(str(key)) == _plain(meant)
    return same or schema.accepts_type(target.schema, (*above, meant), violation.value)


def _plain(key: str) -> str:
    return key.casefold().replace("_", "").replace("-", "")
