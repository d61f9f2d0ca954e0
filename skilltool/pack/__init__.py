"""How does a skill become one file, and what is in such a file from somebody else?

`collect` and `build_archive` make a reproducible archive of one skill; `unpacked` opens an untrusted one.
"""

from __future__ import annotations

from skilltool.pack.contents import FORMATS, Contents, build_archive, collect
from skilltool.pack.unpacking import UnpackedSkill, unpacked

__all__ = ["FORMATS", "Contents", "UnpackedSkill", "build_archive", "collect", "unpacked"]
