"""Empty description.

The description is all that the model sees before it decides to load the skill. Nearly all runtimes reject or
hide a skill without a description.

## Bad

```markdown
---
name: pdf-tools
description:
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
SKILL.md:3:1: error[empty-description]: description is empty
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
from skilltool.rules.shared.limits import schema_violations
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill

ID = "empty-description"
SEVERITY = Severity.ERROR

_HELP = "say in one or two sentences what the skill does and when to use it"


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding for a description that is null, empty or blank."""
    for violation in schema_violations(skill, target, "type", "minLength", "pattern"):
        blank = violation.value is None or (isinstance(violation.value, str) and not violation.value.strip())
        if violation.path == ("description",) and blank:
            span = skill.frontmatter.span("description", key=True)
            yield Finding("description is empty", span, help=_HELP)
            return
