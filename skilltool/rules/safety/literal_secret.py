r"""Token or private key that is written into a file of the skill.

Whoever gets the skill gets the secret, and it stays in the history of the repository after it is removed. Every
text file of the skill is checked, for secrets with a prefix that only their service uses, such as `ghp_`, and for
private keys in PEM. What only stands for a secret, as in documentation (`ghp_xxxx`, `AKIA...EXAMPLE`), is not
reported. The formats, each with its source, are in `schemas/secrets.json`.

No report, cached result or page of skilltool shows the secret: only its prefix, its length and its last two
characters, in whatever finding the line is shown. `render` prints what a runtime gives its model, so it prints the
secret, too. A diff of fixes hides it, and cannot be applied there.

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
from skilltool.rules.base import Traits
from skilltool.rules.shared.text_signs import has_secrets, texts_with
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill

ID = "literal-secret"
SEVERITY = Severity.ERROR
TRAITS = Traits(never_eased=True)


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each secret in a text file of the skill; the message has no more of it than may be shown."""
    remedy = "revoke it, and let the skill read a new one from an environment variable"
    for text in texts_with(skill, has_secrets):
        for secret in secrets_of(text.source):
            length = secret.span.end - secret.span.start
            message = f"contains {secret.what}: `{secret.shown}` ({length:,} characters)"
            yield Finding(message, secret.span, help=remedy, file=text.file)
