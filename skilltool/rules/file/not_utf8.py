r"""File that is not encoded as UTF-8.

Some runtimes reject the skill, and some replace the invalid bytes. Two runtimes load no skills at all if even
one file cannot be decoded.

## Bad

```markdown escaped
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's caf\xe9 fields before you fill them in.
```

```text
SKILL.md:8:20: error[not-utf8]: file contains a byte that is not valid UTF-8
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

ID = "not-utf8"
SEVERITY = Severity.ERROR


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding, at the first byte that does not decode, with the number of all."""
    source = skill.source
    if source.encoding != "utf-8":
        yield Finding(
            f"file is encoded as {source.encoding.upper()}", Span(0, 1), help="save the file as UTF-8"
        )
    elif source.invalid:
        count = sum(span.end - span.start for span in source.invalid)
        amount = "a byte that is" if count == 1 else f"{count} bytes that are"
        yield Finding(
            f"file contains {amount} not valid UTF-8", source.invalid[0], help="save the file as UTF-8"
        )
