"""Gemini. Source: the public reference, and google-genai 3.4.0 for the variables."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from skilltool.capture.protocols import GEMINI, Call
from skilltool.route.turn import MALFORMED, REFUSED, SYSTEM, TRUNCATED, Answer, Protocol, Turn

_PROBLEMS = {
    "MAX_TOKENS": TRUNCATED,
    "MALFORMED_FUNCTION_CALL": MALFORMED,
    **dict.fromkeys(("SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE"), REFUSED),
}


def _body(turn: Turn, model: str, most: int) -> dict[str, Any]:
    system = [{"text": text} for role, text in turn.messages if role == SYSTEM]
    parts = [{"text": text} for role, text in turn.messages if role != SYSTEM]
    declarations = [
        {"name": tool.name, "description": tool.description, "parametersJsonSchema": tool.parameters}
        for tool in turn.tools
    ]
    calling: dict[str, Any] = {"mode": "AUTO"}
    if turn.forced:
        calling = {"mode": "ANY", "allowedFunctionNames": [turn.tools[0].name]}
    body = {
        "contents": [{"role": "user", "parts": parts}],
        "tools": [{"functionDeclarations": declarations}],
        "toolConfig": {"functionCallingConfig": calling},
        "generationConfig": {"maxOutputTokens": most},
    }
    return {**body, "systemInstruction": {"parts": system}} if system else body


def _read(data: Any) -> Answer:
    usage = data.get("usageMetadata") or {}
    out = (usage.get("candidatesTokenCount") or 0) + (usage.get("thoughtsTokenCount") or 0)
    tokens = (usage.get("promptTokenCount") or 0, out)
    if not data.get("candidates"):
        if (data.get("promptFeedback") or {}).get("blockReason"):
            return Answer((), tokens, REFUSED)
        raise ValueError("no candidates")
    candidate = data["candidates"][0]
    parts = (candidate.get("content") or {}).get("parts") or ()
    calls = tuple(
        Call(part["functionCall"]["name"], dict(part["functionCall"].get("args") or {}))
        for part in parts
        if "functionCall" in part
    )
    return Answer(calls, tokens, _PROBLEMS.get(candidate.get("finishReason")))


PROTOCOL = Protocol(
    GEMINI,
    "Gemini",
    (("GEMINI_API_KEY", "x-goog-api-key", "{}"), ("GOOGLE_API_KEY", "x-goog-api-key", "{}")),
    ("GOOGLE_GEMINI_BASE_URL",),
    "https://generativelanguage.googleapis.com",
    lambda model: f"/v1beta/models/{quote(model.removeprefix('models/'), safe='')}:generateContent",
    _body,
    _read,
)
