"""pydantic-ai-harness: an `Agent` with the capability `Skills`, Chat Completions, `load_capability`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from skilltool.capture import protocols
from skilltool.capture.client import Client, Listing, library_start
from skilltool.text.lazy_pattern import lazy_pattern

_PROGRAM = """
import asyncio, os
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.workspaces.local import LocalWorkspaceBackend
from pydantic_ai_harness.skills import Skills
model = OpenAIChatModel("m", provider=OpenAIProvider(base_url="{base}/v1", api_key="dummy"))
skills = Skills(["skills"], workspace=LocalWorkspaceBackend(os.getcwd()))
asyncio.run(Agent(model, capabilities=[skills], retries=50).run("hello"))
"""

_BODY = lazy_pattern(r'<context id="capability:(?P<key>[^"]*)">[\s\S]*?\n</context>')


def _answers(body: Any, keys: Sequence[str]) -> Mapping[str, str]:
    """Return the results: the answer to each call, and the message with the instructions that follows it."""
    results = dict(zip(keys, protocols.results(body), strict=False))
    if not results:
        return {}
    texts = list(protocols.texts(body))
    loaded = {match["key"]: match[0] for text in texts if (match := _BODY.match(text))}
    return {key: "\n".join([text, loaded[key]] if key in loaded else [text]) for key, text in results.items()}


CLIENT = Client(
    id="pydantic-ai-harness",
    programs=(),
    package="pydantic-ai-harness",
    skills=("skills", ""),
    start=library_start({}),
    listing=Listing(
        r'<context id="capability:deferred_capabilities">',
        r"</context>",
        r"^- (?P<key>[^\n:]+): [\s\S]*?(?=\n- |\n</context>)",
    ),
    tool="load_capability",
    settings={"own_workspace": True},
    answers=_answers,
    library=_PROGRAM,
    note="the skills are in a separate workspace",
)
