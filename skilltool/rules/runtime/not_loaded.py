"""Skill that a runtime does not load.

A runtime that rejects a skill is often silent: the skill is just not in the listing. This rule asks the
runtime's own parser, and quotes the runtime's own message if it has one. For `portable` it warns about a
skill that is within all limits, and names the runtimes that reject it all the same.

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
from skilltool.files.paths import shorten_directory_path
from skilltool.findings.finding import Finding, Severity
from skilltool.runtimes.base import Runtime
from skilltool.runtimes.values import Refused
from skilltool.skill import schema
from skilltool.skill.model import Skill

ID = "not-loaded"
SEVERITY = Severity.ERROR

_HARMLESS_KEYWORDS = frozenset({"additionalProperties"})


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding if the runtime, or one of those that a common ground stands for, rejects the skill."""
    span = skill.frontmatter.opening
    if target.ground and _satisfies(skill, target):
        rejected = {name: why for name in target.ground if (why := _rejection(skill, name)) is not None}
        if rejected:
            rest = f"not load this skill, although it satisfies `{target.id}`"
            first, clause = next(iter(rejected.values())), (f"does {rest}", f"do {rest}")
            yield Finding(
                "", span, help=first, severity=Severity.WARNING, clause=clause, owners=tuple(rejected)
            )
    elif target.load is not None and not target.specification:
        outcome = skill.ask(target.load)
        if isinstance(outcome, Refused):
            reason, why = _reason(outcome), shorten_directory_path(outcome.why, outcome.directory)
            clause = (f"does not load this skill: {reason}", f"do not load this skill: {reason}")
            yield Finding("", span, help=why if outcome.message else None, clause=clause)


def _satisfies(skill: Skill, target: Runtime) -> bool:
    broken = schema.violations(skill.frontmatter, target.schema)
    return skill.frontmatter.data is not None and all(v.keyword in _HARMLESS_KEYWORDS for v in broken)


def _rejection(skill: Skill, name: str) -> str | None:
    load = runtimes.get(name).load
    if load is None:
        return None
    outcome = skill.ask(load)
    return f"{name}: {_reason(outcome)}" if isinstance(outcome, Refused) else None


def _reason(refused: Refused) -> str:
    """Return the runtime's own message if it has one, else ours, without the path of the skill."""
    return shorten_directory_path(refused.message or refused.why, refused.directory)
