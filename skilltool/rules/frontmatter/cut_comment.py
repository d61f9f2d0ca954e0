"""Unquoted value that YAML cuts off at ` #`, although the author meant the rest of the line to be part of it.

In YAML, a `#` after a space starts a comment: the model does not see what follows.

Text that was meant as a comment is not reported: text after two spaces or after a quoted value, and text that
does not end with a full stop but follows a complete sentence. In fields other than the description, a comment
is reported only if no space follows the `#`, as in `#12`. Fields that do not hold free text, such
as a name, a version or a list of tools, are skipped.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms as in issue #12. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```text --runtime claude-code
SKILL.md:3:45: warning[cut-comment]: `claude-code` treats `#12. Use when the user mentions a PDF form.` as a comment, so the description ends with `Fills in PDF forms as in issue`
```

## Good

```markdown
---
name: pdf-tools
description: "Fills in PDF forms as in issue #12. Use when the user mentions a PDF form."
---

# PDF tools

Read the form's fields before you fill them in.
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from skilltool.findings.finding import Edit, Finding, Fix, Severity
from skilltool.rules.shared.field_values import Written, cutting, written
from skilltool.rules.shared.text_maps import ends_elsewhere
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.frontmatter import Scalar
from skilltool.text.frontmatter.scalars import quoted
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Span

ID = "cut-comment"
SEVERITY = Severity.WARNING

_HELP = "quote the value, or write it without ` #`"
_SHOWN = 40  # characters of a value
# Fields of fixed words, after which a comment is meant.
_FIXED = lazy_pattern(
    r"name|version|license|model|effort|context|agent|author|type|category|(?:dis)?allowed[-_]tools|tools",
    re.IGNORECASE,
)
_WORD = lazy_pattern(r"#(?!(?:todo|fixme|xxx|noqa|nolint|yaml)\b)[^\W_]", re.IGNORECASE)


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each value that is cut: the description if the runtime cuts it, others if they are prose."""
    if ends_elsewhere(skill, target):
        return
    for path, node in skill.frontmatter.scalars:
        value = written(skill, node)
        if value is None or not value.cut:
            continue
        if path == ("description",) and value.value:
            yield from _in_description(skill, target, node, value)
        elif _is_prose(path[-1], value):
            key = ".".join(map(str, path))
            message = f"YAML ends `{key}` before {backticked(value.cut)}, which it treats as a comment"
            yield Finding(message, value.span, _HELP, fix=_quoting(skill, node, value))


def _in_description(skill: Skill, target: Runtime, node: Scalar, value: Written) -> Iterator[Finding]:
    names = cutting(skill, value, target.ground or (target.id,))
    if names:
        end = value.value if len(value.value) <= _SHOWN else f"\u2026{value.value[-_SHOWN:]}"
        cut, read = backticked(value.cut), backticked(end)
        clause = (
            f"treats {cut} as a comment, so the description ends with {read}",
            f"treat {cut} as a comment, so the description ends with {read}",
        )
        fix = _quoting(skill, node, value)
        yield Finding("", value.span, _HELP, fix=fix, clause=clause, owners=names if target.ground else ())


def _is_prose(key: str | int, value: Written) -> bool:
    """Return whether what looks like a comment after a value, which has several words or none, is more of it."""
    is_fixed = isinstance(key, str) and _FIXED.fullmatch(key)
    return not is_fixed and (not value.value or " " in value.value) and _WORD.match(value.cut) is not None


def _quoting(skill: Skill, node: Scalar, value: Written) -> Fix | None:
    """Return the fix that quotes the value with what is cut, unless it has several lines."""
    text = skill.source[Span(node.span.start, value.span.start + len(value.cut))]
    if "\n" in text or "\r" in text:
        return None
    start = node.span.start if node.value else value.span.start
    text = text if node.value else value.cut
    return Fix(safe=False, edits=(Edit(start, value.span.end, quoted(text)),))
