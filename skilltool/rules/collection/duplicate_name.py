"""Skills with the same name in one skills directory.

The order in which the runtime reads the skills decides which one loads; the other is silently dropped. The
severity is `error` for runtimes that drop both or pick one arbitrarily.

Claude Code loads both, because it identifies skills by their directories. A call by name reaches the skill
whose directory has that name or, if there is none, the first skill with that name. Tested with Claude Code
2.1.329.

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
b/SKILL.md:2:7: warning[duplicate-name]: name `pdf-tools` is already used by `a/SKILL.md`
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
description: Merges PDF files. Use when one file of many is wanted.
---

# PDF tools

Read the form's fields before you fill them in.
```
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from skilltool.files.paths import cached_realpath
from skilltool.findings.finding import Severity
from skilltool.rules.records import CollectionFinding, Record
from skilltool.rules.shared.projects import collections
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime

ID = "duplicate-name"
SEVERITY = Severity.WARNING


def check_all(records: Sequence[Record], target: Runtime) -> Iterator[CollectionFinding]:
    """Yield each skill that has the name of a skill earlier in path order in the same root."""
    named: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        if record.name and "{" not in record.name:  # `{name}` of a template is that of no skill
            named.setdefault((record.root(target), record.name), []).append(record)
    repeated = [same for same in named.values() if len(same) > 1]
    reached = _reached(records, target) if repeated else {}
    for same in repeated:
        # It may not look below a directory such as `.disabled`; `undiscovered-skill` tells of that.
        first, *others = [record for record in same if reached.get(record.directory, True)] or same
        for record in others:
            if _real_file(record) == _real_file(first):
                continue  # two links to one file
            message = f"name {backticked(record.name or '')} is already used by `{first.path}`"
            chance = "loads one of the two; which one can vary between starts"
            clause = (chance, chance.replace("loads", "load")) if target.undetermined else None
            advice = "rename or remove one of the two skills"
            yield CollectionFinding(record, message, help=advice, clause=clause)
    if target.text_mapper is not None:
        yield from _of_directories(records, target)


def _real_file(record: Record) -> str:
    return cached_realpath(f"{record.directory}/{posixpath.basename(record.path)}")


def _reached(records: Sequence[Record], target: Runtime) -> dict[str, bool]:
    """Return for each skill of a project, by its directory, whether the target comes to it."""
    reached: dict[str, bool] = {}
    for collection in collections(records, target):
        found = collection.found() if collection.is_project else set()
        for record in collection.records if collection.is_project else ():
            reached[record.directory] = cached_realpath(record.directory) in found
    return reached


def _of_directories(records: Sequence[Record], target: Runtime) -> Iterator[CollectionFinding]:
    """Yield each skill whose name is the directory of a skill of another name in the same root."""
    directories = {(record.root(target), record.skill): record for record in records}
    for record in records:
        other = directories.get((record.root(target), record.name or record.skill), record)
        if other.skill != record.skill and other.name != record.name:
            rest = f"it for `{other.path}`, whose directory has that name"
            message = f"name {backticked(record.name)} does not work as an alias of this skill"
            clause = (f"uses {rest}", f"use {rest}")
            yield CollectionFinding(record, message, help="give this skill a different `name`", clause=clause)
