"""Why a YAML reader stumbled, in words a person would use.

The causes are those of real skills, most frequent first. What the reader says and where it
stopped decides together with what stands on that line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from skilltool.rules.shared.wording import backticked
from skilltool.text.frontmatter import Problem
from skilltool.text.source import Source, Span

_ENTRY = re.compile(r"(?P<indent>[ \t]*)(?:- +)?(?P<key>[^\s:#][^:#]*?)[ \t]*:(?:[ \t]+(?P<value>\S.*))?$")
_QUOTED = re.compile(r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')""")
_BLOCK_TEXT = re.compile(r"[|>][-+0-9]*[ \t]+[^#\s]")


@dataclass(frozen=True, slots=True)
class Cause:
    """What is wrong, where, and what to do about it."""

    message: str
    span: Span
    help: str


def explain(source: Source, problem: Problem) -> Cause:
    """Return the likely cause of an `invalid` problem."""
    at, reason = problem.span.start, problem.text
    place = source.line_span(at)
    line = source[place]
    if "escape" in reason or "hexdecimal" in reason:
        return _escape(problem, reason)
    if "\t" in line[: len(line) - len(line.lstrip())]:
        return Cause(
            "the line is indented with a tab", Span(place.start, place.start + 1), "indent with spaces"
        )
    if "unexpected end of stream" in reason:
        return Cause("a quote is opened here and never closed", problem.span, "close it, or leave it out")
    if "document" in reason:
        only = "leave one mapping of keys between the two `---`"
        return Cause("a second YAML document begins here", problem.span, only)
    entry = _ENTRY.match(line)
    if "expected ',' or" in reason and (cause := _open_bracket(source, place)):
        return cause
    if entry and entry["value"] and (cause := _value(entry, problem)):
        return cause
    if entry and entry["indent"]:
        indented = f"the line `{entry['key']}:` is indented, but the key above it already has a value"
        return Cause(indented, problem.span, "quote the value above, or remove the indent")
    return _stray(line, problem)


def _open_bracket(source: Source, line: Span) -> Cause | None:
    """Return the cause if the value above a line begins with a bracket: the reader stumbles where it is not closed."""
    while line.start > 0:
        line = source.line_span(line.start - 1)
        entry = _ENTRY.match(source[line])
        if entry and entry["value"]:
            first, at = entry["value"][0], line.start + entry.start("value")
            if first not in "[{":
                return None
            what, close = ("list", "]") if first == "[" else ("mapping", "}")
            return Cause(
                f"the {what} that begins here is never closed", Span(at, at + 1), f"close it with `{close}`"
            )
    return None


def _escape(problem: Problem, reason: str) -> Cause:
    if "Unicode" in reason:
        half = "`\\ud83d` and its like are halves of a character, which YAML does not allow"
        return Cause(half, problem.span, "write the character itself")
    unknown = "a backslash in double quotes begins an escape that YAML does not have"
    return Cause(unknown, problem.span, "double the backslash, or use single quotes")


def _value(entry: re.Match[str], problem: Problem) -> Cause | None:
    """Return the cause that shows in how the value is written, if one does."""
    value, key = entry["value"], entry["key"]
    quote = f"put the value of {backticked(key)} in quotes"
    first = value[0]
    if _BLOCK_TEXT.match(value):
        return Cause(f"text stands on the line of the block mark `{first}`", problem.span, quote)
    if first in "*&@`%!|>" or value.startswith("- "):
        mark = "a backtick" if first == "`" else backticked(first)
        return Cause(f"the value begins with {mark}, which YAML reads as a mark", problem.span, quote)
    if first in "\"'":
        behind = _QUOTED.match(value)
        if behind is None:
            return Cause("a quote is opened here and never closed", problem.span, "close it, or leave it out")
        remedy = f"put all of the value in quotes, and a backslash before each {backticked(first)} inside"
        return Cause("text stands behind the closing quote", problem.span, remedy)
    if first in "[{":
        what = "list" if first == "[" else "mapping"
        return Cause(f"the value begins with {backticked(first)}, but is no {what}", problem.span, quote)
    if re.search(r":(?:\s|$)", value):
        return Cause("a value without quotes holds `: `", problem.span, quote)
    return None


def _stray(line: str, problem: Problem) -> Cause:
    """Return the cause for a line that is no `key: value`."""
    text = line.strip()
    if text.startswith("- "):
        remedy = "remove the value above the list, or the list"
        return Cause("a list item stands where no list can be", problem.span, remedy)
    if re.match(r"<{7}|={7}|>{7}", text):
        return Cause("a merge conflict was left in the frontmatter", problem.span, "resolve it")
    if glued := re.match(r"([\w-]+):\S", text):
        return Cause(
            f"no blank stands behind {backticked(glued[1] + ':')}",
            problem.span,
            "put a blank behind the colon",
        )
    if text and not text.endswith(":"):
        remedy = "indent it if it continues the value above, or move it into the body"
        return Cause(f"the line {backticked(text, 40)} is no `key: value`", problem.span, remedy)
    return Cause(f"not YAML: {problem.text}", problem.span, "look at the lines above for a missing quote")
