"""File that does not start with frontmatter: a `---` line, keys and values, another `---` line.

Without frontmatter a skill has neither a name nor a description, and runtimes skip it, most of them silently.
The first line must be `---`: if a heading or a comment comes first, the block is not recognized.

A file that consists only of sections between comments (`<!-- setup:start -->` to `<!-- setup:end -->`) is
usually merged into another skill by a build step. In that case, the severity is `info`, unless the file is in a
runtime's skills directory.

## Bad

```markdown
# PDF tools

Read the form's fields before you fill them in.
```

```text
SKILL.md:1:1: error[missing-frontmatter]: file has no frontmatter
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
from skilltool.rules.shared.projects import is_overlay, lies_in_project
from skilltool.rules.shared.regions import Regions
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.lazy_pattern import lazy_pattern

ID = "missing-frontmatter"
SEVERITY = Severity.ERROR

# Frontmatter further down: a `---` with a key below it is not a line between two sections.
_BLOCK = lazy_pattern(r"^---[ \t]*\r?\n(?=[A-Za-z_][\w-]{0,80}:(?:[ \t\r\n]|\Z))", re.MULTILINE)
_PATH = lazy_pattern(r"@?[^\s:#/]*/[^\s:#]*")
_KEY = lazy_pattern(r"(?:name|description)\s*:", re.IGNORECASE)
_CLOSED = lazy_pattern(
    r"(?:[A-Za-z_][\w-]{0,80}:[^\n]*\n|[ \t]+[^\n]*\n){1,50}---[ \t]*\r?(?:\n|\Z)"
)  # keys, and a `---` line
_OVERLAY = "file has no frontmatter, only marked sections that are merged into another skill"
_EXCLUDE = "exclude the file in the configuration if it is not a separate skill"
_START = "start the file with a `---` line, `name:` and `description:` lines, and another `---` line"


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding if the file has no opening marker."""
    frontmatter = skill.frontmatter
    if skill.was_read and frontmatter.envelope.opening is None:
        first = skill.source.line_span(frontmatter.envelope.body.start)
        if is_overlay(skill) and not lies_in_project(skill):
            yield Finding(_OVERLAY, first, help=_EXCLUDE, severity=Severity.INFO)
            return
        message, advice = _explain(skill)
        yield Finding(message, first, help=advice)


def _explain(skill: Skill) -> tuple[str, str]:
    """Return message and help, by what the file starts with instead."""
    text = skill.body.strip()
    first = text.partition("\n")[0]
    if not text:
        return "file is empty", _START
    if first == text and _PATH.fullmatch(text):
        advice = "replace it with that file, or check it out as a symlink"
        return f"file is a symlink checked out as text, with only the path {backticked(text)}", advice
    fence = skill.markdown.fences[0] if text.startswith("```") and skill.markdown.fences else None
    if fence is not None and not skill.source.text[fence.span.end :].strip():
        return "whole file is inside a code fence", "remove the fence"
    if fence is not None and fence.text.lstrip().startswith("---"):
        return "frontmatter is inside a code fence", "remove the fence around it"
    if fence is not None:
        return "file has no frontmatter, but starts with a code block", _START
    if text.startswith("+++"):
        return "frontmatter is TOML between `+++` lines, not YAML between `---` lines", _START
    if text.startswith("---"):
        return f"first line is {backticked(first)}, not `---`", "write only `---` on the first line"
    if _KEY.match(text) and _CLOSED.match(text):
        return "frontmatter has no `---` line above it", "add a `---` line above it"
    if _KEY.match(text):
        return "frontmatter has no `---` lines around it", "add a `---` line above and below it"
    fences = Regions(each.span for each in skill.markdown.fences)
    blocks = (block for block in _BLOCK.finditer(skill.source.text) if block.start() not in fences)
    if block := next(blocks, None):
        line = skill.source.position(block.start()).line
        advice = "if that is the frontmatter, move it to the top of the file"
        return f"no frontmatter at the top of the file; a `---` with a key below it is on line {line}", advice
    return "file has no frontmatter", _START
