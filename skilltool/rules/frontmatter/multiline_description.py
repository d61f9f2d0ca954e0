"""The description stands on more than one line.

Readers of simple `key: value` lines see only the `>` or `|`, or refuse the file. Where line ends
stay in the text they break the items of a listing.

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
SKILL.md:3:14: info[multiline-description]: the description is a block; simple readers see only `>`
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
from skilltool.rules.shared.wording import COMMENTED
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.frontmatter import Scalar
from skilltool.text.frontmatter.comments import holds_comment
from skilltool.text.frontmatter.quoting import quoted
from skilltool.text.source import Span

ID = "multiline-description"
SEVERITY = Severity.INFO

_REMEDY = "write it on one line, in quotes if it holds `: ` or ` #`"


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding for a block scalar, or a value that runs over several lines."""
    node = skill.frontmatter.node("description")
    if not isinstance(node, Scalar):
        return
    if node.style in {"|", ">"}:
        message = f"the description is a block; simple readers see only `{node.style}`"
        span = Span(node.span.start, node.span.start + 1)
        commented = holds_comment(skill.source.text, node)
        remedy = f"{_REMEDY}; {COMMENTED}" if commented else _REMEDY
        yield Finding(message, span, help=remedy, fix=None if commented else _on_one_line(skill, node))
    elif re.search(r"[\r\n]", skill.source[node.span].strip()):
        yield Finding(
            "the description runs over several lines",
            node.span,
            help=_REMEDY,
            fix=_on_one_line(skill, node),
        )


def _on_one_line(skill: Skill, node: Scalar) -> Fix | None:
    """Return the fix that writes the text on one line, each line end as a blank; not safe: it is another text."""
    if node.tag or node.anchor or not node.text.strip():
        return None
    written = skill.source[node.span]
    end = node.span.start + len(written.rstrip())
    return Fix(safe=False, edits=(Edit(node.span.start, end, quoted(" ".join(node.text.split()))),))
