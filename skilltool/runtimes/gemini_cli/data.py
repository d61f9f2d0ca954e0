"""The tables of Gemini CLI: its own skills and commands."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from skilltool.runtimes.values import LoadedSkill

# Stands for the folder of the skills inside the program, and for what one of its own commands shows.
BUILTIN = "{builtin}"


@cache
def facts() -> dict[str, Any]:
    """Return the content of `facts.json`."""
    found: dict[str, Any] = json.loads(Path(__file__).with_name("facts.json").read_text("utf-8"))
    return found


def builtin_skills() -> list[LoadedSkill]:
    """Return the program's own skills; their bodies are not stored."""
    return [
        LoadedSkill(
            name, name, text, Path(f"{BUILTIN}/{name}"), "", role="builtin", display_path=f"{BUILTIN}/{name}"
        )
        for name, text in facts()["builtin_skills"].items()
    ]
