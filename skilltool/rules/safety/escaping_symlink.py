"""A symbolic link in the skill leads out of its directory.

A skill is installed, packed and copied as one directory. Outside of it the link leads to nothing, or to
a file of the reader that nobody meant to hand to a model.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```link shared.md
-> ../../shared.md
```

```text
SKILL.md:1:1: error[escaping-symlink]: the link `shared.md` leads out of the skill, to `../../shared.md`
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```markdown references/fields.md
# Fields
```

```link references/latest.md
-> fields.md
```
"""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.source import Span

ID = "escaping-symlink"
SEVERITY = Severity.ERROR


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each link out of the skill; a link in place of the SKILL.md itself is another rule's."""
    for link in skill.tree.links:
        if link.escapes and link.path != skill.file_name:
            message = f"the link {backticked(link.path)} leads out of the skill, to {backticked(link.target)}"
            yield Finding(message, Span(0, 0), help="copy what it leads to into the skill")
