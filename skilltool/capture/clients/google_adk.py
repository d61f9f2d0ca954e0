"""google-adk: an `LlmAgent` with a `SkillToolset`, the Gemini API, the tool `load_skill`.

The toolset is `eager`, so that the listing is in the request; by default it is the answer of `list_skills`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from skilltool.capture.client import Client, Listing, library_start

_PROGRAM = """
import asyncio
from google.adk.agents import LlmAgent
from google.adk.runners import InMemoryRunner
from google.adk.skills import load_skills_from_dir
from google.adk.tools.skill_toolset import SkillToolset
from google.genai import types
async def main():
    skills = load_skills_from_dir("skills")
    skills = list(skills.values()) if isinstance(skills, dict) else list(skills)
    toolset = SkillToolset(skills=skills, discovery_mode="eager")
    runner = InMemoryRunner(LlmAgent(name="agent", model="gemini-2.5-flash", tools=[toolset]), app_name="app")
    session = await runner.session_service.create_session(app_name="app", user_id="user")
    message = types.UserContent("hello")
    async for event in runner.run_async(user_id="user", session_id=session.id, new_message=message):
        pass
asyncio.run(main())
"""


def _answers(body: Any, keys: Sequence[str]) -> Mapping[str, str]:
    """Return the results: objects, as the text that our session has of them."""
    parts = [part for content in body.get("contents", ()) for part in content.get("parts", ())]
    found = [json.dumps(part["functionResponse"]["response"]) for part in parts if "functionResponse" in part]
    return dict(zip(keys, found, strict=False))


def _same_json(text: str, names: frozenset[str]) -> str:
    try:
        return json.dumps(json.loads(text), sort_keys=True)
    except ValueError:
        return text


CLIENT = Client(
    id="google-adk",
    programs=(),
    package="google-adk",
    skills=("skills", ""),
    start=library_start({"GOOGLE_API_KEY": "dummy", "GOOGLE_GEMINI_BASE_URL": "{base}"}),
    listing=Listing(
        r"<available_skills>",
        r"</available_skills>(?![\s\S]*</available_skills>)",
        r"^<skill>\n<name>\n(?P<key>[\s\S]*?)\n</name>\n[\s\S]*?\n</skill>$",
    ),
    tool="load_skill",
    settings={"mode": "eager"},
    answers=_answers,
    steady=_same_json,
    library=_PROGRAM,
    is_strict=True,
    note="the discovery mode is `eager`, so that the listing is in the request; the default is `lazy`",
)
