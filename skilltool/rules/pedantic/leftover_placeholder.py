"""Template placeholder that was never filled in.

The model treats `TODO:`, `FIXME:`, `[Insert ...]`, `<your ...>` and `{{...}}` as part of the instructions.

The rule skips placeholders in code. It also skips variables of a prompt template: a `{{...}}` that also
appears in code, that the text calls a variable, or that stands for the user's request (`{{question}}`). A
line with several bracketed placeholders is also skipped, because it counts as a form for the model to fill
in. Pages other than SKILL.md are skipped if they contain several placeholders.

The rule checks all pages except templates, examples and assets. Descriptions are checked by a separate rule,
`placeholder-description`.

## Bad

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

TODO: say which forms these are.

Ask [insert name] before you file a form.
```

```text
SKILL.md:8:1: warning[leftover-placeholder]: placeholder `TODO` was never filled in
SKILL.md:10:5: warning[leftover-placeholder]: placeholder `[insert name]` was never filled in
```

## Good

```markdown
---
name: pdf-tools
description: Fills in PDF forms. Use when the user mentions a PDF form.
---

# PDF tools

Put `TODO` where a field's value is not known, and list every TODO at the end.
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.about_skills import explains_skills
from skilltool.rules.shared.regions import Regions, code_regions, line_around
from skilltool.rules.shared.text_signs import has_placeholders, is_sample, texts_with
from skilltool.rules.shared.wording import backticked
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.skill.texts import Text
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Span

ID = "leftover-placeholder"
SEVERITY = Severity.WARNING

# `TODO` and the like are placeholders at the start of a line and before a colon; in a sentence they are words.
_PLACEHOLDER = lazy_pattern(
    r"^[ \t]{0,20}(?:[-*+>][ \t]{1,4}|\d{1,3}[.)][ \t]{1,4}|#{1,6}[ \t]{1,4}|\[[ xX]\][ \t]{1,4}|<!--[ \t]{0,4}){0,4}(?P<word>\[?\b(?:TODO|FIXME|TBD)\b)(?=:|\])"
    r"|(?P<filled>\[(?:insert|your|todo|fill in|add your)\b[^\]\n]{0,60}\](?![(\[:])|<(?:insert|your)[ _-][^>\n]{1,60}>|\{\{[^{}\n]{1,60}\}\})",
    re.IGNORECASE | re.MULTILINE,
)
_VARIABLE = lazy_pattern(r"\{\{[ \t]{0,4}([^{}\n]{1,60})\}\}")
_CALLED_VARIABLE = lazy_pattern(
    r"\b(?:variables?|placeholders?|templates?|substitut\w{1,5}|replaced?|interpolat\w{1,5})\b", re.IGNORECASE
)
# What a user gives at each call, not what an author fills in once.
_INPUT = lazy_pattern(
    r"(?:\A|[_ -])(?:question|query|task|request|input|prompt|topic|problem|issue|goal|message|arguments?|args?"
    r"|selection|diff|ticket|user)(?:[_ -]|\Z)",
    re.IGNORECASE,
)
# A line with several slots is a form that the model fills in: "[Problem] -> [Your product]".
_YOURS = lazy_pattern(r"\[(?:insert|your|fill in|add your)\b", re.IGNORECASE)
_SLOT = lazy_pattern(r"\[[^\]\[\n]{3,80}\](?![(\[:])")
_GENERATOR = "cookiecutter."


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield each placeholder outside code in the pages."""
    if explains_skills(skill):
        return
    for text in texts_with(skill, has_placeholders):
        if not is_sample(text.file):
            code = code_regions(text)
            findings = list(_in_body(text, code))
            yield from findings if not text.file or len(findings) == 1 else ()


def _in_body(text: Text, code: Regions) -> Iterator[Finding]:
    """Yield each placeholder in the body of a page that is neither in code nor a variable."""
    start, end = text.body_span
    variables = _variables(text, code)
    for match in _PLACEHOLDER.finditer(text.source.text[:end], start):
        group = "word" if match["word"] else "filled"
        span = Span(*match.span(group))
        if span.start in code or (match[0].startswith("{{") and _name(match[0]) in variables):
            continue
        before, after = line_around(text, span)
        before = before[max(len(before) - (span.start - start), 0) :]
        if not _is_quoted(before) and not (_YOURS.match(after) and len(_SLOT.findall(before + after)) > 1):
            placeholder = match[group].lstrip("[") if group == "word" else match[group]
            message = f"placeholder {backticked(placeholder)} was never filled in"
            yield Finding(message, span, help="fill it in or remove it", file=text.file)


def _is_quoted(before: str) -> bool:
    """Return whether a quotation is open at the end of `before`: the model fills in a sentence that it quotes."""
    return before.count('"') % 2 == 1 or before.count("\u201c") > before.count("\u201d")


def _variables(text: Text, code: Regions) -> set[str]:
    """Return the names in `{{...}}` that a page uses as variables; all of them if it says that they are."""
    written, body = text.source.text, text.body_span
    found = [match.span() for match in _VARIABLE.finditer(written, body.start, body.end)]
    names = {span: _name(written[slice(*span)]) for span in found}
    described = any(_CALLED_VARIABLE.search(" ".join(line_around(text, Span(*span)))) for span in found)
    return {
        name
        for span, name in names.items()
        if not name.startswith(_GENERATOR) and (described or span[0] in code or _INPUT.search(name))
    }


def _name(placeholder: str) -> str:
    return placeholder.strip("{} \t")
