r"""The file names the home directory of somebody.

`/Users/anna/...` exists on one machine. Elsewhere the model looks for it in vain, and it tells who the
author is. Names that stand for any user do not count.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

The forms lie in `/Users/anna.berg/forms/2024`.
```

```text
SKILL.md:8:19: warning[absolute-path]: `/Users/anna.berg/` is the home directory of somebody
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

The forms lie in `~/forms`, on a Mac that is `/Users/username/forms`.
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.source import Span

ID = "absolute-path"
SEVERITY = Severity.WARNING

_HOME = re.compile(
    r"(?<![\w.~}>:/-])(?:/(?:Users|home)/(?P<unix>[A-Za-z0-9._-]{1,40})/|/?[A-Za-z]:(?P<bar>[\\/]{1,2})Users(?P=bar)(?P<windows>[A-Za-z0-9._-]{1,40})(?P=bar))"
)
# Accounts of images and services, and names that stand for any user.
_ANYBODY = re.compile(
    r"\A(?:users?|user-?name|user[_-]?\w*|you|your\w*|my\w*|me|name|some\w*|x{2,}|foo|bar|example\w*|test\w*|demo|sample|admin\w*|root"
    r"|shared|public|default|runner|vscode|node|ubuntu|debian|ec2-user|pi|coder|claude|codex|agent|app|dev|git|git|sandbox|oai|computer|jovyan"
    r"|work|workspace|linuxbrew|deploy|alice|bob|john|jane|jdoe|johndoe|janedoe|\.{2,}|_+)\Z",
    re.IGNORECASE,
)


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield the first path of each home directory."""
    seen: set[str] = set()
    for match in _HOME.finditer(skill.source.text):
        user = match["unix"] or match["windows"]
        if user not in seen and not _ANYBODY.match(user):
            seen.add(user)
            message = f"{backticked(match[0])} is the home directory of somebody"
            yield Finding(message, Span(*match.span()), help="write a path relative to the skill, or `~`")
