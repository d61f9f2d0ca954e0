r"""Zero-width characters in code or in the frontmatter, or four or more of them in a row anywhere.

A command or name that contains a zero-width character looks the same as one without it, but is different.
Four or more such characters in a row can carry a hidden message. Zero-width characters are not reported in
emoji or in writing systems that join letters, because both need them. The rule checks every text file in the
skill, and treats everything in a program as code.

## Bad

```markdown escaped
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Run `rm\xe2\x80\x8b form.pdf`, and read the fields.\xe2\x80\x8b\xe2\x80\x8c\xe2\x80\x8b\xe2\x80\x8d
```

```text
SKILL.md:8:8: warning[invisible-run]: zero-width character in code: U+200B
SKILL.md:8:41: warning[invisible-run]: run of 4 zero-width characters
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Run `rm form.pdf`.
```
"""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.invisible import word_around, zero_width_characters
from skilltool.rules.shared.regions import Regions, code_regions
from skilltool.rules.shared.text_signs import may_be_invisible, texts_with
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.skill.texts import Text

ID = "invisible-run"
SEVERITY = Severity.WARNING

_MANY = 4
_CODE = (
    ".sh",
    ".bash",
    ".zsh",
    ".ps1",
    ".py",
    ".js",
    ".mjs",
    ".cjs",
    ".ts",
    ".rb",
    ".pl",
    ".php",
    ".go",
    ".rs",
)
_REMEDY = "remove it"


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each run of such characters that is long, or that is in code or in the frontmatter."""
    for text in texts_with(skill, may_be_invisible):
        runs = list(zero_width_characters(text))
        code = code_regions(text) if runs and text.is_page else Regions(())
        for run in runs:
            count = run.span.end - run.span.start
            if count >= _MANY:
                message = f"run of {count} zero-width characters"
            elif text.is_page and word_around(text, run.span) is not None:
                continue  # `zero-width-in-word` reports it
            elif part := _deceptive_part(text, run.span.start, code):
                message = f"zero-width character in {part}: {run.text}"
            else:
                continue
            yield Finding(message, run.span, help=_REMEDY, file=text.file)


def _deceptive_part(text: Text, offset: int, code: Regions) -> str | None:
    """Name the part of the file in which an invisible character can deceive; None for any other part."""
    if text.file.lower().endswith(_CODE):
        return "code"
    if text.is_page and offset < text.body_span.start:
        return "the frontmatter"
    return "code" if offset in code else None
