"""OpenAI Responses. Source: the public reference, and openai 3.54.0 for the variables."""

from __future__ import annotations

import json
from typing import Any

from skilltool.capture.protocols import RESPONSES, Call
from skilltool.route.turn import REFUSED, SYSTEM, TRUNCATED, Answer, Protocol, Turn

KEYS = (("OPENAI_API_KEY", "authorization", "Bearer {}"),)
BASES, BASE = ("OPENAI_BASE_URL",), "https://api.openai.com/v1"


def _body(turn: Turn, model: str, most: int) -> dict[str, Any]:
    messages = [
        {
            "type": "message",
            "role": "developer" if role == SYSTEM else role,
            "content": [{"type": "input_text", "text": text}],
        }
        for role, text in turn.messages
    ]
    tools = [{"type": "function", **tool._asdict(), "strict": False} for tool in turn.tools]
    choice: Any = {"type": "function", "name": turn.tools[0].name} if turn.forced else "auto"
    return {
        "model": model,
        "max_output_tokens": most,
        "store": False,
        "input": messages,
        "tools": tools,
        "tool_choice": choice,
    }


def _read(data: Any) -> Answer:
    items = data["output"]
    calls = tuple(
        Call(item["name"], dict(json.loads(item["arguments"])))
        for item in items
        if item["type"] == "function_call"
    )
    contents = [part for item in items if item["type"] == "message" for part in item["content"]]
    problem = REFUSED if any(part["type"] == "refusal" for part in contents) else None
    if data.get("status") == "incomplete":
        reason = (data.get("incomplete_details") or {}).get("reason")
        problem = REFUSED if reason == "content_filter" else TRUNCATED
    if data.get("status") == "failed":
        raise ValueError(str((data.get("error") or {}).get("message", "failed")))
    usage = data.get("usage") or {}
    return Answer(calls, (usage.get("input_tokens", 0), usage.get("output_tokens", 0)), problem)


PROTOCOL = Protocol(
    RESPONSES, "OpenAI Responses", KEYS, BASES, BASE, lambda model: "/responses", _body, _read
)
