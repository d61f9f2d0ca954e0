"""What each template gives lies in the right root, lints, loads and renders."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from skilltool.text.frontmatter import read
from skilltool.text.source import Source
from tests.conftest import Skilltool, slow
from tests.scaffold.making import NAMES, ROOTS, TEMPLATES, leftovers

# The reference library of the specification takes no list in brackets, which document 001 has.
PAIRS = [(name, root) for name in NAMES for root in ROOTS if (name, root) != ("toolset", "agentskills")]


def next_steps(printed: str) -> list[str]:
    """Return the lines after `next:`."""
    return [line.strip() for line in printed.partition("next:\n")[2].splitlines()]


@slow
@pytest.mark.parametrize(("name", "runtime"), PAIRS)
def test_what_a_template_gives_lies_in_the_root_lints_and_renders(
    skilltool: Skilltool, repo: Path, name: str, runtime: str
) -> None:
    run = skilltool("new", "first-skill", "--template", name, "--runtime", runtime, "--no-input")
    assert run.returncode == 0
    directory = repo / ROOTS[runtime] / "first-skill"
    assert run.stdout.startswith(f"wrote {ROOTS[runtime]}/first-skill\n  SKILL.md")
    left = ("--ignore", "placeholder-description") if name == "basic" else ()
    linted = skilltool("lint", str(directory), "--runtime", runtime, "--fail-on", "warning", *left)
    assert (linted.returncode, linted.stderr) == (0, "")
    steps = next_steps(run.stdout)
    file = f"{ROOTS[runtime]}/first-skill/SKILL.md"
    assert [steps[0], *(step.split()[:2] for step in steps[1:])] == [
        f"write the description in {file}: it is still a TODO" if name == "basic" else f"edit {file}",
        ["skilltool", "lint"],
        ["skilltool", "render"],
    ]
    assert skilltool(*shlex.split(steps[2])[1:]).returncode == 0
    assert leftovers(repo) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_only_the_basic_template_leaves_text_to_write_and_lint_finds_all_of_it(
    skilltool: Skilltool, repo: Path, name: str
) -> None:
    run = skilltool("new", "first-skill", "--template", name, "--no-input", "--runtime", "agent")
    assert run.returncode == 0
    left = next(repo.rglob("SKILL.md")).read_text("utf-8").count("TODO")
    edit, lint, _render = next_steps(run.stdout)
    assert edit.endswith(": it is still a TODO") == (name == "basic")
    report = json.loads(skilltool(*shlex.split(lint)[1:], "--output-format", "json").stdout)
    found = [each for each in report["diagnostics"] if "placeholder" in each["rule"]]
    assert len(found) == left == (6 if name == "basic" else 0)
    warned = skilltool("lint").stdout
    assert ("warning[placeholder-description]" in warned) == (name == "basic")


@pytest.mark.slow
def test_a_description_that_is_given_is_not_left_to_be_written(skilltool: Skilltool, repo: Path) -> None:
    said = ("--description", "Merges PDF files. Use when asked to.")
    run = skilltool("new", "merge-pdf", *said, "--runtime", "kodelet", "--no-input")
    edit, lint, _render = next_steps(run.stdout)
    assert edit == "edit .kodelet/skills/merge-pdf/SKILL.md"
    assert "4 warnings" in skilltool(*shlex.split(lint)[1:]).stdout
    assert "no findings" in skilltool("lint").stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "target"),
    [
        (("--runtime", "claude-code"), "`claude-code` (.claude/skills)"),
        (("--runtime", "crush"), "`crush` (.crush/skills)"),
        (("--runtime", "kodelet", "--output", "lib"), None),
        (("--runtime", "pickle-bot", "--output", "lib"), None),  # has no root in a project
        (("--runtime", "copilot", "--scope", "user"), "`copilot` (.copilot/skills)"),
        (("--runtime", "cursor"), "`cursor`"),  # what it gives its model is not known
        ((), "`portable`"),
    ],
)
def test_every_command_that_is_advised_works_for_the_runtime(
    skilltool: Skilltool, repo: Path, options: tuple[str, ...], target: str | None
) -> None:
    home = {"HOME": str(repo.parent / "home")}  # in which nothing is left for other tests
    run = skilltool("new", "first-skill", "--no-input", *options, **home)
    assert run.returncode == 0
    _edit, lint, look = next_steps(run.stdout)
    linted = skilltool(*shlex.split(lint)[1:], **home).stdout
    assert "6 warnings in 1 of 1 skill" in linted
    assert (f"--runtime {options[1]}" in lint) if target is None else target in linted
    assert skilltool(*shlex.split(look)[1:], **home).returncode == 0


@pytest.mark.slow
def test_a_new_skill_has_no_sentence_of_an_example(skilltool: Skilltool, repo: Path) -> None:
    said = "Merges PDF files. Use when asked to."
    skilltool("new", "merge-pdf", "--description", said, "--no-input")
    lines = (repo / "skills/merge-pdf/SKILL.md").read_text("utf-8").splitlines()
    text = [line for line in lines if line and not line.startswith(("#", "---", "name:", "description:"))]
    assert [line for line in text if "TODO: " not in line] == [said]


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in NAMES if name != "toolset"])
def test_what_a_template_gives_has_no_finding_for_any_runtime(
    skilltool: Skilltool, repo: Path, name: str
) -> None:
    said = ("--description", "Counts words. Use when asked to.") if name == "basic" else ()
    skilltool("new", "first-skill", "--template", name, "--no-input", *said)
    run = skilltool("lint", "--runtime", "all", "--ignore", "ignored-arguments")
    assert "1 skill checked, no findings" in run.stdout


@slow
@pytest.mark.parametrize("name", NAMES)
def test_each_template_works_with_the_cookiecutter_program(tmp_path: Path, name: str) -> None:
    description = 'It\'s "a": test #1 \\ \U0001f389. Use when: asked.'
    command = [sys.executable, "-m", "cookiecutter", "--no-input", str(TEMPLATES / name), "-o", str(tmp_path)]
    answers = ["name=by-hand", f"description={description}"]
    home = {**os.environ, "HOME": str(tmp_path / "home")}
    subprocess.run([*command, *answers], check=True, capture_output=True, env=home)
    written = (tmp_path / "by-hand" / "SKILL.md").read_bytes()
    data = read(Source.decode(written)).data
    assert data is not None
    assert (data["name"], data["description"]) == ("by-hand", description)


@pytest.mark.slow
def test_the_script_of_a_template_does_what_its_body_says(skilltool: Skilltool, repo: Path) -> None:
    skilltool("new", "count", "--template", "scripts", "--no-input")
    script = repo / "skills/count/scripts/count_text.py"
    assert os.access(script, os.X_OK)
    (repo / "a.txt").write_text("one two\nthree\n", "utf-8")
    (repo / "b.txt").write_bytes(b"\xff")
    command = [sys.executable, str(script)]
    runs = [
        subprocess.run([*command, *args], cwd=repo, capture_output=True, text=True, check=False)
        for args in (["a.txt"], ["--limit", "2", "a.txt"], ["a.txt", "b.txt"], ["gone.txt"])
    ]
    assert [run.returncode for run in runs] == [0, 1, 2, 2]
    assert runs[0].stdout == "a.txt: 2 lines, 3 words, longest line 7\n"
    assert runs[1].stdout.endswith(" OVER\n")
    assert "Traceback" not in "".join(run.stderr for run in runs)


def test_the_templates_are_listed_with_what_they_are(skilltool: Skilltool) -> None:
    listed = skilltool("new", "--list").stdout.splitlines()
    assert [line.split()[0] for line in listed] == NAMES
    assert all(len(line.split()) > 3 for line in listed)
