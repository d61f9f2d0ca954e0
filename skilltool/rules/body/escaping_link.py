"""A link leads out of the skill's directory.

A skill is installed, packed and copied as one directory. What lies outside of it stays behind,
and the link is dead wherever the skill is used, also where it leads to something in the author's repository.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Follow the [style guide](../../docs/style.md).
```

```text
SKILL.md:8:26: warning[escaping-link]: the link `../../docs/style.md` leads out of the skill
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Follow the [style guide](references/style.md).
```

```markdown references/style.md
# Style
```
"""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.link_forms import written
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill

ID = "escaping-link"
SEVERITY = Severity.WARNING


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each link to an absolute path, or to one above the skill."""
    remedy = "copy the file into the skill, or link to a public address"
    for link, place in written(skill):
        if place.escapes:
            what = "the image" if link.image else "the link"
            message = f"{what} {backticked(link.target)} leads out of the skill"
            yield Finding(message, link.target_span, help=remedy)
