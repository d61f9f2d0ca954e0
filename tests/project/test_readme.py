"""The README is short, begins with a picture, and shows only what a reader can repeat in a clone."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
LINES, COLUMNS = 150, 120  # read in two minutes


def section(heading: str) -> str:
    return README.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def test_it_is_read_in_two_minutes() -> None:
    assert len(README.splitlines()) <= LINES
    assert [line for line in README.splitlines() if len(line) > COLUMNS] == []


def test_a_picture_of_three_fates_comes_first() -> None:
    assert README.startswith("# skilltool\n\n![One SKILL.md: ")
    picture = (ROOT / "docs" / "fates.svg").read_text("utf-8")
    shown = [text for text in ElementTree.fromstring(picture).itertext() if text.strip()]
    for client, state in (("claude-code", "loaded"), ("codex", "truncated"), ("gemini-cli", "rejected")):
        assert shown[shown.index(client) + 1] == state
    assert re.findall(r"https?://[^\"]+|@import|href|url\((?!#)", picture) == ["http://www.w3.org/2000/svg"]


def test_start_and_develop_have_one_command_each_with_its_status() -> None:
    commands = subprocess.run([ROOT / ".ci" / "readme-commands"], capture_output=True, text=True, check=True)
    start, develop = commands.stdout.splitlines()
    assert start.startswith("1 python3 -m venv .venv && ")
    assert start.endswith(" && .venv/bin/skilltool lint examples/tour")
    assert "exits with status 1" in section("Start")
    assert develop.startswith("0 python3 -m venv .venv && ")
    assert develop.endswith(".venv/bin/python -m pytest -q -n auto --dist loadfile")


def test_the_command_of_start_ends_with_the_status_that_is_said() -> None:
    command = [sys.executable, "-m", "skilltool", "lint", "examples/tour"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert "error[" in run.stdout


def test_it_shows_five_examples_in_the_tour() -> None:
    shown = section("Five things it does")
    titles = re.findall(r"^\*\*(\w+)\.\*\*.*?^```console$", shown, re.MULTILINE | re.DOTALL)
    assert titles == ["Lint", "Fix", "Resolve", "Render", "Cost"]
    assert re.findall(r"<!-- project: ([\w-]+) -->", README) == ["tour"]


def test_three_commands_answer_why_a_skill_does_not_load() -> None:
    (block,) = re.findall(r"^```sh\n(.*?)^```", section("My skill does not load"), re.MULTILINE | re.DOTALL)
    commands = [line.split() for line in block.splitlines()]
    assert [words[:2] for words in commands] == [
        ["skilltool", name] for name in ("resolve", "lint", "render")
    ]


def test_the_examples_that_ship_are_clean() -> None:
    command = [sys.executable, "-m", "skilltool", "lint", "examples", "--fail-on", "info"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (run.returncode, "3 skills" in run.stdout) == (0, True), run.stdout + run.stderr
