"""A toolset is not written as `path:Class`.

The runtime takes the part before the colon for a module inside the skill and the part behind it
for the name of what it exports. What does not have that form cannot be loaded, and the skill is refused.

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
SKILL.md:5:5: error[invalid-toolset]: the toolset `toolsets/index` is not `path:Class`
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
from skilltool.rules.shared.violations import schema_violations
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill

ID = "invalid-toolset"
SEVERITY = Severity.ERROR


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each toolset that breaks the target's pattern."""
    for violation in schema_violations(skill, target, "pattern"):
        if violation.path[0] == "toolsets":
            message = f"the toolset {backticked(violation.value)} is not `path:Class`"
            yield Finding(
                message, violation.span, help="write the module's path, a colon and the exported name"
            )
