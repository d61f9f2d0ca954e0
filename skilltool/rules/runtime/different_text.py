"""Description that a runtime reads differently than the author intended.

One parser keeps the quotes as part of the text, another reads a comment as part of the value, and a third
ends the value at `---`. The model then reads something that the author did not mean. If YAML ends a value at
` #`, `cut-comment` reports it instead.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms.  # Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```

```text --runtime mycodeagent
SKILL.md:3:14: warning[different-text]: `mycodeagent` reads `in PDF forms. # Use when the user` in the description instead of `in PDF forms.`
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

from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.field_values import cutting, written
from skilltool.rules.shared.text_maps import ends_elsewhere, loaded_part
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.runtimes.values import LoadedSkill
from skilltool.skill.model import Skill
from skilltool.text.lazy_pattern import lazy_pattern

ID = "different-text"
SEVERITY = Severity.WARNING

_HELP = "write the description on one line, without quotes or comments"
_HELP_OF_TAGS = "remove the angle brackets to keep the text between them"
_TAG = lazy_pattern(r"<[^<>]+>")
_SHOWN = 40  # characters of a description
_LONGEST_WORD = 20  # of what is shown before the difference


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding if the runtime loads the skill with a description of other words.

    Where it is only cut at ` #`, `cut-comment` says so, and where it is too long `long-description`.
    """
    node = skill.frontmatter.node("description")
    description = written(skill, node) if skill.frontmatter.text("description") is not None else None
    if description is None or target.specification or ends_elsewhere(skill, target):
        return
    if not cutting(skill, description, target.ground or (target.id,)):
        whole = f"{description.value} {description.cut}" if description.cut else description.value
        yield from _other_words(skill, target, whole.strip())


def _other_words(skill: Skill, target: Runtime, written: str) -> Iterator[Finding]:
    """Yield one finding if the runtime reads other words than those written."""
    loaded = skill.ask(target.load) if target.load is not None else None
    if not isinstance(loaded, LoadedSkill) or _has_the_words(loaded.description, written):
        return
    if loaded_part(skill, target) is not None:
        return
    if not written:
        rest = f"{backticked(loaded.description, _SHOWN)} as the description, because the field is empty"
        clause = (f"reads {rest}", f"read {rest}")
        yield Finding("", skill.frontmatter.span("description"), help="write a description", clause=clause)
        return
    read, meant = _difference(loaded.description, written)
    rest = f"{backticked(read)} in the description instead of {backticked(meant)}"
    clause = (f"reads {rest}", f"read {rest}")
    # What is left may be cut, too.
    without = " ".join(_TAG.sub("", written).split())
    is_of_tags = without != written and without.startswith(" ".join(loaded.description.split()))
    advice = _HELP_OF_TAGS if is_of_tags else _HELP
    yield Finding("", skill.frontmatter.span("description"), help=advice, clause=clause)


def _has_the_words(read: str, written: str) -> bool:
    """Return whether two texts differ in spaces only; most do not differ, and a text may have a megabyte."""
    return read.strip() == written or read.split() == written.split()


def _difference(read: str, written: str) -> tuple[str, str]:
    """Return up to 40 characters of both texts in whole words, from a little before the first one that differs."""
    same = next((n for n, (a, b) in enumerate(zip(read, written, strict=False)) if a != b), None)
    at = min(len(read), len(written)) if same is None else same
    start = max(at - 12, 0)
    blank = written.rfind(" ", max(start - _LONGEST_WORD, 0), start)
    start = start if blank < 0 else blank + 1
    return _in_words(read[start:]), _in_words(written[start:])


def _in_words(text: str) -> str:
    """Return the beginning of a text, up to the end of a word where it has more."""
    shown = text[:_SHOWN]
    if len(text) > _SHOWN and not text[_SHOWN].isspace():
        shown = shown[: shown.rfind(" ", _SHOWN // 2)] if " " in shown[_SHOWN // 2 :] else shown
    return shown.rstrip()
