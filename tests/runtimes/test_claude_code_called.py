"""What Claude Code answers to a call of one of its own commands, or of a name that is spelled like one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from skilltool import runtimes

FILE = Path(__file__).parents[1] / "goldens" / "packs" / "claude-code" / "commands.jsonl"


def test_each_name_is_answered_as_recorded(tmp_path: Path) -> None:
    records = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
    settings = tmp_path / "home" / ".claude" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text('{"disableBundledSkills": true}', "utf-8")
    session = runtimes.get("claude-code@2.1.329").open(tmp_path / "project", tmp_path / "home")
    found = {each["skill"]: session.call({"skill": each["skill"]}).text for each in records}
    assert len(records) == 226
    assert found == {each["skill"]: each["expect"] for each in records}


def test_a_session_keeps_what_it_read_at_the_start(tmp_path: Path) -> None:
    """As 2.1.329 and 2.1.330 did for calls right after the change; what counts seconds later is not shown."""

    def write(name: str, body: str, more: str = "") -> Path:
        file = tmp_path / ".claude" / "skills" / name / "SKILL.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"---\ndescription: About {name}.\n{more}---\n{body}\n", "utf-8")
        return file

    gone = write("gone", "Gone body.")
    write("plain", "Body one.")
    write("hidden", "Hidden body.")
    session = runtimes.get("claude-code").open(tmp_path, tmp_path / "home")

    def called(name: str) -> str:
        return session.call({"skill": name}).text or ""

    assert called("plain").endswith("Body one.\n")
    write("plain", "Body two.")
    assert called("plain") == "Skill /plain is already loaded above; instructions unchanged."
    write("late", "Late body.")
    assert called("late") == "<tool_use_error>Unknown skill: late. Did you mean name?</tool_use_error>"
    gone.unlink()
    assert called("gone").endswith("Gone body.\n")
    write("hidden", "Hidden body.", "disable-model-invocation: true\n")
    assert called("hidden").endswith("Hidden body.\n")


@pytest.mark.parametrize(
    ("typed", "near"),
    [("qit", "/init"), ("security-reviw", "/security-review"), ("compct", None), ("docor", None)],
)
def test_a_typed_name_is_compared_with_the_commands_that_are_shown(
    tmp_path: Path, typed: str, near: str | None
) -> None:
    """As 2.1.329 sent it in print mode, where other commands of the program are not suggested."""
    sent = runtimes.get("claude-code").open(tmp_path, tmp_path / "home").user(f"/{typed}")
    said = json.dumps(sent.messages)
    assert (f"The closest available command is {near}." in said) == (near is not None)
    assert ("The closest available command" in said) == (near is not None)
