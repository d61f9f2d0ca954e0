"""`SKILL.md` that is longer than a runtime allows or advises.

The whole body enters the model's context whenever the skill is used. Move what is needed only now and
then to further files, which the body names.

## Bad

```markdown lines=501
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Fill in the next field.
```

```text --runtime agentskills
SKILL.md:501:1: warning[oversized-file]: file has 501 lines; `agentskills` advises at most 500
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

from skilltool import runtimes
from skilltool.findings.finding import Finding, Severity
from skilltool.runtimes.base import Runtime
from skilltool.skill import schema
from skilltool.skill.model import Skill

ID = "oversized-file"
SEVERITY = Severity.WARNING

_HELP = "move what is needed only now and then to separate files, and name them in the body"


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding, at the first line over the limit."""
    limit = schema.load(target.schema).get("x-max-lines")
    lines = skill.source.line_count
    if limit and lines > limit:
        span = skill.source.line_span(skill.source.line_start(limit + 1))
        clause = (f"advises at most {limit:,}", f"advise at most {limit:,}")
        yield Finding(
            f"file has {lines:,} lines", span, help=_HELP, clause=clause, owners=_owners(target, limit)
        )


def _owners(target: Runtime, limit: int) -> tuple[str, ...]:
    """Return the runtimes whose advice a common ground repeats."""
    schemas = {name: schema.load(runtimes.get(name).schema) for name in target.limits_of}
    return tuple(name for name, own in schemas.items() if own.get("x-max-lines") == limit)
