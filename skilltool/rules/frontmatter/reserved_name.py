"""The name holds a word that clients reserve, or cannot be the name of a file.

Clients refuse names with a vendor's product in them. A name with `/`, `..` or NUL leads out of the
directory that a runtime makes of it; `con`, `nul` and their kind cannot be created on Windows.

## Bad

```markdown claude-pdf/SKILL.md
---
name: claude-pdf
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
claude-pdf/SKILL.md:2:7: warning[reserved-name]: the name `claude-pdf` holds the reserved word `claude`
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

import re
from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.names import is_device
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill

ID = "reserved-name"
SEVERITY = Severity.WARNING

_PATH = re.compile(r"[/\\\0]|^\.{1,2}$")


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding for the name; a name that is a path is an error."""
    name = skill.frontmatter.text("name")
    if not name:
        return
    place = skill.frontmatter.span("name")
    if _PATH.search(name):
        message = f"the name {backticked(name)} is a path"
        yield Finding(message, place, help="use no slash, backslash or dots", severity=Severity.ERROR)
    elif is_device(name):
        yield Finding(
            f"the name {backticked(name)} is a device on Windows", place, help="choose another name"
        )
    for word in target.reserved_words:
        if word in name.lower():
            message = f"the name {backticked(name)} holds the reserved word `{word}`"
            yield Finding(message, place, help="leave the word out of the name")
