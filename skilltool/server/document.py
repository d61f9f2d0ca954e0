"""One version of a document that is open in the editor."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, eq=False)
class Document:
    """One version of one open document: the version number that the editor gave it, and its text."""

    uri: str
    path: Path
    version: int | None
    text: str

    @classmethod
    def of(cls, uri: str, path: Path, version: int | None, text: str) -> Document:
        """Take what an editor sent; a lone surrogate, which no file can hold, becomes U+FFFD."""
        return cls(uri, path, version, _LONE_SURROGATE.sub("\ufffd", text))
