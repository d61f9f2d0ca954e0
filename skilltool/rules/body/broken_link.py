"""Relative link or image whose target does not exist.

The model opens links with its file tools. When the file is missing, it wastes a step or makes the content
up. A `#heading` has to exist as well. Names are case-sensitive on every machine.

Every Markdown page of the skill is checked; a link starts at the directory of its page. `<img src>`, `<a href>`,
`{baseDir}/page.md` and `${CLAUDE_SKILL_DIR}/page.md` are links, too, and so is a path that contains a space.
Templates, examples and assets are left out, because they are copied to where the skill is used. If exactly one
file matches, a fix is offered: a safe one if the link differs from its path in case only.

Links in code are ignored, and so are examples of how to write a link: `[title](url)`, `path/to/page.md`.
A path that exists in the project around the skill (`package.json`, `.github/workflows/test.yml`) is only
a note, because models find it there.

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

from skilltool.findings.finding import Edit, Finding, Fix, Severity
from skilltool.rules.shared.links import (
    Destination,
    LocalTarget,
    all_file_links,
    anchors,
    blank_links,
    destination,
    fix,
    is_line_fragment,
    local_target,
    page_anchors,
    pages_with_doubtful_links,
    relative,
    repair,
)
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.skill.texts import Text
from skilltool.text import markdown
from skilltool.text.markdown import Link

ID = "broken-link"
SEVERITY = Severity.WARNING

_OWN = frozenset({"scripts", "references", "assets"})


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each link whose file or heading does not exist; `escaping-link` has those to other places."""
    pages: dict[str, set[str] | None] = {}
    for text, link, resolved in all_file_links(skill):
        kind = "image" if link.image else "link"
        leads = destination(skill, resolved)
        if leads is Destination.NOWHERE or (leads is Destination.SKILL and not skill.holds(resolved.path)):
            yield _missing(skill, text, link, resolved, leads)
        elif (
            leads is Destination.SKILL and resolved.fragment and not _has_anchor(skill, text, resolved, pages)
        ):
            message = f"{kind} {backticked(link.target)} points to a heading that does not exist"
            yield Finding(message, link.target_span, help="correct the part after `#`", file=text.file)
    yield from _with_blanks(skill)


def _missing(skill: Skill, text: Text, link: Link, resolved: LocalTarget, leads: Destination) -> Finding:
    """Return the finding for a link to a file that does not exist, with the fix that makes it lead to one."""
    message = (
        f"{'image' if link.image else 'link'} {backticked(link.target)} points to a file that does not exist"
    )
    finding = Finding(message, link.target_span, file=text.file)
    from_top = local_target(link.target, skill.name) if text.directory else None
    if from_top is not None and not from_top.escapes and skill.holds(from_top.path):
        remedy = f"write `{relative(text, from_top.path)}`: a link starts at the directory of its page"
        edit = fix(text, link, from_top.path, safe=False)
        return finding._replace(help=remedy, severity=Severity.INFO, fix=edit)
    meant = repair(skill, resolved.path)
    if meant is not None:
        edit = fix(text, link, meant.path, safe=meant.by_case)
        return finding._replace(help=f"did you mean {backticked(relative(text, meant.path))}?", fix=edit)
    elsewhere = skill.surroundings.found_elsewhere(resolved.path)
    remedy = "correct the path or " + ("remove the link" if leads is Destination.NOWHERE else "add the file")
    if elsewhere is not None:
        remedy = f"write {backticked(relative(text, elsewhere))}, where the file is"
    in_project = from_top.path if from_top and not from_top.escapes else resolved.path
    if leads is Destination.NOWHERE or not _is_in_project(skill, in_project):
        return finding._replace(help=remedy)
    if elsewhere is None:
        remedy = "start the link at the directory of its page"
    return finding._replace(help=f"{remedy}, or name the file in a code span", severity=Severity.INFO)


def _with_blanks(skill: Skill) -> Iterator[Finding]:
    """Yield each link that is none because of a space in its path, and whose file may well exist."""
    for text in pages_with_doubtful_links(skill):
        for link in blank_links(text):
            resolved = local_target(link.target, skill.name, text.directory)
            if resolved is None or resolved.escapes:
                continue
            remedy = "put the path between `<` and `>`, or rename the file"
            if skill.holds(resolved.path):
                message = f"path {backticked(link.target)} contains a space, so that it is not a link"
                edits = Edit(link.target_span.start, link.target_span.end, f"<{link.target}>")
                end = Fix(safe=False, edits=(edits,))
                yield Finding(message, link.target_span, remedy, Severity.INFO, end, file=text.file)
            else:
                yield _missing(skill, text, link, resolved, Destination.SKILL)


def _is_in_project(skill: Skill, path: str) -> bool:
    """Return whether a path starts at the root of the project around the skill (`.github/x.yml`)."""
    top, slash, _ = path.partition("/")
    return top not in _OWN and ((bool(slash) and top.startswith(".")) or skill.exists_above(path))


def _has_anchor(skill: Skill, text: Text, resolved: LocalTarget, pages: dict[str, set[str] | None]) -> bool:
    """Return whether the fragment names a heading or an element's id; files other than Markdown always pass.

    `pages` keeps the anchors of the pages that have been read.
    """
    if is_line_fragment(resolved.fragment):
        return True
    if resolved.path == ".":
        return resolved.fragment in page_anchors(text)
    if not resolved.path.lower().endswith((".md", ".markdown")):
        return True
    if resolved.path not in pages:
        pages[resolved.path] = _anchors_of(skill, resolved.path)
    found = pages[resolved.path]
    return found is None or resolved.fragment in found


def _anchors_of(skill: Skill, path: str) -> set[str] | None:
    """Return the anchors of a page of the skill; None if it is not read."""
    page = skill.text if path == skill.file_name else skill.text_of(path)
    if page is not None:
        return anchors(page.markdown)
    written = skill.read_text(path)
    return None if written is None else anchors(markdown.read(written))
