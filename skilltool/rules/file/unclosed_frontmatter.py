"""Frontmatter without a closing `---` on a line of its own.

Most runtimes then find no frontmatter, or parse the whole body as YAML, and skip the skill. A marker with
text after it (`---# Title`) does not close the block.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.

# PDF tools
```

```text
SKILL.md:1:1: error[unclosed-frontmatter]: frontmatter is never closed
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
from skilltool.rules.shared.yaml_repairs import split_glued_marker
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.lazy_pattern import lazy_pattern

ID = "unclosed-frontmatter"
SEVERITY = Severity.ERROR

_GLUED = lazy_pattern(r"^---+[ \t]*[^\s-].*|^[ \t]+---[ \t]*$|^-{4,}[ \t]*$", re.MULTILINE)


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding, at an opening marker that has no closing one."""
    envelope = skill.frontmatter.envelope
    if envelope.opening is None or envelope.closing is not None:
        return
    advice = "add a `---` line after the last key"
    glued = _GLUED.search(skill.source.text, envelope.block.start)
    if glued:
        line = skill.source.position(glued.start()).line
        advice = f"line {line}, {backticked(glued[0])}, does not close it: put `---` on a line of its own"
    fix = split_glued_marker(skill)
    yield Finding("frontmatter is never closed", envelope.opening, help=advice, fix=fix)
