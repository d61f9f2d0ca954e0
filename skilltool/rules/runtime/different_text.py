"""Description that a runtime reads differently from what was written.

YAML takes ` #` and the rest of the line for a comment, one parser takes quotes as text, another ends the value
at `---`. The model then reads something that the author did not mean, often less. Not reported is a comment that
the author meant: after two blanks, after quotes, or a note without a full stop after a sentence that has one.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. # Use when the user mentions a PDF form.
---

# PDF tools
```

```text --runtime kodelet
SKILL.md:3:34: warning[different-text]: `kodelet` reads `Fills in PDF forms.`, the rest of the description is a YAML comment
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from skilltool import runtimes
from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.readings import reading_of
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.runtimes.values import LoadedSkill
from skilltool.skill.model import Skill
from skilltool.text.frontmatter import Scalar
from skilltool.text.source import Span

ID = "different-text"
SEVERITY = Severity.WARNING

_HELP = "write it on one line, without quotes or comments"
_QUOTE = "put the description in quotes, or write it without ` #`"
_SHOWN = 40  # characters of a description
# What YAML takes for a comment after a value without quotes. After two blanks or a tab and before one, as in
# `key: value  # why`, the author means a comment, too.
_COMMENT = re.compile(r"[ \t]+(#[^\r\n]*)")
_MEANT = re.compile(r"(?: {2,}| *\t[ \t]*)#[ \t]")
# So does an author who ends sentences, in `Fills in forms. # shorten this`: more description would end, too.
_ENDED = re.compile(r"[.!?\u3002][\"'`)\]*_\u201d\u2019]*\Z")
_NOTE = re.compile(r"#[ \t]+\S")


class _Written(NamedTuple):
    """The description as YAML reads it, and the text after it on the line that YAML takes for a comment."""

    value: str
    cut: str = ""
    span: Span = Span(0, 0)


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding if the runtime loads the skill with a description of other words, or of fewer."""
    written = _written(skill)
    if written is None or _is_explained(skill, target):
        return
    names = target.ground or (target.id,)
    cutting = tuple(
        each for each in names if written.cut and _description(skill, each) == written.value.split()
    )
    if cutting:
        shown = backticked(
            written.value if len(written.value) <= _SHOWN else f"\u2026{written.value[-_SHOWN:]}"
        )
        rest = f"{shown}, the rest of the description is a YAML comment"
        owners = cutting if target.ground else ()
        yield Finding("", written.span, _QUOTE, clause=(f"reads {rest}", f"read {rest}"), owners=owners)
    elif not target.specification:
        yield from _other_words(skill, target, f"{written.value} {written.cut}".strip())


def _is_explained(skill: Skill, target: Runtime) -> bool:
    """Return whether the runtime ends the frontmatter elsewhere, or reads no field: other rules say why."""
    if target.reading is None:
        return False
    reading, closing = reading_of(skill, target), skill.frontmatter.envelope.closing
    return reading is None or not reading.fields or closing is None or reading.end != closing.start


def _written(skill: Skill) -> _Written | None:
    """Return what the author wrote as the description, None if that is not a text."""
    node, value = skill.frontmatter.node("description"), skill.frontmatter.text("description")
    if value is None or not isinstance(node, Scalar):
        return None
    text = skill.source.text
    end = node.span.start + len(skill.source[node.span].rstrip())
    comment = _COMMENT.match(text, end) if node.plain else None
    if comment is None or _MEANT.match(text, end) or _is_note(value, comment[1].rstrip()):
        return _Written(value)
    return _Written(value, comment[1].rstrip(), Span(comment.start(1), comment.end(1)))


def _is_note(value: str, comment: str) -> bool:
    """Return whether the text before a `#` ends a sentence and the text after it, after a blank, does not."""
    return bool(_ENDED.search(value) and _NOTE.match(comment)) and not _ENDED.search(comment)


def _description(skill: Skill, name: str) -> list[str] | None:
    """Return the words of the description that the runtime `name` loads, None if it does not load the skill."""
    load = runtimes.get(name).load
    loaded = skill.ask(load) if load is not None else None
    return loaded.description.split() if isinstance(loaded, LoadedSkill) else None


def _other_words(skill: Skill, target: Runtime, written: str) -> Iterator[Finding]:
    """Yield one finding if the runtime reads other words than those written."""
    loaded = skill.ask(target.load) if target.load is not None else None
    if not isinstance(loaded, LoadedSkill) or loaded.description.split() == written.split():
        return
    read, meant = _difference(loaded.description, written)
    rest = f"{backticked(read)} in the description instead of {backticked(meant)}"
    clause = (f"reads {rest}", f"read {rest}")
    yield Finding("", skill.frontmatter.span("description"), help=_HELP, clause=clause)


def _difference(read: str, written: str) -> tuple[str, str]:
    """Return 40 characters of both texts, from a little before the first one that differs."""
    same = next((n for n, (a, b) in enumerate(zip(read, written, strict=False)) if a != b), None)
    at = min(len(read), len(written)) if same is None else same
    start = max(at - 12, 0)
    return read[start : start + _SHOWN], written[start : start + _SHOWN]
