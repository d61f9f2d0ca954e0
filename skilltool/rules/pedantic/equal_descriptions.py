"""Description that is identical to that of another skill in the same directory.

A model chooses a skill only by its description, so it cannot tell the two skills apart. Usually, one skill
was copied from the other and its description has not been changed yet.

Skills with the same name are reported by `duplicate-name` instead. `similar-description` finds descriptions
that are nearly identical.

## Bad

```markdown pdf-fill/SKILL.md
---
name: pdf-fill
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF forms

Read the form's fields before you fill them in.
```

```markdown pdf-merge/SKILL.md
---
name: pdf-merge
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# Merging

Ask for the order of the files.
```

```text
pdf-merge/SKILL.md:3:14: info[equal-descriptions]: description is the same as in `pdf-fill/SKILL.md`
```

## Good

```markdown pdf-fill/SKILL.md
---
name: pdf-fill
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF forms

Read the form's fields before you fill them in.
```

```markdown pdf-merge/SKILL.md
---
name: pdf-merge
description: Merges PDF files in the order that the user names. Use when one file of many is wanted.
---

# Merging

Ask for the order of the files.
```
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from skilltool.findings.diagnostic import locate
from skilltool.findings.finding import Severity
from skilltool.rules.records import CollectionFinding, Record
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import load_skill

ID = "equal-descriptions"
SEVERITY = Severity.INFO

_REMEDY = "describe what sets each skill apart"


def check_all(records: Sequence[Record], target: Runtime) -> Iterator[CollectionFinding]:
    """Yield each skill with the description of an earlier skill of another name in the same directory."""
    first: dict[tuple[str, str], Record] = {}
    for record in records:
        if record.described:
            other = first.setdefault((record.parent, record.described), record)
            if other is not record and (other.name or other.skill) != (record.name or record.skill):
                message = f"description is the same as in `{other.path}`"
                skill = load_skill(Path(record.directory))
                location = locate(skill.source, skill.frontmatter.span("description"))
                yield CollectionFinding(record, message, help=_REMEDY, location=location)
