"""`evals/evals.json` whose `skill_name` is not the name of its skill.

The file was copied from another skill, or the skill was renamed later. Evaluation tools then record the
results under the wrong name, or run the test cases with a different skill.

## Bad

```markdown pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```json pdf-tools/evals/evals.json
{
  "skill_name": "pdf-forms",
  "evals": [{"id": 1, "prompt": "Fill in form.pdf."}]
}
```

```text
pdf-tools/evals/evals.json:2:17: info[misnamed-evals]: `skill_name` is `pdf-forms`, but the skill is named `pdf-tools`
```

## Good

```markdown pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```json pdf-tools/evals/evals.json
{
  "skill_name": "pdf-tools",
  "evals": [{"id": 1, "prompt": "Fill in form.pdf."}]
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.companions import EVALS
from skilltool.skill.model import Skill
from skilltool.text import json_places

ID = "misnamed-evals"
SEVERITY = Severity.INFO


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding, at the name; it may be that of the directory as well as the one in the frontmatter."""
    text = skill.text_of(EVALS)
    if text is None:
        return
    try:
        read = json_places.read(text.source.text)
    except json_places.JsonError:
        return  # `invalid-companion` reports it
    named = read.data.get("skill_name") if isinstance(read.data, dict) else None
    name = skill.frontmatter.text("name") or skill.name
    if isinstance(named, str) and named not in {name, skill.name}:
        message = f"`skill_name` is {backticked(named)}, but the skill is named {backticked(name)}"
        yield Finding(message, read.value(("skill_name",)), help=f"write {backticked(name)}", file=EVALS)
