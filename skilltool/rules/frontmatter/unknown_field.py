"""A key that the target does not know.

Most runtimes pass over it in silence, so it does nothing there; some refuse the skill. A key
that looks like a known one with a slip in it is a warning: it was meant to do something.

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
SKILL.md:4:1: warning[unknown-field]: unknown field `licence`, like `license`
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
from skilltool.rules.shared.field_fixes import below_metadata
from skilltool.rules.shared.violations import schema_violations
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill import schema
from skilltool.skill.model import Skill
from skilltool.skill.schema import Violation

ID = "unknown-field"
SEVERITY = Severity.INFO

# `descripton` is a slip for `description`; `tools` is no slip for `toolsets`, but a field of other clients.
_SLIP = 0.85
_REMEDY = "remove it, or put it below `metadata`"


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each key that the target's schema does not have."""
    for violation in schema_violations(skill, target, "additionalProperties"):
        key = str(violation.path[-1])
        field = ".".join(map(str, violation.path))
        meant = nearest(key, violation.known, _SLIP)
        if meant and meant not in (skill.frontmatter.data or {}) and _is_slip(target, violation, meant):
            message = f"unknown field {backticked(field)}, like `{meant}`"
            yield Finding(message, violation.span, help=f"write `{meant}`", severity=Severity.WARNING)
        else:
            mended = below_metadata(skill, key) if len(violation.path) == 1 else None
            if "metadata" not in violation.known:
                mended = None
            yield Finding(f"unknown field {backticked(field)}", violation.span, help=_REMEDY, fix=mended)


def _is_slip(target: Runtime, violation: Violation, meant: str) -> bool:
    """Return whether a key is meant to be one like it: spelt the same, or with a value that it may have.

    `trigger: /pdf` is a field of other clients, and no slip for `triggers`, which has keys and values.
    """
    *above, key = violation.path
    same = _plain(str(key)) == _plain(meant)
    return same or schema.takes(target.schema, (*above, meant), violation.value)


def _plain(key: str) -> str:
    return key.casefold().replace("_", "").replace("-", "")
