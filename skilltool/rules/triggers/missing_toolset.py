"""A toolset's module, or the export that is named in it, does not exist.

The runtime cannot import the tools, and the skill tells the model of tools that it does not have. Files
are looked at and never run.

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
SKILL.md:5:5: error[missing-toolset]: the toolset `toolsets/index:FormTools` is not found: `toolsets/index.ts` has no export `FormTools`
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
from skilltool.rules.base import list_entries, schema_violations
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill

ID = "missing-toolset"
SEVERITY = Severity.ERROR


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each toolset that the target would not find; one that is not `path:Class` is another rule's."""
    if target.toolset_problem is None:
        return
    toolsets = list(list_entries(skill, "toolsets"))
    malformed = (
        {violation.path for violation in schema_violations(skill, target, "pattern")} if toolsets else set()
    )
    for path, text, span in toolsets:
        if path not in malformed and (why := skill.judge(target.toolset_problem, text)):
            message = f"the toolset {backticked(text)} is not found: {why}"
            yield Finding(message, span, help="correct the entry, or add the file with that export")
