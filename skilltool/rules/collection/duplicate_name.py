"""Two skills of one root have the same name.

Which copy loads depends on the order in which the runtime looks; the other is lost without a word.
Where a target drops both or chooses at random it is an error.

## Bad

```markdown a/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```markdown b/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
b/SKILL.md:2:7: warning[duplicate-name]: the name `pdf-tools` is also that of `a/SKILL.md`
```

## Good

```markdown pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```markdown pdf-merge/SKILL.md
---
name: pdf-merge
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skilltool.findings.finding import Severity
from skilltool.rules.records import CollectionFinding, Record
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime

ID = "duplicate-name"
SEVERITY = Severity.WARNING


def check_all(records: Sequence[Record], target: Runtime) -> Iterator[CollectionFinding]:
    """Yield each skill whose name another skill of the same root, earlier in path order, has."""
    first: dict[tuple[str, str], Record] = {}
    for record in records:
        if record.name:
            other = first.setdefault((record.root(target), record.name), record)
            if other is not record:
                message = f"the name {backticked(record.name)} is also that of `{other.path}`"
                yield CollectionFinding(record, message, help="rename one of the two, or remove it")
