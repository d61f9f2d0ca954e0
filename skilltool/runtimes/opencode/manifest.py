"""How does opencode read a SKILL.md? With gray-matter and js-yaml 3, and a second time after a repair.

Source: the results of opencode 1.18.33, and of gray-matter 4.0.3, which it has.
"""

from __future__ import annotations

import re
from typing import Any

from skilltool.emulation.gray_matter import NotParsedError, ScriptError, split
from skilltool.emulation.javascript import WHITE_SPACE, trim
from skilltool.runtimes.loading import TOO_LARGE
from skilltool.runtimes.values import SILENTLY, Refusal, not_read
from skilltool.skill.read_file import MAX_BYTES
from skilltool.text.frontmatter.nodes import BoundError

_MARK = "---"
_BLANK = f"[{re.escape(WHITE_SPACE)}]"
_OPENING = re.compile(r"---\r?\n")
_BLANK_START = re.compile(_BLANK)
_ENTRY = re.compile(rf"(?P<key>[a-zA-Z_][a-zA-Z0-9_]*+){_BLANK}*+:{_BLANK}*+(?P<value>[^\n\r\u2028\u2029]*)")


def parse(raw: bytes, directory: str | None) -> dict[str, Any]:
    """Return `name`, `description` (None if there is none) and `body`; raises `Refusal`.

    Invalid UTF-8 is read as U+FFFD. The name of the directory plays no part.
    """
    if len(raw) > MAX_BYTES:
        raise Refusal(None, TOO_LARGE)
    text = raw.decode("utf-8", "replace").removeprefix("\ufeff")
    try:
        data, body = _read(text)
    except (BoundError, ScriptError) as error:
        raise not_read(error) from None
    if not isinstance(data, dict) or not isinstance(data.get("name"), str):
        raise Refusal(None, f"`name` is missing or not a string {SILENTLY}")
    if not isinstance(data.get("description", ""), str):
        raise Refusal(None, f"`description` is not a string {SILENTLY}")
    return {"name": data["name"], "description": data.get("description"), "body": body}


def _read(text: str) -> tuple[Any, str]:
    """Return the data and the body of a text, or of what the repair makes of it; raises `Refusal`."""
    try:
        return split(text)
    except NotParsedError as error:
        repaired = _repaired(text)
        if repaired == text:
            raise Refusal(None, f"the frontmatter is not valid YAML: {error} {SILENTLY}") from None
    try:
        return split(repaired)
    except NotParsedError as error:
        raise Refusal(None, f"the frontmatter is not valid YAML: {error} {SILENTLY}") from None


def _repaired(text: str) -> str:
    """Return a text with each unquoted value that has a colon, at the left edge, as a block scalar."""
    opening = _OPENING.match(text)
    end = text.find(f"\n{_MARK}", opening.end()) if opening else -1
    if opening is None or end < 0:
        return text
    start = opening.end()
    block = text[start : end - (end > start and text[end - 1] == "\r")]
    lines = [line for each in re.split(r"\r?\n", block) for line in _repaired_line(each)]
    return text.replace(block, "\n".join(lines), 1)


def _repaired_line(line: str) -> list[str]:
    entry = _ENTRY.fullmatch(line)
    if entry is None or _BLANK_START.match(line) or trim(line).startswith("#"):
        return [line]
    value = trim(entry["value"])
    if value in ("", ">", "|") or value.startswith(('"', "'")) or ":" not in value:
        return [line]
    return [f"{entry['key']}: |-", f"  {value}"]
