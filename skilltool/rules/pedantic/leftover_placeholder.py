"""The text holds something that was to be filled in.

`TODO:`, `FIXME:`, `[Insert ...]`, `<your ...>` and `{{...}}` outside of code are what a template leaves behind. The
model takes them for a part of the instructions.

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
SKILL.md:8:1: warning[leftover-placeholder]: `TODO` was left in the text
SKILL.md:10:5: warning[leftover-placeholder]: `[insert name]` was left in the text
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
from skilltool.rules.shared.regions import code_of, line_around
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.source import Span

ID = "leftover-placeholder"
SEVERITY = Severity.WARNING

# A word that stands for work to be done begins a line and has a colon; in a sentence it is a word.
_PLACEHOLDER = re.compile(
    r"^[ \t]{0,20}(?:[-*+>][ \t]{1,4}|\d{1,3}[.)][ \t]{1,4}|#{1,6}[ \t]{1,4}|\[[ xX]\][ \t]{1,4}|<!--[ \t]{0,4}){0,4}(?P<word>\[?\b(?:TODO|FIXME|TBD)\b)(?=:|\])"
    r"|(?P<filled>\[(?:insert|your|todo|fill in|add your)\b[^\]\n]{0,60}\](?![(\[:])|<(?:insert|your)[ _-][^>\n]{1,60}>|\{\{[^{}\n]{1,60}\}\})",
    re.IGNORECASE | re.MULTILINE,
)
_WORDS = ("todo", "fixme", "tbd", "[insert", "[your", "[fill in", "[add your", "<insert", "<your", "{{")


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each placeholder outside of code."""
    if explains_skills(skill):
        return
    body = skill.frontmatter.envelope.body
    in_code = code_of(skill)
    for match in _PLACEHOLDER.finditer(skill.source.text, body.start, body.end):
        group = "word" if match["word"] else "filled"
        start, end = match.span(group)
        if start not in in_code and not _is_said(line_around(skill, Span(start, end))[0]):
            message = f"{backticked(match[group].lstrip('[') if group == 'word' else match[group])} was left in the text"
            yield Finding(message, Span(start, end), help="fill it in, or remove it")


def _is_said(before: str) -> bool:
    """Return whether a quotation is open behind `before`: a sentence to say, with a gap to fill in then."""
    return before.count('"') % 2 == 1 or before.count("\u201c") > before.count("\u201d")
