"""File named `skill.md` or `Skill.md` instead of `SKILL.md`.

On a case-sensitive file system (Linux, most servers), runtimes do not find `skill.md` or `Skill.md`. If the
file is inside another skill's directory, the severity is `info`, because the file may be a page of that
skill.

## Bad

```markdown skill.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
skill.md:1:1: error[misnamed-file]: [*] file is named `skill.md`, not `SKILL.md`
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
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.source import Span

ID = "misnamed-file"
SEVERITY = Severity.ERROR


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding if the name differs from `SKILL.md` in case; it has a fix if nothing else can be meant."""
    if skill.file_name != FILE_NAME:
        message = f"file is named {backticked(skill.file_name)}, not `{FILE_NAME}`"
        others = [name for name in sorted(skill.tree.files) if name.lower() == FILE_NAME.lower()]
        others = [name for name in others if name != skill.file_name]
        if skill.surroundings.is_nested:
            remedy = (
                f"rename it to `{FILE_NAME}` if it is a separate skill, not a page of the enclosing skill"
            )
            yield Finding(message, Span(0, 0), help=remedy, severity=Severity.INFO)
        elif others:
            advice = f"keep either this file or {backticked(others[0])}, named `{FILE_NAME}`"
            yield Finding(message, Span(0, 0), help=advice)
        else:
            fix = Fix(safe=True, rename=(skill.file_name, FILE_NAME))
            yield Finding(message, Span(0, 0), help=f"rename it to `{FILE_NAME}`", fix=fix)
