"""File that is not mentioned anywhere in the skill.

The model opens the files that the body or a page mentions. If a file is not mentioned, either it is packed
and copied but never used, or the sentence that should mention it is missing.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Run `python scripts/fill.py`.
```

```python scripts/fill.py
print("filled")
```

```python scripts/check.py
print("checked")
```

```text
SKILL.md:1:1: info[orphan-file]: file `scripts/check.py` is not mentioned in the skill
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Run `python scripts/fill.py`. All forms are in `assets/`.
```

```python scripts/fill.py
import fields
```

```python scripts/fields.py
NAMES = ()
```

```text assets/tax.txt
Name:
```
"""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.mentions import orphan_files
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.source import Span

ID = "orphan-file"
SEVERITY = Severity.INFO


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each file that no text of the skill mentions by its name, by its directory or as a module."""
    for path in orphan_files(skill):
        message = f"file {backticked(path, 120)} is not mentioned in the skill"
        yield Finding(message, Span(0, 0), help="say in the body what it is for, or remove it")
