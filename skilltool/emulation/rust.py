"""Text as Rust's standard library takes it apart, and what it says about files that are not text.

Source: `char::is_whitespace` (the property White_Space of Unicode), `str::lines`, the messages of
`std::str::Utf8Error` and `std::io::Error`. Python's spaces differ: they have U+001C to U+001F, too.
"""

from __future__ import annotations

import os

BLANKS = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
_AS_SPACE = dict.fromkeys(map(ord, BLANKS), " ")


def trim(text: str) -> str:
    """Return a text without spaces at both ends (`str::trim`)."""
    return text.strip(BLANKS)


def single_line(text: str) -> str:
    """Return a text with one space for each run of whitespace, none at the ends (`split_whitespace`)."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    return " ".join(filter(None, text.translate(_AS_SPACE).split(" ")))


def lines(text: str) -> list[str]:
    """Return the lines of a text without their ends (`str::lines`); a final line end opens no line."""
    found = text.split("\n")
    if not found[-1]:
        found.pop()
    return [line.removesuffix("\r") for line in found]


def utf8_error(error: UnicodeDecodeError) -> str:
    """Return the message about bytes that are not UTF-8; both decoders stop at the same byte."""
    if error.reason == "unexpected end of data":
        return f"incomplete utf-8 byte sequence from index {error.start}"
    return f"invalid utf-8 sequence of {error.end - error.start} bytes from index {error.start}"


def io_error(error: OSError) -> str:
    """Return the message about an error of the operating system."""
    return f"{os.strerror(error.errno or 0)} (os error {error.errno or 0})"
