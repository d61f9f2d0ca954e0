"""Description that does not say when to use the skill.

The model chooses skills by their descriptions. A description that says when to use the skill ("Use when the
user mentions a PDF form") lets the model choose the skill at the right time. The rule looks for words and
phrases from a fixed list, such as "when" and "use for".

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms.
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
SKILL.md:3:14: warning[vague-description]: description does not say when to use the skill
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
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.lazy_pattern import lazy_pattern

ID = "vague-description"
SEVERITY = Severity.WARNING

_OCCASION = lazy_pattern(
    r"\b(?:when|whenever|if|before|after|while|during|once|triggers?|invoke)\b"
    r"|\buse (?:for|this|it|to|in|with)\b|\bused (?:for|to|by)\b"
    r"|\b(?:for (?:users?|tasks?|questions?|requests?|creating|building|working))\b"
    "|当|时|使用|适用|用于|とき|時|際|場合|때|경우|사용",
    re.IGNORECASE,
)
_REMEDY = "add a sentence such as `Use when the user mentions ...`"


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding for a description that contains no word for an occasion."""
    description = skill.frontmatter.text("description")
    if description and description.strip() and not _OCCASION.search(description):
        span = skill.frontmatter.span("description")
        yield Finding("description does not say when to use the skill", span, help=_REMEDY)
