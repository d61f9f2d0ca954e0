r"""The file begins with an invisible byte order mark.

Several runtimes compare the first characters with `---`, see the mark instead and load no
frontmatter at all.

## Bad

```markdown escaped
\xef\xbb\xbf---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
SKILL.md:1:1: warning[byte-order-mark]: [*] the file begins with a byte order mark; some runtimes then see no frontmatter
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

from skilltool.findings.finding import Edit, Finding, Fix, Severity
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.source import Span

ID = "byte-order-mark"
SEVERITY = Severity.WARNING


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding for a file that begins with U+FEFF in UTF-8."""
    if skill.source.bom:
        message = "the file begins with a byte order mark; some runtimes then see no frontmatter"
        mended = Fix(safe=True, edits=(Edit(0, 1, ""),))
        yield Finding(
            message, Span(0, 1), help="save the file as UTF-8 without a byte order mark", fix=mended
        )
