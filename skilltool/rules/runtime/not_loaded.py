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
SKILL.md:2:7: error[not-loaded]: `kodelet` does not load this skill: `name` is missing, empty or not a string (skipped silently)
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

import re
from collections.abc import Iterator

from skilltool import runtimes
from skilltool.files.paths import shorten_directory_path
from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.limits import counted
from skilltool.runtimes.base import Runtime
from skilltool.runtimes.values import Refused
from skilltool.skill import schema
from skilltool.skill.model import Skill
from skilltool.text.source import Span

ID = "not-loaded"
SEVERITY = Severity.ERROR

_CLAUSE = ("does not load this skill", "do not load this skill")
_WORD = re.compile(r"[A-Za-z][\w-]*")
_HARMLESS_KEYWORDS = frozenset({"additionalProperties"})


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield a finding if the runtime, or one of those that a common ground stands for, rejects the skill."""
    if target.ground and _satisfies(skill, target):
        yield from _of_ground(skill, target)
    elif (refused := _refusal(skill, target.id)) is not None:
        why = shorten_directory_path(refused.why, refused.directory)
        advice = why if refused.message and why not in refused.message else None
        yield Finding("", _span(skill, refused), help=advice, clause=_CLAUSE, note=_reason(refused))


def _of_ground(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield what each runtime of a common ground says that rejects the skill: a warning if a client does."""
    rejected = {name: refused for name in target.ground if (refused := _refusal(skill, name)) is not None}
    rest = f"not load this skill, although it satisfies `{target.id}`"
    for_a_client = not rejected.keys().isdisjoint(runtimes.GROUPS["clients"])
    for name, refused in rejected.items():
        yield Finding(
            "",
            _span(skill, refused),
            severity=Severity.WARNING if for_a_client else Severity.INFO,
            clause=(f"does {rest}", f"do {rest}"),
            owners=(name,),
            note=_reason(refused),
            accepted=counted(target, lambda name: _refusal(skill, name) is not None, "load it"),
        )


def _refusal(skill: Skill, name: str) -> Refused | None:
    load = runtimes.get(name).load
    outcome = None if load is None else skill.ask(load)
    return outcome if isinstance(outcome, Refused) else None


def _span(skill: Skill, refused: Refused) -> Span:
    """Return what is at fault: the line that the runtime names, a field that its words name, else the marker."""
    frontmatter = skill.frontmatter
    if refused.line is not None and refused.line <= skill.source.line_count:
        return skill.source.line_span(skill.source.line_start(refused.line))
    if frontmatter.problems:
        return frontmatter.problems[0].span
    words = (word.lower() for word in _WORD.findall(f"{refused.why} {refused.message or ''}"))
    field = next((word for word in words if word in (frontmatter.data or ())), None)
    return frontmatter.span(field) if field else frontmatter.opening


def _satisfies(skill: Skill, target: Runtime) -> bool:
    broken = schema.violations(skill.frontmatter, target.schema)
    return skill.frontmatter.data is not None and all(v.keyword in _HARMLESS_KEYWORDS for v in broken)


def _reason(refused: Refused) -> str:
    """Return the runtime's own message if it has one, else ours, without the path of the skill."""
    return shorten_directory_path(refused.message or refused.why, refused.directory)
