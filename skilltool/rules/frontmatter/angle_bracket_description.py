"""The description holds `<...>`.

Some listings delete what looks like a tag, some clients refuse the skill for it, and in listings
that are XML it can break the frame around it.

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
SKILL.md:3:23: warning[angle-bracket-description]: the description holds `<form>`, which some listings delete or refuse
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
    """Yield one finding, at the first such text."""
    description = skill.frontmatter.text("description")
    if description and (tag := _TAG.search(description)):
        message = f"the description holds {backticked(tag[0])}, which some listings delete or refuse"
        yield Finding(
            message, span_of_text(skill, "description", tag[0]), help="write it without angle brackets"
        )
