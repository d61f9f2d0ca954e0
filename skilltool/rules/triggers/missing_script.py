"""Script in `scripts` that does not exist.

Runtimes that list scripts either drop the entry, fail on it, or tell the model about a script that it cannot
run.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
scripts: [fill.py, check.py]
---

# PDF tools

Read the form's fields before you fill them in.
```

```python scripts/fill.py
print("filled")
```

```text
SKILL.md:4:20: error[missing-script]: script `check.py` does not exist in `scripts`
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
scripts: [fill.py]
---

# PDF tools

Read the form's fields before you fill them in.
```

```python scripts/fill.py
print("filled")
```
"""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.fields import list_entries
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill

ID = "missing-script"
SEVERITY = Severity.ERROR


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each script that the runtime would not find."""
    if target.script_problem is None:
        return
    for _path, text, span in list_entries(skill, "scripts"):
        if why := skill.judge(target.script_problem, text):
            message = f"script {backticked(text)} {why}"
            yield Finding(message, span, help="correct the entry, or add the script")
