"""One version of a document that is open in the editor."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from skilltool.packages.manifest import kind_of
from skilltool.skill.discovery.walk import skill_around

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

    @cached_property
    def is_manifest(self) -> bool:
        """Whether the document is the manifest of a package; one within a skill is a file of the skill."""
        return kind_of(self.path.as_posix()) is not None and skill_around(self.path) is None
