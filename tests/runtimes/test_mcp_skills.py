"""mcp-skills: what would not survive a server of the Model Context Protocol."""

from __future__ import annotations

from pathlib import Path

from skilltool import runtimes
from skilltool.runtimes.values import LoadedSkill, Refused
from tests.conftest import MakeSkill, Skilltool

ID = "mcp-skills@2026-09"


def why(directory: Path) -> str | None:
    """Why the target refuses the skill in a directory."""
    load = runtimes.get(ID).load
    assert load is not None
    outcome = load(directory)
    assert isinstance(outcome, LoadedSkill | Refused)
    return outcome.why if isinstance(outcome, Refused) else None


def test_it_is_a_format_and_no_client() -> None:
    assert ID in runtimes.IDS
    assert not any(ID in group for group in runtimes.GROUPS.values())


def test_any_field_is_carried_but_no_value_that_json_lacks(repo: Path, make_skill: MakeSkill) -> None:
    text = "---\nname: pdf\ndescription: Fills in forms.\nanything: {}\n---\n\n# X\n\nRead it.\n"
    directory = make_skill(repo / "skills" / "pdf", text.format("{a: [1, true]}"))
    assert why(directory) is None
    make_skill(directory, text.format(".inf"))
    assert why(directory) == "`anything` is .inf, which JSON cannot represent"
    make_skill(directory, text.format("x").replace("name: pdf", "name: other"))
    assert "ends in the name of the directory" in (why(directory) or "")
    (directory / "SKILL.md").unlink()
    assert "cannot be read" in (why(directory) or "")


def test_more_files_and_bytes_than_hosts_take(repo: Path, make_skill: MakeSkill) -> None:
    directory = make_skill(repo / "skills" / "pdf")
    for number in range(512):
        (directory / f"{number}.txt").write_text("x", "utf-8")
    assert why(directory) == "the skill has 513 files, and hosts take 512"
    (directory / "0.txt").unlink()
    with (directory / "1.txt").open("wb") as file:
        file.truncate(16 << 20)
    assert "hosts take 16,777,216" in (why(directory) or "")


def test_lint_says_so_at_the_value(skilltool: Skilltool, repo: Path, make_skill: MakeSkill) -> None:
    fields = "metadata:\n  io.modelcontextprotocol/x: a\n"
    make_skill(
        repo / "skills" / "pdf",
        f"---\nname: pdf\ndescription: Fills in forms. Use it for forms.\n{fields}---\n\n# X\n\nRead it.\n",
    )
    run = skilltool("lint", "--runtime", ID, "--output-format", "concise")
    assert run.returncode == 1
    assert "error[not-loaded]" in run.stdout
    assert "reserved for the protocol" in run.stdout
    assert skilltool("lint", "--runtime", "claude-code").returncode == 0
