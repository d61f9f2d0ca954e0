"""agno: an `Agent` with `Skills([LocalSkills(...)])`, Chat Completions, the tool `get_skill_instructions`."""

from __future__ import annotations

import json

from skilltool.capture.client import Client, Listing, library_start

_PROGRAM = """
from agno.agent import Agent
from agno.models.openai import OpenAIChat
from agno.skills import LocalSkills, Skills
model = OpenAIChat(id="m", base_url="{base}/v1", api_key="dummy")
Agent(model=model, skills=Skills([LocalSkills("skills")]), telemetry=False).run("hello")
"""


def _steady(text: str, names: frozenset[str]) -> str:
    """Return an answer with the available skills sorted: their order is that of the file system."""
    try:
        data = json.loads(text)
    except ValueError:
        return text
    if isinstance(data, dict) and isinstance(listed := data.get("available_skills"), str):
        data["available_skills"] = ", ".join(sorted(listed.split(", ")))
    return json.dumps(data)


CLIENT = Client(
    id="agno",
    programs=(),
    package="agno",
    skills=("skills", ""),
    start=library_start({"AGNO_TELEMETRY": "false"}),
    listing=Listing(
        r"<skill>\n(?=  <name>)",
        r"</skill>(?![\s\S]*\n</skill>)",
        r"^<skill>\n  <name>(?P<key>[\s\S]*?)</name>\n[\s\S]*?\n</skill>$",
    ),
    tool="get_skill_instructions",
    unordered=True,
    steady=_steady,
    library=_PROGRAM,
    is_strict=True,
)
