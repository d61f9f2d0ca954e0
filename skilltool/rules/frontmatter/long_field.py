"""Field other than `name` and `description` that is longer than a runtime allows.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
compatibility: Needs a POSIX shell, Python and a PDF library. Needs a POSIX shell, Python and a PDF library. Needs a POSIX shell, Python and a PDF library. Needs a POSIX shell, Python and a PDF library. Needs a POSIX shell, Python and a PDF library. Needs a POSIX shell, Python and a PDF library. Needs a POSIX shell, Python and a PDF library. Needs a POSIX shell, Python and a PDF library. Needs a POSIX shell, Python and a PDF library. Needs a POSIX shell, Python and a PDF library. Needs a POSIX shell, Python and a PDF library.
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
SKILL.md:4:516: error[long-field]: `compatibility` has 516 characters; `agentskills` allows 500; 21 of 26 runtimes accept it
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
compatibility: Needs a POSIX shell, Python and a PDF library.
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

ID = "long-field"
SEVERITY = Severity.ERROR

_HELP = "shorten it; move details to the body"


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each such field, at the part over the limit."""
    for violation in schema_violations(skill, target, "maxLength"):
        if violation.path not in {("name",), ("description",)}:
            field = ".".join(map(str, violation.path))
            yield over_limit(skill, target, violation, f"`{field}`", _HELP)
