"""Frontmatter that is not valid YAML, or not a mapping of keys to values.

Runtimes that parse YAML skip the skill, most of them silently. By far the most common cause is `: ` inside an
unquoted value. Other causes are a value that starts with `*`, `&`, `[`, `{`, `@`, `%` or a backtick, and text
after a closing quote.

Claude Code often adds the missing quotes itself and reads what the author meant. In that case, the severity is
`info`. If it cannot repair the frontmatter, it reads none of the fields (`lost-frontmatter`).

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
SKILL.md:3:28: error[invalid-yaml]: [*] unquoted value contains `: `
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
from skilltool.rules.shared.yaml_repairs import explain_error, fix_yaml
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill

ID = "invalid-yaml"
SEVERITY = Severity.ERROR

_MAX_LINES = 5  # of a fix, shown in its help


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield what makes the block invalid, and each key that is not a string."""
    for problem in skill.frontmatter.problems:
        if problem.kind == "invalid":
            cause = explain_error(skill.source, problem, skill.frontmatter.envelope.block)
            outcome = fix_yaml(skill)
            advice = cause.help
            if outcome is not None and outcome.fix is None:
                advice = f"{advice}; {outcome.why_not}"
            elif outcome is not None and outcome.fix is not None:
                how = "the fix" if outcome.fix.safe else "`--fix --unsafe-fixes`"
                advice = f"{advice}; {how} writes {_first_lines(outcome.lines)}"
            fix = outcome.fix if outcome is not None else None
            yield Finding(cause.message, cause.span, advice, fix=fix, cause=cause.habit)
        elif problem.kind == "not-a-mapping":
            message = f"frontmatter is {problem.text}, not a mapping"
            yield Finding(message, problem.span, help="write it as `key: value` lines")
        elif problem.kind == "odd-key":
            yield Finding(
                f"key is {problem.text}, not a string", problem.span, help="write the key as a string"
            )


def _first_lines(lines: tuple[str, ...]) -> str:
    """Return the first lines that a fix writes, and how many more there are."""
    shown = ", ".join(backticked(line, 80) for line in lines[:_MAX_LINES])
    return f"{shown} and {len(lines) - _MAX_LINES} more lines" if len(lines) > _MAX_LINES else shown
