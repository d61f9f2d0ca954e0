"""On a terminal snippets and the matrix fit it; in a pipe and in a file they are the same for everyone."""

from __future__ import annotations

from pathlib import Path

import pytest
from wcwidth import wcswidth

from tests.conftest import MakeSkill, Skilltool
from tests.support.terminal import Terminal

LINE = "前 " + "Some words before the link. " * 4 + "[it](gone.md)" + " Some words after it." * 9
SKILL = f"---\nname: a\ndescription: Fills in forms. Use when asked.\n---\n\n{LINE}\n"


@pytest.mark.slow
@pytest.mark.parametrize("columns", [40, 60, 80, 120])
def test_a_terminal_s_width_is_the_width_of_snippets(repo: Path, make_skill: MakeSkill, columns: int) -> None:
    make_skill(repo / "a", SKILL)
    with Terminal("lint", "--color", "never", cwd=repo, COLUMNS=str(columns)) as terminal:
        lines = terminal.rest().splitlines()
    (shown,) = (line for line in lines if line.startswith("6 | "))
    carets = lines[lines.index(shown) + 1]
    assert columns - 1 <= wcswidth(shown) <= columns
    assert carets.index("^") == wcswidth(shown[: shown.index("gone.md")])


@pytest.mark.slow
def test_a_pipe_and_a_file_are_the_same_whatever_the_environment_says(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / "a", SKILL)
    make_skill(repo / f"{'long-' * 9}name")
    arguments = ("lint", "--runtime", "all", "--fail-on", "never")
    printed = {skilltool(*arguments, COLUMNS=columns).stdout for columns in ("", "40", "200")}
    assert len(printed) == 1
    (text,) = printed
    assert max(wcswidth(line) for line in text.splitlines() if line.startswith("6 | ")) == 100
    with Terminal(*arguments, "-o", "report", cwd=repo, COLUMNS="60", FORCE_COLOR="1") as terminal:
        said = terminal.rest()
        assert not said or "checking" in said  # a bar, where the machine is busy
        assert "gone.md" not in said
    assert (repo / "report").read_text("utf-8") == text


@pytest.mark.slow
def test_the_matrix_fits_the_terminal(repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / "a")
    make_skill(repo / f"{'long-' * 9}name")
    arguments = ("lint", "--runtime", "all", "--ignore", "all", "--color", "never")
    with Terminal(*arguments, cwd=repo, COLUMNS="60") as terminal:
        lines = terminal.rest().splitlines()
    assert max(map(wcswidth, lines)) <= 60
    assert sum(line.endswith("name") or "-name " in line for line in lines) >= 2


def test_grouped_is_a_format_of_the_command(skilltool: Skilltool, repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / "a", SKILL)
    (repo / "skilltool.toml").write_text('output-format = "grouped"\n', "utf-8")
    column = LINE.index("gone.md") + 1
    concise = skilltool("lint", "--output-format", "concise").stdout.splitlines()[0]
    heading, line, *_ = skilltool("lint").stdout.splitlines()
    assert heading == "a/SKILL.md:"
    assert line == concise.replace(f"a/SKILL.md:6:{column}:", f"  6:{column} ")
