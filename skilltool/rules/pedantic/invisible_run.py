r"""Characters without width stand in a command, in the frontmatter, or many in a row.

One of them in a command or a name makes another command or name that looks the same. Four and more in
a row can carry a hidden message. In emoji and in scripts that join letters they have their use.

## Bad

```markdown escaped
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Run `rm\xe2\x80\x8b form.pdf`, and read the fields.\xe2\x80\x8b\xe2\x80\x8c\xe2\x80\x8b\xe2\x80\x8d
```

```text
SKILL.md:8:8: warning[invisible-run]: a character without width in code: U+200B
SKILL.md:8:41: warning[invisible-run]: characters without width in a row: 4
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Run `rm form.pdf`.
```
"""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.invisible import zero_width
from skilltool.rules.shared.regions import Regions, code_of
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill

ID = "invisible-run"
SEVERITY = Severity.WARNING

_MANY = 4
_REMEDY = "remove it"


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each row of such characters that is long, or stands in code or in the frontmatter."""
    in_code = code_of(skill)
    for run in zero_width(skill):
        count = run.span.end - run.span.start
        if count >= _MANY:
            yield Finding(f"characters without width in a row: {count}", run.span, help=_REMEDY)
        elif place := _place(skill, run.span.start, in_code):
            yield Finding(f"a character without width in {place}: {run.text}", run.span, help=_REMEDY)


def _place(skill: Skill, offset: int, in_code: Regions) -> str | None:
    """Say in what part an invisible character could deceive, None where it could not."""
    block = skill.frontmatter.envelope.block
    if block.start <= offset < block.end:
        return "the frontmatter"
    return "code" if offset in in_code else None
