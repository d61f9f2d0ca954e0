r"""Trigger pattern that is not a valid regular expression.

The runtime drops the pattern, so it does not offer the skill for the messages that the pattern was meant to
match.

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

```text --runtime agent
SKILL.md:6:12: warning[invalid-trigger-pattern]: pattern `fill (in|out` is not a valid regular expression: missing ), unterminated subpattern
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
from skilltool.rules.shared.fields import triggers
from skilltool.rules.shared.pattern_trials import try_patterns
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill

ID = "invalid-trigger-pattern"
SEVERITY = Severity.ERROR


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each pattern that does not compile, at the character that the error names."""
    patterns = list(triggers(skill, target, "patterns"))
    if not patterns:
        return
    for pattern, trial in zip(
        patterns, try_patterns(tuple(pattern.text for pattern in patterns)), strict=True
    ):
        if trial.error is not None:
            message = f"pattern {backticked(pattern.text)} is not a valid regular expression: {trial.error}"
            yield Finding(message, pattern.at(trial.position), help="correct or remove the pattern")
