r"""Description that is still a template's placeholder.

The description is all that the model sees before it decides to load the skill. If the description says `TODO`
or repeats the template's advice, the model never chooses the skill.

The rule reports `TODO:`, `FIXME:` and `TBD`, descriptions that are entirely in brackets (`<description>`,
`{{description}}`), `[TODO: ...]` anywhere in a description, and sentences from well-known templates.

A skill about TODOs may mention them: `Manages TODO lists`, `Finds FIXME: comments`. Templates in a directory
such as `skill-template` are not reported, because they are meant to be copied.

## Bad

```markdown
---
name: pdf-tools
description: "TODO: say what this skill does, and when to use it."
---

# PDF tools

Read the form's fields before you fill them in.
```

```text
SKILL.md:3:15: warning[placeholder-description]: description is still a placeholder: `TODO: say what this skill does, and when to use it.`
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Read the form's fields before you fill them in.
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.fields import span_of_text
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.lazy_pattern import lazy_pattern

ID = "placeholder-description"
SEVERITY = Severity.WARNING

_HELP = "say in one or two sentences what the skill does and when to use it"
_WORDS = "TODO|FIXME|TBD|TBA|XXX"
_WORD = lazy_pattern(rf"\b(?:{_WORDS})\b")
# Begins a text, a line or a sentence: `TODO: ...`, `TODO(anna): ...`, `TODO - ...`, `TBD.`, `TODO write ...`.
_BEGINNING = lazy_pattern(
    rf"(?:\A|\n[ \t]{{0,20}}|[.!?][ \n]{{1,4}})(?P<placeholder>(?P<word>{_WORDS})\b(?:\([^()\n]{{0,40}}\))?"
    r"(?: ?:(?!\S)| [-\u2013\u2014] |[.\u2026]{0,3}\Z"
    r"| (?:add|complete|describe|explain|fill in|provide|replace|say|write)\b(?![,/])))"
)
# In any place, but not in code or in quotes, where the text speaks of it.
_BRACKETED = lazy_pattern(
    rf"(?<![`\"'\u201c])(?P<placeholder>\[(?P<word>{_WORDS})[: ][^\]]{{0,400}}\]|\[(?:insert|fill in|add your) [^\]\n]{{1,100}}\])",
    re.IGNORECASE,
)
_PRAISE = "(?:(?:a|an|the|your|brief|clear|comprehensive|complete|concise|detailed|one-line|one-sentence|short) ){0,4}"
# All of a text: a word, a slot, or what templates advise.
_WHOLE = lazy_pattern(
    r"(?:todo|fixme|tb[da]|xxx|placeholder|<[^<>]{1,200}>|\{\{[^{}]{1,200}\}\}|\{[a-z_ -]{1,60}\}"
    rf"|\[(?:{_WORDS}|{_PRAISE}description\b[^\]]{{0,200}}|what (?:the|this|your) skill\b[^\]]{{0,200}})\]"
    r"|(?:(?:add|enter|insert|put) )?(?:your )?(?:skill )?description(?: goes)?(?: here)?"
    rf"|{_PRAISE}description of (?:what )?(?:the|this|your) skill\b.{{0,100}}|what (?:the|this|your) skill does\b.{{0,60}}"
    r"|replace (?:this )?with (?:a |the |your )?(?:\w{1,20} )?description\b.{0,100})[ .!\u2026]{0,5}",
    re.IGNORECASE,
)
_TEMPLATE = lazy_pattern(
    r"(?:\A|[-_.])(?:template|skeleton|boilerplate|skill-name)(?:[-_.]|\Z)", re.IGNORECASE
)


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding, for the whole description or for the placeholder in it."""
    description = skill.frontmatter.text("description")
    if not description or _TEMPLATE.search(skill.name):
        return
    text = description.strip()
    part = text if _WHOLE.fullmatch(text) else _placeholder(text, skill.name)
    if part and text.startswith(part):
        part = text
        message = f"description is still a placeholder: {backticked(text)}"
    else:
        message = f"description still contains the placeholder {backticked(part)}"
    if part:
        yield Finding(message, span_of_text(skill, "description", part), help=_HELP)


def _placeholder(text: str, name: str) -> str:
    """Return the first placeholder in a description, empty if there is none.

    A skill that is named for the word, or whose description has the word in another place, may be about it.
    """
    for pattern in (_BEGINNING, _BRACKETED):
        for match in pattern.finditer(text):
            part, word = match["placeholder"], match["word"] or ""
            first = match.start("placeholder") == 0
            spoken = word and word.lower() in name.lower()
            if not spoken and (first or pattern is _BRACKETED or len(_WORD.findall(text)) == 1):
                return part
    return ""
