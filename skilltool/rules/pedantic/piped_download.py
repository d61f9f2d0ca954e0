"""A download is run as it comes, unseen.

Most such lines are the installers of well-known tools. Who reviews skills may still want to see each
of them: what the address sends today is not what it sent when the skill was written.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Install uv with `curl -LsSf https://astral.sh/uv/install.sh | sh`.
```

```text
SKILL.md:8:29: info[piped-download]: what `https://astral.sh/uv/install.sh` sends is run unseen
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Install uv with `pipx install uv`.
```
"""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.downloads import downloads
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill

ID = "piped-download"
SEVERITY = Severity.INFO


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each command that runs what comes over https from a named host."""
    for download in downloads(skill):
        if download.encrypted and not download.bare:
            message = f"what {backticked(download.url)} sends is run unseen"
            yield Finding(message, download.span, help="name a package, or pin and check what is run")
