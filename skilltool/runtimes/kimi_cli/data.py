"""What was measured of Kimi CLI and is data: models, names of its own commands, sizes of its own texts."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

# Stands for text of the program's own skills and commands.
BUILTIN = "{builtin}"


@cache
def facts() -> dict[str, Any]:
    """Return the content of `facts.json`."""
    found: dict[str, Any] = json.loads((Path(__file__).parent / "facts.json").read_text("utf-8"))
    return found
