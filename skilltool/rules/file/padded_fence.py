r"""Whitespace after a `---` marker, or blank lines before the first marker.

Strict parsers require `---` and a line ending at the very start of the file. If whitespace follows `---` or a
blank line precedes it, these parsers find no frontmatter.

## Bad

```markdown escaped
---\x20\x20
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools
```

```text
SKILL.md:1:4: warning[padded-fence]: [*] whitespace after `---` hides the marker from strict parsers
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
    """Yield each run of whitespace around the markers."""
    envelope = skill.frontmatter.envelope
    for padding in envelope.padding:
        fix = Fix(safe=True, edits=(Edit(padding.start, padding.end, ""),))
        if envelope.opening and padding.end <= envelope.opening.start:
            message = "blank lines before the opening `---` hide the frontmatter from strict parsers"
            yield Finding(message, padding, help="start the file with `---`", fix=fix)
        else:
            message = "whitespace after `---` hides the marker from strict parsers"
            yield Finding(message, padding, help="remove the whitespace", fix=fix)
