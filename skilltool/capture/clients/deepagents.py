"""Deep Agents: `create_deep_agent(skills=[...])`, Anthropic Messages; a skill is read with `read_file`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skilltool.capture.client import Client, Listing, library_start
from skilltool.runtimes.values import LoadedSkill

_PROGRAM = """
import os
from deepagents import create_deep_agent
from deepagents.backends import FilesystemBackend
from langchain_anthropic import ChatAnthropic
model = ChatAnthropic(model="claude-sonnet-4-5", base_url="{base}", api_key="dummy", max_retries=0)
backend = FilesystemBackend(root_dir=os.getcwd(), virtual_mode=False)
agent = create_deep_agent(model=model, backend=backend, skills=[os.path.join(os.getcwd(), "skills")])
agent.invoke({"messages": [{"role": "user", "content": "hello"}]})
"""


def _arguments(skill: LoadedSkill) -> Mapping[str, Any]:
    return {"file_path": str(skill.path)}


CLIENT = Client(
    id="deepagents",
    programs=(),
    package="deepagents",
    skills=("skills", ""),
    start=library_start({"LANGSMITH_TRACING": "false"}),
    listing=Listing(
        r"(?m:^)\*\*[^\n]* Skills\*\*: `(?=[^\n]*\n)",
        r"(?=\n\n\*\*How to Use Skills)|\Z",
        r"^- \*\*(?P<key>.*?)\*\*: [\s\S]*?\n  -> Read `[^\n]*$",
    ),
    tool="read_file",
    arguments=_arguments,
    library=_PROGRAM,
)
