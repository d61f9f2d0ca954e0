"""Paths as URIs (RFC 3986), percent-encoded so that no character of a file name is syntax."""

from __future__ import annotations

import os
from urllib.parse import quote


def relative(path: str) -> str:
    """Return a relative path with `/`, as reports print it, as a relative reference."""
    return quote(_raw(path))


def absolute(path: str, host: str = "") -> str:
    """Return a path as a `file:` URI on `host`; a relative one is resolved from the working directory."""
    whole = os.path.abspath(path).replace(os.sep, "/")
    return f"file://{quote(host)}{'' if whole.startswith('/') else '/'}{quote(_raw(whole), safe='/:')}"


def _raw(path: str) -> bytes:
    """Return the bytes of a path; on POSIX, lone surrogates stand for bytes that are not UTF-8."""
    try:
        return path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # other lone surrogates, which file names on Windows may contain
        return path.encode("utf-8", "surrogatepass")
