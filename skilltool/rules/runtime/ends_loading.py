r"""File that prevents a runtime from loading any skill from any directory.

Most runtimes skip what they cannot read. Some stop with an error instead, so a single file makes all skills
unavailable. A file with an unpaired surrogate, such as the escape `"\ud83d"`, does load, but then no request that
contains the listing can be sent.

Tested with Kimi CLI 1.52.0 and google-adk 2.13.0. Kimi CLI exits at startup if any SKILL.md contains invalid
UTF-8, even in the body, or if the listing contains an unpaired surrogate. google-adk loads either all skills
in a directory or none.

## Bad

```markdown escaped
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's caf\xe9 fields before you fill them in.
```

```text --runtime kimi-cli
SKILL.md:8:20: error[ends-loading]: `kimi-cli` loads no skills at all because of this file: 'utf-8' codec can't decode byte 0xe9 in position 129: invalid continuation byte
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```
"""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.limits import reason, refusal, span_of, unsendable
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill

ID = "ends-loading"
SEVERITY = Severity.ERROR

_CLAUSE = ("loads no skills at all because of this file", "load no skills at all because of this file")
_UNSENDABLE = (
    "cannot send any request while it lists this skill",
    "cannot send any request while they list this skill",
)
_HALF = "the listing would contain an unpaired surrogate, which UTF-8 cannot encode"
_WHOLE = "write the character itself; until then, no request can be sent"
_HELP = "fix this file; until then, no skills load from any directory"


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield a finding if the runtime, or one of those that a common ground stands for, ends at this file."""
    for name in target.ground or (target.id,):
        refused = refusal(skill, name)
        if refused is not None and refused.ends_loading:
            severity = Severity.WARNING if target.ground else None
            owners = (name,) if target.ground else ()
            span, note = next(iter(skill.source.invalid), span_of(skill, refused)), reason(refused)
            yield Finding("", span, _HELP, severity, clause=_CLAUSE, owners=owners, note=note)
        elif refused is None and unsendable(skill, name):
            severity = Severity.WARNING if target.ground else None
            owners = (name,) if target.ground else ()
            problems = skill.frontmatter.problems
            span = problems[0].span if problems else skill.frontmatter.opening
            yield Finding("", span, _WHOLE, severity, clause=_UNSENDABLE, owners=owners, note=_HALF)
