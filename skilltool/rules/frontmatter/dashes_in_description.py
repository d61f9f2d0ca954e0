"""`---` inside the frontmatter, in a description or elsewhere.

Runtimes that split the file at every `---` end the frontmatter there: they list only the first part of the
description and treat the rest as the body.

Claude Code also splits the file at `---`, even within quotes, comments and block scalars. If the description
is only shortened, the severity is `warning`. It is `error` if the description or any field after it is lost,
or if the rest is not valid YAML. `--` is safe. Tested with Claude Code 2.1.329 (`claude -p`).

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms --- and reads them. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
SKILL.md:3:33: warning[dashes-in-description]: `---` ends the frontmatter early in runtimes that split the file at `---`
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

from skilltool.findings.finding import Finding, Severity, listed_names
from skilltool.rules.shared.text_maps import text_map_of
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.runtimes.text_map import TextMap
from skilltool.skill.model import Skill
from skilltool.text.source import Span

ID = "dashes-in-description"
SEVERITY = Severity.WARNING

_SHOWN = 40  # characters of what is left of a description


_HELP = "use one or two dashes, or different punctuation"


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding, at the first `---` between the markers."""
    block = skill.frontmatter.envelope.block
    at = skill.source.text.find("---", block.start, block.end)
    if at < 0 or not skill.frontmatter.envelope.closing:
        return
    reading = text_map_of(skill, target)
    if reading is None:
        if not skill.source[skill.source.line_span(at)].strip("-"):
            return  # a row of dashes is no text: `invalid-yaml` says so
        message = "`---` ends the frontmatter early in runtimes that split the file at `---`"
        yield Finding(message, Span(at, at + 3), help=_HELP)
    elif reading.end is not None and reading.end < block.end:
        span = Span(reading.end, reading.end + 3)
        severity, rest = _loss(skill, reading)
        clause = (f"ends the frontmatter here and {rest[0]}", f"end the frontmatter here and {rest[1]}")
        yield Finding("`---` inside the frontmatter", span, _HELP, severity, clause=clause)


def _loss(skill: Skill, reading: TextMap) -> tuple[Severity, tuple[str, str]]:
    """Return what the text after the `---` costs, and how bad that is."""
    if not reading.fields:
        return Severity.ERROR, ("reads none of its fields", "read none of its fields")
    written = skill.frontmatter.data or {}
    lost = [name for name in written if name not in reading.fields]
    if lost:
        names = listed_names(lost)
        return Severity.ERROR, (f"does not read {names}", f"do not read {names}")
    if "description" in written and reading.description is None:
        return Severity.ERROR, ("reads no description", "read no description")
    rest = f"{backticked(reading.description or '', _SHOWN)} as the description"
    return Severity.WARNING, (f"reads {rest}", f"read {rest}")
