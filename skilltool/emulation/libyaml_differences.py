"""Where the YAML libraries of JavaScript differ from libyaml, whose tree our emulations of them begin with.

What `npm_yaml`, `js_yaml` and `bun_yaml` share: characters and spellings that only libyaml refuses, exchanged
for what it reads, and layouts that only it accepts. A rewritten text has the same meaning, except where
quoted text or a block scalar happens to look like what is rewritten; so it is tried only after libyaml has
refused the given one. Source: the results of yaml 2.8.2, js-yaml 4.1.1 and 3.15.2, and Bun 1.4.5 for
generated texts.
"""

from __future__ import annotations

import re

from skilltool.text.frontmatter.composing import is_printable
from skilltool.text.frontmatter.nodes import Alias, Mapping, Node, Scalar, Sequence
from skilltool.text.lazy_pattern import lazy_pattern

PRIVATE = 0x100000
_LONGEST_KEY = 1000
_UNUSUAL = lazy_pattern("[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff\ufeff]")
_ESCAPED = lazy_pattern("[\U00100000-\U0010ffff]")
# Compiled when they are first needed, for a text that libyaml has refused.
_SURROGATE_PAIR = r"\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})"
_LONE_SURROGATE = r"\\u([dD][89a-fA-F][0-9a-fA-F]{2})"
_TABS_ON_EMPTY_LINE = r"(?m)^ *\t[ \t]*(?=(?:#.*)?\r?$)"
_EMPTY_KEY = r"(?m)^( *(?:- +)*):(?=[ \t\r]|$)"
_ANCHOR_OR_ALIAS = r"(?<![^\s,\[{])([&*])([^\s,\[\]{}]+)"
# Keys that are longer than libyaml allows, at the start of a line and in braces: of a plain one the first
# character, all of one in quotes, the end of one.
_FIRST = r"[^\s'\"#&*!|>%@`\[\]{},?:-]"
_QUOTED_KEY = r"(?>\"(?:[^\"\\\n]|\\[^\n]){1000,}\"[ \t]*|'[^'\n]{1000,}'[ \t]*)"
_KEY_END = r":(?=[ \t\r\n])"
_LONG_KEY = rf"(?m)^( *(?:- +)*)({_QUOTED_KEY}|{_FIRST}(?>(?:[^:\n]|:(?![ \t\r\n])){{1000,}})){_KEY_END}"
_LONG_FLOW_KEY = rf"([{{,][ \t]*)({_QUOTED_KEY}|{_FIRST}(?>[^\n,\[\]{{}}:]{{1000,}})){_KEY_END}"
# A character that is no letter and no digit, and no control character either.
_REWRITTEN = "-((?!3[0-9]-|4[1-9a-f]-|5[0-9a]-|6[1-9a-f]-|7[0-9a]-)[2-9a-f][0-9a-f]+)-"
_COMMENT = "Comments must be separated from other tokens by white space characters"


def escaped(text: str, unusual: re.Pattern[str] = _UNUSUAL) -> str:
    """Return text with characters that libyaml refuses, or takes for line ends, replaced by private ones."""
    return text if is_printable(text) else unusual.sub(lambda match: chr(PRIVATE + ord(match[0])), text)


def escaped_in(text: str) -> list[str]:
    """Return the characters of a text that `escaped` replaced, as they were."""
    return [unescaped(found) for found in _ESCAPED.findall(text)]


def unescaped(text: str) -> str:
    """Return text with the characters back that `escaped` replaced."""
    if text.isascii():
        return text
    return _ESCAPED.sub(lambda match: chr(ord(match[0]) - PRIVATE), text)


def without_tabs_on_empty_lines(text: str) -> str:
    """Return text without the tabs on lines that are otherwise empty or a comment."""
    return re.sub(_TABS_ON_EMPTY_LINE, "", text) if "\t" in text else text


def with_null_keys(text: str) -> str:
    """Return text with `~` for each empty key: a colon at the start of a line, or after dashes."""
    return re.sub(_EMPTY_KEY, r"\1~:", text)


def with_long_keys(text: str, in_blocks: bool = True) -> str:
    """Return text with `? ` before keys of over 1,000 characters, which libyaml allows of any length then."""
    if len(text) <= _LONGEST_KEY:
        return text
    marked = re.sub(_LONG_FLOW_KEY, r"\1? \2:", text)
    return re.sub(_LONG_KEY, _with_mark, marked) if in_blocks else marked


def _with_mark(key: re.Match[str]) -> str:
    return f"{key[1]}? {key[2]}\n{' ' * len(key[1])}:"


