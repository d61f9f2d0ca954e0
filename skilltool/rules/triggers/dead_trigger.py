"""A keyword or verb cannot be found where people write it.

Runtimes look for keywords as whole words: a letter, digit or underscore begins and ends them. Of a keyword
such as `c++` the end is no word's end, so it is found in `c++11` and not in `write it in c++`. An
empty one says nothing, and runtimes take it for found in every message or in none.

## Bad

```markdown
---
name: cpp-tools
description: Reviews C++ code. Use when the user shows a file in C++.
triggers:
  keywords:
    - c++
    - ""
---

# C++ tools

Read the whole file before you judge it.
```

```text
SKILL.md:6:7: warning[dead-trigger]: the keyword `c++` is not found as a word: it ends in `+`
SKILL.md:7:7: warning[dead-trigger]: the keyword is empty
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
triggers:
  keywords: [pdf, tax form]
  verbs: [fill in]
---

# PDF tools

Read the form's fields before you fill them in.
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.triggers import Kind, triggers
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill

ID = "dead-trigger"
SEVERITY = Severity.WARNING

_KINDS: tuple[tuple[Kind, str], ...] = (("keywords", "the keyword"), ("verbs", "the verb"))
_WORD = re.compile(r"\w")


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each keyword and verb that is empty, or whose first or last character is no part of a word."""
    for kind, what in _KINDS:
        for trigger in triggers(skill, target, kind):
            if not trigger.text.strip():
                yield Finding(f"{what} is empty", trigger.span, help="remove it")
            elif wrong := _wrong_edge(trigger.text):
                message = f"{what} {backticked(trigger.text)} is not found as a word: it {wrong}"
                remedy = "begin and end it with a letter or digit, or write it as a pattern"
                yield Finding(message, trigger.span, help=remedy)


def _wrong_edge(text: str) -> str | None:
    """Say which edge of a keyword is no edge of a word."""
    for verb, edge in (("begins with", text[0]), ("ends in", text[-1])):
        if not edge.isspace() and not _WORD.match(edge):
            return f"{verb} `{edge}`"
    return None
