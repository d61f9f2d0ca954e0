"""Skills in one skills directory whose names differ only in case, or in `_` versus `-`.

Runtimes that ignore case, or that treat `_` as `-`, load only one of the skills. On a
case-insensitive file system, the two directories cannot both exist.

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
pdf-tools/SKILL.md:2:7: warning[case-collision]: names `pdf-tools` and `PDF_Tools` (`PDF_Tools/SKILL.md`) differ only in case and in `_` versus `-`
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
    """Yield each skill whose name collides with that of a skill earlier in path order in the same root."""
    first: dict[tuple[str, str], Record] = {}
    for record in records:
        if record.name:
            key = (record.root(target), record.name.casefold().replace("_", "-"))
            other = first.setdefault(key, record)
            if other.name and other.name != record.name:
                names = f"{backticked(record.name)} and {backticked(other.name)}"
                message = (
                    f"names {names} (`{other.path}`) differ only in {_difference(record.name, other.name)}"
                )
                advice = "remove one of the two skills, or rename it"
                cause = f"{ID} in {record.parent}"  # a directory that was copied under other names
                yield CollectionFinding(record, message, help=advice, cause=cause)


def _difference(one: str, other: str) -> str:
    """Return in what two names differ that are the same but for case and separators."""
    if one.casefold() == other.casefold():
        return "case"
    separators = "`_` versus `-`"
    return separators if one.replace("_", "-") == other.replace("_", "-") else f"case and in {separators}"
