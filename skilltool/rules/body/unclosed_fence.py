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

from skilltool.findings.finding import Finding, Severity
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.markdown import Fence
from skilltool.text.markdown.nesting import inner_fence

ID = "unclosed-fence"
SEVERITY = Severity.WARNING


_MARKER = re.compile(r"^[^\n]*?(?P<marks>`{3,}|~{3,})(?P<info>[^\n]*)$", re.MULTILINE)
_HTML = re.compile(r"^[ \t>*+\d.)-]*<", re.MULTILINE)


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding for a fence that runs to the end of the body."""
    fences = skill.markdown.fences
    for fence in fences[-1:]:
        if not fence.closed and fence.span.end >= len(skill.source.text.rstrip()):
            message = "the code fence is never closed; the rest of the body is code"
            if not fence.text.strip():
                message = "the last line opens a code fence that is never closed"
            yield Finding(message, fence.opening, help=_remedy(skill, fences))


def _remedy(skill: Skill, fences: list[Fence]) -> str:
    """Return what to do: the fence that is too many may be the end of one that holds another."""
    outer = next((fence for fence in fences if inner_fence(fence) is not None), None)
    if outer is None:
        return "add a line with the same marks where the code ends, or remove this one"
    line = skill.source.position(outer.opening.start).line
    return f"give the fence on line {line} more marks than the one inside it, or close it before that one"
