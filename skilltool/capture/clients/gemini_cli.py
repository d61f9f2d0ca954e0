"""Gemini CLI: `gemini -p`, the Gemini API, the tool `activate_skill`, offered headless in `yolo` mode only.

A folder that is not trusted ends it before its first request. The order of its skills is chance.
"""

from __future__ import annotations

import json
import re

from skilltool.capture.client import Client, Listing, Place, Start
from skilltool.text.lazy_pattern import lazy_pattern

_MODEL = "gemini-3.1-pro-preview"
_SETTINGS = {
    "security": {"auth": {"selectedType": "gemini-api-key"}},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "general": {"enableAutoUpdate": False, "disableAutoUpdate": True},
}


def _start(place: Place, prompt: str) -> Start:
    return Start(
        ("--approval-mode", "yolo", "-m", _MODEL, "-p", prompt),
        {
            "GEMINI_API_KEY": "dummy",
            "GOOGLE_GEMINI_BASE_URL": "{base}",
            "GEMINI_CLI_NO_RELAUNCH": "1",
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        },
        {".gemini/settings.json": json.dumps(_SETTINGS)},
    )


_LISTS = lazy_pattern(r"(?<=\(Available: )'.*?'(?=\))|(?<=Available skills are: )[^\n]*")


def _steady(text: str, names: frozenset[str]) -> str:
    """Return a text in which the skills that it enumerates are sorted, without Gemini CLI's own."""

    def ordered(match: re.Match[str]) -> str:
        return ", ".join(sorted(each for each in match[0].split(", ") if each.strip("'") in names))

    return _LISTS.sub(ordered, text)


CLIENT = Client(
    id="gemini-cli",
    programs=("gemini",),
    package="@google/gemini-cli",
    skills=(".gemini/skills", ".gemini/skills"),
    start=_start,
    listing=Listing(
        r"# Available Agent Skills",
        r"</available_skills>(?![\s\S]*</available_skills>)",  # a skill may end it early
        r"^  <skill>\n    <name>(?P<key>[\s\S]*?)</name>\n[\s\S]*?\n  </skill>$",
    ),
    tool="activate_skill",
    settings={"view": "headless", "approval_mode": "yolo", "model": _MODEL},
    unordered=True,
    steady=_steady,
)
