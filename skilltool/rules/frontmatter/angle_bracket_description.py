"""Description that contains `<...>`.

VS Code deletes anything that looks like a tag from its listing, and claude.ai rejects the upload of the
skill. The runtimes that skilltool models show the text as it is, or escaped, so the rule reports nothing if
only those are checked. With `disable-model-invocation: true` no model reads the description, and the severity is
`info`. If several skills have such descriptions, the first finding counts the others, which are `info`.

## Bad

```markdown
---
name: pdf-tools
description: Fills in <form> fields of PDF files. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
SKILL.md:3:23: warning[angle-bracket-description]: description contains `<form>`, which VS Code deletes and claude.ai rejects
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

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.fields import span_of_text
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.lazy_pattern import lazy_pattern

ID = "angle-bracket-description"
SEVERITY = Severity.WARNING

_TAG = lazy_pattern(r"<[^<>\n]+>")


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding, at the first `<...>`, if the skill is meant for clients that are not known."""
    if not target.specification:
        return
    description = skill.frontmatter.text("description")
    if description and (tag := _TAG.search(description)):
        message = f"description contains {backticked(tag[0])}, which VS Code deletes and claude.ai rejects"
        span = span_of_text(skill, "description", tag[0])
        is_hidden = (skill.frontmatter.data or {}).get("disable-model-invocation") is True
        severity = Severity.INFO if is_hidden else None  # no model reads the description
        yield Finding(message, span, help="write it without angle brackets", severity=severity)
