"""The listing of a root is longer than the target's budget, and leaves skills out.

What is not listed the model does not know of and never loads, however good it is. Which skills fall out
depends on the order in which the target looks, and each new skill or longer description moves the line.
`skilltool resolve --runtime ID` shows the listing's size, its budget and what is left out.

## Bad

```markdown .agent/skills/form-{n}/SKILL.md copies=11
---
name: form-{n}
description: Fills in form number {n}. Use when the user mentions that form.
---

# Form {n}

Read the form's fields before you fill them in.
```

```text --runtime agent-harness@0.3.24
.agent/skills/form-11/SKILL.md:2:7: warning[crowded-catalog]: the listing has no room for 1 of 11 skills (budget: 1,000 tokens): `form-11`
```

## Good

```markdown .agent/skills/form-{n}/SKILL.md copies=10
---
name: form-{n}
description: Fills in form number {n}. Use when the user mentions that form.
---

# Form {n}

Read the form's fields before you fill them in.
```
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skilltool.findings.finding import Severity
from skilltool.rules.records import CollectionFinding, Record
from skilltool.rules.shared.collections import Collection, collections
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime

ID = "crowded-catalog"
SEVERITY = Severity.WARNING

_NAMED = 5
_REMEDY = (
    "shorten descriptions, remove skills that are not used, or raise the budget in the runtime's settings"
)


def check_all(records: Sequence[Record], target: Runtime) -> Iterator[CollectionFinding]:
    """Yield one finding per listing that is too long, at the first checked skill that is left out."""
    if target.budget is None:
        return
    for collection in collections(records, target):
        budget, omitted = target.budget(collection.session)
        record = next(filter(None, (_record(collection, key) for key in omitted)), None)
        if record is not None:
            count = f"{len(omitted):,} of {len(collection.session.skills):,} skills"
            limit = f"budget: {budget:,} {target.budget_unit}"
            yield CollectionFinding(
                record, f"the listing has no room for {count} ({limit}): {_shown(omitted)}", _REMEDY
            )


def _record(collection: Collection, key: str) -> Record | None:
    skill = collection.session.find(key)
    return None if skill is None else collection.record(skill.directory)


def _shown(keys: Sequence[str]) -> str:
    named = ", ".join(map(backticked, keys[:_NAMED]))
    return named if len(keys) <= _NAMED else f"{named} and {len(keys) - _NAMED:,} more"
