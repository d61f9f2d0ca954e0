"""A key stands twice in one mapping.

Some readers take the first value, some the last, some refuse the file; so one skill means
different things in different runtimes.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
description: Reads PDF forms.
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
SKILL.md:4:1: error[duplicate-key]: the key `description` stands here again, after line 3
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

from skilltool.diagnostic import Finding, Severity
from skilltool.rules.base import code
from skilltool.runtimes.base import Runtime
from skilltool.skill import Skill

ID = "duplicate-key"
GROUP = "file"
SEVERITY = Severity.ERROR


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each repetition of a key."""
    for problem in skill.frontmatter.problems:
        if problem.kind == "duplicate-key" and problem.earlier:
            line = skill.source.position(problem.earlier.start).line
            message = f"the key {code(problem.text)} stands here again, after line {line}"
            yield Finding(message, problem.span, help="keep one of the two")
