"""What does Go say about an error of the file system?

Source: `os.PathError` of the Go standard library, and recordings of nfa and kodelet.
"""

from __future__ import annotations

import os
from pathlib import Path


def go_error(error: OSError, path: Path | str) -> str:
    """Return the message of Go for an error in opening or reading `path`, a directory or a file."""
    action = "read" if isinstance(error, IsADirectoryError) else "open"
    return f"{action} {path}: {os.strerror(error.errno or 0).lower()}"
