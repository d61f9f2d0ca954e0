"""pickle-bot by its own rules: what Python says about the arguments of a call."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from skilltool import runtimes
from skilltool.runtimes.pickle_bot.discovery import Refusal
from skilltool.runtimes.values import Refused

_METHOD = "ToolRegistry.execute_tool() got multiple values for"
_KEYWORD = f"picklebot.tools.registry.{_METHOD} keyword argument 'session'"


# core/agent.py: execute_tool(name, session=self, **arguments); CPython 3.13 merges the keywords first.
@pytest.mark.parametrize(
    ("edition", "arguments", "said"),
    [
        ("pickle-bot@2026-05", {"session": 1}, _KEYWORD),
        ("pickle-bot@2026-05", {"name": 1, "session": 2}, _KEYWORD),
        ("pickle-bot@2026-05", {"self": 1, "session": 2}, _KEYWORD),
        ("pickle-bot@2026-05", {"name": 1, "self": 2}, f"{_METHOD} argument 'name'"),
        ("pickle-bot@2026-05", {"self": 1}, f"{_METHOD} argument 'self'"),
        ("pickle-bot@2026-02", {"name": 1}, f"{_METHOD} argument 'name'"),
    ],
)
def test_an_argument_that_the_runtime_passes_itself(
    tmp_path: Path, edition: str, arguments: dict[str, Any], said: str
) -> None:
    skill = tmp_path / ".pickle-bot/skills/one/SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("---\nname: One\ndescription: d\n---\nbody\n")
    session = runtimes.get(edition).open(tmp_path / "project", tmp_path)
    result = session.call({"skill_name": "one", **arguments})
    assert (result.is_error, result.text) == (True, f"Error executing tool: {said}")


@pytest.mark.parametrize("edition", ["pickle-bot", "pickle-bot@2026-02", "pickle-bot@2026-05"])
@pytest.mark.parametrize("text", [b"Text.\n", b"---\nname: [\n---\n", b"---\nname: x\n---\n", b"\xff"])
def test_bytes_are_refused_in_the_words_for_the_file(tmp_path: Path, edition: str, text: bytes) -> None:
    runtime = runtimes.get(edition)
    assert runtime.load is not None
    assert runtime.parse is not None
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "SKILL.md").write_bytes(text)
    loaded = runtime.load(tmp_path / "one")
    assert isinstance(loaded, Refused)
    with pytest.raises(Refusal) as refusal:
        runtime.parse(text, "one")
    assert refusal.value.message == str(loaded.message).replace(f"{tmp_path}/", "")
    assert "one" in str(refusal.value.message)
