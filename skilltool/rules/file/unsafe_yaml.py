"""YAML tags, anchors, aliases, merge keys or deep nesting in the frontmatter.

Hardly any skill needs these YAML features. Some runtimes resolve these features; others reject or misread
them. Some features can make a parser run out of memory; others can hide from a reader what the parser will
read. skilltool does not expand them.

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
SKILL.md:4:11: error[unsafe-yaml]: anchor `&base` is not portable: runtimes read it differently
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
from skilltool.rules.shared.wording import and_more, backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill

ID = "unsafe-yaml"
SEVERITY = Severity.ERROR

_KINDS = {"tag": "tag", "anchor": "anchor", "alias": "alias", "merge-key": "merge key"}


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield the first of each kind, with the number of further ones of that kind."""
    problems = skill.frontmatter.problems
    for kind, name in _KINDS.items():
        same = [problem for problem in problems if problem.kind == kind]
        if same:
            more = and_more(len(same) - 1)
            message = f"{name} {backticked(same[0].text)}{more} is not portable: runtimes read it differently"
            advice = "write the value out, or quote it if it is meant as text"
            yield Finding(message, same[0].span, help=advice)
    for problem in problems:
        if problem.kind == "out-of-bounds":
            verb = "is" if problem.text.startswith("nested") else "has"
            message = f"frontmatter {verb} {problem.text}; skilltool stops parsing there"
            yield Finding(message, problem.span, help="flatten it")
