"""A skill of too many files, too deep or of too much text: every command says so before it takes any time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from skilltool.bounds.budget import Budget, OverBudgetError, out_of_memory
from skilltool.skill import tree
from skilltool.skill.model import load_skill
from tests.conftest import MakeSkill, Skilltool

TEXT = "---\r\nname: NAME\r\ndescription: Fills in forms. Use for a form.\r\n---\r\n\r\nRead the fields.\r\n"
MANY = "more than 10,000 files, skilltool's limit for one skill"
DEEP = "more than 32 nested directories, skilltool's limit for one skill"


@pytest.fixture
def skills(repo: Path, make_skill: MakeSkill) -> Path:
    """A project of claude-code with `good`, and `many` and `deep`, all of which have a fix."""
    root = repo / ".claude" / "skills"
    for name in ("good", "many", "deep"):
        make_skill(root / name, TEXT.replace("NAME", name))
    assets = root / "many" / "assets"
    assets.mkdir()
    for number in range(Budget().files):
        os.close(os.open(assets / f"{number}.bin", os.O_CREAT | os.O_WRONLY))
    root.joinpath("deep", *("d" * (Budget().depth + 1))).mkdir(parents=True)
    return root


@pytest.mark.slow
def test_lint_fix_and_diff_give_up_these_skills_only(skills: Path, skilltool: Skilltool) -> None:
    expected = [
        f".claude/skills/deep/SKILL.md:1:1: error[over-bound]: check was stopped: {DEEP}",
        f".claude/skills/many/SKILL.md:1:1: error[over-bound]: check was stopped: {MANY}",
    ]
    done = skilltool("lint", "--ignore", "file", "--output-format", "concise")
    assert done.returncode == 1
    assert [line for line in done.stdout.splitlines() if ": error[" in line] == expected
    assert "SKILLTOOL_TIMEOUT" not in skilltool("lint").stdout
    planned = skilltool("lint", "--diff")
    assert planned.returncode == 1
    assert [line for line in planned.stdout.splitlines() if line.startswith("+++")] == [
        "+++ b/.claude/skills/good/SKILL.md"
    ]
    assert all(line in planned.stderr for line in expected)
    fixed = skilltool("lint", "--fix", "--output-format", "concise")
    assert fixed.returncode == 1
    assert [line for line in fixed.stdout.splitlines() if "[" in line] == expected
    changed = [
        name for name in ("good", "many", "deep") if b"\r" not in (skills / name / "SKILL.md").read_bytes()
    ]
    assert changed == ["good"]


@pytest.mark.slow
def test_a_text_of_standard_input_does_not_make_the_directory_smaller(skills: Path) -> None:
    file = skills / "many" / "SKILL.md"
    command = [sys.executable, "-m", "skilltool", "lint", "-", "--stdin-filename", file]
    done = subprocess.run(command, input=TEXT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"error[over-bound]: check was stopped: {MANY}" in done.stdout


@pytest.mark.slow
def test_pack_fails_and_writes_nothing(skills: Path, skilltool: Skilltool) -> None:
    for name, reason in (("many", MANY), ("deep", DEEP)):
        done = skilltool("pack", skills / name)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == f"skilltool: .claude/skills/{name}: check was stopped: {reason}\n"
    assert not list(skills.parents[1].glob("*.skill"))


@pytest.mark.slow
def test_a_runtime_that_reads_only_the_skill_file_loads_it(skills: Path, skilltool: Skilltool) -> None:
    done = skilltool("resolve", "--runtime", "claude-code", "--fail-on", "skipped")
    assert done.returncode == 0, done.stderr
    assert "many " in done.stdout
    assert skilltool("render", "many", "--runtime", "claude-code").returncode == 0


@pytest.mark.slow
def test_texts_count_as_far_as_rules_read_them(
    repo: Path, make_skill: MakeSkill, skilltool: Skilltool
) -> None:
    skill = make_skill(repo / "skills" / "texts", TEXT.replace("NAME", "texts"))
    for number in range(17):
        (skill / f"{number}.md").write_bytes(b"# A\n" * (Budget().file // 4))
    done = skilltool("lint", "--notes", "--output-format", "concise")
    assert done.returncode == 0, done.stdout
    left_out = (
        "8.md:1:1: info[over-bound]: file and 1 more were not checked: "
        "the skill exceeds skilltool's limit of 16 MiB of text"
    )
    assert left_out in done.stdout


def test_a_text_that_is_read_twice_counts_once(tmp_path: Path, make_skill: MakeSkill) -> None:
    directory = make_skill(tmp_path / "texts", TEXT.replace("NAME", "texts"))
    for number in range(16):
        (directory / f"{number}.md").write_bytes(b"x" * Budget().file)
    skill = load_skill(directory)
    for number in [*range(15), *range(15)]:
        assert skill.read_text(f"{number}.md")
    with pytest.raises(OverBudgetError, match="more than 16 MiB of text"):
        skill.read_text("15.md")


@pytest.mark.parametrize(
    ("files", "directories", "excess"),
    [(9, 10, None), (10, 0, "10 files"), (3, 11, "10 directories")],
)
def test_files_and_directories_each_have_the_limit(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    make_skill: MakeSkill,
    files: int,
    directories: int,
    excess: str | None,
) -> None:
    monkeypatch.setattr(tree, "MAX_FILES", 10)
    directory = make_skill(tmp_path / "pdf")
    for number in range(files):
        (directory / f"f{number}").symlink_to("SKILL.md")
    for number in range(directories):
        (directory / f"d{number}").mkdir()
    found = tree.read(directory).excess
    assert found == (excess and f"was stopped: more than {excess}, skilltool's limit for one skill")


def test_a_virtual_environment_and_what_tools_keep_do_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make_skill: MakeSkill
) -> None:
    monkeypatch.setattr(tree, "MAX_FILES", 12)
    directory = make_skill(tmp_path / "pdf")
    for name in ("node_modules", "venv", "venv/bin"):
        (directory / name).mkdir()
        for number in range(10):
            (directory / name / str(number)).touch()
    (directory / "venv" / "pyvenv.cfg").touch()
    found = tree.read(directory)
    assert (found.files, found.excess, found.complete) == ({"SKILL.md"}, None, False)


@pytest.mark.slow
def test_no_option_hides_a_file_that_is_too_large(
    repo: Path, make_skill: MakeSkill, skilltool: Skilltool
) -> None:
    make_skill(repo / "large", TEXT.replace("NAME", "large") + "Read the fields.\n" * (1 << 16))
    (repo / "skilltool.toml").write_text('[per-file-ignores]\n"*" = ["over-bound"]\n', "utf-8")
    for options in ([], ["--ignore", "file"], ["--ignore", "over-bound"], ["--select", "body"]):
        done = skilltool("lint", *options, "--output-format", "concise")
        assert done.returncode == 1
        assert (
            "error[over-bound]: check was stopped: more than 1 MiB in SKILL.md, skilltool's limit"
            in done.stdout
        )


def test_a_skill_may_take_two_gib_of_memory_and_a_message_says_so() -> None:
    assert Budget().memory == 2 * 1024**3
    assert out_of_memory(Budget()) == "took more than 2 GiB of memory, skilltool's limit for one skill"
