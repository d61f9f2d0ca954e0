r"""Absolute path into a user's home directory.

`/Users/anna/...` exists on only one machine and reveals who the author is. Placeholder names such as
`/Users/username` are not reported. The rule checks every text file in the skill.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

The forms are in `/Users/anna.berg/forms/2024`.
```

```text
SKILL.md:8:19: warning[absolute-path]: `/Users/anna.berg/` is an absolute path into a user's home directory
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

The forms are in `~/forms` (`/Users/username/forms` on a Mac).
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.text_signs import has_home_paths, texts_with
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Span

ID = "absolute-path"
SEVERITY = Severity.WARNING

_HOME = lazy_pattern(
    r"(?<![\w.~}>:/-])(?:/(?:Users|home)/(?P<unix>[A-Za-z0-9._-]{1,40})/|/?[A-Za-z]:(?P<bar>[\\/]{1,2})Users(?P=bar)(?P<windows>[A-Za-z0-9._-]{1,40})(?P=bar))"
)
# Accounts of container images and services, and placeholder names.
_GENERIC_USER = lazy_pattern(
    r"\A(?:users?|user-?name|user[_-]?\w*|you|your\w*|my\w*|me|name|some\w*|x{2,}|foo|bar|example\w*|test\w*|demo|sample|admin\w*|root"
    r"|shared|public|default|runner|vscode|node|ubuntu|debian|ec2-user|pi|coder|claude|codex|agent|app|dev|git|git|sandbox|oai|computer|jovyan"
    r"|work|workspace|linuxbrew|deploy|alice|bob|john|jane|jdoe|johndoe|janedoe|\.{2,}|_+)\Z",
    re.IGNORECASE,
)


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield the first path into each user's home directory, in each text file."""
    for text in texts_with(skill, has_home_paths):
        seen: set[str] = set()
        for match in _HOME.finditer(text.source.text):
            user = match["unix"] or match["windows"]
            if user not in seen and not _GENERIC_USER.match(user):
                seen.add(user)
                message = f"{backticked(match[0])} is an absolute path into a user's home directory"
                remedy = "use a path relative to the skill, or `~`"
                yield Finding(message, Span(*match.span()), help=remedy, file=text.file)
