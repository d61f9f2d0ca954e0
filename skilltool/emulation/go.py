"""Go's standard library: text as bytes, and what it says about files.

An invalid byte is a lone surrogate in our strings, as Python's error handler `surrogateescape` makes it.
Sources: `encoding/json` (which writes `\\ufffd` for such a byte), `strconv.Quote`, `os.PathError`, and
recordings of nfa and kodelet.
"""

from __future__ import annotations

import os
from pathlib import Path

from skilltool.text.lazy_pattern import lazy_pattern

_INVALID = lazy_pattern("[\udc80-\udcff]")
_ESCAPES = {7: "a", 8: "b", 12: "f", 10: "n", 13: "r", 9: "t", 11: "v", 92: "\\", 34: '"'}


def decoded(raw: bytes) -> str:
    """Return bytes as text with a lone surrogate for each byte that is not valid UTF-8."""
    return raw.decode("utf-8", "surrogateescape")


def replaced(text: str) -> str:
    """Return `decoded` text as Go's JSON writes it: U+FFFD for each byte that is not valid UTF-8."""
    return _INVALID.sub("\ufffd", text)


def quoted(text: str) -> str:
    """Return `decoded` text as Go's `%q` writes it: in double quotes, unprintable characters escaped."""
    return '"' + "".join(map(_quoted, text)) + '"'


def _quoted(character: str) -> str:
    code = ord(character)
    if code in _ESCAPES:
        return f"\\{_ESCAPES[code]}"
    if character.isprintable():
        return character
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    if code < 0x80:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def go_error(error: OSError, path: Path | str) -> str:
    """Return the message of Go for an error in opening or reading `path`, a directory or a file."""
    action = "read" if isinstance(error, IsADirectoryError) else "open"
    return f"{action} {path}: {os.strerror(error.errno or 0).lower()}"
