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
SKILL.md:3:28: error[invalid-yaml]: [*] a value without quotes holds `: `
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

from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.wording import backticked
from skilltool.rules.shared.yaml_errors import explain
from skilltool.rules.shared.yaml_fixes import repair
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill

ID = "invalid-yaml"
SEVERITY = Severity.ERROR

_LINES = 5  # of a fix that help shows


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield what the YAML reader stumbled over."""
    for problem in skill.frontmatter.problems:
        if problem.kind == "invalid":
            cause = explain(skill.source, problem)
            mended = repair(skill)
            advice = cause.help
            if mended is not None and mended.fix is None:
                advice = f"{advice}; {mended.why_not}"
            elif mended is not None:
                advice = f"{advice}; the fix reads it as {_some(mended.lines)}"
            yield Finding(cause.message, cause.span, advice, fix=mended.fix if mended else None)
        elif problem.kind == "not-a-mapping":
            remedy = "write `key: value` lines"
            message = f"the frontmatter is {problem.text}, not keys and values"
            yield Finding(message, problem.span, help=remedy)
        elif problem.kind == "odd-key":
            yield Finding(f"a key is {problem.text}, not text", problem.span, help="write the key as text")


def _some(lines: tuple[str, ...]) -> str:
    """Return the first lines of a fix, and how many more there are."""
    shown = ", ".join(backticked(line, 80) for line in lines[:_LINES])
    return f"{shown} and {len(lines) - _LINES} more lines" if len(lines) > _LINES else shown
