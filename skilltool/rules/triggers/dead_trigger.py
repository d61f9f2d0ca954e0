"""Keyword or verb that does not match the messages it is meant for.

Runtimes match a keyword only as a whole word, which starts and ends with a letter, digit or underscore. `+`
is none of these, so the keyword `c++` matches only directly before a letter, digit or underscore: it matches
in `c++11`, but not in `write it in c++`. An empty keyword matches every message or none, depending on the
runtime.

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

```text --runtime agent
SKILL.md:6:7: warning[dead-trigger]: keyword `c++` does not match as a whole word: it ends with `+`
SKILL.md:7:7: warning[dead-trigger]: keyword is empty
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

from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.fields import Kind, triggers
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.lazy_pattern import lazy_pattern

ID = "dead-trigger"
SEVERITY = Severity.WARNING

_KINDS: tuple[tuple[Kind, str], ...] = (("keywords", "keyword"), ("verbs", "verb"))
_WORD = lazy_pattern(r"\w")


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each keyword and verb that is empty, or whose first or last character cannot be part of a word."""
    for kind, name in _KINDS:
        for trigger in triggers(skill, target, kind):
            if not trigger.text.strip():
                yield Finding(f"{name} is empty", trigger.span, help="remove it")
            elif reason := _wrong_edge(trigger.text):
                message = f"{name} {backticked(trigger.text)} does not match as a whole word: it {reason}"
                advice = "start and end it with a letter or digit, or use a pattern"
                yield Finding(message, trigger.span, help=advice)


def _wrong_edge(text: str) -> str | None:
    """Return which end of a keyword is not a word character, as a verb phrase; None if both are."""
    for verb, edge in (("starts with", text[0]), ("ends with", text[-1])):
        if not edge.isspace() and not _WORD.match(edge):
            return f"{verb} `{edge}`"
    return None
