"""Toolset whose module or export does not exist.

The runtime cannot import the tools, so the skill tells the model about tools that it does not have. skilltool
reads the files but never runs them.

## Bad

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
export class FieldTools {}
```

```text
SKILL.md:5:5: error[missing-toolset]: cannot find toolset `toolsets/index:FormTools`: `toolsets/index.ts` has no export `FormTools`
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
from skilltool.rules.shared.fields import list_entries
from skilltool.rules.shared.limits import schema_violations
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill

ID = "missing-toolset"
SEVERITY = Severity.ERROR


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each toolset that the runtime would not find; `invalid-toolset` reports those not of the form `path:Class`."""
    if target.toolset_problem is None:
        return
    toolsets = list(list_entries(skill, "toolsets"))
    malformed = (
        {violation.path for violation in schema_violations(skill, target, "pattern")} if toolsets else set()
    )
    for path, text, span in toolsets:
        if path not in malformed and (why := skill.judge(target.toolset_problem, text)):
            message = f"cannot find toolset {backticked(text)}: {why}"
            yield Finding(message, span, help="correct the entry, or add a file with that export")
