"""The README is short, shows two commands and a picture, and its examples are clean."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
LINES = 125  # read in two minutes


def test_it_is_read_in_two_minutes() -> None:
    assert len(README.splitlines()) <= LINES


def test_start_shows_two_commands_and_the_first_checks_the_examples() -> None:
    commands = subprocess.run([ROOT / ".ci" / "readme-commands"], capture_output=True, text=True, check=True)
    install_and_lint, install_and_test = commands.stdout.splitlines()
    assert install_and_lint.endswith(".venv/bin/skilltool lint examples")
    assert install_and_test.endswith(".venv/bin/python -m pytest --quiet -n auto --dist loadfile")


def test_the_two_commands_are_all_that_a_reader_is_told_to_run() -> None:
    assert len(re.findall(r"^```sh$", README, re.MULTILINE)) == 2


def test_the_picture_comes_before_the_commands() -> None:
    assert README.index("](docs/lint.svg)") < README.index("```sh")


def test_it_shows_five_examples() -> None:
    section = README.partition("## Five things it does\n")[2].partition("\n## Documentation\n")[0]
    titles = re.findall(r"^\*\*(\w+)\.\*\*.*?^```console$", section, re.MULTILINE | re.DOTALL)
    assert titles == ["Lint", "Fix", "Resolve", "Render", "Cost"]


def test_the_examples_that_ship_are_clean() -> None:
    command = [sys.executable, "-m", "skilltool", "lint", "examples", "--fail-on", "info"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (run.returncode, "3 skills" in run.stdout) == (0, True), run.stdout + run.stderr
