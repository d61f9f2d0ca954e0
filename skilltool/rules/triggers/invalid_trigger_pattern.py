r"""A trigger's pattern is no regular expression.

The runtime leaves it out, and the skill is never offered for the messages that it was written for.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
triggers:
  patterns:
    - fill (in|out
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
SKILL.md:6:12: error[invalid-trigger-pattern]: the pattern `fill (in|out` is no regular expression: missing ), unterminated subpattern
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
triggers:
  patterns: ["fill (in|out)", "sign(s|ed)?\\s+a\\s+form"]
---

# PDF tools

Read the form's fields before you fill them in.
```
"""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.pattern_trials import tried
from skilltool.rules.shared.triggers import triggers
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill

ID = "invalid-trigger-pattern"
SEVERITY = Severity.ERROR


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each pattern that does not compile, at the character that is wrong."""
    patterns = list(triggers(skill, target, "patterns"))
    if not patterns:
        return
    for pattern, trial in zip(patterns, tried(tuple(each.text for each in patterns)), strict=True):
        if trial.error is not None:
            message = f"the pattern {backticked(pattern.text)} is no regular expression: {trial.error}"
            yield Finding(message, pattern.at(trial.position), help="correct the pattern, or remove it")
