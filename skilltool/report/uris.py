"""Paths as URIs, in which nothing of a file's name means anything (RFC 3986)."""

from __future__ import annotations

import os
from urllib.parse import quote


def relative(path: str) -> str:
    """Return a path as reports print it, relative and with `/`, as a relative reference."""
    return quote(_raw(path))


def absolute(path: str, host: str = "") -> str:
    """Return a path as a `file:` URI on `host`; a relative one is taken from the working directory."""
    whole = os.path.abspath(path).replace(os.sep, "/")
    return f"file://{quote(host)}{'' if whole.startswith('/') else '/'}{quote(_raw(whole), safe='/:')}"


def _raw(path: str) -> bytes:
    """Return the bytes of a path; on POSIX those that are no UTF-8 stand in it as half surrogates."""
    try:
        return path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # other half surrogates, which names on Windows may hold
        return path.encode("utf-8", "surrogatepass")
