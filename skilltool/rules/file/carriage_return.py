r"""CRLF or CR line endings instead of LF.

Most runtimes cope. Some keep the carriage returns in the text that the model sees, and some accept
`---` only if a bare line feed follows.

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

import re
from collections.abc import Iterator

from skilltool.findings.finding import Edit, Finding, Fix, Severity
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.source import Span

ID = "carriage-return"
SEVERITY = Severity.INFO

_LINE_END = re.compile(r"\r\n?")
_NAMES = {"\r\n": "CRLF", "\r": "CR", "mixed": "mixed"}


_MOST = 20_000  # edits, more than a file has lines that people wrote


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding, at the first carriage return; its fix replaces all of them."""
    first = skill.source.text.find("\r")
    if first >= 0:
        length = 2 if skill.source.text.startswith("\r\n", first) else 1
        message = f"file has {_NAMES[skill.source.newline]} line endings"
        fix = Fix(safe=True, edits=_edits(skill.source.text, first))
        yield Finding(
            message, Span(first, first + length), help="save the file with LF line endings", fix=fix
        )


def _edits(text: str, first: int) -> tuple[Edit, ...]:
    """Return an edit for each carriage return; one for all of them if there are very many."""
    if text.count("\r") <= _MOST:
        return tuple(Edit(m.start(), m.end(), "\n") for m in _LINE_END.finditer(text, first))
    end = text.rfind("\r") + 1
    end += text.startswith("\n", end)
    return (Edit(first, end, text[first:end].replace("\r\n", "\n").replace("\r", "\n")),)
