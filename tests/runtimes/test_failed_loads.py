"""A runtime that fails to load its skills as a whole does not look like one that has none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import MakeSkill, Skilltool

PLAIN_FILES = [
    ("nfa", ".nfa/skills", "create skills directory error: mkdir "),
    ("nfa@2026-02", ".nfa/skills", "create skills directory error: mkdir "),
    ("pickle-bot", ".pickle-bot/skills", "[Errno 20] Not a directory"),
    ("agent", ".agent/skills", "[Errno 20] Not a directory"),
]


@pytest.mark.parametrize(("runtime", "root", "reason"), PLAIN_FILES)
def test_a_plain_file_in_the_place_of_the_root(
    skilltool: Skilltool, repo: Path, runtime: str, root: str, reason: str
) -> None:
    (repo / root).parent.mkdir()
    (repo / root).touch()
    fails(skilltool, ("--runtime", runtime, "--home", str(repo)), reason)


@pytest.mark.parametrize("runtime", ["mycodeagent@2026-01", "mycodeagent@2026-07"])
def test_one_file_that_is_not_utf_8_ends_the_start(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill, runtime: str
) -> None:
    make_skill(repo / "skills/good")
    (make_skill(repo / "skills/bad") / "SKILL.md").write_bytes(b"\xff")
    fails(skilltool, ("--runtime", runtime), "'utf-8' codec can't decode byte 0xff")


def fails(skilltool: Skilltool, options: tuple[str, ...], reason: str) -> None:
    """Check that `resolve` and `render` say why loading fails, and have status 1."""
    shown = skilltool("resolve", *options)
    assert (shown.returncode, "loading failed: " in shown.stdout) == (1, True)
    assert skilltool("resolve", *options, "--fail-on", "never").returncode == 0
    calls = ("--query", "x") if "agent" in options else ("--call", "{}")
    for asked in (("good",), ("--part", "catalog"), calls):
        run = skilltool("render", *asked, *options)
        assert (run.returncode, run.stdout) == (1, "")
        assert "fails to load its skills and gives its model nothing: " in run.stderr
        assert reason in run.stderr


@pytest.mark.parametrize("runtime", ["nfa@2026-02", "nfa@2026-04"])
def test_what_is_logged_of_a_skipped_skill_is_a_warning(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill, runtime: str
) -> None:
    make_skill(repo / ".nfa/skills/bad", "# No frontmatter\n")
    options = ("resolve", "--runtime", runtime, "--home", str(repo))
    data = json.loads(skilltool(*options, "--output-format", "json").stdout)
    assert data["warnings"] == [data["skipped"][0]["message"]]
    assert skilltool(*options, "--fail-on", "warning").returncode == 1


def test_a_root_that_nfa_goes_on_without_is_a_warning(skilltool: Skilltool, repo: Path) -> None:
    (repo / ".nfa").mkdir()
    (repo / ".nfa/skills").touch()
    run = skilltool("resolve", "--runtime", "nfa@2026-04", "--home", str(repo))
    assert run.returncode == 0
    assert "warning: WARN load user skills error: read skills directory error: " in run.stdout
