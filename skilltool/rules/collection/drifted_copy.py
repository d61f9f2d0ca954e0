"""Copies of a skill in different skills directories of one project whose texts differ.

The same name exists in `skills`, `.agents/skills`, `.claude/skills` or another skills directory of the
project, but the descriptions or the bodies differ. Each runtime gives its model a different text, and a fix
to one copy does not reach the others. Other fields may differ, because each client has its own.

## Bad

```markdown .agents/skills/pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```markdown .kodelet/skills/pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the fields of the form first.
```

```text
.kodelet/skills/pdf-tools/SKILL.md:2:7: warning[drifted-copy]: copy of `pdf-tools` differs from `.agents/skills/pdf-tools/SKILL.md`
```

## Good

```markdown .agents/skills/pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```markdown .kodelet/skills/pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from skilltool.findings.finding import Severity
from skilltool.rules.records import CollectionFinding, Record
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import load_skill

ID = "drifted-copy"
SEVERITY = Severity.WARNING


def check_all(records: Sequence[Record], target: Runtime) -> Iterator[CollectionFinding]:
    """Yield each copy that differs from the copy of the same name that comes first in path order."""
    first: dict[tuple[str, str], Record] = {}
    for record in records:
        if record.name and (holder := record.holder) is not None:
            other = first.setdefault((holder, record.name), record)
            if other.parent != record.parent and _text(other) != _text(record):
                message = f"copy of {backticked(record.name)} differs from `{other.path}`"
                yield CollectionFinding(
                    record, message, help="keep one copy, and link to it or generate the others"
                )


def _text(record: Record) -> tuple[str, str]:
    """Return what a model reads of a copy, with normalized line ends; not cached, because few skills have copies."""
    skill = load_skill(Path(record.directory))
    words = " ".join((skill.frontmatter.text("description") or "").split())
    return words, skill.body.replace("\r\n", "\n").replace("\r", "\n").strip()
