"""A relative link or image leads to nothing.

The model follows links of the body with its file tools and loses a step, or makes the content up.
Links in code do not count, nor does the form of a link: `[title](url)`, `path/to/page.md`. A `#heading`
has to exist, too. Upper and lower case count: what works on one machine fails on another. A path from
the root of the project that keeps the skill (`package.json`, `.github/workflows/test.yml`) is an info:
models find it there.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

The fields are listed in [the reference](references/fields.md).
```

```text
SKILL.md:8:42: warning[broken-link]: the link `references/fields.md` leads to nothing in the skill
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

The fields are listed in [the reference](references/fields.md).
```

```markdown references/fields.md
# Fields
```
"""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.link_forms import written
from skilltool.rules.shared.links import Local, anchors, names_lines, own_anchors
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text import markdown

ID = "broken-link"
SEVERITY = Severity.WARNING

_OWN = frozenset({"scripts", "references", "assets"})


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each link whose file or heading does not exist; links out of the skill are another rule's."""
    for link, place in written(skill):
        if place.escapes:
            continue
        what = "the image" if link.image else "the link"
        if not skill.holds(place.path):
            message = f"{what} {backticked(link.target)} leads to nothing in the skill"
            if _is_the_projects(skill, place.path):
                remedy = "in a link out of the skill begin with `../`, or name the file in a code span"
                yield Finding(message, link.target_span, help=remedy, severity=Severity.INFO)
            else:
                yield Finding(message, link.target_span, help="correct the path, or add the file")
        elif place.fragment and not _has_anchor(skill, place):
            message = f"{what} {backticked(link.target)} leads to no heading"
            yield Finding(message, link.target_span, help="correct the part behind `#`")


def _is_the_projects(skill: Skill, path: str) -> bool:
    """Return whether a path is written from the root of the project that keeps the skill (`.github/x.yml`)."""
    top, slash, _ = path.partition("/")
    return top not in _OWN and ((bool(slash) and top.startswith(".")) or skill.stands_above(path))


def _has_anchor(skill: Skill, place: Local) -> bool:
    """Return whether the fragment names a heading or an element's id; only Markdown is looked into."""
    if names_lines(place.fragment):
        return True
    if place.path == ".":
        return place.fragment in own_anchors(skill)
    if not place.path.lower().endswith((".md", ".markdown")):
        return True
    text = skill.read_text(place.path)
    return text is None or place.fragment in anchors(markdown.read(text))
