"""Description that contains `<...>`.

Some runtimes delete what looks like a tag from their listing, and some clients reject the skill. In
XML listings a tag can break the markup around it.

## Bad

```markdown
---
name: pdf-tools
description: Fills in <form> fields of PDF files. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
SKILL.md:3:23: warning[angle-bracket-description]: description contains `<form>`, which some runtimes delete or reject
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

import re
from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.fields import span_of_text
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill

ID = "angle-bracket-description"
SEVERITY = Severity.WARNING

_TAG = re.compile(r"<[^<>\n]+>")


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding, at the first `<...>`."""
    description = skill.frontmatter.text("description")
    if description and (tag := _TAG.search(description)):
        message = f"description contains {backticked(tag[0])}, which some runtimes delete or reject"
        span = span_of_text(skill, "description", tag[0])
        yield Finding(message, span, help="write it without angle brackets")
