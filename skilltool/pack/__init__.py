"""One skill as one file to hand on, and the way back: what lies in such a file, looked at without trust."""

from __future__ import annotations

from skilltool.pack.archive import FORMATS, written
from skilltool.pack.unpacking import Inside, inside
from skilltool.pack.contents import Contents, collected

__all__ = ["FORMATS", "Contents", "Inside", "collected", "inside", "written"]
