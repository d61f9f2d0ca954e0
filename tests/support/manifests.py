"""What a runtime reads in one SKILL.md, in the form of the records."""

from __future__ import annotations

from typing import Any

from skilltool.runtimes.values import Manifest


def manifest_data(read: Manifest) -> dict[str, Any]:
    """Return what a runtime reads, as the records have it."""
    marks = {name: True for name in ("fields_lost", "by_lines") if getattr(read, name)}
    return {**read.fields, "name": read.name, "description": read.description, "body": read.body, **marks}
