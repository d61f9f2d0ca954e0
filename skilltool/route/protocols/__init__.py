"""The protocols in which a model can be asked: a module each, named as `capture.protocols` names them."""

from __future__ import annotations

from collections.abc import Mapping

from skilltool.capture.protocols import CHAT, GEMINI, MESSAGES, RESPONSES
from skilltool.route.protocols import chat, gemini, messages, responses
from skilltool.route.turn import Protocol

PROTOCOLS: Mapping[str, Protocol] = {
    MESSAGES: messages.PROTOCOL,
    RESPONSES: responses.PROTOCOL,
    CHAT: chat.PROTOCOL,
    GEMINI: gemini.PROTOCOL,
}


def for_model(model: str, environ: Mapping[str, str]) -> Protocol:
    """Return the protocol of a model's vendor; for other names what servers of OpenAI's kind speak."""
    name = model.lower().rpartition("/")[2]
    if name.startswith("claude"):
        return messages.PROTOCOL
    if name.startswith("gemini"):
        return gemini.PROTOCOL
    return chat.PROTOCOL if environ.get("OPENAI_BASE_URL") else responses.PROTOCOL
