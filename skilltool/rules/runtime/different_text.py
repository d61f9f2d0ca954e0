"""The target reads another description than the one that was written.

Readers differ: one takes quotes and comments for text, one ends the value at `---`, one keeps line
ends. The model then sees something that the author did not mean.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. # Use when the user mentions a PDF form.
---

# PDF tools
```

```text --runtime mycodeagent
SKILL.md:3:14: warning[different-text]: `mycodeagent` reads `n PDF forms. # Use when the user mention` in the description, where `n PDF forms.` was meant
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools
```
"""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.runtimes.values import LoadedSkill
from skilltool.skill.model import Skill

ID = "different-text"
SEVERITY = Severity.WARNING

_REMEDY = "write it on one line, in plain words, without quotes or comments"


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding if the target loads the skill with a description of other words."""
    written = skill.frontmatter.text("description")
    if target.load is None or target.specification or written is None:
        return
    loaded = skill.ask(target.load)
    if not isinstance(loaded, LoadedSkill) or loaded.description.split() == written.split():
        return
    read, meant = _difference(loaded.description, written)
    rest = f"{backticked(read)} in the description, where {backticked(meant)} was meant"
    yield Finding(
        "", skill.frontmatter.span("description"), help=_REMEDY, clause=(f"reads {rest}", f"read {rest}")
    )


def _difference(read: str, written: str) -> tuple[str, str]:
    """Return both texts from a little before the first character in which they differ."""
    same = next((n for n, (a, b) in enumerate(zip(read, written, strict=False)) if a != b), None)
    at = min(len(read), len(written)) if same is None else same
    start = max(at - 12, 0)
    return read[start : start + 40], written[start : start + 40]
