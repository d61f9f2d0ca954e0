"""How does Gemini CLI read a SKILL.md? A frontmatter as YAML, or else by lines, of which it needs two fields.

Source: skills/skillLoader.js of @google/gemini-cli-core 0.61.0, and its results.
"""

from __future__ import annotations

import re
from typing import Any

from skilltool.emulation import js_yaml
from skilltool.emulation.javascript import WHITE_SPACE, trim
from skilltool.runtimes.loading import TOO_LARGE
from skilltool.runtimes.values import SILENTLY, Refusal, not_read
from skilltool.skill.read_file import MAX_BYTES
from skilltool.text.frontmatter.nodes import BoundError

_OPENING = re.compile(r"---\r?\n")
_AFTER_CLOSING = re.compile(r"\r?\n")
_NOT_IN_NAME = re.compile(r'[:\\/<>*?"|]')
_BLANK = f"[{re.escape(WHITE_SPACE)}]"
# JavaScript's `.` stops at these, so a field that holds one is none.
_REST = "[^\n\r\u2028\u2029]*"
_FIELD = re.compile(rf"{_BLANK}*+(?P<key>name|description):{_BLANK}*+(?P<value>{_REST})")
_CONTINUED = re.compile(rf"[ \t]++[^{re.escape(WHITE_SPACE)}]")


def parse(raw: bytes, directory: str | None) -> dict[str, Any]:
    """Return `name`, as it is shown and called, `description` and `body`; raises `Refusal`.

    Invalid UTF-8 is read as U+FFFD. The name of the directory plays no part.
    """
    if len(raw) > MAX_BYTES:
        raise Refusal(None, TOO_LARGE)
    text = raw.decode("utf-8", "replace")
    opening = _OPENING.match(text)
    end = text.find("\n---", opening.end()) if opening else -1
    if opening is None or end < 0:
        raise Refusal(None, f"{_unfenced(text, opening is not None)} {SILENTLY}")
    start = opening.end()
    after = _AFTER_CLOSING.match(text, end + 4)
    fields, by_lines = _fields(text[start : end - (end > start and text[end - 1] == "\r")])
    read = {
        "name": _NOT_IN_NAME.sub("-", fields["name"]),
        "description": fields["description"],
        "body": trim(text[after.end() :]) if after else "",
    }
    return read | ({"by_lines": True} if by_lines else {})


def _unfenced(text: str, opened: bool) -> str:
    if opened:
        return "the frontmatter is empty or is not closed by a line that begins with `---`"
    if text.startswith("\ufeff"):
        return "a byte order mark stands before the opening `---`"
    return "the first line is not exactly `---`"


def _fields(block: str) -> tuple[dict[str, str], bool]:
    """Return both fields: of the YAML if both are strings there, else of the lines; raises `Refusal`.

    Also whether it is the lines because the block is not YAML.
    """
    invalid = False
    try:
        data = js_yaml.load(block, 4)
    except BoundError as error:
        raise not_read(error) from None
    except js_yaml.JsYamlError:
        data, invalid = None, True
    if isinstance(data, dict) and all(isinstance(data.get(key), str) for key in ("name", "description")):
        return {"name": data["name"], "description": data["description"]}, False
    found = by_lines(block)
    for key in ("name", "description"):
        if key not in found:
            raise Refusal(None, f"no line begins with `{key}:` {SILENTLY}")
    return found, invalid


def by_lines(block: str) -> dict[str, str]:
    """Return what the last lines `name:` and `description:` have, at any indentation.

    Quotes and comments stay. The indented lines after a description belong to it, joined by spaces.
    """
    found: dict[str, str] = {}
    lines = re.split(r"\r?\n", block)
    at = 0
    while at < len(lines):
        match = _FIELD.fullmatch(lines[at])
        at += 1
        if match is None:
            continue
        parts = [trim(match["value"])]
        while match["key"] == "description" and at < len(lines) and _CONTINUED.match(lines[at]):
            parts.append(trim(lines[at]))
            at += 1
        found[match["key"]] = " ".join(part for part in parts if part)
    return found
