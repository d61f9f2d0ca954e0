"""Template placeholder that was never filled in.

The model takes `TODO:`, `FIXME:`, `[Insert ...]`, `<your ...>` and `{{...}}` for a part of the instructions.
Placeholders in code are not reported.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

TODO: say which forms these are.

Ask [insert name] before you file a form.
```

```text
SKILL.md:8:1: warning[leftover-placeholder]: placeholder `TODO` was never filled in
SKILL.md:10:5: warning[leftover-placeholder]: placeholder `[insert name]` was never filled in
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Put `TODO` where a field's value is not known, and list every TODO at the end.
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.about_skills import explains_skills
from skilltool.rules.shared.regions import code_regions, line_around
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.source import Span

ID = "leftover-placeholder"
SEVERITY = Severity.WARNING

# `TODO` and the like are placeholders at the start of a line and before a colon; in a sentence they are words.
_PLACEHOLDER = re.compile(
    r"^[ \t]{0,20}(?:[-*+>][ \t]{1,4}|\d{1,3}[.)][ \t]{1,4}|#{1,6}[ \t]{1,4}|\[[ xX]\][ \t]{1,4}|<!--[ \t]{0,4}){0,4}(?P<word>\[?\b(?:TODO|FIXME|TBD)\b)(?=:|\])"
    r"|(?P<filled>\[(?:insert|your|todo|fill in|add your)\b[^\]\n]{0,60}\](?![(\[:])|<(?:insert|your)[ _-][^>\n]{1,60}>|\{\{[^{}\n]{1,60}\}\})",
    re.IGNORECASE | re.MULTILINE,
)


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each placeholder outside code."""
    if explains_skills(skill):
        return
    body = skill.frontmatter.envelope.body
    code = code_regions(skill)
    for match in _PLACEHOLDER.finditer(skill.source.text, body.start, body.end):
        group = "word" if match["word"] else "filled"
        start, end = match.span(group)
        if start not in code and not _is_quoted(line_around(skill, Span(start, end))[0]):
            placeholder = match[group].lstrip("[") if group == "word" else match[group]
            message = f"placeholder {backticked(placeholder)} was never filled in"
            yield Finding(message, Span(start, end), help="fill it in or remove it")


def _is_quoted(before: str) -> bool:
    """Return whether a quotation is open at the end of `before`: the model fills in a sentence that it quotes."""
    return before.count('"') % 2 == 1 or before.count("\u201c") > before.count("\u201d")
