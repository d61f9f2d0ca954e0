"""Toolset that does not have the form `path:Class`.

The runtime reads the part before the colon as a module inside the skill, and the part after it as the name of
an export. It cannot load a toolset in any other form, and rejects the skill.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
toolsets:
  - toolsets/index
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
SKILL.md:5:5: error[invalid-toolset]: invalid toolset `toolsets/index`; `agent` expects `path:Class`
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
toolsets:
  - toolsets/index:FormTools
---

# PDF tools

Read the form's fields before you fill them in.
```

```ts toolsets/index.ts
export class FormTools {}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.limits import owners_of, schema_violations
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill

ID = "invalid-toolset"
SEVERITY = Severity.ERROR

_HELP = "write the module's path, a colon and the name of the export"
_CLAUSE = ("expects `path:Class`", "expect `path:Class`")


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each toolset that breaks the runtime's pattern."""
    for violation in schema_violations(skill, target, "pattern"):
        if violation.path[0] == "toolsets":
            message, owners = (
                f"invalid toolset {backticked(violation.value)}",
                owners_of(skill, target, violation),
            )
            yield Finding(message, violation.span, help=_HELP, clause=_CLAUSE, owners=owners)
