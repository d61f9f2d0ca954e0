"""File next to `SKILL.md` whose name differs from `SKILL.md` only in case.

On case-insensitive file systems, such as the defaults on macOS and Windows, one file overwrites the other when the skill is
checked out or unpacked. Elsewhere, the clients that skilltool knows read `SKILL.md`, so changes to the other
file have no effect.

## Bad

```markdown SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```markdown skill.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
SKILL.md:1:1: warning[double-skill-file]: `skill.md` and `SKILL.md` differ only in case
```

## Good

```markdown SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```markdown references/skill.md
# How this skill was made
```
"""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.skill.skill_file import FILE_NAME, namesakes
from skilltool.text.source import Span

ID = "double-skill-file"
SEVERITY = Severity.WARNING


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding for each such file; without a `SKILL.md`, `misnamed-file` names them."""
    if skill.file_name == FILE_NAME:
        for name in namesakes(skill.tree.files):
            message = f"{backticked(name)} and `{FILE_NAME}` differ only in case"
            yield Finding(message, Span(0, 0), help="keep one of them, as `SKILL.md`")
