"""agent-framework: an `Agent` with a `SkillsProvider`, Chat Completions, the tool `load_skill`.

Approval is off: by default a call waits for it, and the turn ends.
"""

from __future__ import annotations

from skilltool.capture.client import Client, Listing, library_start

_PROGRAM = """
import asyncio
from agent_framework import Agent, SkillsProvider
from agent_framework.openai import OpenAIChatCompletionClient
client = OpenAIChatCompletionClient(model="m", base_url="{base}/v1", api_key="dummy")
provider = SkillsProvider.from_paths("skills", disable_load_skill_approval=True)
asyncio.run(Agent(client=client, context_providers=[provider]).run("hello"))
"""

CLIENT = Client(
    id="agent-framework",
    programs=(),
    package="agent-framework-core",
    skills=("skills", ""),
    start=library_start({}),
    listing=Listing(
        r"<available_skills>\n",
        r"</available_skills>(?![\s\S]*</available_skills>)",
        r"^  <skill>\n    <name>(?P<key>[\s\S]*?)</name>\n[\s\S]*?\n  </skill>$",
    ),
    tool="load_skill",
    library=_PROGRAM,
    note="calls need no approval in this test; by default, each call waits for approval",
)
