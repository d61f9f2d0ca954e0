"""Name that is longer than a runtime allows.

## Bad

```markdown
---
name: fill-in-extract-merge-split-and-otherwise-work-with-the-forms-of-pdf-files
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
SKILL.md:2:71: error[long-name]: name has 74 characters; `agent` and `agentskills` allow 64; 16 of 26 runtimes accept it
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
from skilltool.rules.shared.limits import over_limit, schema_violations
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill

ID = "long-name"
SEVERITY = Severity.ERROR

_HELP = "choose a shorter name"


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding, at the part of the name over the limit."""
    for violation in schema_violations(skill, target, "maxLength"):
        if violation.path == ("name",):
            yield over_limit(skill, target, violation, "name", _HELP)
