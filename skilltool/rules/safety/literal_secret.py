r"""Token or private key in one of the skill's files.

Everyone who gets the skill gets the secret, and it stays in the repository's history after it is removed.

The rule checks every text file in the skill for secrets with a prefix that only one service uses, such as
`ghp_`, and for private keys in PEM format. It skips placeholders such as those in documentation (`ghp_xxxx`,
`AKIA...EXAMPLE`). The severity is only `info` for an AWS access key ID in a file without a secret access key,
because the ID alone gives no access. The formats and their sources are in `schemas/secrets.json`.

Reports, cached results and preview pages never show the whole secret, only its prefix, its length and its last
two characters. `render` does print the secret, because it prints what a runtime gives its model. A diff
of fixes masks the secret, so it cannot be applied to the line with the secret.

## Bad

```markdown escaped
---\n
name: pdf-tools\n
description: Fills in PDF forms. Use when the user mentions a PDF form.\n
---\n
\n
# PDF tools\n
\n
Upload the form with the token `ghp\x5fk7Tq2mVbX9dLw4RzY6NhJ3sFcP8uEaG5oB1i`.\n
```

```text
SKILL.md:8:33: error[literal-secret]: contains a GitHub personal access token: `ghp_…1i` (40 characters)
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Upload the form with the token in `GITHUB_TOKEN`, which looks like `ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx`.
```
"""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.findings.secrets import secrets_of
from skilltool.rules.shared.text_signs import has_secrets, texts_with
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill

ID = "literal-secret"
SEVERITY = Severity.ERROR


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each secret in a text file of the skill; the message has no more of it than may be shown."""
    remedy = "revoke it, and let the skill read a new one from an environment variable"
    for text in texts_with(skill, has_secrets):
        for secret in secrets_of(text.source):
            length = secret.span.end - secret.span.start
            message = f"contains {secret.what}: `{secret.shown}` ({length:,} characters)"
            severity = Severity.INFO if secret.is_half else None
            yield Finding(message, secret.span, help=remedy, severity=severity, file=text.file)
