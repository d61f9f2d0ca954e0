"""A finding in a page or script is suppressed, accepted, reported and cached by its own file."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from skilltool.lint import settings
from skilltool.lint.config import Config
from skilltool.lint.run import check_skills
from skilltool.report import FORMATS
from tests.conftest import MakeSkill, Skilltool

PIPE = "curl http://get.tool.dev/{}.sh | sh\n"


@pytest.fixture
def skill(repo: Path, make_skill: MakeSkill) -> Path:
    directory = make_skill(repo / "skills" / "a")
    with (directory / "SKILL.md").open("a", encoding="utf-8") as file:
        file.write("\nRead the pages in `references/`.\n")
    (directory / "scripts").mkdir()
    (directory / "references").mkdir()
    (directory / "scripts" / "run.sh").write_text(PIPE.format("x"), "utf-8")
    (directory / "references" / "page.md").write_text("[x](Page.md) and [y](gone.md)\n", "utf-8")
    return directory


def check(repo: Path, config: dict | None = None, **options: object) -> tuple[list[tuple[str, int]], int]:
    """The rule and line of each finding, and how many are suppressed."""
    chosen = settings.resolve(Config(config or {}), {"runtimes": ["portable"], "paths": [repo], **options})
    report = check_skills(chosen)
    return [(each.rule, each.location.start.line) for each in report.diagnostics], len(report.suppressed)


@pytest.mark.parametrize(
    ("script", "lines"),
    [
        ("# skilltool: ignore[unencrypted-pipe] ours\n{x}{y}", [3]),
        ("// skilltool: ignore[unencrypted-pipe] ours\n{x}", []),
        ("  # skilltool: ignore[unencrypted-pipe] ours\n# skilltool: ignore[hidden-text] x\n{x}", [2]),
        ("# skilltool: ignore[unencrypted-pipe] ours\n\n{x}", [1, 3]),
        ("# skilltool: ignore[unencrypted-pipe]\n{x}", [1, 2]),
        ("{x}# skilltool: ignore[unencrypted-pipe] ours\n", [1, 2]),
        ("x = '# skilltool: ignore[unencrypted-pipe] ours'\n{x}", [2]),
    ],
)
def test_a_comment_on_the_line_before_suppresses_in_a_script(
    script: str, lines: list[int], repo: Path, make_skill: MakeSkill
) -> None:
    (make_skill(repo / "a") / "run.sh").write_text(
        script.format(x=PIPE.format("x"), y=PIPE.format("y")), "utf-8"
    )
    found, _hidden = check(repo, select=["unencrypted-pipe", "hidden-text", "unused-ignore"])
    assert [line for _rule, line in found] == lines


def test_a_comment_in_a_page_covers_its_block_and_no_other_file(repo: Path, make_skill: MakeSkill) -> None:
    directory = make_skill(repo / "a")
    link = "[x](gone.md)\n"
    comment = "<!-- skilltool: ignore[broken-link] it will come -->\n"
    (directory / "one.md").write_text(f"# A\n\n{comment}{link}\n{link}", "utf-8")
    (directory / "two.md").write_text(f"# A\n\n\n{link}", "utf-8")
    assert check(repo, select=["broken-link"]) == ([("broken-link", 6), ("broken-link", 4)], 1)


def test_per_file_ignores_match_the_file_of_the_finding(skill: Path, repo: Path) -> None:
    select = ["unencrypted-pipe", "broken-link"]
    for pattern, left in (
        ("scripts/", ["broken-link", "broken-link"]),
        ("references/page.md", []),
        ("*.sh", ["broken-link", "broken-link"]),
        ("**/a/references/*.md", ["unencrypted-pipe"]),
        ("SKILL.md", ["broken-link", "broken-link", "unencrypted-pipe"]),
    ):
        config = {"per-file-ignores": {pattern: select}}
        if pattern == "references/page.md":
            config = {"per-file-ignores": {"**/page.md": ["broken-link"], "**/run.sh": ["unencrypted-pipe"]}}
        found, _hidden = check(repo, config, select=select)
        assert sorted(rule for rule, _line in found) == left, pattern


def test_a_baseline_tells_files_apart(skill: Path, repo: Path, skilltool: Skilltool) -> None:
    assert skilltool("baseline", "-o", "base.json").returncode == 0
    assert skilltool("lint", "--baseline", "base.json").stdout.count("gone.md") == 0
    (skill / "references" / "page.md").rename(skill / "references" / "other.md")
    done = skilltool("lint", "--baseline", "base.json", "--output-format", "concise")
    assert done.stdout.count("references/other.md:1:") == 2
    assert "run.sh" not in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
def test_every_format_names_the_file_of_the_finding(name: str, skill: Path, skilltool: Skilltool) -> None:
    done = skilltool("lint", "--output-format", name, "--runtime", "portable")
    assert "skills/a/scripts/run.sh" in done.stdout
    assert "skills/a/references/page.md" in done.stdout
    assert "skills/a/SKILL.md" not in done.stdout


def test_the_summary_counts_the_skill_once(skill: Path, skilltool: Skilltool, make_skill: MakeSkill) -> None:
    make_skill(skill.parent / "b")
    assert " in 1 of 2 skills" in skilltool("lint").stdout


@pytest.mark.slow
@pytest.mark.parametrize("age", ["just written", "old"])
def test_a_cached_result_ends_with_any_file_that_was_read(skill: Path, repo: Path, age: str) -> None:
    def lint() -> list[tuple[str, int]]:
        found, _hidden = check(repo, cache=repo / "cache", select=["unencrypted-pipe", "over-bound"])
        return found

    page = skill / "references" / "page.md"
    data = skill / "data.bin"
    data.write_bytes(b"\0" + PIPE.format("z").encode())
    before = lint()
    assert lint() == before == [("unencrypted-pipe", 1)]
    page.write_text(f"# A\n\n{PIPE.format('y')}", "utf-8")
    assert lint() == [("unencrypted-pipe", 3), ("unencrypted-pipe", 1)]
    data.write_bytes(b"#" + PIPE.format("z").encode())  # which is text now
    assert len(lint()) == 3
    (skill / "scripts" / "run.sh").unlink()
    assert len(lint()) == 2
    (skill / "scripts" / "new.sh").write_text(PIPE.format("x"), "utf-8")
    assert len(lint()) == 3


def stdin(repo: Path, text: str, name: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "skilltool", "lint", "-", "--output-format", "json", "--stdin-filename"]
    return subprocess.run(
        [*command, name], cwd=repo, input=text, capture_output=True, encoding="utf-8", check=False
    )


@pytest.mark.slow
def test_standard_input_may_be_a_page_or_script_of_a_skill(skill: Path, repo: Path) -> None:
    for name in ("skills/a/scripts/run.sh", "skills/a/scripts/new.sh"):
        found = json.loads(stdin(repo, f"\n{PIPE.format('z')}", name).stdout)["diagnostics"]
        assert [(each["path"], each["line"], each["rule"]) for each in found] == [
            (name, 2, "unencrypted-pipe")
        ]
    assert json.loads(stdin(repo, "echo\n", "skills/a/scripts/run.sh").stdout)["diagnostics"] == []


@pytest.mark.slow
def test_fixes_edit_the_page_and_a_second_run_has_nothing_to_do(
    skill: Path, repo: Path, skilltool: Skilltool
) -> None:
    page = skill / "references" / "page.md"
    (skill / "SKILL.md").write_text(
        (skill / "SKILL.md").read_text("utf-8") + "\n[p](references/Page.md)\n", "utf-8"
    )
    page.write_bytes(b"\xef\xbb\xbf[x](Page.md)\r\nand [y](run.sh)\r\n")
    diff = skilltool("lint", "--diff").stdout
    assert "+++ b/skills/a/references/page.md" in diff
    assert "+++ b/skills/a/SKILL.md" in diff
    done = skilltool("lint", "--fix", "--show-fixes")
    assert "fixed skills/a/references/page.md: broken-link (1)" in done.stderr
    assert page.read_bytes() == b"\xef\xbb\xbf[x](page.md)\r\nand [y](run.sh)\r\n"
    assert "[p](references/page.md)" in (skill / "SKILL.md").read_text("utf-8")
    assert skilltool("lint", "--diff").stdout == ""
    assert skilltool("lint", "--fix", "--unsafe-fixes").returncode == 1  # a download stays
    assert page.read_bytes() == b"\xef\xbb\xbf[x](page.md)\r\nand [y](../scripts/run.sh)\r\n"


def test_a_fix_in_a_page_that_is_suppressed_is_not_made(skill: Path, skilltool: Skilltool) -> None:
    page = skill / "references" / "page.md"
    page.write_text("<!-- skilltool: ignore[broken-link] meant so -->\n[x](Page.md)\n", "utf-8")
    before = page.read_bytes()
    skilltool("lint", "--fix", "--unsafe-fixes")
    assert page.read_bytes() == before
