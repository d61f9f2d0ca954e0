"""Link or image that points outside the skill's directory.

A skill is installed, packed and copied as one directory. Files outside that directory are not copied, so the
link is broken wherever the skill is installed. If the target exists in your repository, the severity is only
`info`.

Links to a skill in a neighboring directory and links from a nested skill to the skill that contains it are
fine. If a link points to a file that does not exist in the repository, `broken-link` reports it instead.

Links such as `/docs/style` start at the root of the web site or repository that the page came from. All such
links on a page are reported as one finding. The severity is `info` if there are more than two such links,
because then the page was probably copied from that site. The severity is also `info` if none of the links has
a file extension (they are usually examples) or if the repository contains all of the files (the links work on
the repository's web pages). The severity is `info` for a `file:` link whose text is the file's name, unless the text
says to read it. Links to files on a particular machine (`/home/...`) are reported, too, as
one finding per page.

The rule checks every Markdown page in the skill, except templates, examples and assets, which are copied to
wherever they are needed.

## Bad

```markdown skills/pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Follow the [style guide](../../docs/style.md), then [sign](/opt/forms/sign.md).
```

```markdown docs/style.md
# Style
```

```text
skills/pdf-tools/SKILL.md:8:26: info[escaping-link]: link `../../docs/style.md` points outside the skill
skills/pdf-tools/SKILL.md:8:60: warning[escaping-link]: link `/opt/forms/sign.md` points outside the skill
```

## Good

```markdown skills/pdf-tools/SKILL.md
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Follow the [style guide](references/style.md).
```

```markdown skills/pdf-tools/references/style.md
# Style
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.links import Destination, all_file_links, destination, use_existing
from skilltool.rules.shared.wording import and_more, backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.skill.texts import Text
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.markdown import Link

ID = "escaping-link"
SEVERITY = Severity.WARNING


# What `/` leads to on a machine; any other path that starts with it is one of a web site, such as Typecho's `/usr/uploads/`.
_ON_DISK = lazy_pattern(
    r"file:|/{1,3}(?:Applications|Library|System|Users|Volumes|bin|boot|dev|etc|home|lib|media|mnt|opt|private|proc|root|run|sbin"
    r"|srv|sys|tmp|usr(?!/uploads/)|var|workspaces)(?:/|\Z)",
    re.IGNORECASE,
)


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each link to an absolute path or above the skill; `broken-link` has those to what does not exist."""
    remedy = "copy the file into the skill, or link to a public URL"
    of_site: dict[str, tuple[Text, list[Link]]] = {}
    on_disk: dict[str, list[tuple[Text, Link]]] = {}
    above: dict[str, list[tuple[Text, Link, str]]] = {}
    for text, link, resolved in all_file_links(skill):
        leads = destination(skill, resolved)
        if leads is Destination.OUTSIDE and link.target.startswith("/") and not _ON_DISK.match(link.target):
            of_site.setdefault(text.file, (text, []))[1].append(link)
        elif leads is Destination.OUTSIDE and _ON_DISK.match(link.target):
            on_disk.setdefault(text.file, []).append((text, link))
        elif leads is Destination.OUTSIDE:
            above.setdefault(text.file, []).append((text, link, resolved.path))
        elif leads is Destination.REPOSITORY:
            message = f"{_kind(link)} {backticked(link.target)} points outside the skill"
            yield Finding(message, link.target_span, help=remedy, severity=Severity.INFO, file=text.file)
    for file, found in above.items():
        text, link, path = found[0]
        message = f"{_kind(link)} {backticked(link.target)} points outside the skill{_others(found)}"
        elsewhere = skill.surroundings.found_elsewhere(path)
        advice = remedy if elsewhere is None else use_existing(skill, text, link, elsewhere)
        yield Finding(message, link.target_span, help=advice, file=file)
    for file, opened in on_disk.items():
        text, link = next((each for each in opened if not _is_citation(*each)), opened[0])
        message = f"link {backticked(link.target)} points outside the skill{_others(opened)}"
        severity = Severity.INFO if _is_citation(text, link) else None
        yield Finding(message, link.target_span, help=remedy, severity=severity, file=file)
    for text, links in of_site.values():
        yield _of_site(skill, text, links)


def _is_citation(text: Text, link: Link) -> bool:
    """Return whether a link to a file on the author's machine only says which file a statement is about.

    `[index.mjs](file:///C:/work/index.mjs)`: its text is the name of the file, and there is no need to open it.
    """
    if _READ.search(text.source.text, max(link.span.start - _BEFORE, 0), link.span.start):
        return False
    shown = text.source.text[link.span.start : link.target_span.start].strip("[]( `<")
    name = shown.replace("\\", "/").rpartition("/")[2].partition(":")[0]
    return (
        link.target[:5].lower() == "file:"
        and "." in name
        and link.target.partition("#")[0].endswith(f"/{name}")
    )


_READ = lazy_pattern(r"\b(?:read|open|see|load|consult|follow)\b[^.\n]{0,40}\Z", re.IGNORECASE)
_BEFORE = 60
_MOST_OF_AUTHOR = 2  # links of one page; a page with more is a copy of a web site's documentation


def _of_site(skill: Skill, text: Text, links: list[Link]) -> Finding:
    """Return the finding about the links of a page that start at the root of a web site or repository.

    It is a note where the repository has all of the files: its pages on GitHub lead there. So it is where each
    link is around an image, which is what it leads to.
    """
    file, written = text.file, text.source.text
    first = links[0]
    message = (
        f"link {backticked(first.target)} is relative to the root of a web site or repository{_others(links)}"
    )
    remedy = "use full URLs, or paths relative to the page"
    paths = [link.target.partition("#")[0] for link in links]
    names = [path.rpartition("/")[2] for path in paths]
    names_file = any("." in name or name.isupper() for name in names)  # `style.md`, `LICENSE`
    leads = all(skill.exists_above(path.lstrip("/")) for path in paths)
    is_enlarged = all(written.startswith("[![", link.span.start) for link in links)
    is_harmless = len(links) > _MOST_OF_AUTHOR or not names_file or leads or is_enlarged
    severity = Severity.INFO if is_harmless else None
    return Finding(message, first.target_span, help=remedy, severity=severity, file=file)


def _kind(link: Link) -> str:
    return "image" if link.image else "link"


def _others(links: Sequence[object]) -> str:
    """Return how many more links of a page there are, as the end of a message."""
    return and_more(len(links) - 1, "on this page")
