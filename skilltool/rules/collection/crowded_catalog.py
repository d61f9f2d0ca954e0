"""Skills omitted from a listing that exceeds the runtime's budget.

The model does not know about a skill that is not listed, and never loads it. Which skills are omitted depends
on the order in which the runtime lists them, so any new skill or longer description can push out a different
skill. `skilltool resolve --runtime ID` shows the size of the listing, its budget and the omitted skills.

Claude Code lists every skill, but omits whole descriptions: it goes through the listing in order and keeps
each description that still fits. Built-in skills also count towards the budget. `skillListingBudgetFraction`
in the project's `.claude/settings.json` sets the budget. Tested with Claude Code 2.1.329.

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
.agent/skills/form-11/SKILL.md:2:7: warning[crowded-catalog]: skill listing has no room for 1 of 11 skills (`form-11`); `agent-harness@0.3.24` limits the listing to 1,000 tokens
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
from skilltool.rules.shared.projects import Collection, collections
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime, Shares

ID = "crowded-catalog"
SEVERITY = Severity.WARNING

_MAX_NAMES = 5  # in one message
_REMEDY = "shorten descriptions, remove unused skills, or raise the budget in the runtime's settings"


def check_all(records: Sequence[Record], target: Runtime) -> Iterator[CollectionFinding]:
    """Yield one finding per listing over its budget, at the first omitted skill that was checked."""
    if target.budget is None:
        return
    for collection in collections(records, target):
        budget, keys = target.budget(collection.session)
        omitted = [key for key in keys if collection.session.find(key) is not None]
        record = next(filter(None, (_record(collection, key) for key in omitted)), None)
        if record is not None:
            count = f"{len(omitted):,} of {len(collection.session.skills):,} skills"
            shares = target.shares(collection.session) if target.shares is not None else None
            limit = f"the listing to {budget:,} {target.budget_unit}{_of_its_own(shares)}"
            yield CollectionFinding(
                record,
                f"skill listing has {_lack(shares, target)} {count} ({_names(omitted)})",
                _REMEDY,
                clause=(f"limits {limit}", f"limit {limit}"),
            )


def _of_its_own(shares: Shares | None) -> str:
    """Return how much of a budget the skills take that the runtime itself lists, as a clause."""
    if shares is None or not shares.own.asked:
        return ""
    number = f"{shares.own_count} " if shares.own_count > 1 else ""
    return f", of which its {number}built-in skills take {shares.own.asked:,}"


def _lack(shares: Shares | None, target: Runtime) -> str:
    """Return what a listing over budget has, or lacks, of the skills that are counted next."""
    if shares is not None and shares.cut_to is not None:
        return f"room for only {shares.cut_to} of"
    return (
        f"no room for the {target.text_mapper.omits} of" if target.text_mapper is not None else "no room for"
    )


def _record(collection: Collection, key: str) -> Record | None:
    skill = collection.session.find(key)
    return None if skill is None else collection.record(skill.directory)


def _names(keys: Sequence[str]) -> str:
    names = ", ".join(map(backticked, keys[:_MAX_NAMES]))
    return names if len(keys) <= _MAX_NAMES else f"{names} and {len(keys) - _MAX_NAMES:,} more"
