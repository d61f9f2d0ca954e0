"""`resolve NAME` shows every copy that the name could mean, in order, and the reason of each."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import MakeSkill, Skilltool

BASE = ("--runtime", "agent-base@0.3.2")


def named(name: str, description: str = "Says so. Use when asked.") -> str:
    return f"---\nname: {name}\ndescription: {description}\n---\n\nText.\n"


def outcomes(skilltool: Skilltool, *arguments: str) -> list[tuple[str, str]]:
    """Return folder and outcome of each candidate, as JSON has them."""
    run = skilltool("resolve", *arguments, "--output-format", "json")
    found = json.loads(run.stdout)["candidates"]
    assert run.returncode == (0 if any(each["outcome"].startswith("loads") for each in found) else 1)
    return [(Path(each["directory"]).name, each["outcome"]) for each in found]


def test_a_refused_copy_is_found_by_the_name_in_its_file(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / ".kodelet/skills/old", named("pdf", "123"))
    make_skill(repo / ".kodelet/skills/older", named("'pdf'", "a: b"))
    make_skill(repo / "home/.kodelet/skills/pdf-v2", named("pdf"))
    found = outcomes(skilltool, "pdf", "--runtime", "kodelet", "--home", "home")
    assert found == [("old", "is skipped"), ("older", "is skipped"), ("pdf-v2", "loads as `pdf`")]
    by_folder = outcomes(skilltool, "pdf-v2", "--runtime", "kodelet", "--home", "home")
    assert by_folder == found


@pytest.mark.parametrize("edition", ["kodelet", "kodelet@2025-12", "kodelet@0.5.36"])
@pytest.mark.parametrize("setting", ["allowed=doc", "enabled=false", "no_skills=true"])
def test_a_copy_that_is_switched_off_is_found_by_its_key(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill, edition: str, setting: str
) -> None:
    make_skill(repo / ".kodelet/skills/pdf-tools", named("pdf"))
    found = outcomes(skilltool, "pdf", "--runtime", edition, "--set", setting)
    assert found == [("pdf-tools", "is skipped")]


def test_a_bundled_copy_that_is_off_is_found_by_its_key(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / "bundled_skills/one", named("Pdf_X"))
    options = (*BASE, "--set", 'disabled_bundled=["pdf-x"]')
    assert outcomes(skilltool, "pdf-x", *options) == [("one", "is skipped")]


def test_all_copies_of_a_key_are_shown(skilltool: Skilltool, repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / "bundled_skills/one", named("Pdf_X"))
    make_skill(repo / "bundled_skills/two", named("pdf-x"))
    found = [("one", "is shadowed"), ("two", "loads as `pdf-x`")]
    for name in ("Pdf_X", "pdf-x", "one", "two"):
        assert outcomes(skilltool, name, *BASE) == found


def test_a_skill_of_a_plugin_is_found_by_its_own_name(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / ".kodelet/plugins/org@repo/skills/f", named("x"))
    found = outcomes(skilltool, "x", "--runtime", "kodelet@0.5.36")
    assert found == [("f", "loads as `org@repo/x`")]
    assert outcomes(skilltool, "org@repo/x", "--runtime", "kodelet@0.5.36") == found


def test_a_path_means_the_skill_at_it(skilltool: Skilltool, repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / ".kodelet/skills/a/", named("pdf"))
    make_skill(repo / ".kodelet/skills/b/", named("pdf"))
    make_skill(repo / ".kodelet/skills/c/", "# Nothing\n")
    found = [("a", "loads as `pdf`"), ("b", "is shadowed")]
    b = ".kodelet/skills/b"
    for path in (".kodelet/skills/a", f"./{b}/", str(repo / b), f"{b}/SKILL.md", str(repo / b / "SKILL.md")):
        assert outcomes(skilltool, path, "--runtime", "kodelet") == found
    assert outcomes(skilltool, ".kodelet/skills/c", "--runtime", "kodelet") == [("c", "is skipped")]


@pytest.mark.slow
@pytest.mark.parametrize("runtime", ["agent", "agent-harness@0.3.24", "agentskills", "kodelet", "portable"])
def test_the_reason_changes_with_the_places_of_the_roots(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill, runtime: str
) -> None:
    make_skill(repo / "a/forms")
    make_skill(repo / "b/forms")
    roles = ("", "") if runtime == "portable" else ("user=", "project=")

    def lines(*places: str) -> list[str]:
        roots = [part for role, place in zip(roles, places, strict=True) for part in ("--root", role + place)]
        run = skilltool("resolve", "forms", "--runtime", runtime, *roots)
        assert run.returncode == 0
        return run.stdout.splitlines()

    before, after = lines("a", "b"), lines("b", "a")
    reasons_before, reasons_after = ({line.partition(": ")[2] for line in each} for each in (before, after))
    assert not reasons_before & reasons_after
    for line in (*before, *after):
        assert "a/forms" in line
        assert "b/forms" in line


def test_a_root_that_is_not_looked_through_is_named(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / ".agent/skills/forms")
    options = (*BASE, "--home", str(repo))
    assert (
        "(0 loaded; only plugins listed in the setting `plugins` are loaded from it)"
        in skilltool("resolve", *options).stdout
    )
    assert outcomes(skilltool, "forms", *options) == [("forms", "is skipped")]
    plugin = ("--set", 'plugins=[{"name": "forms"}]')
    assert outcomes(skilltool, "forms", *options, *plugin) == [("forms", "loads as `forms`")]


def test_the_state_that_is_assumed_is_said(skilltool: Skilltool, repo: Path) -> None:
    options = ("resolve", "--runtime", "pickle-bot", "--home", str(repo))
    assert "\nassumed: allow_skills=true, " in skilltool(*options).stdout
    data = json.loads(skilltool(*options, "--output-format", "json").stdout)
    assert data["assumed"] == {"allow_skills": True}
    assert "\nassumed: " not in skilltool(*options, "--set", "allow_skills=true").stdout


def test_toolsets_and_scripts_that_are_there_are_listed(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    more = "toolsets:\n  - tools/a:Tool\n  - gone:Tool\nscripts: [run.ts]"
    skill = make_skill(repo / ".agent/skills/f", named("f").replace("\n---\n\n", f"\n{more}\n---\n\n"))
    for file, text in (("tools/a.ts", "export class Tool {}\n"), ("scripts/run.ts", "")):
        (skill / file).parent.mkdir()
        (skill / file).write_text(text, "utf-8")
    options = ("resolve", "--runtime", "agent", "--home", "home")
    (repo / "home").mkdir()
    assert "      toolsets: tools/a:Tool\n      scripts: run.ts\n" in skilltool(*options).stdout
    (found,) = json.loads(skilltool(*options, "--output-format", "json").stdout)["skills"]
    assert (found["toolsets"], found["scripts"]) == (["tools/a:Tool"], ["run.ts"])


def test_copies_of_which_chance_decides_are_not_determined(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    (repo / "home").mkdir()
    for folder in (".opencode/skills/a", ".agents/skills/b"):
        make_skill(repo / folder, named("twin"))
    opencode = ("--runtime", "opencode", "--home", "home")
    chance = "loads as `twin`, or a different copy does (ambiguous)"
    assert sorted(outcomes(skilltool, "twin", *opencode)) == [("a", chance), ("b", chance)]
    alone = skilltool("resolve", *opencode).stdout
    assert "      ambiguous: all copies are read concurrently" in alone
    data = json.loads(skilltool("resolve", *opencode, "--output-format", "json").stdout)
    assert data["undetermined"].startswith("all files are read concurrently")
    assert [each["undetermined"] for each in data["shadowed"]] == [True]


def test_a_table_says_for_which_clients_a_copy_is_not_determined(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    (repo / "home").mkdir()
    for folder in (".gemini/skills/a", ".gemini/skills/b", ".agents/skills/c"):
        make_skill(repo / folder, named("last" if folder.endswith("c") else "twin"))
    both = ("--runtime", "gemini-cli,agentskills", "--home", "home")
    table = skilltool("resolve", *both).stdout
    rows = [line for line in table.splitlines() if "/skills/" in line and " or " not in line]
    assert ["ambiguous" in row for row in rows] == [True, True, False]
    assert ["/skills/c" in row for row in rows] == [False, False, True]
    assert "gemini-cli loads .gemini/skills/a or .gemini/skills/b; which one can vary between starts" in table
    data = json.loads(skilltool("resolve", *both, "--output-format", "json").stdout)
    seen = {Path(each["directory"]).name: each["seen"] for each in data["copies"]}
    assert {name: [each["undetermined"] for each in found] for name, found in seen.items()} == {
        "a": [True],
        "b": [True],
        "c": [False, False],
    }


def test_copies_that_a_fixed_order_decides_are_determined(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    (repo / "home").mkdir()
    for folder in (".gemini/skills/a", ".agents/skills/b"):
        make_skill(repo / folder, named("twin"))
    found = outcomes(skilltool, "twin", "--runtime", "gemini-cli", "--home", "home")
    assert found == [("a", "is shadowed"), ("b", "loads as `twin`")]


def test_what_is_truncated_while_it_is_loaded_is_told_by_all(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    """copilot and deepagents keep the first 1,024 characters; cline lists the names of all skills only."""
    make_skill(repo / ".agents/skills/pdf", named("pdf", "Fills in forms. " * 80))
    (repo / "home").mkdir()
    make_skill(repo / ".agents/skills/doc", named("doc"))
    clients = ("--runtime", "copilot,cline,codex", "--home", "home")
    run = skilltool("resolve", *clients, "--output-format", "json")
    states = {
        (each["skill"], seen["runtime"]): seen["cut"]
        for each in json.loads(run.stdout)["copies"]
        for seen in each["seen"]
    }
    assert states == {
        ("doc", "cline"): False,
        ("doc", "codex"): False,
        ("doc", "copilot"): False,
        ("pdf", "cline"): False,
        ("pdf", "codex"): True,
        ("pdf", "copilot"): True,
    }
    text = skilltool("resolve", *clients).stdout
    assert "loaded, name only" in text
    assert "loaded, truncated" in text
    assert "`pdf`" in skilltool("cost", "--runtime", "copilot", "--home", "home").stdout
    assert "truncated" not in skilltool("cost", "--runtime", "cline", "--home", "home").stdout
