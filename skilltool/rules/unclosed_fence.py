"""A code fence is opened and never closed.

All that follows is code to whoever reads the Markdown: headings, links and steps are lost in it.

## Bad

````markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

```sh
pdftk form.pdf dump_data_fields

## Filling in
````

```text
SKILL.md:8:1: warning[unclosed-fence]: the code fence is never closed; the rest of the body is code
```

## Good

````markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

```sh
pdftk form.pdf dump_data_fields
```

## Filling in
````
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from skilltool.diagnostic import Finding, Severity
from skilltool.runtimes.base import Runtime
from skilltool.skill import Skill

ID = "unclosed-fence"
SEVERITY = Severity.WARNING


_MARKER = re.compile(r"^[^\n]*?(?P<marks>`{3,}|~{3,})(?P<info>[^\n]*)$", re.MULTILINE)
_HTML = re.compile(r"^[ \t>*+\d.)-]*<", re.MULTILINE)


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding for a fence that runs to the end of the body."""
    for fence in skill.markdown.fences[-1:]:
        if not fence.closed and fence.span.end >= len(skill.source.text.rstrip()):
            message = "the code fence is never closed; the rest of the body is code"
            yield Finding(message, fence.opening, help="add a line with the same marks where the code ends")
