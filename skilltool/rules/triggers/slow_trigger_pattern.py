r"""Trigger pattern that can take seconds, or even years, to match against a message.

Nested repetitions such as `(\w+\s?)*` can match the same text in a huge number of ways. On a message that
almost matches, the runtime tries every one of these ways and hangs (catastrophic backtracking). skilltool
tests the pattern on messages that it generates for this purpose.

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

```text --runtime agent
SKILL.md:6:7: warning[slow-trigger-pattern]: pattern `fill (\w+\s?)*form` takes more than a second on a message of 51 characters
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
from skilltool.rules.shared.fields import triggers
from skilltool.rules.shared.pattern_trials import try_patterns
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill

ID = "slow-trigger-pattern"
SEVERITY = Severity.WARNING

_HELP = "do not nest repetitions that can match the same text"


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each pattern whose search took longer than a second."""
    patterns = list(triggers(skill, target, "patterns"))
    if not patterns:
        return
    for pattern, trial in zip(
        patterns, try_patterns(tuple(pattern.text for pattern in patterns)), strict=True
    ):
        if trial.slow is not None:
            searched = f"a message of {trial.slow} characters" if trial.slow else "some messages"
            message = f"pattern {backticked(pattern.text)} takes more than a second on {searched}"
            yield Finding(message, pattern.span, help=_HELP)
