"""The name is not of the form that the target asks for: lowercase words joined by single hyphens.

Runtimes use the name as a directory, as a slash command and as the key by which the model asks
for the skill. Many refuse any other form; a capital that works on one file system is lost on another.

## Bad

```markdown PDF_Tools/SKILL.md
---
name: PDF_Tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
PDF_Tools/SKILL.md:2:7: error[invalid-name]: the name `PDF_Tools` is not lowercase words joined by hyphens
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
"""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.findings.finding import Edit, Finding, Fix, Severity
from skilltool.rules.shared.names import kebab
from skilltool.rules.shared.violations import schema_violations
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.frontmatter.quoting import quoted_if_needed

ID = "invalid-name"
SEVERITY = Severity.ERROR

_REMEDY = "use lowercase letters and digits, with single hyphens between words"


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding if the name breaks the target's pattern, with a name that does not."""
    for violation in schema_violations(skill, target, "pattern"):
        if violation.path == ("name",):
            name = str(violation.value)
            better = kebab(name)
            message = (
                f"the name {backticked(name)} is not lowercase words joined by hyphens"
                if name
                else "the name is empty"
            )
            span = violation.span
            mended = Fix(safe=False, edits=(Edit(span.start, span.end, quoted_if_needed(better)),))
            advice = f"rename it to `{better}`" if better else _REMEDY
            yield Finding(message, span, help=advice, fix=mended if better else None)
