"""What was measured of Codex and is data: the skills that it brings along, and the text after a listing."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any


@cache
def facts() -> dict[str, Any]:
    """Return the content of `facts.json`."""
    found: dict[str, Any] = json.loads((Path(__file__).parent / "facts.json").read_text("utf-8"))
    return found
