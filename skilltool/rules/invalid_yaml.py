"""The frontmatter is not YAML, or not a mapping of keys to values.

Runtimes that read YAML skip the skill, most of them silently. By far the most frequent cause is
`: ` inside a value without quotes; the next are a value that begins with `*`, `&`, `[`, `{`, `@`,
`%` or a backtick, and text behind a closing quote.

## Bad

```markdown
---
name: pdf-tools
description: Fills in forms: PDF and XFA. Use when the user mentions a form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
SKILL.md:3:28: error[invalid-yaml]: a value without quotes holds `: `
```

## Good

```markdown
---
name: pdf-tools
description: "Fills in forms: PDF and XFA. Use when the user mentions a form."
---

# PDF tools

Read the form's fields before you fill them in.
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from skilltool.diagnostic import Finding, Severity
from skilltool.rules.base import code
from skilltool.runtimes.base import Runtime
from skilltool.skill import Skill

ID = "invalid-yaml"
GROUP = "file"
SEVERITY = Severity.ERROR

_VALUE = re.compile(r"[ \t]*(?:- +)?(?P<key>[\w.-]+)[ \t]*:[ \t]+(?P<value>\S.*)")
_CAUSES = (
    (re.compile(r"[*&@`%!]"), "the value begins with {first}, which has a meaning of its own in YAML"),
    (re.compile(r"[|>][-+0-9]*[ \t]+[^#\s]"), "text stands on the line of the block mark {first}"),
    (re.compile(r"[\"']"), "the value begins with a quote, but does not end with it"),
    (re.compile(r"[\[{]"), "the value begins with {first}, but is no list or mapping of YAML"),
    (re.compile(r"[^#]*?:(?:\s|$)"), "a value without quotes holds `: `"),
)


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield what the YAML reader stumbled over."""
    for problem in skill.frontmatter.problems:
        if problem.kind == "invalid":
            message, remedy = _explained(skill, problem.span.start, problem.text)
            yield Finding(message, problem.span, help=remedy)
        elif problem.kind == "not-a-mapping":
            written = "write `key: value` lines"
            yield Finding(
                f"the frontmatter is {problem.text}, not keys and values", problem.span, help=written
            )
        elif problem.kind == "odd-key":
            yield Finding(f"a key is {problem.text}, not text", problem.span, help="write the key as text")


def _explained(skill: Skill, offset: int, reason: str) -> tuple[str, str]:
    """Return the likely cause on the line of an error, or the reader's own words, and what to do."""
    line = skill.source[skill.source.line_span(offset)]
    if line[: len(line) - len(line.lstrip())].count("\t"):
        return "the line is indented with a tab", "indent with spaces"
    if m := _VALUE.match(line):
        for pattern, cause in _CAUSES:
            if pattern.match(m["value"]):
                quoted = f"put the value of `{m['key']}` in quotes"
                return cause.format(first=code(m["value"][0])), quoted
    return f"not YAML: {reason}", "correct the line, or put its value in quotes"
