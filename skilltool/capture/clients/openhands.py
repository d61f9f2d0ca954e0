"""openhands-sdk: an `Agent` whose context loads the skills of project and user, Chat Completions."""

from __future__ import annotations

from skilltool.capture.client import Client, Listing, library_start

_PROGRAM = """
import os
from pydantic import SecretStr
from openhands.sdk import LLM, Agent, AgentContext, Conversation
llm = LLM(model="openai/m", base_url="{base}/v1", api_key=SecretStr("dummy"), usage_id="agent", num_retries=0)
context = AgentContext(load_user_skills=True, load_project_skills=True, load_public_skills=False)
agent = Agent(llm=llm, tools=[], agent_context=context)
conversation = Conversation(agent=agent, workspace=os.getcwd(), visualizer=None)
conversation.send_message("hello")
conversation.run()
"""


CLIENT = Client(
    id="openhands",
    programs=(),
    package="openhands-sdk",
    skills=(".agents/skills", ".agents/skills"),
    start=library_start({"OPENHANDS_SUPPRESS_BANNER": "1"}),
    listing=Listing(
        r"<SKILLS>\n",
        r"</SKILLS>",
        r"^  <skill>\n    <name>(?P<key>[\s\S]*?)</name>\n[\s\S]*?\n  </skill>$",
    ),
    tool="invoke_skill",
    library=_PROGRAM,
)
