"""The validator of skills-ref 0.1.1 itself, beside ours, on fixtures and on generated skills."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import MakeSkill
from tests.judges.skills_ref import PACKAGE, verdicts

pytestmark = pytest.mark.skipif(
    not os.environ.get("CI"), reason="installs from a registry: set CI=1 to run skills-ref itself"
)

TESTS = Path(__file__).parents[1]
VALUES = [
    *("x", "'x'", '"a\\tb"', "1.0", "true", "~", "", "a: b", "a #b", "- x", "[x]", "{a: b}", "&a x", "*a"),
    *("!!str x", "!x y", "|\n  a\n  b", ">\n  a\n\n  b", "x\n  y", "? a", "@a", "`a`", "%a", "a\tb", "\tx"),
    *("\u2028a", "a\u2028b", "\x85a", "\ufeffx", "a'b", '"a', "=", "<<", "x:", "a:b", "--- x", "...", "# c"),
    *(
        "\n  - a\n  - b",
        "\n  a: 1\n  b: 2",
        "\n  a:\n    b: c\n  d:\n      e: f",
        "\n  ? a\n  : b",
        "\n  <<: x",
    ),
    *("\n  <<:\n    a: b\n  c: d", "\n  a: 1\n  a: 2", "\n  - b: c\n    d: e", "\n  &a\n  b: c", "|2\n   a"),
    *(
        "\n  # c\n  a: b",
        "x\t# c",
        "\n\t\n  a: b",
        "|\n  a\tb",
        "'a\n\tb'",
        "\n  a:\n    b: c\n  d: e\n  f:\n    g: h",
    ),
]


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("skills-ref")
    subprocess.run([sys.executable, "-m", "venv", place], check=True)
    python = place / ("Scripts" if os.name == "nt" else "bin") / "python"
    install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", PACKAGE]
    subprocess.run([python, *install], check=True)
    return python


@pytest.mark.parametrize("pack", ["goldens", "goldens-public"])
def test_the_fixtures_are_refused_alike(python: Path, pack: str) -> None:
    said = list(verdicts(python, TESTS / pack / "fixtures"))
    assert len(said) > 40
    assert [each for each in said if not (each.same and each.same_words)] == []


def test_generated_skills_are_refused_alike(python: Path, repo: Path, make_skill: MakeSkill) -> None:
    for number, value in enumerate(VALUES):
        name = f"a{number}"
        make_skill(repo / "skills" / name, f"---\nname: {name}\ndescription: {value}\n---\n\nText.\n")
        text = f"---\nname: b{number}\ndescription: Fills in forms.\nmetadata: {value}\n---\n\nText.\n"
        make_skill(repo / "skills" / f"b{number}", text)
    said = list(verdicts(python, repo))
    assert len(said) == 2 * len(VALUES)
    assert [each for each in said if not (each.same and each.same_words)] == []


def test_the_command_says_the_same_as_the_library(python: Path, repo: Path, make_skill: MakeSkill) -> None:
    skill = make_skill(repo / "a", "---\nname: A_b\ndescription: d\nextra: x\n---\n\nText.\n")
    (verdict,) = verdicts(python, repo)
    command = python.with_name("agentskills")
    run = subprocess.run([command, "validate", skill], capture_output=True, encoding="utf-8", check=False)
    assert run.returncode == 1
    assert [line.removeprefix("  - ") for line in run.stderr.splitlines()[1:]] == verdict.ours
