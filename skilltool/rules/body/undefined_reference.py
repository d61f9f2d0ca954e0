"""Reference link, `[text][label]` or `[text][]`, whose label is not defined on the same page.

CommonMark renders the link as plain text, including the brackets, so readers cannot tell where it was meant
to point. The rule checks every page in the skill.

The severity is only `info` for numbers as labels, such as `[the fields][12]`, on a page other than SKILL.md that
defines no label: the page was taken from a web site without its definitions.

The rule skips code, footnotes, templates, numbers such as `[1][2]`, uppercase placeholders such as
`[TYPE][SCOPE]`, tags such as `[BACKEND][billing]` on a page that defines no label, and brackets directly
after a word, as in `table[key][value]`.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read [the list of fields][fields] first, then the [error codes][].

[field]: references/fields.md
```

```markdown references/fields.md
# Fields
```

```text
SKILL.md:8:6: warning[undefined-reference]: reference link `[the list of fields][fields]` has no definition
SKILL.md:8:51: warning[undefined-reference]: reference link `[error codes][]` has no definition
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read [the list of fields][fields] first.

[fields]: references/fields.md
```

```markdown references/fields.md
# Fields
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from skilltool.errors import nearest
from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.regions import Regions, doubtful_prose, intended_code_blocks
from skilltool.rules.shared.text_signs import REFERENCE, has_references, texts_with
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.skill.texts import Text
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Span

ID = "undefined-reference"
SEVERITY = Severity.WARNING

_DEFINITION = lazy_pattern(r"^[ \t>*+0-9.)-]*\[([^\[\]\n]{1,200})\]:", re.MULTILINE)
_WORD = lazy_pattern(r"[^\W\d_]{3}")
_SYNTAX = lazy_pattern(r"[,:|={}<>\"'+*?^\\]")
_CODE = lazy_pattern(r"(?: {4}|\t)(?![ \t]{0,40}(?:[-*+]|\d{1,3}[.)])[ \t])")


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each reference link of a page that CommonMark does not read as a link."""
    for text in texts_with(skill, has_references):
        yield from _in_page(text)


def _in_page(text: Text) -> Iterator[Finding]:
    written, start = text.source.text, text.body_span.start
    matches = [match for match in REFERENCE.finditer(written, start) if _is_meant(match)]
    if not matches:
        return
    defined = {_folded(match[1]) for match in _DEFINITION.finditer(written, start)}
    has_labels = any(not label.startswith("^") for label in defined)
    ignored = _ignored_regions(text)
    notations = (
        []
        if defined
        else [
            *_notations(written, matches),
            *(m for m in matches if m["text"].isupper() and " " not in m["text"]),
        ]
    )
    for match in matches:
        if match in notations:
            continue
        label = match["label"] or match["text"]
        line = written.rfind("\n", 0, match.start()) + 1
        if match.start() in ignored or _folded(label) in defined or _CODE.match(written, line):
            continue
        if written[match.start() - 1 : match.start()] in _QUOTES:  # the beginning of what somebody says
            continue
        alike = nearest(_folded(label), defined)
        yield Finding(
            f"reference link {backticked(match[0])} has no definition",
            Span(*match.span()),
            help=f"add a line `[{label}]: path`"
            + (f"; did you mean {backticked(alike)}?" if alike else ", or write `[text](path)`"),
            severity=Severity.INFO if label.isdigit() and text.file and not has_labels else None,
            file=text.file,
        )


_QUOTES = ('"', "\u201c")


def _notations(written: str, matches: list[re.Match[str]]) -> list[re.Match[str]]:
    """Return those of a line with several, as in "[action][noun], [domain][verb], [tool][user]"."""
    lines: dict[int, list[re.Match[str]]] = {}
    for match in matches:
        if match["label"]:
            lines.setdefault(written.rfind("\n", 0, match.start()), []).append(match)
    return [match for line in lines.values() if len(line) >= _SEVERAL for match in line]


_SEVERAL = 3


def _is_meant(match: re.Match[str]) -> bool:
    """Return whether what has the form of a reference link is words and a label, and no notation."""
    text, label = match["text"], match["label"]
    if not _WORD.search(text) or text.startswith("^") or label.startswith("^"):
        return False
    if not label:
        return not _SYNTAX.search(text)
    return not (text.isupper() and label.isupper()) and not _SYNTAX.search(label)


def _folded(label: str) -> str:
    return " ".join(label.split()).casefold()


def _ignored_regions(text: Text) -> Regions:
    """Return what is code or a comment, or may be, and what CommonMark reads as links."""
    markdown = text.markdown
    parts = (markdown.links, markdown.comments, markdown.codes, markdown.fences, intended_code_blocks(text))
    return Regions([*(part.span for same in parts for part in same), *doubtful_prose(text)])
