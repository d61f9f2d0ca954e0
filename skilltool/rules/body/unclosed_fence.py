"""Code fence that is never closed.

Everything after it is code: headings, links and steps are lost.

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
SKILL.md:8:1: warning[unclosed-fence]: code fence is never closed; the rest of the body is code
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

from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.markdown import Fence
from skilltool.text.markdown.nesting import inner_fence

ID = "unclosed-fence"
SEVERITY = Severity.WARNING


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding for a fence that runs to the end of the body."""
    fences = skill.markdown.fences
    for fence in fences[-1:]:
        if not fence.closed and fence.span.end >= len(skill.source.text.rstrip()):
            message = "code fence is never closed; the rest of the body is code"
            if not fence.text.strip():
                message = "last line opens a code fence that is never closed"
            yield Finding(message, fence.opening, help=_remedy(skill, fences))


def _remedy(skill: Skill, fences: list[Fence]) -> str:
    """Return the help: the unclosed fence may have been meant to close one that contains another."""
    outer = next((fence for fence in fences if inner_fence(fence) is not None), None)
    if outer is None:
        return "close it with the same characters where the code ends, or remove this line"
    line = skill.source.position(outer.opening.start).line
    return f"open the fence on line {line} with more characters than the one inside it, or close it earlier"
