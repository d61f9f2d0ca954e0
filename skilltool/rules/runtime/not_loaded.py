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

from collections.abc import Iterator

from skilltool import runtimes
from skilltool.files.paths import shorten_directory_path
from skilltool.findings.finding import Finding, Severity
from skilltool.rules.base import Traits
from skilltool.rules.shared.limits import counted, reason, refusal, span_of
from skilltool.runtimes.base import Runtime
from skilltool.skill import schema
from skilltool.skill.model import Skill

ID = "not-loaded"
SEVERITY = Severity.ERROR
TRAITS = Traits(is_refusal=True)

_CLAUSE = ("does not load this skill", "do not load this skill")
_HARMLESS_KEYWORDS = frozenset({"additionalProperties"})


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield a finding if the runtime, or one of those that a common ground stands for, rejects the skill."""
    if target.ground and _satisfies(skill, target):
        yield from _of_ground(skill, target)
    elif (refused := refusal(skill, target.id)) is not None and not refused.ends_loading:
        why = shorten_directory_path(refused.why, refused.directory)
        advice = why if refused.message and why not in refused.message else None
        yield Finding("", span_of(skill, refused), help=advice, clause=_CLAUSE, note=reason(refused))


def _of_ground(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield what each runtime of a common ground says that rejects the skill: a warning if a client does."""
    refusals = ((name, refusal(skill, name)) for name in target.ground)
    rejected = {name: refused for name, refused in refusals if refused and not refused.ends_loading}
    rest = f"not load this skill, although it satisfies `{target.id}`"
    for_a_client = not rejected.keys().isdisjoint(runtimes.GROUPS["clients"])
    accepted = counted(target, lambda name: refusal(skill, name) is not None, "load it") if rejected else None
    for name, refused in rejected.items():
        yield Finding(
            "",
            span_of(skill, refused),
            severity=Severity.WARNING if for_a_client else Severity.INFO,
            clause=(f"does {rest}", f"do {rest}"),
            owners=(name,),
            note=reason(refused),
            accepted=accepted,
        )


def _satisfies(skill: Skill, target: Runtime) -> bool:
    broken = schema.violations(skill.frontmatter, target.schema)
    return skill.frontmatter.data is not None and all(v.keyword in _HARMLESS_KEYWORDS for v in broken)
