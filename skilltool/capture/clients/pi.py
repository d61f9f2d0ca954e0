"""pi: `pi -p`, Chat Completions; a skill is read like any file, with the tool `read`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from skilltool.capture.client import Client, Listing, Place, Start
from skilltool.runtimes.values import LoadedSkill

_MODELS = {
    "providers": {
        "loop": {
            "baseUrl": "{base}/v1",
            "api": "openai-completions",
            "apiKey": "dummy",
            "models": [{"id": "m", "name": "m"}],
        }
    }
}


def _start(place: Place, prompt: str) -> Start:
    arguments = ("-p", "--no-session", "--offline", "--no-mcp", "--provider", "loop", "--model", "m")
    return Start(
        (*arguments, "--approve", prompt),
        {"PI_OFFLINE": "1"},
        {".pi/agent/models.json": json.dumps(_MODELS)},
    )


def _arguments(skill: LoadedSkill) -> Mapping[str, Any]:
    return {"path": str(skill.path)}


CLIENT = Client(
    id="pi",
    programs=("pi",),
    package="@earendil-works/pi-coding-agent",
    skills=(".pi/skills", ".pi/agent/skills"),
    start=_start,
    listing=Listing(
        r"<skills>\n",
        r"</skills>",
        r"^  <skill>\n    <name>(?P<key>[\s\S]*?)</name>\n[\s\S]*?\n  </skill>$",
    ),
    tool="read",
    arguments=_arguments,
)
