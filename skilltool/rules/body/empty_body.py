"""Skill with an empty body.

The model sees the skill in its listing and loads it, but gets no instructions.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---
```

```text
SKILL.md:4:1: warning[empty-body]: body is empty
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
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill

ID = "empty-body"
SEVERITY = Severity.WARNING


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding, at the closing marker, if the body holds only whitespace."""
    closing = skill.frontmatter.envelope.closing
    if closing and not skill.body.strip():
        yield Finding("body is empty", closing, help="write the instructions below the frontmatter")
