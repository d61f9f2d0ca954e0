"""A page of the skill lies deep, or is reached only through another page.

Models read the pages that the body names, and often only the beginning of a page that a page names. What
is two steps away is found late or never.

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
SKILL.md:8:18: warning[deep-reference]: the page `references/dates.md` is only reached through `references/fields.md`
SKILL.md:8:57: warning[deep-reference]: the page `references/forms/tax.md` lies more than one level below the skill
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
from skilltool.rules.shared.links import local
from skilltool.rules.shared.mentions import mentions
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text import markdown
from skilltool.text.source import Span

ID = "deep-reference"
SEVERITY = Severity.WARNING

_PAGES = (".md", ".markdown")


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each page that lies deep, at its name, and each that only a page links, at that page's name."""
    named = _named(skill)
    for path, place in named.items():
        if path.count("/") > 1:
            message = f"the page {backticked(path)} lies more than one level below the skill"
            yield Finding(message, place, help="move it up, to `references/NAME.md`")
        hidden = [further for further in dict.fromkeys(_linked(skill, path)) if further not in named]
        if hidden:
            more = f" (and {len(hidden) - 1} more)" if len(hidden) > 1 else ""
            message = f"the page {backticked(hidden[0])}{more} is only reached through {backticked(path)}"
            yield Finding(message, place, help="name it in the body, too, and say when to read it")


def _named(skill: Skill) -> dict[str, Span]:
    """Return the pages of the skill that the body links or mentions, with the first place of each."""
    found = [(mention.path, mention.span) for mention in mentions(skill)]
    for link in skill.markdown.links:
        place = local(link.target)
        if place is not None and not place.escapes:
            found.append((place.path, link.target_span))
    found.sort(key=lambda each: each[1])
    pages: dict[str, Span] = {}
    for path, span in found:
        if path.lower().endswith(_PAGES) and path != skill.file_name and skill.holds(path):
            pages.setdefault(path, span)
    return pages


def _linked(skill: Skill, page: str) -> Iterator[str]:
    """Yield the pages of the skill that a page links."""
    text = skill.read_text(page)
    if text is None or "](" not in text:
        return
    for link in markdown.read(text).links:
        place = local(link.target)
        if place is None or place.path == ".":
            continue
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page), place.path))
        if path.lower().endswith(_PAGES) and path not in {page, skill.file_name} and skill.holds(path):
            yield path
