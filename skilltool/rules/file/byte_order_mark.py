r"""UTF-8 byte order mark at the start of the file.

Several runtimes, among them Codex and Gemini CLI, expect the file to start with `---`. They find the byte order mark instead, and read no
frontmatter. Editors do not show the mark. The severity is `info` if the client that the directory belongs to loads the
skill all the same.

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
SKILL.md:1:1: warning[byte-order-mark]: [*] file starts with a byte order mark, which hides the frontmatter from clients such as `codex` and `gemini-cli`
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
from skilltool.rules.shared.limits import refusal
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.source import Span

ID = "byte-order-mark"
SEVERITY = Severity.WARNING

_READERS = "clients such as `codex` and `gemini-cli`"  # by their profiles, neither loads such a file


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding if the file starts with U+FEFF, a note if it hides no frontmatter, or none from `target`."""
    if skill.source.bom:
        hides = skill.frontmatter.envelope.opening is not None
        is_of_client = not (target.ground or target.specification)
        is_note = not hides or (is_of_client and refusal(skill, target.id) is None)
        message = "file starts with a byte order mark"
        message += f", which hides the frontmatter from {_READERS}" if hides else ""
        yield Finding(
            message,
            Span(0, 1),
            help="save the file as UTF-8 without a byte order mark",
            severity=Severity.INFO if is_note else None,
            fix=Fix(safe=True, edits=(Edit(0, 1, ""),)),
        )
