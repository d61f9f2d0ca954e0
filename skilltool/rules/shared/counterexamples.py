"""Tells whether code in a page is shown as what not to do: after a heading or a line such as "Never run this"."""

from __future__ import annotations

import re
from bisect import bisect_right

from skilltool.skill.texts import Text
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Span

_MOST_CHARS = 300  # before a block, that may introduce it
_WARNING = lazy_pattern(
    r"\b(?:never|don['\u2019]?t|(?:do|must|should) not|dangerous|destructive|malicious|harmful|attack\w*|exploit\w*"
    r"|payloads?|vulnerab\w*|exfiltrat\w*|obfuscat\w*|suspicious|red flags?|backdoors?|forbidden|prohibited|blocked|catastrophic|irreversible|anti-?patterns?)\b"
    r"|[\u274c\u26a0\U0001f6ab\u26d4\u2717\u2718]",
    re.IGNORECASE,
)
# A heading that says so of all that is under it.
_FORBIDDING = lazy_pattern(
    r"\b(?:(?:do not|don['\u2019]?t|never) (?:execute|run)|forbidden|prohibited|banned|(?:black|block|deny)[- ]?lists?"
    r"|blacklisted|anti-?patterns?|(?:dangerous|destructive|malicious) (?:commands?|examples?|patterns?))\b",
    re.IGNORECASE,
)
# `# BAD`, the label of an example.
_LABEL = lazy_pattern(r"(?:#|//|\*)[ \t]*(?:BAD|WRONG|INCORRECT|Bad|Wrong|Incorrect)\b")
_COMMENT = lazy_pattern(r"(?:#|(?<![:\w])//).*")  # no `//` of a URL
_ABOUT = lazy_pattern(
    r"attack|exploit|vulnerab|malicious|dangerous|security|threat|danger|pentest|red-?team|injection|safety",
    re.IGNORECASE,
)


def is_about_attacks(text: Text) -> bool:
    """Return whether the name of a page says that it is about attacks."""
    return text.is_page and bool(text.file) and _ABOUT.search(text.file) is not None


def is_counterexample(text: Text, block: Span, at: Span) -> bool:
    """Return whether a block of code is introduced, or a line in it is commented, as one that nobody should run."""
    return is_commented(text, block, at) or is_introduced(text, block) or _is_reported(text, block, at)


def _is_reported(text: Text, block: Span, at: Span) -> bool:
    """Return whether a line of a JSON example is in an entry that says so: `"action": "BLOCKED"`."""
    written = text.source.text
    opening = written[written.rfind("\n", 0, max(block.start - 1, 0)) + 1 : block.start]
    if "json" not in opening.lower():
        return False
    before = written[max(block.start, at.start - _MOST_CHARS) : at.start].rpartition("{")[2]
    after = written[at.end : min(block.end, at.end + _MOST_CHARS)].partition("}")[0]
    return _WARNING.search(before) is not None or _WARNING.search(after) is not None


def is_commented(text: Text, block: Span, at: Span) -> bool:
    """Return whether a comment in a line of a block, or above it, says that nobody should run the line."""
    written = text.source.text
    start = written.rfind("\n", block.start, at.start) + 1 or block.start
    end = written.find("\n", at.end)
    line = written[start : block.end if end < 0 else min(end, block.end)]
    above = written[block.start : start].rstrip("\n").rpartition("\n")[2]
    comments = (match for part in (above, line) if (match := _COMMENT.search(part)))
    return any(_WARNING.search(match[0]) or _LABEL.match(match[0]) for match in comments)


def is_introduced(text: Text, block: Span) -> bool:
    """Return whether the paragraph or a heading before a block of code says that nobody should run it."""
    written = text.source.text
    before = written[max(0, block.start - _MOST_CHARS) : block.start]
    paragraphs = [
        part for part in re.split(r"\n[ \t]*\n", before.rpartition("```")[0].rstrip()) if part.strip()
    ]
    return any(map(_WARNING.search, paragraphs[-1:])) or _is_under_warning(text, block)


def is_shown_in_block(text: Text, at: Span) -> bool:
    """Return whether something is in a block of a page that shows what to look for, or what nobody should run."""
    fences = (Span(each.opening.end, each.span.end) for each in text.markdown.fences) if text.is_page else ()
    block = next((each for each in fences if each.start <= at.start < each.end), None)
    return block is not None and is_counterexample(text, block, at)


def _is_under_warning(text: Text, at: Span) -> bool:
    """Return whether the heading above says that nobody should run something, or one forbids all under it.

    The title of a page is about more than that.
    """
    headings = text.markdown.headings
    number = bisect_right(headings, at.start, key=lambda each: each.span.start) - 1
    if number < 0:
        return False
    level = headings[number].level
    if _WARNING.search(headings[number].text) or _FORBIDDING.search(headings[number].text):
        return True
    while level > 2 and number > 0:
        number -= 1
        if 1 < headings[number].level < level:
            level = headings[number].level
            if _FORBIDDING.search(headings[number].text):
                return True
    return False


def is_shown_as_attack(text: Text, at: Span) -> bool:
    """Return whether the paragraph of something, or the heading above it, says that it is an attack."""
    written = text.source.text
    start = written.rfind("\n\n", max(0, at.start - _MOST_CHARS), at.start)
    end = written.find("\n\n", at.end, at.end + _MOST_CHARS)
    around = written[max(start, at.start - _MOST_CHARS, 0) : at.start]
    after = written[at.end : at.end + _MOST_CHARS if end < 0 else end]
    return any(map(_WARNING.search, (around, after))) or _is_under_warning(text, at)
