r"""Control character in the frontmatter, such as NUL, ESC or DEL.

YAML does not allow control characters: parsers reject the whole frontmatter, and the skill does not load.
Control characters usually come from copied terminal output or a wrong encoding, and editors do not show them.

## Bad

```markdown escaped
---
name: pdf-tools
description: Fills\x07 in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
SKILL.md:3:19: error[control-character]: frontmatter contains control character U+0007
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```
"""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.wording import and_more
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill

ID = "control-character"
SEVERITY = Severity.ERROR


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding at the first such character, with the number of further ones."""
    problems = [problem for problem in skill.frontmatter.problems if problem.kind == "control-character"]
    if problems:
        more = and_more(len(problems) - 1)
        message = f"frontmatter contains control character U+{ord(problems[0].text):04X}{more}"
        yield Finding(message, problems[0].span, help="delete it")
