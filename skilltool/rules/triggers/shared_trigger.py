"""Keyword that another skill also has.

A message that contains the keyword matches both skills. The runtime then ranks the matching skills by other
criteria and, if there are many, shows only the first few.

## Bad

```markdown a/SKILL.md
---
name: a
description: Fills in PDF forms. Use when the user mentions a PDF form.
triggers:
  keywords: [pdf, tax form]
---

# Forms

Read the form's fields before you fill them in.
```

```markdown b/SKILL.md
---
name: b
description: Merges PDF files. Use when the user wants one PDF of many.
triggers:
  keywords: [merge, PDF]
---

# Merging

Ask for the order of the files.
```

```text --runtime agent
b/SKILL.md:2:7: info[shared-trigger]: keyword `PDF` is also a keyword of `a/SKILL.md`
```

## Good

```markdown a/SKILL.md
---
name: a
description: Fills in PDF forms. Use when the user mentions a PDF form.
triggers:
  keywords: [pdf form, tax form]
---

# Forms

Read the form's fields before you fill them in.
```

```markdown b/SKILL.md
---
name: b
description: Merges PDF files. Use when the user wants one PDF of many.
triggers:
  keywords: [merge]
---

# Merging

Ask for the order of the files.
```
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skilltool.findings.finding import Severity
from skilltool.rules.records import CollectionFinding, Record
from skilltool.rules.shared.fields import supports_triggers
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime

ID = "shared-trigger"
SEVERITY = Severity.INFO


def check_all(records: Sequence[Record], target: Runtime) -> Iterator[CollectionFinding]:
    """Yield each keyword that a skill of the same root has before in path order, ignoring case."""
    if not supports_triggers(target):
        return
    first: dict[tuple[str, str], Record] = {}
    for record in records:
        for keyword in record.keywords:
            other = first.setdefault((record.root(target), keyword.lower()), record)
            if other is not record and other.name != record.name:
                message = f"keyword {backticked(keyword)} is also a keyword of `{other.path}`"
                yield CollectionFinding(record, message, help="give each skill its own keywords")
