"""Description that says nearly the same thing as a neighboring skill's description.

A model chooses skills only by their descriptions. If two descriptions say the same thing, the model may
choose either skill, or both. The rule reports a description that shares at least 70% of its words with the
description of an earlier skill, in path order. For long descriptions, only the first 4,096 characters count.

It skips descriptions that are equal except for a word from each skill's own name, such as `PDF` and `Word`
for `convert-pdf` and `convert-word`. Skills with the same name are reported by `duplicate-name` instead. The
threshold was chosen using 1,758 real skills, where all 12 findings were correct; it was not tested on other
skills. The rule is opt-in because some families of skills are similar on purpose.

## Bad

```markdown a/SKILL.md
---
name: a
description: Fills in PDF forms, checks their fields and saves the result. Use for forms.
---

# Forms

Read the form's fields before you fill them in.
```

```markdown b/SKILL.md
---
name: b
description: Fills in PDF forms, checks the fields and saves the result. Use for PDF forms.
---

# More forms

Ask for the values of the fields.
```

```text
b/SKILL.md:3:14: info[similar-description]: description shares 92% of its words with the one in `a/SKILL.md`
```

## Good

```markdown a/SKILL.md
---
name: a
description: Fills in PDF forms, checks their fields and saves the result. Use for forms.
---

# Forms

Read the form's fields before you fill them in.
```

```markdown b/SKILL.md
---
name: b
description: Merges PDF files in the order that the user names. Use when one file of many is wanted.
---

# Merging

Ask for the order of the files.
```
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from skilltool.findings.diagnostic import Location, locate
from skilltool.findings.finding import Severity
from skilltool.rules.records import CollectionFinding, Record
from skilltool.rules.shared.similar_texts import alike, similar, words
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import load_skill

ID = "similar-description"
SEVERITY = Severity.INFO

_REMEDY = "describe what sets each skill apart, or merge the two"


class _Described(NamedTuple):
    """A skill, the words of its name and description, how often that has each, and where it is."""

    record: Record
    name: frozenset[str]
    words: frozenset[str]
    often: Counter[str]
    location: Location


def check_all(records: Sequence[Record], target: Runtime) -> Iterator[CollectionFinding]:
    """Yield each skill whose description is like that of an earlier skill in the same directory."""
    beside: dict[str, list[Record]] = {}
    for record in records:
        beside.setdefault(record.parent, []).append(record)
    for members in beside.values():
        if len(members) > 1:
            described = [described for described in map(_described, members) if described is not None]
            for number, earlier in similar([each.words for each in described]):
                yield from _finding(described[number], described[earlier])


def _finding(one: _Described, other: _Described) -> Iterator[CollectionFinding]:
    if one.record.name == other.record.name or _are_told_apart(one, other):
        return
    part = "all" if one.words == other.words else f"{int(100 * alike(one.words, other.words))}%"
    message = f"description shares {part} of its words with the one in `{other.record.path}`"
    yield CollectionFinding(one.record, message, help=_REMEDY, location=one.location)


def _are_told_apart(one: _Described, other: _Described) -> bool:
    """Return whether words of the skills' names tell their descriptions apart.

    Each description has words that the other has not, and one of them is in the skill's own name; or each has a
    word of its own name more often than the other.
    """
    mine, others = one.words - other.words, other.words - one.words
    own, foreign = one.name - other.name, other.name - one.name
    if mine and others and (mine & own or others & foreign):
        return True
    return any(one.often[word] > other.often[word] for word in own) and any(
        other.often[word] > one.often[word] for word in foreign
    )


def _described(record: Record) -> _Described | None:
    """Return a skill with its description; None if it has none. Not cached, because the rule is opt-in."""
    skill = load_skill(Path(record.directory))
    description = skill.frontmatter.text("description")
    if not description or not (found := words(description)):
        return None
    location = locate(skill.source, skill.frontmatter.span("description"))
    name = frozenset(words(f"{record.skill} {record.name or ''}"))
    return _Described(record, name, frozenset(found), found, location)
