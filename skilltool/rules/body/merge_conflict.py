"""Merge conflict markers that were left in a file.

The model reads both versions and the markers between them, and a script with markers does not run.

The rule checks every text file in the skill. It reports a complete set of markers, each at the start of a
line: `<<<<<<<`, `=======` and `>>>>>>>`. Markers in the code blocks of a page are examples, and are not
reported.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

<<<<<<< HEAD
Read the form's fields with pdftk.
=======
Read the form's fields with qpdf.
>>>>>>> qpdf
```

```text
SKILL.md:8:1: error[merge-conflict]: unresolved merge conflict, `<<<<<<< HEAD` to line 12
```

## Good

````markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields with qpdf. A conflict looks like this:

```text
<<<<<<< HEAD
one version
=======
the other
>>>>>>> branch
```
````
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.regions import code_regions
from skilltool.rules.shared.text_signs import has_conflict_marks, texts_with
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.skill.texts import Text
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Span

ID = "merge-conflict"
SEVERITY = Severity.ERROR

_ASCIIDOC = (".adoc", ".asc", ".asciidoc")
# A line that begins or ends a block of code in AsciiDoc.
_DELIMITER = lazy_pattern(r"^(?:-{4,}|\.{4,})[ \t]*\r?$", re.MULTILINE)
# As git writes them, with the name of a version after a blank; the middle one has none.
_MARK = lazy_pattern(r"^(?:<{7}(?![^ \r\n])|={7}(?![^\r\n])|>{7}(?![^ \r\n]))[^\r\n]*", re.MULTILINE)


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each conflict in a text file, at its first marker."""
    remedy = "resolve the conflict and remove the markers"
    for text in texts_with(skill, has_conflict_marks):
        for opening, last in _conflicts(text):
            line = text.source.position(last).line
            message = f"unresolved merge conflict, {backticked(text.source[opening])} to line {line:,}"
            yield Finding(message, opening, help=remedy, file=text.file)


def _conflicts(text: Text) -> Iterator[tuple[Span, int]]:
    """Yield the first marker of each conflict, and the offset of its last one."""
    code = code_regions(text) if text.is_page else None
    delimiters = _delimiters(text)
    opening: Span | None = None
    is_divided = False
    for mark in _MARK.finditer(text.source.text):
        if (code is not None and mark.start() in code) or bisect(delimiters, mark.start()) % 2:
            continue
        kind = mark[0][0]
        if kind == "<":
            opening, is_divided = Span(*mark.span()), False
        elif kind == "=":
            is_divided = opening is not None
        elif opening is not None and is_divided:
            yield opening, mark.start()
            opening, is_divided = None, False


def _delimiters(text: Text) -> list[int]:
    """Return where the lines are that begin and end blocks of code in an AsciiDoc page, in turn."""
    is_asciidoc = text.file.lower().endswith(_ASCIIDOC)
    return [line.start() for line in _DELIMITER.finditer(text.source.text)] if is_asciidoc else []
