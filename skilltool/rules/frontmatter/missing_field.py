"""Required field that is missing: `name` or `description`.

Without a name most runtimes have no key for the skill, and without a description the model never
learns when to use it. Nearly all skip such a skill.

## Bad

```markdown
---
name: pdf-tools
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
SKILL.md:1:1: error[missing-field]: field `description` is missing; `agent`, `kodelet`, `mycodeagent` and 3 more require it
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```
"""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.limits import owners_of
from skilltool.rules.shared.violations import schema_violations
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill

ID = "missing-field"
SEVERITY = Severity.ERROR

_CLAUSE = ("requires it", "require it")


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each required key that is missing, at the opening marker."""
    for violation in schema_violations(skill, target, "required"):
        key = ".".join(map(str, violation.path))
        owners = owners_of(skill, target, violation)
        message, advice = f"field `{key}` is missing", f"add a line `{key}: ...`"
        yield Finding(message, violation.span, help=advice, clause=_CLAUSE, owners=owners)
