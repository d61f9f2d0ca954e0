"""Description that starts with a literal `>` or `|`, which was meant to start a YAML block scalar.

Inside a quoted or plain value, the character is not YAML syntax, so every listing shows it at the start of
the description. The `>` or `|` usually comes from tools that join a folded description into one line and
quote it.

The fix removes the character. This fix is unsafe because it changes the description.

## Bad

```markdown
---
name: pdf-tools
description: "> Fills in PDF forms. Use when the user mentions a PDF form."
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
SKILL.md:3:15: info[literal-block-mark]: description begins with a literal `>`
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

from collections.abc import Iterator

from skilltool.findings.finding import Edit, Finding, Fix, Severity
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.frontmatter import Scalar
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Span

ID = "literal-block-mark"
SEVERITY = Severity.INFO

_MARK = lazy_pattern(r"(?P<mark>[>|](?:[1-9]?[-+]?|[-+][1-9]))\s+(?=\S)")


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding, at the mark."""
    node = skill.frontmatter.node("description")
    if not isinstance(node, Scalar) or (match := _MARK.match(node.text)) is None:
        return
    start = skill.source.text.find(match["mark"], node.span.start + (node.style in {"|", ">"}), node.span.end)
    if start < 0 or node.text.count("|") > 2:  # written with escapes, or a table
        return
    end = start + len(match["mark"])
    is_one_line = skill.source.text.startswith(match[0], start)
    yield Finding(
        f"description begins with a literal {backticked(match['mark'])}",
        Span(start, end),
        help="remove it",
        fix=Fix(safe=False, edits=(Edit(start, start + len(match[0]), ""),)) if is_one_line else None,
    )
