r"""A trigger's pattern can take seconds or years to search in a message.

Repetitions inside repetitions, such as `(\w+\s?)*`, can be matched in so many ways that a message which
almost fits is tried again and again. The runtime searches every message for it and stands still. This
is measured, not guessed: the pattern was searched in messages that are made for it.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
triggers:
  patterns:
    - fill (\w+\s?)*form
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
SKILL.md:6:7: warning[slow-trigger-pattern]: the pattern `fill (\w+\s?)*form` takes longer than a second to search in a message of 51 characters
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
triggers:
  patterns: ['fill\b.*\bform']
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

ID = "slow-trigger-pattern"
SEVERITY = Severity.WARNING

_REMEDY = "let no repetition stand in another one that can take the same text"


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each pattern that took longer than the bound."""
    patterns = list(triggers(skill, target, "patterns"))
    if not patterns:
        return
    for pattern, trial in zip(patterns, tried(tuple(each.text for each in patterns)), strict=True):
        if trial.slow is not None:
            how_long = f"a message of {trial.slow} characters" if trial.slow else "some messages"
            message = (
                f"the pattern {backticked(pattern.text)} takes longer than a second to search in {how_long}"
            )
            yield Finding(message, pattern.span, help=_REMEDY)
