r"""Blanks behind a `---` marker, or blank lines above the first one.

Strict readers want the three dashes and the line end at the very beginning of the file; to them
this file has no frontmatter.

## Bad

```markdown escaped
---\x20\x20
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools
```

```text
SKILL.md:1:4: warning[padded-fence]: [*] blanks stand behind the `---`; strict readers do not take it for a marker
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
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill

ID = "padded-fence"
SEVERITY = Severity.WARNING


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each piece of padding around the markers."""
    envelope = skill.frontmatter.envelope
    for padding in envelope.padding:
        mended = Fix(safe=True, edits=(Edit(padding.start, padding.end, ""),))
        if envelope.opening and padding.end <= envelope.opening.start:
            message = "blank lines stand above the opening `---`; strict readers then see no frontmatter"
            yield Finding(message, padding, help="begin the file with `---`", fix=mended)
        else:
            message = "blanks stand behind the `---`; strict readers do not take it for a marker"
            yield Finding(message, padding, help="remove the blanks", fix=mended)
