"""Page that is deeply nested, or that is linked from other pages but not from SKILL.md.

Models open the pages that the body mentions, but often read only the beginning of pages that are linked from
other pages. Content that is two links away is found late or not at all.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

See [the fields](references/fields.md), and [the taxes](references/forms/tax.md).
```

```markdown references/fields.md
# Fields

Dates are explained in [the dates](dates.md).
```

```markdown references/dates.md
# Dates
```

```markdown references/forms/tax.md
# Taxes
```

```text
SKILL.md:8:18: warning[deep-reference]: page `references/dates.md` is linked only from `references/fields.md`
SKILL.md:8:57: warning[deep-reference]: page `references/forms/tax.md` is nested more than one level deep
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

See [the fields](references/fields.md), and [the dates](references/dates.md).
```

```markdown references/fields.md
# Fields

Dates are explained in [the dates](dates.md).
```

```markdown references/dates.md
# Dates
```
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.links import local_target
from skilltool.rules.shared.mentions import mentions
from skilltool.rules.shared.wording import and_more, backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text import markdown
from skilltool.text.source import Span

ID = "deep-reference"
SEVERITY = Severity.WARNING

_PAGES = (".md", ".markdown")


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each deeply nested page at its mention, and each indirect page at the mention of its parent page."""
    named = _named_pages(skill)
    for path, span in named.items():
        if path.count("/") > 1:
            message = f"page {backticked(path)} is nested more than one level deep"
            yield Finding(message, span, help="move it up to `references/NAME.md`")
        indirect = [page for page in dict.fromkeys(_linked_pages(skill, path)) if page not in named]
        if indirect:
            pages = f"{backticked(indirect[0])}{and_more(len(indirect) - 1)}"
            message = f"page {pages} is linked only from {backticked(path)}"
            yield Finding(message, span, help="also mention it in the body, and say when to read it")


def _named_pages(skill: Skill) -> dict[str, Span]:
    """Return the pages of the skill that the body links or mentions, each with the span of its first mention."""
    found = [(mention.path, mention.span) for mention in mentions(skill)]
    for link in skill.markdown.links:
        target = local_target(link.target)
        if target is not None and not target.escapes:
            found.append((target.path, link.target_span))
    found.sort(key=lambda each: each[1])
    pages: dict[str, Span] = {}
    for path, span in found:
        if path.lower().endswith(_PAGES) and path != skill.file_name and skill.holds(path):
            pages.setdefault(path, span)
    return pages


def _linked_pages(skill: Skill, page: str) -> Iterator[str]:
    """Yield the pages of the skill that `page` links to; paths are relative to the skill."""
    text = skill.read_text(page)
    if text is None or "](" not in text:
        return
    for link in markdown.read(text).links:
        target = local_target(link.target)
        if target is None or target.path == ".":
            continue
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page), target.path))
        if path.lower().endswith(_PAGES) and path not in {page, skill.file_name} and skill.holds(path):
            yield path
