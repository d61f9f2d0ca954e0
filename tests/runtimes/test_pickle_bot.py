"""pickle-bot by its own rules: what Python says about the arguments of a call."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from skilltool import runtimes

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
