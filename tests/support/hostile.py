"""A directory full of modules that must not be imported."""

from __future__ import annotations

import sys
from pathlib import Path

MODULES = sorted({*sys.stdlib_module_names, "click", "sitecustomize", "skilltool", "usercustomize", "yaml"})


def be_hostile(directory: Path) -> Path:
    """Write modules that leave a mark when they are imported; return the directory of the marks."""
    marks = directory.parent / "marks"
    marks.mkdir()
    for name in MODULES:
        (directory / f"{name}.py").write_text(f"open({str(marks / name)!r}, 'w')\n", "utf-8")
    return marks
