"""The records of commands in a body of Claude Code: which run, which stay text, and which make the call fail.

Nothing is run here: `{output}` stands for what a command printed in the record.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from skilltool import runtimes
from skilltool.runtimes.inline_commands import inline_commands

PACK = Path(__file__).parents[1] / "goldens" / "packs" / "claude-code-commands" / "cases.jsonl"
RECORDS = {record["id"]: record for record in map(json.loads, PACK.read_text("utf-8").splitlines())}
CLAUDE = runtimes.get("claude-code")


@pytest.mark.together
@pytest.mark.parametrize("name", RECORDS)
def test_a_call_answers_as_recorded(tmp_path: Path, name: str) -> None:
    record: dict[str, Any] = RECORDS[name]
    project = tmp_path / "project"
    file = project / ".claude" / "skills" / record["skill"] / "SKILL.md"
    file.parent.mkdir(parents=True)
    file.write_text(record["text"], "utf-8")
    (tmp_path / "home").mkdir()
    session = CLAUDE.open(project, tmp_path / "home", {"flags": record["flags"]})
    answer = session.call({"skill": record["skill"]})
    assert answer.is_error is record["error"]
    expected = record["expect"].replace("{project}", str(project))
    found = answer.text or ""
    if record["error"]:
        assert found.startswith('Shell command permission check failed for pattern "')
        assert "touch" in found or found == expected  # what it says of writing is not ours to know
    else:
        pattern = re.escape(found).replace(re.escape("{output}"), r"[^`]*?")
        assert re.fullmatch(pattern, expected)
        assert found.count("!`") == expected.count("!`")


def test_many_commands_in_one_line_are_found_in_linear_time() -> None:
    assert len(list(inline_commands("a `b` !`c` " * 20_000))) == 20_000
