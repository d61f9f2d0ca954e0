"""Two copies of a skill in the roots of one project say different things.

The same name stands in `skills`, `.agents/skills`, `.claude/skills` or another root of one project, and the
files differ: each runtime gives its model another text, and who mends one copy leaves the other as it was.

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
.kodelet/skills/pdf-tools/SKILL.md:2:7: warning[drifted-copy]: this copy of `pdf-tools` differs from `.agents/skills/pdf-tools/SKILL.md`
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
    """Yield each copy that differs from the first one, in path order, of its name in its project."""
    first: dict[tuple[str, str], Record] = {}
    for record in records:
        if record.holder is not None and record.name:
            other = first.setdefault((record.holder, record.name), record)
            if other.parent != record.parent and _text(other) != _text(record):
                message = f"this copy of {backticked(record.name)} differs from `{other.path}`"
                yield CollectionFinding(record, message, help="keep one copy and link or generate the others")


def _text(record: Record) -> str:
    """Return a copy's text whatever its line ends; so few are asked for that none is kept."""
    text = load_skill(Path(record.directory)).source.text
    return text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n")
