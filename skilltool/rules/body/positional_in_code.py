"""Placeholder such as `$1` in code, which clients replace with an argument.

Clients that substitute arguments also do so in code: `awk '{print $1}'` does something else as soon as the
user passes arguments. The rule skips prices (`$5/month`) and skills that declare arguments, either in the
frontmatter (`argument-hint`, `arguments`) or in a list such as "`$0`: the file" below a heading about
arguments. It also skips a `$1` inside a placeholder in angle brackets (`<the note from $1>`). The finding is
only `info` in data (JSON, CSV, logs), in a comment, in a skill that only the model can call (`user-invocable: false`), or in a code span
that is probably an illustration because no word such as "run" comes before it.

## Bad

```markdown count-words/SKILL.md
---
name: count-words
description: Counts words in a log. Use when the user asks for numbers.
---

# Count words

Run `awk '{print $1}' app.log | sort | uniq -c`.
```

```text
count-words/SKILL.md:8:18: info[positional-in-code]: some clients replace `$1` in code with an argument
```

## Good

```markdown count-words/SKILL.md
---
name: count-words
description: Counts words in a log. Use when the user asks for numbers.
---

# Count words

Run `cut -d' ' -f1 app.log | sort | uniq -c`.
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from skilltool.findings.finding import Finding, Severity
from skilltool.rules.shared.about_skills import explains_skills
from skilltool.rules.shared.prices import is_priced
from skilltool.runtimes.base import ARGUMENTS, ESCAPE, POSITION, Runtime
from skilltool.skill.model import Skill
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Span

ID = "positional-in-code"
SEVERITY = Severity.WARNING

# `$1`, but not a price such as `$5.00`, `$1M` or `$5-10`.
_POSITION = lazy_pattern(r"(?<![\\$\w])\$\d(?!\w|[.,-]\d)")
# `$ARGUMENTS` as a part of something longer, in which it is replaced nevertheless.
_EMBEDDED = lazy_pattern(r"\\\$ARGUMENTS|\$ARGUMENTS(?=\w|\[)")
_DECLARED = frozenset({"argument-hint", "arguments"})


def check(skill: Skill, target: Runtime) -> Iterator[Finding]:
    """Yield one finding, at the first placeholder in a code span or fence."""
    if _DECLARED & (skill.frontmatter.data or {}).keys() or explains_skills(skill):
        return
    if POSITION in target.expands:
        placeholder = _POSITION
    elif ARGUMENTS in target.expands:
        placeholder = _EMBEDDED
    else:
        return
    text = skill.source.text
    if all(_is_price(text, match) for match in placeholder.finditer(text)):
        return  # so the Markdown need not be parsed
    if _LISTED.search(text) is not None:
        return  # positions are meant
    code = sorted(part.span for parts in (skill.markdown.codes, skill.markdown.fences) for part in parts)
    spans = {part.span.start for part in skill.markdown.codes}
    data = {part.span.start for part in skill.markdown.fences if part.info.lower() in _DATA}
    matches = [
        (
            match,
            not _is_run(text, span.start)
            if span.start in spans
            else span.start in data or _is_in_comment(text, match),
        )
        for span in code
        for match in placeholder.finditer(text, span.start, span.end)
        if not _is_price(text, match) and not _is_asked_for(text, match)
    ]
    if not matches:
        return
    found, is_harmless = min(matches, key=lambda each: each[1])  # one in a command comes first
    is_hardly_replaced = _is_hardly_called(skill) or _is_far(skill, found[0])
    severity = Severity.INFO if is_harmless or is_hardly_replaced else None
    around = (part for part in skill.markdown.fences if part.span.start <= found.start() < part.span.end)
    is_fixed = any(part.info.partition(" ")[0].lower() in _WITHOUT_BRACES for part in around)
    escaped = rf"write `\{found[0]}`, although other clients show the backslash, or "
    escaped = escaped if ESCAPE in target.expands else ""
    has_braces = not is_fixed and found[0] != "$0"  # which is the shell itself where no script runs
    remedy = f"{_IN_SHELL if has_braces else escaped}move the code into a file"
    if target.specification:
        message = f"some clients replace `{found[0]}` in code with an argument"
        yield Finding(message, Span(*found.span()), remedy, severity)
    else:
        rest = f"`{found[0]}` in code when the skill is called with arguments"
        clause = (f"replaces {rest}", f"replace {rest}")
        yield Finding("", Span(*found.span()), remedy, severity, clause=clause)


# Languages in which `$1` is that of SQL or of a pattern, and cannot be written otherwise.
_WITHOUT_BRACES = frozenset("go java javascript js php py python ruby rust sql ts typescript".split())  # noqa: SIM905
_IN_SHELL = "rewrite it (`${1}` in a shell, `$(1)` in awk), or "
_DATA = frozenset({"json", "jsonl", "log", "csv"})  # languages of what nothing runs


def _is_hardly_called(skill: Skill) -> bool:
    """Return whether only the model calls a skill that takes no arguments: it has no reason to pass any."""
    data = skill.frontmatter.data or {}
    return data.get("user-invocable") is False and "$ARGUMENTS" not in skill.source.text


def _is_far(skill: Skill, found: str) -> bool:
    """Return whether a skill that speaks of no arguments would have to be called with more than two words."""
    number = found.strip("${}")
    return number.isdigit() and int(number) > 1 and _ARGUMENTS.search(skill.source.text) is None


_ARGUMENTS = lazy_pattern(r"\$ARGUMENTS|\barguments?\b", re.IGNORECASE)


# `## Arguments`, and below it a list of what each position is.
_LISTED = lazy_pattern(
    r"^#{1,6}[ \t][^\n]{0,80}\b(?:arguments?|inputs?|parameters?)\b[^\n]{0,80}\n(?:(?!#)[^\n]{0,400}\n){0,20}?"
    r"[ \t]{0,8}[-*+] `\$\d`",
    re.MULTILINE | re.IGNORECASE,
)


def _is_run(text: str, start: int) -> bool:
    """Return whether the words before a code span tell the model to run it."""
    return _RUN.search(text, max(start - _BEFORE_SPAN, 0), start) is not None


_RUN = lazy_pattern(r"\b(?:run|execute)\b[^.\n`]{0,40}`{0,2}\Z", re.IGNORECASE)
_BEFORE_SPAN = 60


def _is_in_comment(text: str, match: re.Match[str]) -> bool:
    """Return whether a position is in a comment, or in what a script prints about its use: `echo "Usage: $0 FILE"`."""
    line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()][-_LONGEST_LINE:]
    is_of_script = match[0] == "$0" and _OF_SCRIPT.search(line) is not None
    return line.lstrip().startswith(("#", "//", "-- ")) or is_of_script


_OF_SCRIPT = lazy_pattern(r"usage|\bbasename [\"']?\Z", re.IGNORECASE)  # the name of a script
_LONGEST_LINE = 400  # characters before a position


def _is_asked_for(text: str, match: re.Match[str]) -> bool:
    """Return whether a position is among the words of a placeholder, `<the note from $1>`: its author means arguments.

    So does one who writes `$0`, the first of them, in a command of a skill that also has `$ARGUMENTS`.
    """
    line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()][-_LONGEST_LINE:]
    if match[0] == "$0" and "$ARGUMENTS" in text and "awk" not in line and '"' not in line:
        return True
    return (
        _OPEN.search(text, max(match.start() - _LONGEST_LINE, 0), match.start()) is not None
        and _CLOSE.match(text, match.end()) is not None
    )


_OPEN = lazy_pattern(
    r"<[a-z]{1,20}(?: [a-z]{1,20}){1,8} \Z", re.IGNORECASE
)  # and no redirection, `<fields.csv`
_CLOSE = lazy_pattern(r"(?: [a-z]{1,20}){0,8}>", re.IGNORECASE)


def _is_price(text: str, match: re.Match[str]) -> bool:
    """Return whether a position such as `$5` is a price by the words around it."""
    return match.re.pattern == _POSITION.pattern and is_priced(text, match.start())