def with_whole_surrogates(text: str) -> str:
    """Return text with an escaped pair of surrogates as one escape, and a lone one as a private character."""
    if "\\u" not in text:
        return text
    return re.sub(_LONE_SURROGATE, _as_private, re.sub(_SURROGATE_PAIR, _as_one_escape, text))


def with_ascii_names(text: str) -> str:
    """Return text with ASCII words as names of anchors and aliases."""
    return re.sub(_ANCHOR_OR_ALIAS, _with_ascii_name, text) if "&" in text or "*" in text else text


def original_name(name: str) -> str:
    """Return the name of an alias as it was before `with_ascii_names`."""
    return re.sub(_REWRITTEN, lambda match: chr(int(match[1], 16)), name)


def _as_one_escape(pair: re.Match[str]) -> str:
    high, low = int(pair[1], 16), int(pair[2], 16)
    return f"\\U{0x10000 + ((high - 0xD800) << 10) + low - 0xDC00:08x}"


def _as_private(surrogate: re.Match[str]) -> str:
    return f"\\U{PRIVATE + int(surrogate[1], 16):08x}"


def _with_ascii_name(name: re.Match[str]) -> str:
    parts = (each if each.isascii() and each.isalnum() else f"-{ord(each):x}-" for each in name[2])
    return name[1] + "".join(parts)


def layout_problem(text: str, root: Node) -> str | None:
    """Return the error of `yaml` for the layout of a tree that libyaml read from `text`, or None.

    Flow lines are indented deeper than the block they are in, and a comment needs white space before it (YAML
    1.2.2). Bun refuses the same, with other words. Columns are counted from 0, in code points.
    """
    return _problem(text, root, -1)


def _problem(text: str, node: Node, indent: int) -> str | None:
    """Return the first problem in a node inside a block that is indented by `indent` columns."""
    if isinstance(node, Alias):
        return None
    if isinstance(node, Scalar):
        return _in_quotes(text, node, indent)
    if node.flow:
        return _in_flow(text, node, indent)
    inner = column_of(text, node)
    return next(filter(None, (_problem(text, child, inner) for child in _children(node))), None)


def _children(node: Mapping | Sequence) -> list[Node]:
    if isinstance(node, Sequence):
        return list(node.items)
    return [child for entry in node.entries for child in entry]


def column_of(text: str, node: Mapping | Sequence) -> int:
    """Return the column of a block collection: of its first key, or of its first dash."""
    if isinstance(node, Mapping):  # a key after `? ` is not the leftmost one
        starts = [key.span.start for key, _ in node.entries]
    else:
        starts = [max(node.items[0].span.start - 2, 0) if node.tag or node.anchor else node.span.start]
    return min(start - (text.rfind("\n", 0, start) + 1) for start in starts)


def _in_quotes(text: str, node: Scalar, indent: int) -> str | None:
    if node.style not in ("'", '"'):
        return None
    if text[node.span.end : node.span.end + 1] == "#":
        return _COMMENT
    for line in text[node.span.start : node.span.end].split("\n")[1:]:
        rest = line.lstrip(" ")
        if rest.rstrip("\r") and len(line) - len(rest) <= indent:
            return f"Missing closing {node.style}quote"
    return None


def _in_flow(text: str, node: Mapping | Sequence, indent: int) -> str | None:
    """Return the first problem of a flow collection; those inside it belong to the same block."""
    kind, bracket = ("map", "}") if isinstance(node, Mapping) else ("sequence", "]")
    lines = text[node.span.start : node.span.end].split("\n")
    for number, line in enumerate(lines[1:], start=2):
        rest = line.lstrip(" ")
        column = len(line) - len(rest)
        closing = number == len(lines) and rest.startswith(bracket) and column == indent
        if rest.strip("\t\r") and column <= indent and not rest.startswith("#") and not closing:
            return f"Flow {kind} in block collection must be sufficiently indented and end with a {bracket}"
    if text[node.span.end : node.span.end + 1] == "#":
        return _COMMENT
    return next(filter(None, (_glued(text, child) for child in _children(node))), None)


def _glued(text: str, node: Node) -> str | None:
    """Return the problem of a comment that touches a quote or bracket anywhere in a flow collection."""
    if isinstance(node, Alias):
        return None
    if isinstance(node, Scalar):
        quoted = node.style in ("'", '"')
        return _COMMENT if quoted and text[node.span.end : node.span.end + 1] == "#" else None
    if text[node.span.end : node.span.end + 1] == "#":
        return _COMMENT
    return next(filter(None, (_glued(text, child) for child in _children(node))), None)
