"""`skilltool resolve PACKAGE` shows what is installed of a package, and what is passed over."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Skilltool
from tests.support.marketplace import build
from tests.support.schemas import validate

# What `claude plugin install` and `claude plugin details` of Claude Code 2.1.329 say of each plugin with a
# mistake: the skills that it has, None if it cannot be installed or is not loaded.
MEASURED: dict[str, list[str] | None] = {
    "rooted": [],
    "filed": [],
    "bare": None,
    "up": ["up-b"],
    "partial": ["partial-a", "partial-b", "partial-c"],
    "twice": ["twice-a"],
    "signed": None,
    "same": ["same-a", "same-a"],
    "hidden": ["hidden-a"],
    "comma": None,
    "strict": None,
    "gone": None,
}


def resolved(skilltool: Skilltool, *arguments: str, status: int = 0) -> dict[str, Any]:
    done = skilltool("resolve", *arguments, "--output-format", "json")
    assert done.returncode == status, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    validate("package", found)
    return found


def plugin(top: Path, file: str, manifest: object, *skills: str) -> None:
    path = top / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(manifest if isinstance(manifest, str) else json.dumps(manifest), "utf-8")
    for each in skills:
        directory = top / each
        directory.mkdir(parents=True, exist_ok=True)
        text = f"---\nname: {directory.name}\ndescription: Works on files.\n---\n\nRead it.\n"
        (directory / "SKILL.md").write_text(text, "utf-8")


@pytest.mark.slow
def test_a_marketplace_gives_what_the_program_installs(repo: Path, skilltool: Skilltool) -> None:
    build(repo)
    found = resolved(skilltool, ".", "--runtime", "claude-code")
    installed = {name: [s for s in found["skills"] if s["plugin"] == name] for name in found["plugins"]}
    for name, skills in MEASURED.items():
        if skills is None:
            assert name not in installed
            assert any(each["what"] == f"plugin {name}" for each in found["passed_over"])
        else:
            assert [each["key"] for each in installed[name]] == [f"{name}:{skill}" for skill in skills]
    assert all(len(installed[name]) == 2 for name in set(installed) - set(MEASURED))
    assert len(found["plugins"]) == 19


@pytest.mark.slow
def test_what_is_passed_over_has_its_reason(repo: Path, skilltool: Skilltool) -> None:
    build(repo)
    found = resolved(skilltool, ".")
    passed = {each["what"]: each["why"] for each in found["passed_over"]}
    assert passed["plugins/rooted/extra/rooted-a"] == "not in skills/, and not listed"
    assert passed["./extra/filed-a/SKILL.md"].endswith("is a file, not a directory")
    assert passed["plugin signed"].endswith("`claude-code` does not install the plugin")
    assert passed["plugin comma"].startswith("plugins/comma/.claude-plugin/plugin.json: trailing comma")
    assert skilltool("resolve", ".", "--fail-on", "skipped").returncode == 1


def test_the_table_shows_both(repo: Path, skilltool: Skilltool) -> None:
    build(repo)
    done = skilltool("resolve", ".", "--runtime", "claude-code")
    assert done.stdout.startswith(
        "works (.claude-plugin/marketplace.json) for claude-code: 19 plugins, 32 skills\n"
    )
    assert "partial:partial-a  plugins/partial/extra/partial-a   listed as ./extra/partial-a\n" in done.stdout
    assert "\nnot installed " in done.stdout


@pytest.mark.parametrize(
    ("skills", "keys", "why"),
    [
        (["skills/a", "skills/g/b"], ["p:a"], "not directly in skills/"),
        (["skills", "skills/b"], ["p:skills"], "skills/SKILL.md hides all other skills in skills/"),
        (
            [".", "skills/a"],
            ["p:a"],
            "the plugin has skills/ or a list of skills, so the SKILL.md at its root is ignored",
        ),
        (["skills/a", "extra/b"], ["p:a"], "not in skills/, and not listed"),
    ],
)
def test_skills_that_a_plugin_does_not_offer_are_named(
    repo: Path, skilltool: Skilltool, skills: list[str], keys: list[str], why: str
) -> None:
    plugin(repo, ".claude-plugin/plugin.json", {"name": "p"}, *skills)
    found = resolved(skilltool, ".")
    assert [each["key"] for each in found["skills"]] == keys
    assert [each["why"] for each in found["passed_over"]] == [why]


def test_a_skill_at_the_top_has_its_own_name_in_its_key(repo: Path, skilltool: Skilltool) -> None:
    plugin(repo, ".claude-plugin/plugin.json", {"name": "p"}, "skills")
    path = repo / "skills/SKILL.md"
    path.write_text(path.read_text("utf-8").replace("name: skills", "name: own"), "utf-8")
    assert [each["key"] for each in resolved(skilltool, ".")["skills"]] == ["p:own"]


def test_a_package_that_is_not_installed_is_exit_1(repo: Path, skilltool: Skilltool) -> None:
    plugin(repo, ".claude-plugin/plugin.json", '{"name": "p",}', "skills/a")
    found = resolved(skilltool, ".", status=1)
    assert (
        found["package"]["refused"] == "trailing comma before `}`; `claude-code` does not install the plugin"
    )
    done = skilltool("resolve", ".claude-plugin/plugin.json")
    assert done.stdout.splitlines()[0].endswith("for claude-code: nothing is installed")


def test_a_marketplace_of_which_nothing_can_be_installed_is_exit_1(repo: Path, skilltool: Skilltool) -> None:
    entry = {"name": "p", "source": "./gone"}
    market = {"name": "m", "owner": {"name": "o"}, "plugins": [entry]}
    plugin(repo, ".claude-plugin/marketplace.json", market)
    found = resolved(skilltool, ".", "--runtime", "claude-code", status=1)
    assert (found["plugins"], found["skills"], found["package"]["refused"]) == ([], [], None)
    assert skilltool("resolve", ".", "--fail-on", "never").returncode == 0
    plugin(repo, "here/.claude-plugin/plugin.json", {"name": "q"}, "skills/a")
    market["plugins"] = [entry, {"name": "q", "source": "./here"}]
    plugin(repo, ".claude-plugin/marketplace.json", market)
    assert resolved(skilltool, ".", "--runtime", "claude-code")["plugins"] == ["q"]


def test_each_client_has_its_own_manifest(repo: Path, skilltool: Skilltool) -> None:
    plugin(repo, ".claude-plugin/plugin.json", {"name": "p", "skills": ["./extra/b"]}, "skills/a", "extra/b")
    plugin(repo, "gemini-extension.json", {"name": "p", "version": "1"})
    assert [each["key"] for each in resolved(skilltool, ".")["skills"]] == ["p:a", "p:b"]
    gemini = resolved(skilltool, ".", "--runtime", "gemini-cli")
    assert [each["key"] for each in gemini["skills"]] == ["a"]
    done = skilltool("resolve", ".", "--runtime", "codex")
    assert done.returncode == 2
    assert "has no manifest for codex; it has .claude-plugin/plugin.json (claude-code)" in done.stderr


@pytest.mark.slow
def test_each_client_of_a_plugin_is_told_of_what_its_manifest_offers(
    repo: Path, skilltool: Skilltool
) -> None:
    plugin(repo, ".claude-plugin/plugin.json", {"name": "p"}, "skills/a", "other/b", "nowhere/c")
    plugin(repo, ".codex-plugin/plugin.json", {"name": "p", "skills": "./other/"})
    linted = skilltool("lint", "skills/a", "other/b", "--no-cache").stdout
    assert "1 skill  `claude-code` (.claude-plugin/plugin.json)" in linted
    assert "1 skill  `claude-code`, `codex` (.claude-plugin/plugin.json, .codex-plugin/plugin.json)" in linted
    table = skilltool("resolve").stdout.splitlines()
    assert [row.split() for row in table[:3]] == [
        ["skill", "copy", "claude-code", "codex"],
        ["a", "skills/a", "as", "p:a", "-"],
        ["b", "other/b", "-", "loaded"],
    ]
    assert {"codex", "claude-code"} <= {
        line.split()[0] for line in skilltool("cost").stdout.splitlines() if line
    }
    for name, status in (("a", 1), ("b", 0), ("c", 1)):
        assert skilltool("render", name, "--runtime", "codex").returncode == status
    assert skilltool("render", "b", "--runtime", "claude-code").returncode == 1


def test_what_lies_elsewhere_is_not_fetched(repo: Path, skilltool: Skilltool) -> None:
    source = {"source": "github", "repo": "a/b"}
    market = {"name": "m", "owner": {"name": "o"}, "plugins": [{"name": "p", "source": source}]}
    plugin(repo, ".claude-plugin/marketplace.json", market)
    (passed,) = resolved(skilltool, ".")["passed_over"]
    assert passed["why"] == "its source is not in this repository, and skilltool downloads nothing"


def test_an_installer_is_answered_with_where_it_puts_skills(repo: Path, skilltool: Skilltool) -> None:
    plugin(repo, ".claude-plugin/plugin.json", {"name": "p"}, "skills/a", "deep/b/c")
    found = resolved(skilltool, ".", "--installer", "skills", "--agent", "claude-code,windsurf")
    assert [(each["key"], each["found"]) for each in found["skills"]] == [("a", "in skills")]
    assert [each["what"] for each in found["passed_over"]] == ["deep/b/c"]
    assert [(each["path"], each["needs"]) for each in found["targets"]] == [
        (".claude/skills/NAME", None),
        (".windsurf/skills/NAME", ".windsurf"),
    ]
    shown = skilltool("resolve", "--installer", "skills", "--agent", "claude-code,windsurf").stdout
    assert "windsurf     .windsurf/skills/NAME  link, if .windsurf exists\n" in shown


def test_an_installer_that_finds_nothing_is_exit_1_and_what_is_wrong_exit_2(
    repo: Path, skilltool: Skilltool
) -> None:
    assert skilltool("resolve", ".", "--installer", "skills").returncode == 1
    assert skilltool("resolve", "none", "--installer", "skills").returncode == 2
    done = skilltool("resolve", ".", "--installer", "skills", "--agent", "claude-cod")
    assert (done.returncode, "did you mean `claude-code`" in done.stderr) == (2, True)
    assert skilltool("resolve", ".", "--agent", "codex").returncode == 2
