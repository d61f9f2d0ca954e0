"""The target does not load the skill.

A runtime that refuses a skill often says nothing: it is simply not in the listing. This is what the
target's own reading of the file comes to, in its own words where it has some. For a common ground it
is a warning that names the runtimes which refuse a skill that satisfies every rule.

## Bad

```markdown
---
name: 2026
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools
```

```text --runtime kodelet
SKILL.md:1:1: error[not-loaded]: `kodelet` does not load this skill: `name` is missing, empty or not a string (skipped silently)
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools
```
"""

from __future__ import annotations

from collections.abc import Iterator

from skilltool import runtimes
from skilltool.files.paths import without_parent_path
from skilltool.findings.finding import Finding, Severity
from skilltool.runtimes.base import Runtime
from skilltool.runtimes.values import Refused
from skilltool.skill import schema
from skilltool.skill.model import Skill

ID = "not-loaded"
SEVERITY = Severity.ERROR

_KEYWORDS_THAT_PASS = frozenset({"additionalProperties"})


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding if the target, or a runtime of the common ground, refuses the skill."""
    place = skill.frontmatter.opening
    if target.ground and _satisfies(skill, target):
        refused = {name: why for name in target.ground if (why := _refusal(skill, name)) is not None}
        if refused:
            names = ", ".join(f"`{name}`" for name in refused)
            first = next(iter(refused.values()))
            message = f"the skill is portable, and still not loaded by {names}"
            yield Finding(message, place, help=first, severity=Severity.WARNING)
    elif target.load is not None and not target.specification:
        outcome = skill.ask(target.load)
        if isinstance(outcome, Refused):
            words, why = _told(outcome), without_parent_path(outcome.why, outcome.directory)
            clause = (f"does not load this skill: {words}", f"do not load this skill: {words}")
            yield Finding("", place, help=why if outcome.message else None, clause=clause)


def _satisfies(skill: Skill, target: Runtime) -> bool:
    broken = schema.violations(skill.frontmatter, target.schema)
    return skill.frontmatter.data is not None and all(v.keyword in _KEYWORDS_THAT_PASS for v in broken)


def _refusal(skill: Skill, name: str) -> str | None:
    load = runtimes.get(name).load
    if load is None:
        return None
    outcome = skill.ask(load)
    return f"{name}: {_told(outcome)}" if isinstance(outcome, Refused) else None


def _told(refused: Refused) -> str:
    """Return the target's own words where it has some, else ours; where the skill lies is not among them."""
    return without_parent_path(refused.message or refused.why, refused.directory)
