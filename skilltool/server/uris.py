"""Conversion between `file:` URIs, as editors write them, and paths."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote, unquote, urlsplit
from urllib.request import url2pathname


def path_from_uri(uri: str) -> Path | None:
    """Return the absolute path of a `file:` URI; None for any other, such as that of a new buffer.

    Also None for a path with the character NUL, which no file name can contain.
    """
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme != "file" or parts.netloc not in {"", "localhost"}:
        return None
    # `?` and `#` start a query and a fragment; in a file name they are escaped.
    path = Path(_decoded(parts.path))
    return path if path.is_absolute() and "\0" not in str(path) else None


def _decoded(path: str) -> str:
    if Path("/").drive or ":" in path[:5]:
        windows = url2pathname(path)
        if Path(windows).drive:
            return windows
    return unquote(path, errors="surrogateescape")


def sibling_uri(uri: str, relative: str) -> str:
    """Return the URI of a path relative to the directory of the file `uri`, in the client's spelling.

    `relative` uses `/`, and has `..` only at its start.
    """
    directory = uri.rpartition("/")[0]
    while relative.startswith("../"):
        directory, relative = directory.rpartition("/")[0], relative[3:]
    return f"{directory}/{quote(relative.encode('utf-8', 'surrogateescape'))}"
