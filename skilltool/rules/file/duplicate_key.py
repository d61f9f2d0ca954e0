"""Key that occurs twice in a mapping in the frontmatter.

Some parsers use the first value, some use the last, and some reject the file, so runtimes disagree about the
skill.

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
SKILL.md:4:1: error[duplicate-key]: duplicate key `description`, first used on line 3
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

from collections.abc import Iterator, Mapping

from skilltool.findings.finding import Edit, Finding, Fix, Severity
from skilltool.rules.shared.field_values import holds_comment
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.frontmatter.nodes import Node, Scalar
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Span

ID = "duplicate-key"
SEVERITY = Severity.ERROR

_LINE_END = lazy_pattern(r"\r\n|\n|\r")


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each repeated key, at its later occurrence."""
    root = skill.frontmatter.root
    entries = {name.span: value for name, value in root.entries} if root else {}
    for problem in skill.frontmatter.problems:
        if problem.kind == "duplicate-key" and problem.earlier:
            line = skill.source.position(problem.earlier.start).line
            message = f"duplicate key {backticked(problem.text)}, first used on line {line}"
            fix = _deletion(skill, entries, problem.earlier, problem.span)
            yield Finding(message, problem.span, help="remove one of the two", fix=fix)


def _deletion(skill: Skill, entries: Mapping[Span, Node], first: Span, second: Span) -> Fix | None:
    """Return the fix that deletes the later of two equal top-level entries; None if they differ or have a comment.

    `entries` are the top-level values by the spans of their keys.
    """
    if first not in entries or second not in entries:
        return None
    text, value = skill.source.text, entries[second]
    # The span of a block scalar includes its line ending.
    last = max(second.end, value.span.start + len(skill.source[value.span].rstrip()))
    start, end = skill.source.line_span(second.start).start, skill.source.line_span(last).end
    alone = start == second.start and not text[last:end].strip()
    if not alone or not _same(skill, entries[first], value) or holds_comment(text, value, second.end):
        return None
    line_end = _LINE_END.match(text, end)
    return Fix(safe=True, edits=(Edit(start, line_end.end() if line_end else end, ""),))


def _same(skill: Skill, one: Node, other: Node) -> bool:
    """Return whether two values have the same source and the same text, which with `|+` ends in blank lines."""
    texts = [node.text if isinstance(node, Scalar) else "" for node in (one, other)]
    return texts[0] == texts[1] and skill.source[one.span].rstrip() == skill.source[other.span].rstrip()
