"""The frontmatter's opening `---` has no closing `---` on a line of its own.

Most runtimes then see no frontmatter, or take the whole body for YAML, and skip the skill.
A marker with text behind it (`---# Title`) does not close.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.

# PDF tools
```

```text
SKILL.md:1:1: error[unclosed-frontmatter]: the `---` here is never closed
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

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.wording import backticked
from skilltool.rules.shared.yaml_fixes import glued_fence
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill

ID = "unclosed-frontmatter"
SEVERITY = Severity.ERROR

_GLUED = re.compile(r"^---+[ \t]*[^\s-].*|^[ \t]+---[ \t]*$|^-{4,}[ \t]*$", re.MULTILINE)


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding for an opening marker without a closing one."""
    envelope = skill.frontmatter.envelope
    if envelope.opening is None or envelope.closing is not None:
        return
    remedy = "add a line with `---` and nothing else below the last key"
    glued = _GLUED.search(skill.source.text, envelope.block.start)
    if glued:
        line = skill.source.position(glued.start()).line
        remedy = f"line {line}, {backticked(glued[0])}, does not close it: leave `---` alone at its beginning"
    mended = glued_fence(skill)
    yield Finding("the `---` here is never closed", envelope.opening, help=remedy, fix=mended)
