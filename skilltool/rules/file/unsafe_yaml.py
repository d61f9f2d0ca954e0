"""The frontmatter uses tags, anchors, aliases or merge keys, or is nested beyond reason.

Almost no skill does. Runtimes differ in whether they resolve, refuse or misread these; some are
ways to exhaust or trick a reader. skilltool sees them and does not resolve them.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
metadata: &base
  author: example
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
SKILL.md:4:11: error[unsafe-yaml]: the anchor `&base` is read differently by different runtimes
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
metadata:
  author: example
---

# PDF tools

Read the form's fields before you fill them in.
```
"""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill

ID = "unsafe-yaml"
SEVERITY = Severity.ERROR

_KINDS = {
    "tag": "the tag {}",
    "anchor": "the anchor {}",
    "alias": "the alias {}",
    "merge-key": "the merge key {}",
}


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield the first of each kind, with the number of all of that kind."""
    problems = skill.frontmatter.problems
    for kind, words in _KINDS.items():
        same = [problem for problem in problems if problem.kind == kind]
        if same:
            more = f" (and {len(same) - 1} more)" if len(same) > 1 else ""
            message = (
                f"{words.format(backticked(same[0].text))} is read differently by different runtimes{more}"
            )
            yield Finding(
                message, same[0].span, help="write the value out, or quote it if it is meant as text"
            )
    for problem in problems:
        if problem.kind == "out-of-bounds":
            yield Finding(f"the frontmatter is {_bound(problem.text)}", problem.span, help="make it flat")


def _bound(words: str) -> str:
    return words if words.startswith("nested") else f"too large: {words}"
