"""Codex: `codex exec`, OpenAI Responses, no skill tool: `$NAME` in the prompt sends a skill along."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from skilltool.capture.client import Client, Listing, Place, Start, user_texts
from skilltool.runtimes.base import Session
from skilltool.runtimes.values import LoadedSkill
from skilltool.text.lazy_pattern import lazy_pattern

_MODEL = "gpt-5"
_CONFIG = f"""model = "{_MODEL}"
model_provider = "loop"
check_for_update_on_startup = false

[analytics]
enabled = false

[skills.bundled]
enabled = false

[model_providers.loop]
name = "loop"
base_url = "{{base}}/v1"
wire_api = "responses"
env_key = "LOOP_KEY"
request_max_retries = 0
stream_max_retries = 0
"""
_BLOCK = lazy_pattern(r"<skill>\n<name>(?P<key>[^\n]*)</name>[\s\S]*?\n</skill>")


def _start(place: Place, prompt: str) -> Start:
    return Start(
        ("exec", "--skip-git-repo-check", "--sandbox", "read-only", prompt),
        {"CODEX_HOME": f"{place.home}/.codex", "LOOP_KEY": "dummy"},
        {".codex/config.toml": _CONFIG},
    )


def _prompt(skills: Sequence[LoadedSkill]) -> str:
    return " ".join([f"${skill.name}" for skill in skills if re.fullmatch(r"[A-Za-z0-9_:-]+", skill.name)])


def _blocks(texts: Sequence[str]) -> Mapping[str, str]:
    return {match["key"]: match[0] for text in texts for match in _BLOCK.finditer(text)}


def _answers(body: Any, keys: Sequence[str]) -> Mapping[str, str]:
    return _blocks([text for text in user_texts(body) if text.startswith("<skill>")])


def _expected(session: Session, prompt: str) -> Mapping[str, str]:
    texts = [block["text"] for message in session.user(prompt).messages for block in message["content"]]
    return _blocks([text for text in texts if text.startswith("<skill>")])


CLIENT = Client(
    id="codex",
    programs=("codex",),
    package="@openai/codex",
    skills=(".agents/skills", ".agents/skills"),
    start=_start,
    listing=Listing(
        r"<skills_instructions>",
        r"</skills_instructions>|\Z",
        r"^- (?P<key>[^\n]+?):(?: [\s\S]*?)? ?\(file: [^\n]*\)$",
    ),
    settings={"bundled": False, "model": _MODEL},
    prompt=_prompt,
    answers=_answers,
    expected=_expected,
)
