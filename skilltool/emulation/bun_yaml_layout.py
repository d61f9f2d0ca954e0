"""What Bun 1.4 says about YAML that libyaml refuses, and about layouts that only Bun refuses.

Source: the results of Bun 1.4.5 for generated texts. Which texts are refused is reproduced for all of them;
which of Bun's messages they get, for what people write: unclosed quotes, bad escapes, aliases, block headers.
"""

from __future__ import annotations

import re

from skilltool.emulation import npm_yaml_layout
from skilltool.text.frontmatter.nodes import Node, YamlError

UNEXPECTED_TOKEN = "Unexpected token"
UNEXPECTED_CHARACTER = "Unexpected character"
UNEXPECTED_END = "Unexpected EOF"
UNRESOLVED_ALIAS = "Unresolved alias"
_UNRESOLVED_TAG = "Unresolved tag handle"
_TAB = "Tab characters cannot be used as indentation"

_MULTILINE_KEY = "Multiline implicit key"

_FIRST_LINE_WITHOUT_KEY = re.compile(r"\s*(?![ \t]*(?:[-?#\[{]|[^\n]*:[ \t]))[^\s:#][^\n]*(?<!:)\n")
_KEY_ON_TWO_LINES = re.compile(r"[^\n]*\n\s*(?::|(?<= )[^\s#][^\n]*:)(?:\s|$)")
_ALIAS = re.compile(r"(?:^|[ \t,\[{:-])\*[^\s,\[\]{}]*[ \t]*$")


def layout_problem(text: str, root: Node) -> str | None:
    """Return Bun's message for the layout of a tree that libyaml read from `text`, None if it accepts it.

    Bun and the npm package `yaml` refuse the same: lines in quotes or brackets that are not indented, and
    comments that touch what is before them.
    """
    problem = npm_yaml_layout.layout_problem(text, root)
    if problem is None:
        return None
    return UNEXPECTED_TOKEN if problem.startswith("Flow") else UNEXPECTED_CHARACTER


def message_for(text: str, error: YamlError) -> str:
    """Return Bun's message for `text`, which libyaml refuses with `error`."""
    problem, context = error.problem, error.context or ""
    line_start = text.rfind("\n", 0, error.start) + 1
    rest = text[error.start :]
    if "cannot start any token" in problem and rest.startswith("\t"):
        return _TAB
    if "end of stream" in problem and "quoted" in context:
        return _unclosed(text[line_start : error.start], rest)
    if "escape" in problem or "hexdecimal" in problem or "block scalar" in context:
        return UNEXPECTED_CHARACTER
    if "undefined tag handle" in problem:
        return _UNRESOLVED_TAG
    if "mapping values" in problem and _FIRST_LINE_WITHOUT_KEY.match(text[:line_start]):
        return _MULTILINE_KEY
    if "document start" in problem and rest.startswith(":"):
        return _MULTILINE_KEY
    if "could not find expected ':'" in problem and _KEY_ON_TWO_LINES.match(rest):
        return _MULTILINE_KEY
    alias = "scanning an alias" in context or _ALIAS.search(text[line_start : error.start])
    return UNRESOLVED_ALIAS if alias and rest.strip() else UNEXPECTED_TOKEN


def _unclosed(before: str, quoted: str) -> str:
    """Return the message for a quote that is never closed: Bun stops at a line that is not indented."""
    indent = len(before) - len(before.lstrip(" "))
    lines = (line for line in re.split("[\r\n]", quoted)[1:] if line.strip())
    flush = bool(before.strip()) and any(len(line) - len(line.lstrip(" ")) <= indent for line in lines)
    return UNEXPECTED_CHARACTER if flush else UNEXPECTED_END
