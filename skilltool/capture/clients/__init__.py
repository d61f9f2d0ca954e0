"""The clients that can be captured: a module for each, with its command, environment, protocol and script.

A new client is one module with a `CLIENT`, and its line here.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from skilltool.errors import UnknownNameError

if TYPE_CHECKING:
    from skilltool.capture.client import Client

_MODULES = {
    "agent-framework": "agent_framework",
    "agno": "agno",
    "claude-code": "claude_code",
    "codex": "codex",
    "deepagents": "deepagents",
    "deepagents-code": "deepagents_code",
    "gemini-cli": "gemini_cli",
    "google-adk": "google_adk",
    "opencode": "opencode",
    "kimi-cli": "kimi_cli",
    "openhands": "openhands",
    "pi": "pi",
    "pydantic-ai-harness": "pydantic_ai_harness",
    "qwen-code": "qwen_code",
}
IDS: tuple[str, ...] = tuple(_MODULES)


def get(name: str) -> Client:
    """Return the client with this id; raises `UnknownNameError`."""
    if name not in _MODULES:
        raise UnknownNameError("client", name, IDS, "skilltool capture --list")
    client: Client = import_module(f"skilltool.capture.clients.{_MODULES[name]}").CLIENT
    return client
