"""Description that a runtime reads differently from what was written.

One parser takes quotes and comments as text, another ends the value at `---`, a third keeps line
breaks. The model then reads something that the author did not mean.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. # Use when the user mentions a PDF form.
---

# PDF tools
```

```text --runtime mycodeagent
SKILL.md:3:14: warning[different-text]: `mycodeagent` reads `n PDF forms. # Use when the user mention` in the description instead of `n PDF forms.`
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

_HELP = "write it on one line, without quotes or comments"


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding if the runtime loads the skill with a description of other words."""
    written = skill.frontmatter.text("description")
    if target.load is None or target.specification or written is None:
        return
    loaded = skill.ask(target.load)
    if not isinstance(loaded, LoadedSkill) or loaded.description.split() == written.split():
        return
    read, meant = _difference(loaded.description, written)
    rest = f"{backticked(read)} in the description instead of {backticked(meant)}"
    clause = (f"reads {rest}", f"read {rest}")
    yield Finding("", skill.frontmatter.span("description"), help=_HELP, clause=clause)


def _difference(read: str, written: str) -> tuple[str, str]:
    """Return 40 characters of both texts, from a little before the first one that differs."""
    same = next((n for n, (a, b) in enumerate(zip(read, written, strict=False)) if a != b), None)
    at = min(len(read), len(written)) if same is None else same
    start = max(at - 12, 0)
    return read[start : start + 40], written[start : start + 40]
