"""MyCodeAgent by its own rules: what the goldens do not show."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from skilltool import runtimes
from skilltool.runtimes.base import Session

EDITIONS = ["mycodeagent@2026-01", "mycodeagent@2026-07"]


def opened(tmp_path: Path, edition: str, files: dict[str, str], **settings: Any) -> Session:
    for name, text in files.items():
        path = tmp_path / "skills" / name / "SKILL.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8", newline="")
    return runtimes.get(edition).open(tmp_path, tmp_path / "home", settings)


def skill(body: str = "body", name: str = "one", description: str = "d") -> str:
    return f"---\nname: {name}\ndescription: {description}\n---\n{body}"


@pytest.mark.parametrize("edition", EDITIONS)
def test_blanks_inside_quotes_are_stripped_too(tmp_path: Path, edition: str) -> None:
    # loader.py: value.strip().strip("\"'"), and later (frontmatter.get("name") or "").strip().
    session = opened(tmp_path, edition, {"a": skill(name='" one "', description="' d '")})
    assert [(found.key, found.description) for found in session.skills] == [("one", "d")]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("arguments", ["", "  \n"])
def test_blank_arguments_are_no_arguments(tmp_path: Path, edition: str, arguments: str) -> None:
    # _ensure_json_input: s = str(raw).strip(); if not s: return {}, None
    session = opened(tmp_path, edition, {"a": skill()})
    result = json.loads(session.call(arguments).text or "")
    assert result["error"]["code"] == "INVALID_PARAM"
    assert result["context"] == {"cwd": ".", "params_input": {}}


ALL = ["mycodeagent", *EDITIONS]


@pytest.mark.parametrize("edition", ALL)
def test_a_file_of_another_case_is_skipped_unless_the_real_one_is_beside_it(
    tmp_path: Path, edition: str
) -> None:
    # rglob("SKILL.md") on a file system that tells cases apart.
    session = opened(tmp_path, edition, {"both": skill()})
    for name in ("both", "lower"):
        (tmp_path / "skills" / name).mkdir(exist_ok=True)
        (tmp_path / "skills" / name / "skill.md").write_text(skill(name="two"), "utf-8")
    session = opened(tmp_path, edition, {})
    assert [found.key for found in session.skills] == ["one"]
    assert [(found.directory.name, found.why) for found in session.skipped] == [
        ("lower", "its file is called `skill.md`, and only `SKILL.md` is read (skipped silently)")
    ]


@pytest.mark.parametrize("edition", ALL)
def test_the_listing_of_the_next_turn_has_what_changed(tmp_path: Path, edition: str) -> None:
    # _refresh_skills_prompt(), called by every run(): if refresh: self._skill_loader.refresh_if_stale()
    session = opened(tmp_path, edition, {"a": skill()}, refresh=True)
    frozen = opened(tmp_path, edition, {}, refresh=False)
    assert session.catalog() == frozen.catalog() == "- one: d"
    opened(tmp_path, edition, {"b": skill(name="two", description="new")})
    assert session.catalog() == "- one: d\n- two: new"
    assert "- two: new" in (session.prompt() or "")
    assert [found.key for found in session.skills] == ["one", "two"]
    assert frozen.catalog() == "- one: d"
    frozen.call({"name": "two"})  # a miss makes it look again
    assert frozen.catalog() == "- one: d\n- two: new"


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_file_that_is_not_utf_8_ends_the_next_turn(tmp_path: Path, edition: str) -> None:
    session = opened(tmp_path, edition, {"a": skill()}, refresh=True)
    (tmp_path / "skills/b").mkdir()
    (tmp_path / "skills/b/SKILL.md").write_bytes(b"\xff")
    assert session.catalog() is None
    assert "'utf-8' codec can't decode byte 0xff" in (session.failure or "")


@pytest.mark.parametrize("edition", ALL)
@pytest.mark.usefixtures("enforced_permissions")
def test_a_folder_that_cannot_be_entered_is_skipped(tmp_path: Path, edition: str) -> None:
    opened(tmp_path, edition, {"a": skill(), "b/c": skill(name="two"), "b/d": skill(name="three")})
    closed = [tmp_path / "skills/b/c", tmp_path / "skills/b/d"]
    for folder, mode in zip(closed, (0o000, 0o311), strict=True):
        folder.chmod(mode)
    try:
        session = opened(tmp_path, edition, {})
    finally:
        for folder in closed:
            folder.chmod(0o755)
    assert [found.key for found in session.skills] == ["one"]
    assert [(found.directory, found.message) for found in session.skipped] == [
        (each, None) for each in closed
    ]
    assert session.skipped[0].why == "it cannot be listed: Permission denied (skipped silently)"


@pytest.mark.parametrize("edition", ALL)
def test_a_root_that_is_a_link_to_itself_ends_the_start(tmp_path: Path, edition: str) -> None:
    # Python 3.12: Path.resolve() raises RuntimeError.
    root = tmp_path / "skills"
    root.symlink_to(root)
    session = opened(tmp_path, edition, {})
    assert session.failure == f"Symlink loop from {str(root)!r}"


@pytest.mark.parametrize("edition", EDITIONS)
def test_arguments_may_have_any_white_space_around_them(tmp_path: Path, edition: str) -> None:
    session = opened(tmp_path, edition, {"a": skill()})
    assert not session.call('\u00a0\x0b{"name": "one"}\u2028').is_error


def test_a_tool_that_the_permission_core_does_not_know_is_denied(tmp_path: Path) -> None:
    # tools/permissions.py: "unknown tool '{tool_name}' fails closed"; such a call is no strike.
    session = opened(tmp_path, "mycodeagent@2026-07", {"a": skill()}, tool="skill")
    for _ in range(4):
        result = json.loads(session.call({"name": "one", "args": "x"}).text or "")
    assert list(result) == ["status", "data", "text", "stats", "context", "error"]
    assert result["text"] == "Tool 'skill' denied by permission core."
    assert result["context"] == {
        "cwd": ".",
        "params_input": {"name": "one", "args": "x"},
        "runtime_mode": "main_agent",
    }
    assert result["error"] == {
        "code": "PERMISSION_DENIED",
        "message": "Tool 'skill' denied by permission core.",
        "details": {
            "permission": {
                "risk": "unknown",
                "action": "deny",
                "reason": "unknown tool 'skill' fails closed",
                "policy_source": "permission_core",
                "input_summary": 'skill({"args":"x","name":"one"})',
                "tool_name": "skill",
                "effective_action": "deny",
            }
        },
    }


def test_the_circuit_of_the_first_implementation_opens_for_unknown_tools_too(tmp_path: Path) -> None:
    # tools/registry.py at 262795a: record_failure(name, ...) whatever was called.
    session = opened(tmp_path, "mycodeagent@2026-01", {"a": skill()})
    codes = [json.loads(session.call({}, tool="x").text or "")["error"]["code"] for _ in range(4)]
    assert codes == ["INTERNAL_ERROR"] * 3 + ["CIRCUIT_OPEN"]
    assert not session.call({"name": "one"}).is_error


def test_the_first_implementation_writes_a_cut_answer_without_blanks(tmp_path: Path) -> None:
    # observation_truncator.py: json.dumps(truncated_result, ensure_ascii=False, separators=(",", ":"))
    session = opened(tmp_path, "mycodeagent@2026-01", {"a": skill("é\n" * 3000)})
    text = session.call({"name": "one"}).text or ""
    result = json.loads(text)
    assert text == json.dumps(result, ensure_ascii=False, separators=(",", ":"))
    assert list(result) == ["status", "data", "text", "stats", "context"]
    assert result["status"] == "partial"
    assert list(result["data"]["truncation"].items())[:3] == [
        ("direction", "head"),
        ("max_lines", 2000),
        ("max_bytes", 51200),
    ]
    assert list(result["data"]["truncation"])[3] == "original_lines"
    assert result["data"]["truncation"]["kept_lines"] == 2000


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_error_that_is_too_long_is_cut_and_stays_an_error(tmp_path: Path, edition: str) -> None:
    # status stays "error", and `error` comes last, whole.
    session = opened(tmp_path, edition, {"a": skill()})
    name = "x" * 60_000
    result = json.loads(session.call({"name": name}).text or "")
    assert list(result) == ["status", "data", "text", "stats", "context", "error"]
    assert result["status"] == "error"
    assert result["data"]["truncated"]
    assert result["error"]["message"] == f"Skill '{name}' not found."


def envelope_of(tmp_path: Path, size: int) -> dict[str, Any]:
    """The answer of 2026-07 whose envelope, uncut, has `size` bytes."""
    empty = opened(tmp_path / "empty", "mycodeagent@2026-07", {"a": skill("x")}).call({"name": "one"})
    text = skill("x" * (size - len(empty.text or "") + 1))
    session = opened(tmp_path / "full", "mycodeagent@2026-07", {"a": text})
    result: dict[str, Any] = json.loads(session.call({"name": "one"}).text or "")
    return result


def test_an_answer_of_50000_bytes_is_whole_and_of_one_more_is_not(tmp_path: Path) -> None:
    # orchestrator.py: if raw_bytes > budget.max_tool_bytes, which is 50000.
    assert envelope_of(tmp_path / "a", 50_000)["status"] == "success"
    truncation = envelope_of(tmp_path / "b", 50_001)["data"]["truncation"]
    assert truncation["max_bytes"] == truncation["kept_bytes"] == 512


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_folder_called_skill_md_counts_and_is_passed_over(tmp_path: Path, edition: str) -> None:
    # rglob("SKILL.md") yields it; reading it is an OSError.
    (tmp_path / "skills/x/SKILL.md").mkdir(parents=True)
    session = opened(tmp_path, edition, {})
    assert [refused.directory.name for refused in session.skipped] == ["x"]
    assert session.tool() is not None


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_miss_rescans_only_what_has_changed(tmp_path: Path, edition: str) -> None:
    # get_skill(name, refresh=True) after a miss is refresh_if_stale; a renamed folder is not stale.
    session = opened(tmp_path, edition, {"a": skill()}, refresh=False)
    (tmp_path / "skills/a").rename(tmp_path / "skills/b")
    assert "not found" in (session.call({"name": "nope"}).text or "")
    assert "Failed to read skill 'one'" in (session.call({"name": "one"}).text or "")


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_change_that_no_time_tells_is_not_seen(tmp_path: Path, edition: str) -> None:
    # _is_stale() compares the newest time and the number of files, which the last scan() has stored.
    session = opened(tmp_path, edition, {"a": skill()}, refresh=True)
    later = time.time() + 60
    for description in ("seen", "not seen"):
        (tmp_path / "skills/a/SKILL.md").write_text(skill(description=description), "utf-8")
        os.utime(tmp_path / "skills/a/SKILL.md", (later, later))
        os.utime(tmp_path / "skills", (later + 60, later + 60))
        assert session.catalog() == "- one: seen"


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_scan_that_fails_leaves_what_was_known(tmp_path: Path, edition: str) -> None:
    # scan() sets self._skills at its end, which a UnicodeDecodeError does not reach.
    session = opened(tmp_path, edition, {"a": skill()}, refresh=False)
    (tmp_path / "skills/b").mkdir()
    (tmp_path / "skills/b/SKILL.md").write_bytes(b"---\nname: two\ndescription: \xff\n---\n")
    failed = json.loads(session.call({"name": "two"}).text or "")
    assert failed["error"]["code"] == "INTERNAL_ERROR"
    assert "'utf-8' codec can't decode byte 0xff" in failed["text"]
    assert not session.call({"name": "one"}).is_error


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("target", "base"), [("project/sk2", "sk2/x"), ("other", "{other}/x")])
def test_a_root_that_is_a_link_is_where_it_leads(
    tmp_path: Path, edition: str, target: str, base: str
) -> None:
    # _skills_dir is resolved; base_dir is relative_to(the project), absolute where that raises ValueError.
    (tmp_path / target / "x").mkdir(parents=True)
    (tmp_path / target / "x/SKILL.md").write_text(skill(), "utf-8")
    (tmp_path / "project").mkdir(exist_ok=True)
    (tmp_path / "project/skills").symlink_to(tmp_path / target)
    session = runtimes.get(edition).open(tmp_path / "project", tmp_path)
    (found,) = session.skills
    assert found.told["base_dir"] == base.format(other=(tmp_path / "other").resolve())
