"""`version` that is not a semantic version (three numbers separated by dots, as in `1.4.0`).

The runtime that documents this format does not enforce it: a skill with version `1.0` still loads, so the
severity is `info`.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
version: "v1.2"
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
SKILL.md:4:10: info[invalid-version]: version `v1.2` is not a semantic version; `agent` documents semantic versions
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
version: "1.2.0"
---

# PDF tools

Read the form's fields before you fill them in.
```
"""

from __future__ import annotations

from collections.abc import Iterator

from skilltool import runtimes
from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.limits import schema_violations
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes import fields
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill

ID = "invalid-version"
SEVERITY = Severity.INFO

_FIELD = ("version",)
_HELP = "write three numbers separated by dots, as in `1.4.0`"


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding if the version breaks the runtime's pattern."""
    for violation in schema_violations(skill, target, "pattern"):
        if violation.path == _FIELD:
            message = f"version {backticked(violation.value)} is not a semantic version"
            clause = ("documents semantic versions", "document semantic versions")
            owners = tuple(each for each in target.limits_of if fields.about(runtimes.get(each), _FIELD))
            yield Finding(message, violation.span, _HELP, clause=clause, owners=owners)
