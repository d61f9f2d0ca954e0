"""The name is not the name of the skill's directory.

Some runtimes find a skill by its name, others by its directory, so what one lists another cannot
load; the open specification asks for both to be the same. A skill at the top of a repository is
left alone: its directory is called as each clone calls it. So is one in a directory called `skill` or
`1.4.0`, which is a place in a repository and gets the skill's name when it is installed.

## Bad

```markdown forms/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
forms/SKILL.md:2:7: warning[name-directory-mismatch]: the name `pdf-tools` is not the directory's, `forms`
```

## Good

```markdown pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from unicodedata import normalize

from skilltool.findings.finding import Edit, Finding, Fix, Severity
from skilltool.rules.shared.names import kebab
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.frontmatter.quoting import quoted_if_needed

ID = "name-directory-mismatch"
SEVERITY = Severity.WARNING

# `skill`, `dist`, `1.4.0`: where a skill lies before it is installed under its name.
_NO_NAME = re.compile(r"skills?|src|dist|latest|v?\d{1,9}(?:\.\d{1,9}){0,3}", re.IGNORECASE)


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding if both are there and differ by more than their spelling of characters."""
    name = skill.frontmatter.text("name")
    if not name or skill.in_repository_root or _NO_NAME.fullmatch(skill.name):
        return
    differ = normalize("NFKC", name) != normalize("NFKC", skill.name) and kebab(name) != skill.name
    if differ and not skill.is_copied_repository:
        message = f"the name {backticked(name)} is not the directory's, {backticked(skill.name)}"
        span = skill.frontmatter.span("name")
        mended = Fix(safe=False, edits=(Edit(span.start, span.end, quoted_if_needed(skill.name)),))
        yield Finding(message, span, help="give both the same name", fix=mended)


def renamed_directory(skill: Skill) -> Fix | None:
    """Return the fix that gives the directory the name of the frontmatter; None where that is no plain name."""
    name = skill.frontmatter.text("name") or ""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}", name):
        return None
    return Fix(safe=False, rename=(f"../{skill.name}", f"../{name}"))
