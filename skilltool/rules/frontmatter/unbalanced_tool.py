"""Tool in `allowed-tools` with unbalanced parentheses or quotes.

`Bash(git:*` matches no command, so the commands it was meant to allow still need permission or are denied. In
a YAML list between `[` and `]`, a comma inside parentheses also leaves them unbalanced: YAML reads
`[Bash(git add, git commit)]` as two entries. The fix quotes the tool. This fix is unsafe because it grants
the skill a permission that it did not have before.

An escaped parenthesis, `\\(`, is part of a pattern and does not count. `disallowed-tools` is checked only if a
runtime reads it. Spaces and commas outside parentheses separate tools.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
allowed-tools: Read Bash(pdftk:*
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
SKILL.md:4:21: warning[unbalanced-tool]: `Bash(pdftk:*` in `allowed-tools` has no closing parenthesis
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
allowed-tools: Read Bash(pdftk:*)
---

# PDF tools

Read the form's fields before you fill them in.
```
"""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.findings.finding import Edit, Finding, Fix, Severity
from skilltool.rules.shared.tools import Entry, tool_entries
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.frontmatter.scalars import quoted

ID = "unbalanced-tool"
SEVERITY = Severity.WARNING

_SAID = {
    "unclosed": ("has no closing parenthesis", "add `)`"),
    "unopened": ("has a closing parenthesis without an opening one", "remove `)`, or add `(`"),
    "quote": ("has a quote at only one end", "remove the quote, or add the other one"),
}


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each tool whose brackets or quotes do not balance; one finding for those that a comma split."""
    for entry in tool_entries(skill, target):
        if entry.quoted:
            yield _split(entry)
        elif entry.fault is not None:
            said, remedy = _SAID[entry.fault]
            message = f"{backticked(entry.text)} in `{entry.field}` {said}"
            yield Finding(message, entry.span, help=remedy)


def _split(entry: Entry) -> Finding:
    """Return the finding for a tool that is several items of a list, with the fix that makes it one."""
    message = f"{backticked(entry.text)} in `{entry.field}` is split at its comma"
    edits = (Edit(entry.span.start, entry.span.end, quoted(entry.text)),)
    return Finding(message, entry.span, help="put the tool in quotes", fix=Fix(safe=False, edits=edits))
