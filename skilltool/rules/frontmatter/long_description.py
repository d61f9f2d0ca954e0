"""Description that is longer than a runtime allows.

Some runtimes reject the skill, others cut the text. The finding starts where the limit is reached.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms, extracts their fields, and merges what was filled in. Fills in PDF forms, extracts their fields, and merges what was filled in. Fills in PDF forms, extracts their fields, and merges what was filled in. Fills in PDF forms, extracts their fields, and merges what was filled in. Fills in PDF forms, extracts their fields, and merges what was filled in. Fills in PDF forms, extracts their fields, and merges what was filled in. Fills in PDF forms, extracts their fields, and merges what was filled in. Fills in PDF forms, extracts their fields, and merges what was filled in.
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
SKILL.md:3:514: error[long-description]: description has 591 characters; `agent` allows 500 (`agentskills` 1,024); 6 of 7 runtimes accept it
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

from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.limits import broken_limit, way_out
from skilltool.rules.shared.violations import schema_violations, span_over_limit
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill

ID = "long-description"
SEVERITY = Severity.ERROR

_HELP = "say what the skill does and when to use it; details belong in the body"


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding, at the part of the description over the limit."""
    for violation in schema_violations(skill, target, "maxLength"):
        if violation.path == ("description",):
            length = len(str(violation.value))
            message, limit = f"description has {length:,} characters", broken_limit(target, violation)
            span = span_over_limit(skill, violation)
            yield Finding(
                message, span, help=way_out(target, _HELP), clause=limit.clause, owners=limit.owners
            )
