"""The messages of Node.js for files that cannot be read: `CODE: description, CALL 'PATH'`.

Source: libuv's `uv_strerror` and the errors of `fs` of Node.js 22, in recordings of programs that log them.
"""

from __future__ import annotations

import errno
from pathlib import Path

_WORDS = {
    errno.EISDIR: "EISDIR: illegal operation on a directory, read",
    errno.EACCES: "EACCES: permission denied, {call} '{path}'",
    errno.ENOENT: "ENOENT: no such file or directory, {call} '{path}'",
    errno.ENOTDIR: "ENOTDIR: not a directory, {call} '{path}'",
    errno.ELOOP: "ELOOP: too many symbolic links encountered, {call} '{path}'",
}


def node_words(error: OSError, call: str, path: Path) -> str:
    """Return the message for an error of a system call, such as `open`, on a path."""
    known = _WORDS.get(error.errno or 0)
    return known.format(call=call, path=path) if known else str(error)
