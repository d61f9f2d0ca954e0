"""Link or image that points outside the skill's directory.

A skill is installed, packed and copied as one directory. Files outside it are not, so the link is dead
wherever the skill is used, even if its target exists in your repository.

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
SKILL.md:8:26: warning[escaping-link]: link `../../docs/style.md` points outside the skill
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
from skilltool.rules.shared.file_links import file_links
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill

ID = "escaping-link"
SEVERITY = Severity.WARNING


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each link to an absolute path or to a path above the skill."""
    remedy = "copy the file into the skill, or link to a public URL"
    for link, resolved in file_links(skill):
        if resolved.escapes:
            kind = "image" if link.image else "link"
            message = f"{kind} {backticked(link.target)} points outside the skill"
            yield Finding(message, link.target_span, help=remedy)
