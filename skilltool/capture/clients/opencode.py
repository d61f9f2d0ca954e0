"""opencode: `opencode run`, Chat Completions, the tool `skill`; without `rg` on PATH it would fetch one.

Which of several skills with one name it loads is chance.
"""

from __future__ import annotations

import json
import re

from skilltool.capture.client import Client, Listing, Place, Start
from skilltool.text.lazy_pattern import lazy_pattern

_MODEL = "loop/m"
_CONFIG = {
    "$schema": "https://opencode.ai/config.json",
    "model": _MODEL,
    "small_model": _MODEL,
    "autoupdate": False,
    "share": "disabled",
    "provider": {
        "loop": {
            "npm": "@ai-sdk/openai-compatible",
            "name": "loop",
            "options": {"baseURL": "{base}/v1", "apiKey": "dummy"},
            "models": {"m": {"name": "m", "tool_call": True}},
        }
    },
}


def _start(place: Place, prompt: str) -> Start:
    return Start(
        ("run", prompt),
        {
            "OPENCODE_CONFIG": f"{place.home}/opencode.json",
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
            "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
        },
        {"opencode.json": json.dumps(_CONFIG)},
    )


_FILES = lazy_pattern(r"(?:^<file>.*</file>\n?)+", re.MULTILINE)
_MOST_FILES = 10


def _steady(text: str, names: frozenset[str]) -> str:
    """Return an answer with its files sorted; which ten of more are named is chance, and so is the order."""

    def ordered(match: re.Match[str]) -> str:
        lines = sorted(match[0].rstrip("\n").split("\n"))
        return (
            "\n".join(lines if len(lines) < _MOST_FILES else [f"<file>{_MOST_FILES} of them</file>"]) + "\n"
        )

    return _FILES.sub(ordered, text)


CLIENT = Client(
    id="opencode",
    programs=("opencode",),
    package="opencode-ai",
    skills=(".opencode/skills", ".config/opencode/skills"),
    start=_start,
    listing=Listing(
        r"Skills provide specialized instructions and workflows for specific tasks\.",
        r"</available_skills>(?![\s\S]*</available_skills>)|No skills are currently available\.",
        r"^  <skill>\n    <name>(?P<key>[\s\S]*?)</name>\n[\s\S]*?\n  </skill>$",
    ),
    tool="skill",
    steady=_steady,
    races=frozenset({"twice"}),
    needs=("rg",),
)
