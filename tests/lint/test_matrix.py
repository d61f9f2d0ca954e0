"""`lint --runtime all` has one line per skill with its state in each runtime, as `resolve` shows it."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from skilltool import runtimes
from skilltool.lint import settings
from skilltool.lint.config import Config
from skilltool.lint.matrix import Cell
from skilltool.lint.run import check_skills
from skilltool.report import render
from skilltool.skill import schema
from tests.conftest import Skilltool, slow

FIXTURES = Path(__file__).parents[1] / "goldens" / "fixtures"
LOADED = Cell("loaded", "a", listed=True)


def skill(directory: Path, name: str = "", description: str = "d") -> None:
    directory.mkdir(parents=True)
    text = f"---\nname: {name or directory.name}\ndescription: {description}\n---\nDo it.\n"
    (directory / "SKILL.md").write_text(text, "utf-8")


def cells(top: Path, *targets: str) -> dict[str, dict[str, Cell]]:
    """From a skill's path under `top` to its cells; the table is that of `all` cut to `targets`."""
    chosen = settings.resolve(Config(), {"runtimes": ["all", *targets]})
    matrix = check_skills(chosen._replace(paths=(top,))).matrix
    return {
        row.path.removeprefix(f"{top.as_posix()}/").removesuffix("/SKILL.md"): row.cells for row in matrix
    }


def test_each_state_of_a_skill(tmp_path: Path) -> None:
    skill(tmp_path / ".claude/skills/a")
    skill(tmp_path / ".agent/skills/a")
    skill(tmp_path / ".agent/skills/b", "B")
    skill(tmp_path / "skills/c", "c", "x" * 600)
    skill(tmp_path / "skills/d", "e")
    found = cells(tmp_path, "agent-harness@0.3.24")
    harness = "agent-harness@0.3.24"
    assert found[".claude/skills/a"][harness] == Cell("shadowed")
    assert found[".agent/skills/a"][harness] == LOADED
    assert found[".agent/skills/b"][harness] == Cell("refused")
    assert found[".agent/skills/b"]["agent"] == Cell("loaded", "b", listed=True)
    assert found["skills/c"]["agent"] == Cell("refused")
    assert found["skills/d"]["nfa"] == Cell("loaded", "d", listed=True)
    assert found["skills/d"]["kodelet"] == Cell("loaded", "e", listed=True)


@pytest.mark.slow
def test_truncated_and_unlisted_skills(tmp_path: Path) -> None:
    for number in range(40):
        skill(tmp_path / f"skills/s{number:02}", description="Says much. " + "x" * 388)
    found = cells(tmp_path)
    assert found["skills/s00"]["agent"].cut
    assert not found["skills/s00"]["kodelet"].cut
    assert found["skills/s00"]["mycodeagent"].listed
    assert not found["skills/s39"]["mycodeagent"].listed


@pytest.mark.together
@slow
@pytest.mark.parametrize("name", [name for name in runtimes.BARE if name != "agentskills"])
def test_the_matrix_agrees_with_the_session(name: str, tmp_path: Path) -> None:
    target = runtimes.get(name)
    if target.any_roots:
        pytest.skip("the user names the roots, so that lint looks in none")
    place = target.project_roots[0] if target.project_roots else "anywhere"
    root = tmp_path / place
    root.parent.mkdir(parents=True, exist_ok=True)
    root.symlink_to(FIXTURES / "dirX")
    found = {key: row[name] for key, row in cells(tmp_path / place).items() if "/" not in key}
    role = target.roots[0].role if not target.project_roots else "project"
    settings = {name: each.in_lint for name, each in target.settings.items() if each.in_lint is not None}
    session = target.open(tmp_path, tmp_path / "none", settings, {role: root})
    found_there = (s for s in session.skills if s.directory.resolve() != root.resolve())  # not single files
    keys = {s.directory.name: s.key for s in found_there if s.directory.name != "inner"}
    assert keys == {folder: cell.key for folder, cell in found.items() if cell.state == "loaded"}


def test_a_skill_outside_every_root_counts_for_the_runtime_s_first_root(tmp_path: Path) -> None:
    skill(tmp_path / "anywhere/a")
    assert all(cell.state == "loaded" for cell in cells(tmp_path)["anywhere/a"].values())


def test_the_home_directory_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    skill(tmp_path / "home/.kodelet/skills/a")
    skill(tmp_path / "project/.kodelet/skills/b")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert set(cells(tmp_path / "project")) == {".kodelet/skills/b"}


@pytest.mark.slow
def test_the_matrix_is_in_the_text_report_and_in_json(skilltool: Skilltool, repo: Path) -> None:
    skill(repo / "skills/pdf", "other")
    text = skilltool("lint", "--runtime", "all", "--ignore", "all").stdout
    assert text.splitlines()[0].split() == ["skills/", *runtimes.BARE]
    assert text.splitlines()[1].split("  ")[0] == "pdf"
    assert "as other" in text
    data = json.loads(skilltool("lint", "--runtime", "all", "--output-format", "json").stdout)
    jsonschema.validate(data, schema.load("report"))
    assert data["matrix"][0]["cells"]["kodelet"] == {
        "state": "loaded",
        "key": "other",
        "cut": False,
        "listed": True,
    }
    assert "matrix" not in json.loads(skilltool("lint", "--output-format", "json").stdout)


def test_a_key_with_control_characters_does_not_reach_the_terminal(tmp_path: Path) -> None:
    skill(tmp_path / "skills/a", '"x\\e[31m"')
    chosen = settings.resolve(Config(), {"runtimes": ["all"]})
    assert "\x1b" not in render(check_skills(chosen._replace(paths=(tmp_path,))), "full")


def test_a_skill_that_ends_loading_makes_the_others_fail(tmp_path: Path) -> None:
    skill(tmp_path / "skills/good")
    skill(tmp_path / "skills/bad")
    (tmp_path / "skills/bad/SKILL.md").write_bytes(b"\xff")
    failing = "mycodeagent@2026-07"
    assert cells(tmp_path, failing)["skills/good"][failing] == Cell("failed")
    (tmp_path / "skills/bad/SKILL.md").unlink()
    assert cells(tmp_path, failing)["skills/good"][failing].state == "loaded"


def test_a_framework_without_roots_of_its_own_is_asked_about_each_directory(tmp_path: Path) -> None:
    skill(tmp_path / "skills/a")
    skill(tmp_path / "skills/b", "a")
    found = cells(tmp_path)
    assert found["skills/a"]["google-adk"] == Cell("loaded", "a", listed=True)
    assert found["skills/b"]["google-adk"] == Cell("refused")
    assert found["skills/b"]["agent-framework"] == Cell("refused")
