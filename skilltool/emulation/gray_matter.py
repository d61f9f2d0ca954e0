"""Frontmatter as the npm package gray-matter 4.0.3 splits and reads it, with js-yaml 3.

Source: its `index.js`, `lib/parse.js` and `lib/engines.js`; the results of opencode 1.18.33, which has it.
"""

from __future__ import annotations

import json
import re
from typing import Any

from skilltool.emulation import js_yaml
from skilltool.emulation.javascript import WHITE_SPACE, trim
from skilltool.text.frontmatter.nodes import BoundError
from skilltool.text.lazy_pattern import lazy_pattern

_MARK = "---"
_LINE_END = lazy_pattern(r"\r?\n")
_COMMENT = lazy_pattern(rf"^[{re.escape(WHITE_SPACE)}]*+#[^\n]+", re.MULTILINE)
_KINDS = {"yaml": "yaml", "yml": "yaml", "json": "json", "js": "javascript", "javascript": "javascript"}


class NotParsedError(ValueError):
    """A frontmatter that the parser for its language refuses."""


class ScriptError(ValueError):
    """A frontmatter in JavaScript: gray-matter runs it, and skilltool runs nothing."""


def split(text: str) -> tuple[Any, str]:
    """Return what gray-matter does: the data, an empty mapping without a frontmatter, and the body.

    Raises `NotParsedError`, `ScriptError`, and `BoundError` for what exceeds skilltool's bounds.
    """
    if not text.startswith(_MARK) or text[3:4] == "-":
        return {}, text
    rest = text[3:]
    line_end = _LINE_END.search(rest)
    language = rest[: line_end.start()] if line_end else rest[:-1]
    rest = rest[len(language) :] if trim(language) else rest
    end = rest.find(f"\n{_MARK}")
    block = rest if end < 0 else rest[:end]
    data = {} if not trim(_COMMENT.sub("", block)) else _data(block, trim(language) or "yaml")
    return data, "" if end < 0 else rest[end + 4 :].removeprefix("\r").removeprefix("\n")


def _data(block: str, language: str) -> Any:
    kind = _KINDS.get(language.lower())
    if kind == "javascript":
        raise ScriptError("its frontmatter is JavaScript, which a client runs")
    if kind is None:
        raise NotParsedError(f"no parser for `{language}`")
    try:
        return js_yaml.load(block, 3) if kind == "yaml" else json.loads(block)
    except BoundError:
        raise
    except (ValueError, RecursionError) as error:
        raise NotParsedError(str(error)) from None
