"""The body expects arguments that the target does not put in.

`$ARGUMENTS` stays in the text as it is, and the model reads the mark in place of what the user wrote.

## Bad

```markdown fix-issue/SKILL.md
---
name: fix-issue
description: Fixes an issue of the tracker. Use when the user names one.
---

# Fix an issue

Fix the issue $ARGUMENTS and write a test for it.
```

```text --runtime kodelet
fix-issue/SKILL.md:8:15: info[ignored-arguments]: the body expects arguments, and none are put in for `$ARGUMENTS`
```

## Good

```markdown fix-issue/SKILL.md
---
name: fix-issue
description: Fixes an issue of the tracker. Use when the user names one.
---

# Fix an issue

Fix the issue that the user named and write a test for it.
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.about_skills import explains_skills
from skilltool.rules.shared.regions import line_around
from skilltool.runtimes.base import ARGUMENTS, Runtime
from skilltool.skill.model import Skill
from skilltool.text.source import Span

ID = "ignored-arguments"
SEVERITY = Severity.INFO

_MARK = re.compile(r"(?<!\\)\$ARGUMENTS\b")


# What a line about slash commands says of arguments is said of the commands.
_COMMAND = re.compile(r"\bslash[- ]commands?\b", re.IGNORECASE)


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding, at the first mark, where neither the target nor a client of it puts arguments in."""
    if ARGUMENTS in target.expands or explains_skills(skill):
        return
    body = skill.frontmatter.envelope.body
    marks = _MARK.finditer(skill.source.text, body.start, body.end)
    spans = (Span(*mark.span()) for mark in marks)
    if found := next((span for span in spans if not _is_of_command(skill, span)), None):
        message = f"the body expects arguments, and none are put in for `{ARGUMENTS}`"
        remedy = "say in words what the user has to name, so that it works without arguments, too"
        yield Finding(message, found, help=remedy)


def _is_of_command(skill: Skill, span: Span) -> bool:
    return _COMMAND.search("".join(line_around(skill, span))) is not None
