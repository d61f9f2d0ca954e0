"""Relative link or image whose target does not exist.

The model opens links with its file tools. When the file is missing, it wastes a step or makes the content
up. A `#heading` has to exist as well. Names are case-sensitive on every machine.

Links in code are ignored, and so are examples of how to write a link: `[title](url)`, `path/to/page.md`.
A path that exists in the project around the skill (`package.json`, `.github/workflows/test.yml`) is only
an info, because models find it there.

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
SKILL.md:8:42: warning[broken-link]: link `references/fields.md` points to a file that does not exist
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
from skilltool.rules.shared.file_links import file_links
from skilltool.rules.shared.link_destinations import Destination, destination
from skilltool.rules.shared.link_targets import LocalTarget, anchors, body_anchors, is_line_fragment
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text import markdown

ID = "broken-link"
SEVERITY = Severity.WARNING

_OWN = frozenset({"scripts", "references", "assets"})


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each link whose file or heading does not exist; `escaping-link` has those to other places."""
    pages: dict[str, set[str] | None] = {}
    for link, resolved in file_links(skill):
        kind = "image" if link.image else "link"
        leads = destination(skill, resolved)
        if leads is Destination.NOWHERE:
            message = f"{kind} {backticked(link.target)} points to a file that does not exist"
            yield Finding(message, link.target_span, help="correct the path or remove the link")
        elif leads is not Destination.SKILL:
            continue
        elif not skill.holds(resolved.path):
            message = f"{kind} {backticked(link.target)} points to a file that does not exist"
            if _is_in_project(skill, resolved.path):
                remedy = (
                    "start a link to a file outside the skill with `../`, or name the file in a code span"
                )
                yield Finding(message, link.target_span, help=remedy, severity=Severity.INFO)
            else:
                yield Finding(message, link.target_span, help="correct the path or add the file")
        elif resolved.fragment and not _has_anchor(skill, resolved, pages):
            message = f"{kind} {backticked(link.target)} points to a heading that does not exist"
            yield Finding(message, link.target_span, help="correct the part after `#`")


def _is_in_project(skill: Skill, path: str) -> bool:
    """Return whether a path starts at the root of the project around the skill (`.github/x.yml`)."""
    top, slash, _ = path.partition("/")
    return top not in _OWN and ((bool(slash) and top.startswith(".")) or skill.exists_above(path))


def _has_anchor(skill: Skill, resolved: LocalTarget, pages: dict[str, set[str] | None]) -> bool:
    """Return whether the fragment names a heading or an element's id; files other than Markdown always pass.

    `pages` keeps the anchors of the pages that have been read.
    """
    if is_line_fragment(resolved.fragment):
        return True
    if resolved.path == ".":
        return resolved.fragment in body_anchors(skill)
    if not resolved.path.lower().endswith((".md", ".markdown")):
        return True
    if resolved.path not in pages:
        text = skill.read_text(resolved.path)
        pages[resolved.path] = None if text is None else anchors(markdown.read(text))
    found = pages[resolved.path]
    return found is None or resolved.fragment in found
