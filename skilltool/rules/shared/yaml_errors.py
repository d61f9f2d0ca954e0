"""Explaining a YAML syntax error by its likely cause.

The causes are those found in real skills, most frequent first. The parser's message, where it
stopped and the text of that line decide together.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from skilltool.rules.shared.wording import backticked
from skilltool.text.frontmatter import Problem
from skilltool.text.frontmatter.brackets import open_brackets
from skilltool.text.source import Source, Span

_ENTRY = re.compile(r"(?P<indent>[ \t]*)(?:- +)?(?P<key>[^\s:#][^:#]*?)[ \t]*:(?:[ \t]+(?P<value>\S.*))?$")
_QUOTED = re.compile(r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')""")
_BLOCK_TEXT = re.compile(r"[|>][-+0-9]*[ \t]+[^#\s]")
_DIRECTIVE = re.compile(r"^%[A-Za-z]+(?:[ \t][^\r\n]*)?(?=[\r\n]|\Z)", re.MULTILINE)
_CLOSE_QUOTE = "add the closing quote, or remove the opening one"


class Cause(NamedTuple):
    """The message, span and help of a finding about a syntax error."""

    message: str
    span: Span
    help: str


def explain_error(source: Source, problem: Problem, block: Span) -> Cause:
    """Return the likely cause of an `invalid` problem in a block of frontmatter."""
    at, reason = problem.span.start, problem.text
    line_span = source.line_span(at)
    line = source[line_span]
    if "escape" in reason or "hexdecimal" in reason:
        return _escape(problem, reason)
    if "\t" in line[: len(line) - len(line.lstrip())]:
        tab = Span(line_span.start, line_span.start + 1)
        return Cause("line is indented with a tab", tab, "indent with spaces")
    if "unexpected end of stream" in reason:
        return Cause("missing closing quote", problem.span, _CLOSE_QUOTE)
    before = block if "document" in reason else line_span
    if directive := _DIRECTIVE.search(source.text, before.start, line_span.end):
        message = f"{backticked(directive[0], 40)} is a YAML directive, which cannot follow the opening `---`"
        return Cause(message, Span(*directive.span()), "remove it")
    if "document" in reason:
        advice = "keep a single mapping between the two `---` lines"
        return Cause("frontmatter contains a second YAML document", problem.span, advice)
    entry = _ENTRY.match(line)
    if "expected" in reason and (cause := _open_bracket(source, problem, block)):
        return cause
    if entry and entry["value"] and (cause := _value(entry, problem)):
        return cause
    if entry and entry["indent"]:
        message = f"`{entry['key']}:` is indented below a key that already has a value"
        return Cause(message, problem.span, "quote the value above, or remove the indentation")
    if entry and entry["value"]:
        message = f"text before {backticked(line, 40)} is not a `key: value` pair"
        return Cause(
            message,
            problem.span,
            "check the line above for a missing space after its colon, or a missing quote",
        )
    return _stray(line, problem)


def _open_bracket(source: Source, problem: Problem, block: Span) -> Cause | None:
    """Return the cause if the parser stopped within brackets that an earlier line opens."""
    at = problem.span.start
    brackets = open_brackets(source[block], at - block.start)
    if not brackets or source.line_span(block.start + brackets[0].at) == source.line_span(at):
        return None
    bracket = brackets[-1]
    kind, closing = ("list", "]") if bracket.character == "[" else ("mapping", "}")
    opening = Span(block.start + bracket.at, block.start + bracket.at + 1)
    if not bracket.closed:
        return Cause(f"{kind} is never closed", opening, f"close it with `{closing}`")
    line = source.position(opening.start).line
    message = f"missing comma in the {kind} that `{bracket.character}` opens on line {line}"
    return Cause(message, problem.span, "add a comma between the two entries")


def _escape(problem: Problem, reason: str) -> Cause:
    if "Unicode" in reason:
        message = "surrogate escapes such as `\\ud83d` are not valid in YAML"
        return Cause(message, problem.span, "write the character itself")
    message = "unknown escape sequence in double quotes"
    return Cause(message, problem.span, "double the backslash, or use single quotes")


def _value(entry: re.Match[str], problem: Problem) -> Cause | None:
    """Return the cause that the spelling of a value shows, if it shows one."""
    value, key = entry["value"], entry["key"]
    quote = f"quote the value of {backticked(key)}"
    first = value[0]
    if _BLOCK_TEXT.match(value):
        return Cause(f"text on the same line as the block indicator `{first}`", problem.span, quote)
    if first in "*&@`%!|>" or value.startswith("- "):
        mark = "a backtick" if first == "`" else backticked(first)
        return Cause(f"unquoted value starts with {mark}, which is YAML syntax", problem.span, quote)
    if first in "\"'":
        if _QUOTED.match(value) is None:
            return Cause("missing closing quote", problem.span, _CLOSE_QUOTE)
        escaped = 'escape each `"` in it with a backslash' if first == '"' else "double each `'` in it"
        return Cause("text after the closing quote", problem.span, f"quote the whole value, and {escaped}")
    if first in "[{":
        kind = "list" if first == "[" else "mapping"
        message = f"unquoted value starts with {backticked(first)} but is not a {kind}"
        return Cause(message, problem.span, quote)
    if re.search(r":(?:\s|$)", value):
        return Cause("unquoted value contains `: `", problem.span, quote)
    return None


def _stray(line: str, problem: Problem) -> Cause:
    """Return the cause for a line that is not a `key: value` pair."""
    text = line.strip()
    if text.startswith("- "):
        advice = "remove the value above the list, or the list"
        return Cause("unexpected list item", problem.span, advice)
    if re.match(r"<{7}|={7}|>{7}", text):
        return Cause("unresolved merge conflict", problem.span, "resolve it")
    if glued := re.match(r"([\w-]+):\S", text):
        message = f"missing space after {backticked(glued[1] + ':')}"
        return Cause(message, problem.span, "add a space after the colon")
    if text and not text.endswith(":"):
        advice = "indent it if it continues the value above, or move it into the body"
        return Cause(f"{backticked(text, 40)} is not a `key: value` pair", problem.span, advice)
    return Cause(f"invalid YAML: {problem.text}", problem.span, "check the lines above for a missing quote")
