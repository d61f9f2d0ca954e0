"""Download over HTTPS that is run without being checked.

Most of these commands install well-known tools. Reviewers may still want to see each of these downloads,
because the URL may no longer return what it returned when the skill was written. The rule checks every text
file of the skill, except pages whose names suggest that they are about attacks.

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
SKILL.md:8:29: info[piped-download]: `https://astral.sh/uv/install.sh` is downloaded and run unverified
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

import re
from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.downloads import all_downloads
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.lazy_pattern import lazy_pattern

ID = "piped-download"
SEVERITY = Severity.INFO
# Names of pages that show what others do.
_ABOUT_ATTACKS = lazy_pattern(r"attack|exploit|vulnerab|malicious|dangerous", re.IGNORECASE)


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each command that runs a download over HTTPS from a named host."""
    remedy = "install a package, or pin and verify the download"
    for text, download in all_downloads(skill):
        if text.is_page and _ABOUT_ATTACKS.search(text.file):
            continue
        if download.encrypted and not download.from_ip_address:
            message = f"{backticked(download.url)} is downloaded and run unverified"
            yield Finding(message, download.span, help=remedy, file=text.file)
