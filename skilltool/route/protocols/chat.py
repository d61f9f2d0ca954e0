"""OpenAI Chat Completions, which many other servers speak, too. Source: the public reference.

OpenAI's own models with reasoning refuse `max_tokens`, which others take: `ask` then sends the limit by its
newer name, `max_completion_tokens`.
"""

from __future__ import annotations

import json
from typing import Any

from skilltool.capture.protocols import CHAT, Call
from skilltool.route.protocols.responses import BASE, BASES, KEYS
from skilltool.route.turn import REFUSED, TRUNCATED, Answer, Protocol, Turn


def _body(turn: Turn, model: str, most: int) -> dict[str, Any]:
    messages = [{"role": role, "content": text} for role, text in turn.messages]
    tools = [{"type": "function", "function": tool._asdict()} for tool in turn.tools]
    choice: Any = "auto"
    if turn.forced:
        choice = {"type": "function", "function": {"name": turn.tools[0].name}}
    return {"model": model, "max_tokens": most, "messages": messages, "tools": tools, "tool_choice": choice}


def _read(data: Any) -> Answer:
    choice = data["choices"][0]
    message = choice["message"]
    calls = tuple(
        Call(call["function"]["name"], dict(json.loads(call["function"]["arguments"] or "{}")))
        for call in message.get("tool_calls") or ()
    )
    reasons = {"length": TRUNCATED, "content_filter": REFUSED}
    problem = REFUSED if message.get("refusal") else reasons.get(choice.get("finish_reason"))
    usage = data.get("usage") or {}
    return Answer(calls, (usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0)), problem)


PROTOCOL = Protocol(
    CHAT, "OpenAI Chat Completions", KEYS, BASES, BASE, lambda model: "/chat/completions", _body, _read
)
