"""Code fence that is never closed, or not before another one opens.

Everything after it is code, up to the end of the other: headings, links and steps are lost. Often it is the end
of a block whose first line was removed. Every Markdown page of the skill is checked.

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
from itertools import islice

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.text_signs import has_odd_fences, texts_with
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.skill.texts import Text
from skilltool.text.markdown import Fence, inner_fence, open_fences
from skilltool.text.source import Source

ID = "unclosed-fence"
SEVERITY = Severity.WARNING


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield at most one fence of each page."""
    for text in texts_with(skill, has_odd_fences):
        yield from _in_page(text)


def _in_page(text: Text) -> Iterator[Finding]:
    """Yield the first fence that is still open where another one opens, else one that runs to the end."""
    fences, source = text.markdown.fences, text.source
    last = fences[-1] if fences else None
    is_unclosed = last and not last.closed and last.span.end >= len(source.text.rstrip())
    for open_fence in islice(open_fences(text.body, text.body_span.start, fences), 1):
        if open_fence.fence is not last or not is_unclosed:
            line = source.position(open_fence.inner).line
            message = f"code fence is not closed before another one opens on line {line}"
            remedy = _remedy(source, fences, open_fence.fence)
            yield Finding(message, open_fence.fence.opening, help=remedy, file=text.file)
            return  # where fences are off by one, the last one is often left open
    if last and is_unclosed:
        message = f"code fence is never closed; the rest of the {'page' if text.file else 'body'} is code"
        if not last.text.strip():
            message = "last line opens a code fence that is never closed"
        yield Finding(message, last.opening, help=_remedy(source, fences), file=text.file)


def _remedy(source: Source, fences: list[Fence], fence: Fence | None = None) -> str:
    """Return the help: the unclosed fence may have been meant to close one that contains another.

    `fence` is given if it contains another itself.
    """
    outer = next((each for each in fences if inner_fence(each) is not None), None)
    if outer is None:
        return "close it with the same characters where the code ends, or remove this line"
    if outer is fence:
        return "remove this line if it ends no code, else close it, or open it with more characters"
    line = source.position(outer.opening.start).line
    return f"open the fence on line {line} with more characters than the one inside it, or close it earlier"
