"""A skill begins with frontmatter: a `---` line, keys and values, another `---` line.

Without it a runtime knows neither name nor description and passes the skill over, most of them
without a word. The first line must be the marker: a heading or a comment above it hides the block.

## Bad

```markdown
# PDF tools

Read the form's fields before you fill them in.
```

```text
SKILL.md:1:1: error[missing-frontmatter]: there is no frontmatter
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

import re
from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill

ID = "missing-frontmatter"
SEVERITY = Severity.ERROR

_BLOCK = re.compile(r"^---[ \t]*\r?$", re.MULTILINE)
_PATH = re.compile(r"@?[^\s:#]*/[^\s:#]*")
_KEY = re.compile(r"(?:name|description)\s*:", re.IGNORECASE)
_START = "begin the file with a `---` line, `name:` and `description:`, and another `---` line"


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding for a file without an opening marker."""
    frontmatter = skill.frontmatter
    if skill.was_read and frontmatter.envelope.opening is None:
        message, remedy = _explained(skill)
        first = skill.source.line_span(frontmatter.envelope.body.start)
        yield Finding(message, first, help=remedy)


def _explained(skill: Skill) -> tuple[str, str]:
    """Return what stands there instead of frontmatter, and what to do."""
    text = skill.body.strip()
    first = text.partition("\n")[0]
    if not text:
        return "the file is empty", _START
    if first == text and _PATH.fullmatch(text):
        copied = "replace it by the file it names, or check the link out as a link"
        return f"the file holds only a path, {backticked(text)}: a link that was stored as text", copied
    if text.startswith("```"):
        return "the whole file stands in a code fence", "remove the fence around it"
    if text.startswith("+++"):
        return "the frontmatter is TOML between `+++` lines", _START
    if text.startswith("---"):
        return (
            f"the first line is {backticked(first)}, not `---`",
            "leave three dashes alone on the first line",
        )
    if _KEY.match(text):
        return "keys and values stand without `---` around them", "put a `---` line above and below them"
    if block := _BLOCK.search(skill.source.text):
        line = skill.source.position(block.start()).line
        moved = "if that is the frontmatter, move it to the top of the file"
        return f"there is no frontmatter at the top; the first `---` is on line {line}", moved
    return "there is no frontmatter", _START
