"""How does qwen-code cut the answer of a tool that is too long for the model?

Source: `packages/core/src/utils/truncation.ts` of 0.24.4, and records of it. Lengths are UTF-16 units. The
whole answer goes to a file, for whose name `<PROJECT HASH>`, `<RANDOM>` and `<CALL ID>` stand.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from skilltool.emulation.javascript import first_units, last_units, length

HEADROOM = 3000
_PREVIEW = 2000
_DOTS = "..."
_MARK = "... [CONTENT TRUNCATED] ..."
_CUT = f"\n\n---\n{_MARK}\n---\n\n"
_HASH, _RANDOM = "<PROJECT HASH>", "<RANDOM>"
_HASH_CHARS, _RANDOM_CHARS = 64, 12


def sent(text: str, most: int, most_lines: int, home: Path) -> str:
    """Return what is sent of an answer that may have `most` units and `most_lines` lines.

    Nothing is cut if one of the limits is not positive.
    """
    size = length(text)
    folder = f"{home}/.qwen/tmp/{_HASH}"
    if size > most + HEADROOM and _MARK not in text:
        return _stub(text, folder)
    if most <= 0 or most_lines <= 0 or (size <= most and text.count("\n") < most_lines):
        return text
    cut = _both_ends(text.split("\n"), most, most_lines)
    found = (
        "Tool output was too large and has been truncated.\n"
        f"The full output has been saved to: {folder}/skill_{_RANDOM}.output\n"
        "To read the complete output, use the read_file tool with the absolute file path above.\n"
        "The truncated output below shows the beginning and end of the content. The marker "
        "'... [CONTENT TRUNCATED] ...' indicates where content was removed.\n\n"
        f"Truncated part of the output:\n{cut}"
    )
    unnamed = _HASH_CHARS - len(_HASH) + _RANDOM_CHARS - len(_RANDOM)
    return text if length(found) + unnamed >= size else found


def _both_ends(lines: list[str], most: int, most_lines: int) -> str:
    """Return the first fifth and the last four fifths of what may be sent, both in units and in lines."""
    number = min(most_lines, len(lines))
    first = max(number // 5, 1)
    mark = _CUT if most > len(_CUT) else ""
    room = most - len(mark)
    head, used = _fitting(lines[:first], room // 5, at_end=False)
    start = max(len(lines) - (number - first), len(head))
    tail, _ = _fitting(lines[start:][::-1], max(room - used, 0), at_end=True)
    return "\n".join(head) + mark + "\n".join(reversed(tail))


def _fitting(lines: list[str], room: int, at_end: bool) -> tuple[list[str], int]:
    """Return the lines that fit, the last of them in part, and the units used, with a line end for each."""
    found: list[str] = []
    used = 0
    for line in lines:
        left = room - used
        if left <= 0:
            break
        size = length(line) + 1
        if size > left:
            if left >= len(_DOTS):
                keep = left - len(_DOTS)
                found.append(_DOTS + last_units(line, keep) if at_end else first_units(line, keep) + _DOTS)
            return found, room
        found.append(line)
        used += size
    return found, used


def _stub(text: str, folder: str) -> str:
    raw = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()
    return (
        f"<persisted-output>\nOutput too large ({(len(raw) * 2 + 1024) // 2048} KB). Full output saved to: "
        f"{folder}/tool-results/<CALL ID>.txt\nFull output sha256: {hashlib.sha256(raw).hexdigest()}\n"
        "Note: this file may be cleaned up after 24 hours.\n"
        "To read the complete output, use the read_file tool with the absolute file path above.\n\n"
        f"Preview (up to {_PREVIEW} chars):\n{_preview(text)}\n</persisted-output>"
    )


def _preview(text: str) -> str:
    """Return the beginning of a text up to a line end, with the tags masked that the answer itself has."""
    start = first_units(text, _PREVIEW)
    end = start.rfind("\n")
    shown = (start[:end] if end > 0 else start) + "\n..." if length(text) > _PREVIEW else text
    for tag in ("persisted-output", "system-reminder"):
        for mark in (tag, f"/{tag}"):
            shown = shown.replace(f"<{mark}>", f"&lt;{mark}&gt;")
    return shown
