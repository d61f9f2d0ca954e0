"""Two skills of one root have names that differ only in case, or in `_` and `-`.

Runtimes that compare names without regard to case, or read `_` as `-`, take them for one skill and lose the
other; on a file system that ignores case the folders cannot both be there.

## Bad

```markdown PDF_Tools/SKILL.md
---
name: PDF_Tools
description: Reads PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```markdown pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
pdf-tools/SKILL.md:2:7: warning[case-collision]: the name `pdf-tools` is almost that of `PDF_Tools/SKILL.md`, `PDF_Tools`
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

```markdown pdf-reader/SKILL.md
---
name: pdf-reader
description: Reads PDF forms. Use when the user mentions a PDF form.
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

ID = "case-collision"
SEVERITY = Severity.WARNING


def check_all(records: Sequence[Record], target: Runtime) -> Iterator[CollectionFinding]:
    """Yield each skill whose name almost is that of another in the same root, earlier in path order."""
    first: dict[tuple[str, str], Record] = {}
    for record in records:
        if record.name:
            key = (record.root(target), record.name.casefold().replace("_", "-"))
            other = first.setdefault(key, record)
            if other.name and other.name != record.name:
                message = f"the name {backticked(record.name)} is almost that of `{other.path}`, {backticked(other.name)}"
                yield CollectionFinding(
                    record, message, help="rename one of the two, so that more than case tells them apart"
                )
