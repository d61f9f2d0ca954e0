r"""CRLF or CR line endings instead of LF.

Most runtimes handle these line endings. Some pass the carriage returns on to the model, and some accept `---`
only if a bare line feed follows.

## Bad

```markdown escaped
---\r\n
name: pdf-tools\r\n
description: Fills in PDF forms. Use when the user mentions a PDF form.\r\n
---\r\n
\r\n
# PDF tools\r\n
\r\n
Read the form's fields before you fill them in.\r\n
```

```text
SKILL.md:1:4: info[carriage-return]: [*] file has CRLF line endings
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

from skilltool.findings.finding import Finding, Fix, Severity
from skilltool.rules.shared.line_ends import to_line_feeds
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.source import Span

ID = "carriage-return"
SEVERITY = Severity.INFO

_NAMES = {"\r\n": "CRLF", "\r": "CR", "mixed": "mixed"}


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding, at the first carriage return; its fix replaces all of them."""
    first = skill.source.text.find("\r")
    if first >= 0:
        length = 2 if skill.source.text.startswith("\r\n", first) else 1
        message = f"file has {_NAMES[skill.source.newline]} line endings"
        fix = Fix(safe=True, edits=to_line_feeds(skill.source.text, first))
        yield Finding(
            message, Span(first, first + length), help="save the file with LF line endings", fix=fix
        )
