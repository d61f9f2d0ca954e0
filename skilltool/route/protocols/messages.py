"""Anthropic Messages. Source: the public reference, and anthropic 2.12.0 for the variables."""

from __future__ import annotations

from typing import Any

from skilltool.capture.protocols import MESSAGES, Call
from skilltool.route.turn import REFUSED, TRUNCATED, Answer, Protocol, Turn


def _body(turn: Turn, model: str, most: int) -> dict[str, Any]:
    system, rest = turn.opening()
    messages: list[dict[str, Any]] = []
    for role, text in rest:
        block = {"type": "text", "text": text}
        if messages and messages[-1]["role"] == role:
            messages[-1]["content"].append(block)
        else:
            messages.append({"role": role, "content": [block]})
    tools = [
        {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}
        for tool in turn.tools
    ]
    choice = {"type": "tool", "name": turn.tools[0].name} if turn.forced else {"type": "auto"}
    body = {"model": model, "max_tokens": most, "messages": messages, "tools": tools, "tool_choice": choice}
    return {**body, "system": system} if system else body


def _read(data: Any) -> Answer:
    calls = tuple(
        Call(block["name"], dict(block["input"])) for block in data["content"] if block["type"] == "tool_use"
    )
    usage = data.get("usage") or {}
    cached = sum(usage.get(f"cache_{kind}_input_tokens") or 0 for kind in ("creation", "read"))
    problem = {"refusal": REFUSED, "max_tokens": TRUNCATED}.get(data.get("stop_reason"))
    return Answer(calls, (usage.get("input_tokens", 0) + cached, usage.get("output_tokens", 0)), problem)


PROTOCOL = Protocol(
    MESSAGES,
    "Anthropic Messages",
    (
        ("ANTHROPIC_API_KEY", "x-api-key", "{}"),
        ("ANTHROPIC_AUTH_TOKEN", "authorization", "Bearer {}"),
    ),
    ("ANTHROPIC_BASE_URL",),
    "https://api.anthropic.com",
    lambda model: "/v1/messages",
    _body,
    _read,
    {"anthropic-version": "2023-06-01"},
)
