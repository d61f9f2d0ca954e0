"""`SKILL.md` that is longer than a runtime allows or advises.

The whole body enters the model's context whenever the skill is used. Move what is needed only now and
then to further files, which the body names.

Claude Code does not load a `SKILL.md` of more than 1,000,000 bytes, and says so only in its log: an error. Measured on
the log of Claude Code 2.1.329 for files of 1,000,000 and 1,000,001 bytes.

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
from skilltool.text.source import Span

ID = "oversized-file"
SEVERITY = Severity.WARNING

_HELP = "move what is needed only now and then to separate files, and name them in the body"


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding, at the first line over the limit."""
    yield from of_size(skill.size, target, skill.frontmatter.opening)
    limit = schema.load(target.schema).get("x-max-lines")
    lines = skill.source.line_count
    if limit and lines > limit:
        span = skill.source.line_span(skill.source.line_start(limit + 1))
        clause = (f"advises at most {limit:,}", f"advise at most {limit:,}")
        yield Finding(
            f"file has {lines:,} lines", span, help=_HELP, clause=clause, owners=_owners(target, limit)
        )


def of_size(size: int, target: Runtime, span: Span) -> Iterator[Finding]:
    """Yield one finding, at `span`, if the runtime loads no file of so many bytes."""
    longest = schema.load(target.schema).get("x-max-bytes")
    if longest and size > longest:
        clause = (f"loads no file of more than {longest:,}", f"load no file of more than {longest:,}")
        yield Finding(f"file has {size:,} bytes", span, _HELP, Severity.ERROR, clause=clause)


def _owners(target: Runtime, limit: int) -> tuple[str, ...]:
    """Return the runtimes whose advice a common ground repeats."""
    schemas = {name: schema.load(runtimes.get(name).schema) for name in target.limits_of}
    return tuple(name for name, own in schemas.items() if own.get("x-max-lines") == limit)
