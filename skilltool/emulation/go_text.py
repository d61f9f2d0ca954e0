"""Text as Go keeps it: bytes, each of which is printed as U+FFFD where it is not valid UTF-8.

Source: the Go standard library, `encoding/json` (an invalid byte becomes `\\ufffd`) and `strconv.Quote`. An
invalid byte is a lone surrogate in our strings, as Python's error handler `surrogateescape` makes it.
"""

from __future__ import annotations

import re

_INVALID = re.compile("[\udc80-\udcff]")
# Python's reason -> what the reader of Go's YAML libraries says about the same byte.
_READER_WORDS = {
    "invalid continuation byte": "invalid trailing UTF-8 octet",
    "unexpected end of data": "incomplete UTF-8 octet sequence",
}
_ESCAPES = {7: "a", 8: "b", 12: "f", 10: "n", 13: "r", 9: "t", 11: "v", 92: "\\", 34: '"'}


def decoded(raw: bytes) -> str:
    """Return bytes as text with a lone surrogate for each byte that is not valid UTF-8."""
    return raw.decode("utf-8", "surrogateescape")


def invalid_utf8(text: str) -> str | None:
    """Return the error of Go's YAML libraries for `decoded` text that is not valid UTF-8, else None."""
    try:
        text.encode("utf-8", "surrogateescape").decode("utf-8")
    except UnicodeDecodeError as error:
        return _READER_WORDS.get(error.reason, "invalid leading UTF-8 octet")
    return None


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
