"""Description that spans more than one line.

A line-based parser reads only the `>` or `|` as the description, or rejects the file. The rule reports
nothing for runtimes that use a YAML parser.

## Bad

```markdown
---
name: pdf-tools
description: >
  Fills in PDF forms.
  Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
SKILL.md:3:14: info[multiline-description]: description is a YAML block scalar; line-based parsers read only `>`
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

from skilltool import runtimes
from skilltool.findings.finding import Edit, Finding, Fix, Severity
from skilltool.rules.shared.field_values import holds_comment
from skilltool.rules.shared.wording import WOULD_DELETE_COMMENT
from skilltool.runtimes.base import Runtime
from skilltool.runtimes.values import LoadedSkill
from skilltool.skill.model import Skill
from skilltool.text.frontmatter import Scalar
from skilltool.text.frontmatter.scalars import quoted
from skilltool.text.source import Span

ID = "multiline-description"
SEVERITY = Severity.INFO

_HELP = "write it on one line, in quotes if it contains `: ` or ` #`"


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding for a block scalar, or any other value on several lines."""
    node = skill.frontmatter.node("description")
    if not isinstance(node, Scalar) or _is_read(skill, node, target):
        return
    if node.style in {"|", ">"}:
        message = f"description is a YAML block scalar; line-based parsers read only `{node.style}`"
        span = Span(node.span.start, node.span.start + 1)
        commented = holds_comment(skill.source.text, node)
        advice = f"{_HELP}; {WOULD_DELETE_COMMENT}" if commented else _HELP
        yield Finding(message, span, help=advice, fix=None if commented else _on_one_line(skill, node))
    elif re.search(r"[\r\n]", skill.source[node.span].strip()):
        yield Finding(
            "description spans several lines",
            node.span,
            help=_HELP,
            fix=_on_one_line(skill, node),
        )


def _is_read(skill: Skill, node: Scalar, target: Runtime) -> bool:
    """Return whether all runtimes that the target stands for load the skill with these words."""
    words = node.text.split()
    for name in target.ground or (target.id,):
        load = runtimes.get(name).load
        loaded = skill.ask(load) if load is not None else None
        if not isinstance(loaded, LoadedSkill) or loaded.description.split() != words:
            return False
    return True


def _on_one_line(skill: Skill, node: Scalar) -> Fix | None:
    """Return the fix that joins the lines with spaces; unsafe, because the text changes.

    None where line breaks are part of the text: they may be those of a list.
    """
    if node.tag or node.anchor or not node.text.strip() or "\n" in node.text.strip():
        return None
    written = skill.source[node.span]
    end = node.span.start + len(written.rstrip())
    return Fix(safe=False, edits=(Edit(node.span.start, end, quoted(" ".join(node.text.split()))),))
