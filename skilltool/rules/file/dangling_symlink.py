"""Symbolic link in the skill whose target does not exist.

Reading or copying the skill then fails, or the file is missing. Often the target was renamed, or git does not
track it. A link that points outside the skill is reported by `escaping-symlink`.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```link latest.md
-> fields.md
```

```text
SKILL.md:1:1: warning[dangling-symlink]: symbolic link `latest.md` points to `fields.md`, which does not exist
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

```markdown fields.md
# Fields
```

```link latest.md
-> fields.md
```
"""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.source import Span

ID = "dangling-symlink"
SEVERITY = Severity.WARNING


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each dead link inside the skill; `unreadable-file` covers a SKILL.md that is one itself."""
    for link in skill.tree.links:
        if link.dangles and not link.escapes and link.path != skill.file_name:
            ends = f"{backticked(link.path)} points to {backticked(link.target)}, which does not exist"
            yield Finding(f"symbolic link {ends}", Span(0, 0), help="correct the target or remove the link")
