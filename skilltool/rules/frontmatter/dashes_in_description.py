"""`---` inside the frontmatter, in a description or elsewhere.

Runtimes that split the file at every `---` end the frontmatter there: they list half of the
description and read the rest as the body.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms --- and reads them. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
SKILL.md:3:33: warning[dashes-in-description]: `---` inside the frontmatter ends it in runtimes that split the file at `---`
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
from skilltool.text.source import Span

ID = "dashes-in-description"
SEVERITY = Severity.WARNING


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding, at the first `---` between the markers."""
    block = skill.frontmatter.envelope.block
    at = skill.source.text.find("---", block.start, block.end)
    if at >= 0 and skill.frontmatter.envelope.closing:
        message = "`---` inside the frontmatter ends it in runtimes that split the file at `---`"
        yield Finding(message, Span(at, at + 3), help="use fewer dashes, or other punctuation")
