"""What the README shows is true: its transcript, its configuration, its commands, its table."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from skilltool.cli import COMMANDS
from skilltool.lint import config, settings

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def run(arguments: str, cwd: Path) -> str:
    command = [sys.executable, "-m", *arguments.split()]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False).stdout


def test_the_transcript_is_what_the_commands_print(tmp_path: Path) -> None:
    (skill,) = blocks("markdown")
    file = tmp_path / "PDF_Tools" / "SKILL.md"
    file.parent.mkdir()
    file.write_text(skill, "utf-8")
    broken, quoted = (block.partition("\n") for block in blocks("console")[:2])
    assert broken[2] == run(broken[0].removeprefix("$ "), tmp_path)
    assert quoted[2] == run(quoted[0].removeprefix("$ "), tmp_path)


def test_what_the_model_sees_is_what_the_commands_print(tmp_path: Path) -> None:
    description = "Greets people. Use when the user says hello."
    greet = f"---\nname: greet\ndescription: {description}\n---\n\n# Greet\n\nSay hello to $ARGUMENTS.\n"
    for root in (".agents/skills", ".kodelet/skills", "skills"):
        (tmp_path / root / "greet").mkdir(parents=True)
        (tmp_path / root / "greet" / "SKILL.md").write_text(greet, "utf-8")
    for block in blocks("console")[2:]:
        for step in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n?)*)", block, re.MULTILINE):
            printed = run(f"{step[0]}", tmp_path)
            assert step[1].replace("DIR", str(tmp_path)).rstrip("\n") == printed.rstrip("\n")


def test_the_configuration_shown_is_valid(tmp_path: Path) -> None:
    (shown,) = blocks("toml")
    (tmp_path / "pyproject.toml").write_text(shown, "utf-8")
    found = config.find(tmp_path)
    assert found.values == tomllib.loads(shown)["tool"]["skilltool"]
    assert "vague-description" in settings.resolve(found, {}).rules


def test_start_shows_two_commands_and_the_first_checks_the_examples() -> None:
    commands = subprocess.run([ROOT / ".ci" / "readme-commands"], capture_output=True, text=True, check=True)
    install_and_lint, install_and_test = commands.stdout.splitlines()
    assert install_and_lint.endswith(".venv/bin/skilltool lint examples")
    assert install_and_test.endswith(".venv/bin/python -m pytest --quiet -n auto --dist loadfile")


def test_the_examples_that_ship_are_clean() -> None:
    assert run("skilltool lint examples --fail-on info", ROOT) == "3 skills checked, no findings\n"


def test_every_command_is_in_the_table() -> None:
    assert set(re.findall(r"^\| `skilltool (\w+)", README, re.MULTILINE)) == set(COMMANDS)


def test_what_is_generated_is_fresh(tmp_path: Path) -> None:
    """`.ci/generate` writes it; here it is generated beside the checkout."""
    shutil.copytree(ROOT / ".ci", tmp_path / ".ci", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "schemas", tmp_path / "schemas")
    stale = tmp_path / "docs" / "rules" / "gone-rule.md"
    stale.parent.mkdir(parents=True)
    stale.touch()
    (tmp_path / "README.md").write_text(README, "utf-8")
    subprocess.run([sys.executable, str(tmp_path / ".ci" / "generate")], check=True)
    assert (tmp_path / "README.md").read_text("utf-8") == README
    assert (tmp_path / "docs" / "format.md").read_bytes() == (ROOT / "docs" / "format.md").read_bytes()
    schema = Path("schemas", "config.schema.json")
    assert (tmp_path / schema).read_bytes() == (ROOT / schema).read_bytes()
    assert pages(tmp_path) == pages(ROOT)


def pages(top: Path) -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in (top / "docs" / "rules").iterdir()}
