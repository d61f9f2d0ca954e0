"""Qwen Code: `qwen -p`, Chat Completions, the tool `skill`; its own skills share listing and budget."""

from __future__ import annotations

import json

from skilltool.capture.client import Client, Listing, Place, Start
from skilltool.text.lazy_pattern import lazy_pattern

_SETTINGS = {
    "security": {"auth": {"selectedType": "openai"}},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "tools": {"toolOutputBatchBudget": 0},  # of all calls in one turn together; people have few
    "general": {"enableAutoUpdate": False, "disableAutoUpdate": True},
}


def _start(place: Place, prompt: str) -> Start:
    return Start(
        ("--approval-mode", "yolo", "-p", prompt),
        {
            "OPENAI_API_KEY": "dummy",
            "OPENAI_BASE_URL": "{base}/v1",
            "OPENAI_MODEL": "qwen3-coder-plus",
            "QWEN_CODE_NO_RELAUNCH": "1",
        },
        {".qwen/settings.json": json.dumps(_SETTINGS)},
    )


_LIST = lazy_pattern(r"(?<=Available skills: )[^\n]*")


def _steady(text: str, names: frozenset[str]) -> str:
    """Return a text in which the skills that it enumerates are without Qwen Code's own."""
    return _LIST.sub(lambda match: ", ".join(e for e in match[0].split(", ") if e in names), text)


CLIENT = Client(
    id="qwen-code",
    programs=("qwen",),
    package="@qwen-code/qwen-code",
    skills=(".qwen/skills", ".qwen/skills"),
    start=_start,
    listing=Listing(
        r"<system-reminder>\n(?=The following skills are available for use with the Skill|No skills are )",
        r"</system-reminder>",
        r"^<skill>\n<name>\n(?P<key>[\s\S]*?)\n</name>\n[\s\S]*?\n</skill>$",
    ),
    tool="skill",
    steady=_steady,
    settings={"approval_mode": "yolo"},
)
