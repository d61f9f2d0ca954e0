"""A key stands twice in one mapping.

Some readers take the first value, some the last, some refuse the file; so one skill means
different things in different runtimes.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
description: Reads PDF forms.
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
SKILL.md:4:1: error[duplicate-key]: the key `description` stands here again, after line 3
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
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from skilltool.findings.finding import Edit, Finding, Fix, Severity
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.frontmatter.comments import holds_comment
from skilltool.text.frontmatter.nodes import Node, Scalar
from skilltool.text.source import Span

ID = "duplicate-key"
SEVERITY = Severity.ERROR


_LINE_END = re.compile(r"\r\n|\n|\r")


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each repetition of a key."""
    for problem in skill.frontmatter.problems:
        if problem.kind == "duplicate-key" and problem.earlier:
            line = skill.source.position(problem.earlier.start).line
            message = f"the key {backticked(problem.text)} stands here again, after line {line}"
            mended = _without_the_second(skill, problem.earlier, problem.span)
            yield Finding(message, problem.span, help="keep one of the two", fix=mended)


def _without_the_second(skill: Skill, first: Span, second: Span) -> Fix | None:
    """Return the fix that deletes the lines of a top-level key whose value stands above already."""
    root = skill.frontmatter.root
    entries = {name.span: value for name, value in root.entries} if root else {}
    if first not in entries or second not in entries:
        return None
    text, value = skill.source.text, entries[second]
    last = max(
        second.end, value.span.start + len(skill.source[value.span].rstrip())
    )  # a block has its line end
    start, end = skill.source.line_span(second.start).start, skill.source.line_span(last).end
    alone = start == second.start and not text[last:end].strip()
    if not alone or not _same(skill, entries[first], value) or holds_comment(text, value, second.end):
        return None
    behind = _LINE_END.match(text, end)
    return Fix(safe=True, edits=(Edit(start, behind.end() if behind else end, ""),))


def _same(skill: Skill, one: Node, other: Node) -> bool:
    """Return whether two values are written the same, and are the same: blank lines behind `|+` are text."""
    texts = [node.text if isinstance(node, Scalar) else "" for node in (one, other)]
    return texts[0] == texts[1] and skill.source[one.span].rstrip() == skill.source[other.span].rstrip()
