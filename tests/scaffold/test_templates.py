"""What each template gives lies in the right root, lints, loads and renders."""

from __future__ import annotations

import json
import os
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


@slow
@pytest.mark.parametrize(("name", "runtime"), PAIRS)
def test_what_a_template_gives_lies_in_the_root_lints_and_renders(
    skilltool: Skilltool, repo: Path, name: str, runtime: str
) -> None:
    run = skilltool("new", "first-skill", "--template", name, "--runtime", runtime, "--no-input")
    assert run.returncode == 0
    directory = repo / ROOTS[runtime] / "first-skill"
    assert run.stdout.startswith(f"wrote {ROOTS[runtime]}/first-skill\n  SKILL.md")
    linted = skilltool("lint", str(directory), "--runtime", runtime, "--fail-on", "warning")
    assert (linted.returncode, linted.stderr) == (0, "")
    steps = run.stdout.partition("next:\n")[2].splitlines()
    assert [step.split()[:2] for step in steps] == [
        ["edit", f"{ROOTS[runtime]}/first-skill/SKILL.md"],
        ["skilltool", "lint"],
        ["skilltool", "render"],
    ]
    render = steps[2].replace('"..."', "words").split()[1:]
    assert skilltool(*render).returncode == 0
    assert leftovers(repo) == []


@pytest.mark.parametrize("name", NAMES)
def test_only_the_basic_template_leaves_text_to_write_and_lint_finds_all_of_it(
    skilltool: Skilltool, repo: Path, name: str
) -> None:
    run = skilltool("new", "first-skill", "--template", name, "--no-input", "--runtime", "agent")
    text = next(repo.rglob("SKILL.md")).read_text("utf-8")
    body = text.split("---\n", 2)[2]
    found = json.loads(skilltool("lint", "--select", "pedantic", "--output-format", "json").stdout)
    slots = [each for each in found["diagnostics"] if each["rule"] == "leftover-placeholder"]
    assert len(slots) == body.count("TODO") == (5 if name == "basic" else 0)
    assert ("--extend-select leftover-placeholder" in run.stdout) == (name == "basic")


def test_a_new_skill_has_no_sentence_of_an_example(skilltool: Skilltool, repo: Path) -> None:
    said = "Merges PDF files. Use when asked to."
    skilltool("new", "merge-pdf", "--description", said, "--no-input")
    lines = (repo / "skills/merge-pdf/SKILL.md").read_text("utf-8").splitlines()
    text = [line for line in lines if line and not line.startswith(("#", "---", "name:", "description:"))]
    assert [line for line in text if "TODO: " not in line] == [said]


@pytest.mark.parametrize("name", [name for name in NAMES if name != "toolset"])
def test_what_a_template_gives_has_no_finding_for_any_runtime(
    skilltool: Skilltool, repo: Path, name: str
) -> None:
    skilltool("new", "first-skill", "--template", name, "--no-input")
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
