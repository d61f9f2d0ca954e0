"""For whom a skill is checked: the place where it lies decides, and every entrance gives the same answer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from skilltool.bounds.pool import WorkerPool
from skilltool.findings.finding import Finding, Severity
from skilltool.lint.config import Config
from skilltool.lint.run import check_skills
from skilltool.lint.settings import resolve
from skilltool.lint.severity import Rated, for_place
from skilltool.lint.targets import Audience, audience_of
from skilltool.runtimes import get
from skilltool.server.analysis import Analysis, Editor
from skilltool.server.document import Document
from skilltool.skill.model import load_skill
from skilltool.text.source import Span
from tests.conftest import MakeSkill, Skilltool

HEAD = "---\nname: {}\ndescription: Fills in forms. Use when the user mentions a form.\n"
# What the validator of the specification refuses, and every client loads.
REFUSED = HEAD + "argument-hint: '[file]'\ncompatibility: [a]\n---\n\nText.\n"
LONG = HEAD.replace("Fills", "Fills " + "long " * 130) + "---\n\nText.\n"


def reported(run: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def seen(skilltool: Skilltool, *options: str) -> dict[str, list[str]]:
    """The owners of each skill, by its path."""
    run = skilltool("lint", "--output-format", "json", *options)
    return {each["path"]: each["owners"] for each in reported(run)["audiences"]}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "owners", "clients"),
    [
        (".claude/skills", ["claude-code"], []),
        ("packages/a/.claude/skills", ["claude-code"], []),
        (".claude/skills/group", ["claude-code"], []),
        (".kodelet/skills", ["kodelet"], []),
        (".agents/skills", ["agentskills"], []),
        (".codex/skills", ["codex"], []),
        (".github/skills", ["copilot"], []),
        (".agent/skills", ["agentskills"], ["antigravity"]),
        (".cursor/skills", ["agentskills"], ["cursor"]),  # which has a profile, made from reports
        ("skills", ["portable"], []),
        (".claude/other", ["claude-code"], []),
        (".gemini/old/forms", ["gemini-cli"], []),
        (".kiro/skills", ["agentskills"], ["kiro-cli"]),
        (".claw/skills", ["agentskills"], []),
        (".agents/other", ["portable"], []),
        (".github/other", ["portable"], []),
        ("x.claude/skills", ["portable"], []),
    ],
)
def test_the_place_says_whose_a_skill_is(
    skilltool: Skilltool,
    repo: Path,
    make_skill: MakeSkill,
    place: str,
    owners: list[str],
    clients: list[str],
) -> None:
    make_skill(repo / place / "pdf")
    run = skilltool("lint", "--output-format", "json", "--no-cache")
    [audience] = reported(run)["audiences"]
    assert (audience["owners"], audience["clients"]) == (owners, clients)
    said = skilltool("lint", "--no-cache").stdout
    assert f"against `{owners[0]}`" in said
    assert all(f"not checked against `{client}`: its rules are not known" in said for client in clients)


def test_what_only_the_document_agent_objects_to_is_a_note_in_a_place_of_another_client(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    """Antigravity has its skills in `.agent/skills`, too, and no limit of 500 characters."""
    long = "Fills in forms. " * 35
    make_skill(repo / ".agent/skills/pdf", f"---\nname: pdf\ndescription: {long}\n---\n\nRead the fields.\n")
    found = reported(skilltool("lint", "--output-format", "json", "--no-cache"))["diagnostics"]
    assert [(each["rule"], each["severity"], each["runtimes"]) for each in found] == [
        ("long-description", "info", ["agent"])
    ]


def test_a_manifest_says_so_too_and_the_nearest_wins(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    for directory in (
        "plugins/a/skills/one",
        "plugins/b/skills/two",
        "skills/three",
        "plugins/a/.kodelet/skills/four",
    ):
        make_skill(repo / directory)
    for manifest, text in {
        "plugins/a/.claude-plugin/plugin.json": "{}",
        "plugins/b/gemini-extension.json": "not read",
        ".claude-plugin/marketplace.json": json.dumps({"plugins": [{"name": "a", "source": "./plugins/a"}]}),
    }.items():
        (repo / manifest).parent.mkdir(parents=True, exist_ok=True)
        (repo / manifest).write_text(text, "utf-8")
    assert seen(skilltool) == {
        "plugins/a/.kodelet/skills/four/SKILL.md": ["kodelet"],
        "plugins/a/skills/one/SKILL.md": ["claude-code"],
        "plugins/b/skills/two/SKILL.md": ["gemini-cli"],
        "skills/three/SKILL.md": ["portable"],
    }
    # With a cache, too, a manifest that comes or goes is noticed.
    (repo / ".claude-plugin/marketplace.json").write_text('{"plugins": [{"source": "./"}]}', "utf-8")
    (repo / "plugins/b/gemini-extension.json").unlink()
    assert seen(skilltool)["skills/three/SKILL.md"] == ["claude-code"]
    assert seen(skilltool)["plugins/b/skills/two/SKILL.md"] == ["claude-code"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"plugins": 3}',
        '{"plugins": [3, {"source": {"x": 1}}, {}]}',
        "[" * 5000,
        '{"plugins": {"a": 1}}',
    ],
)
def test_a_marketplace_that_cannot_be_read_owns_nothing(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill, text: str
) -> None:
    make_skill(repo / "skills" / "pdf")
    (repo / ".claude-plugin").mkdir()
    (repo / ".claude-plugin/marketplace.json").write_text(text, "utf-8")
    assert seen(skilltool) == {"skills/pdf/SKILL.md": ["portable"]}


def test_a_skill_in_a_marketplace_with_a_root_for_plugins_is_covered(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / "all/pdf/skills/pdf")
    (repo / ".claude-plugin").mkdir()
    market = {"metadata": {"pluginRoot": "./all"}, "plugins": [{"source": "pdf"}, {"source": "../out"}]}
    (repo / ".claude-plugin/marketplace.json").write_text(json.dumps(market), "utf-8")
    assert seen(skilltool) == {"all/pdf/skills/pdf/SKILL.md": ["claude-code"]}


def linked(repo: Path, make_skill: MakeSkill, whole: bool) -> Path:
    """A skill in `.agents/skills` to which another client's place leads, by a link to it or to its root."""
    directory = make_skill(repo / ".agents/skills/pdf", REFUSED.format("pdf"))
    link = repo / ".claude/skills" if whole else repo / ".claude/skills/pdf"
    link.parent.mkdir(parents=True)
    link.symlink_to(os.path.relpath(directory.parent if whole else directory, link.parent))
    return directory


@pytest.mark.slow
@pytest.mark.parametrize("whole", [False, True])
def test_every_entrance_gives_the_same_answer(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill, whole: bool
) -> None:
    directory = linked(repo, make_skill, whole)
    text = (directory / "SKILL.md").read_bytes()
    form = ("--output-format", "json", "--no-cache")

    def of(run: Any) -> tuple[Any, Any]:
        report = reported(run)
        for entry in [*report["diagnostics"], *report["audiences"]]:
            entry["path"] = Path(entry["path"]).name
            entry["links"] = [Path(each).name for each in entry.get("links", ())]
        return report["diagnostics"], report["audiences"]

    expected = of(skilltool("lint", *form))
    assert expected[1][0]["owners"] == ["agentskills", "claude-code"]
    assert expected[1][0]["links"] == ["pdf"]
    assert "= for: agentskills" in (said := skilltool("lint", "--no-cache").stdout)
    assert "= linked from: .claude/skills/pdf\n" in said
    for path in (
        ".agents/skills/pdf",
        ".agents/skills/pdf/SKILL.md",
        ".claude/skills",
        ".claude/skills/pdf/SKILL.md",
    ):
        assert of(skilltool("lint", *form, path)) == expected
    assert of(skilltool("lint", *form, cwd=directory)) == expected
    for name in (".agents/skills/pdf/SKILL.md", ".claude/skills/pdf/SKILL.md"):
        command = [sys.executable, "-m", "skilltool", "lint", *form, "-", "--stdin-filename", name]
        assert of(subprocess.run(command, cwd=repo, input=text, capture_output=True, check=False)) == expected


def test_an_unsaved_text_in_an_editor_has_the_audience_of_its_place(
    repo: Path, make_skill: MakeSkill
) -> None:
    directory = linked(repo, make_skill, whole=False)
    for path in (directory / "SKILL.md", repo / ".claude/skills/pdf/SKILL.md"):
        analysis = Analysis(Document.of(path.as_uri(), path, 1, path.read_text("utf-8")), Editor("utf-16"))
        with analysis.using_editor_text():
            assert {"agentskills", "claude-code"} <= set(analysis.runtimes)
            assert {each.severity for each in analysis.diagnostics} <= {Severity.INFO, Severity.WARNING}


def test_what_only_the_validator_refuses_is_a_warning_unless_it_is_named(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / ".agents/skills/pdf", REFUSED.format("pdf"))
    by_place = reported(skilltool("lint", "--output-format", "json"))["diagnostics"]
    found = [(each["rule"], each["severity"]) for each in by_place]
    assert [each for each in found if each[1] != "info"] == [("wrong-type", "warning")]
    assert ("unknown-field", "info") in found
    named = skilltool("lint", "--runtime", "agentskills", "--output-format", "json")
    assert "error" in {each["severity"] for each in reported(named)["diagnostics"]}
    assert "audiences" not in reported(named)


def test_what_no_client_can_load_stays_an_error(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / ".agents/skills/pdf", "no frontmatter\n")
    [finding] = reported(skilltool("lint", "--output-format", "json"))["diagnostics"]
    assert (finding["rule"], finding["severity"]) == ("missing-frontmatter", "error")


def test_a_path_can_be_given_runtimes_and_an_option_overrides_it(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    for directory in (
        "packages/a/skills/one",
        "packages/b/skills/two",
        "skills/three",
        ".claude/skills/four",
    ):
        make_skill(repo / directory)
    table = (
        '"packages/a/skills" = ["kodelet"]\n"packages/*/skills" = ["auto", "agent"]\n".claude/" = ["auto"]\n'
    )
    (repo / "skilltool.toml").write_text(f'runtimes = ["nfa"]\n[per-path-runtimes]\n{table}', "utf-8")
    assert seen(skilltool) == {
        ".claude/skills/four/SKILL.md": ["claude-code"],
        "packages/a/skills/one/SKILL.md": ["kodelet"],
        "packages/b/skills/two/SKILL.md": ["portable", "agent"],
        "skills/three/SKILL.md": ["nfa"],
    }
    assert "audiences" not in reported(skilltool("lint", "--runtime", "agent", "--output-format", "json"))
    shown = skilltool("lint", "--show-settings").stdout
    assert "#   1 skill  `kodelet` (packages/a/skills)\n" in shown
    (repo / "skilltool.toml").write_text('[per-path-runtimes]\nx = ["kodelt"]\n', "utf-8")
    run = skilltool("lint")
    assert (run.returncode, "unknown runtime `kodelt`" in run.stderr) == (2, True)


def test_groups_stand_for_their_members(skilltool: Skilltool, repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / "a", LONG.format("a"))
    finding = reported(skilltool("lint", "--runtime", "documents", "--output-format", "json"))["diagnostics"][
        0
    ]
    assert finding["runtimes"] == ["agent"]
    assert skilltool("lint", "--runtime", "clients").stdout == "1 skill checked, no findings\n"
    make_skill(
        repo / "b", "---\nname: b\ndescription: Fills in. Use when asked.\nallowed-tools: Read\n---\n\nx\n"
    )
    run = skilltool("lint", "--runtime", "frameworks", "--select", "wrong-type", "--output-format", "json")
    assert [each["runtimes"] for each in reported(run)["diagnostics"]] == [["agno"]]


def test_what_only_readers_object_to_is_info(repo: Path, make_skill: MakeSkill) -> None:
    skill = load_skill(make_skill(repo / "x", LONG.format("x")))
    audience = Audience(("claude-code",), ("agent",), ".claude/skills", is_place=True)
    assert audience.runtimes == ("claude-code", "agent")
    found = [Rated("long-description", Finding("long", Span(0, 1)), Severity.ERROR)]
    assert [each.severity for each in for_place(found, audience, skill, get("agent"))] == [Severity.INFO]
    assert for_place(found, audience, skill, get("claude-code")) == found


def test_copies_for_different_runtimes_are_compared(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / ".claude/skills/pdf")
    make_skill(repo / ".kodelet/skills/pdf", HEAD.format("pdf") + "---\n\nOther text.\n")
    diagnostics = reported(skilltool("lint", "--output-format", "json"))["diagnostics"]
    [finding] = [each for each in diagnostics if each["rule"] == "drifted-copy"]
    assert finding["runtimes"] == ["kodelet"]


def test_a_link_out_of_the_repository_is_not_followed_to_another_owner(
    repo: Path, make_skill: MakeSkill, tmp_path: Path
) -> None:
    outside = make_skill(tmp_path / "elsewhere/.kodelet/skills/pdf")
    (repo / ".claude/skills").mkdir(parents=True)
    link = repo / ".claude/skills/pdf"
    link.symlink_to(outside)
    settings = resolve(Config(), {"paths": [link]})
    assert audience_of(settings, link).owners == ("claude-code",)
    report = check_skills(settings, pool=WorkerPool())
    assert report.runtimes[0] == "claude-code"
    assert "kodelet" not in report.runtimes


ONLY_CLAUDE = ("CLAUDE.md", "commands/go.md", "skills/pdf/SKILL.md")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("files", "readme", "owner"),
    [
        (ONLY_CLAUDE, "", "claude-code"),
        (("settings.example.json", "agents/a.md", "skills/pdf/SKILL.md"), "", "claude-code"),
        (("agents/a.md", "skills/pdf/SKILL.md"), "Skills for Claude Code.", "claude-code"),
        (("agents/a.md", "skills/pdf/SKILL.md"), "Skills for Claude Code and Codex.", "portable"),
        (("agents/a.md", "skills/pdf/SKILL.md"), "Skills.", "portable"),
        (("CLAUDE.md", "skills/pdf/SKILL.md"), "Skills for Claude Code.", "portable"),
        (ONLY_CLAUDE, "Skills for Claude Code, Codex and Cursor.", "portable"),
        (ONLY_CLAUDE, "Skills for Claude Code. " * 10 + "They came from Gemini.", "claude-code"),
        ((*ONLY_CLAUDE, "AGENTS.md"), "", "portable"),
        ((*ONLY_CLAUDE, ".codex/config.toml"), "", "portable"),
        ((*ONLY_CLAUDE, "opencode.json"), "Skills for Claude Code, to copy to ~/.claude.", "claude-code"),
        ((*ONLY_CLAUDE, "opencode.json"), "Made with Claude Code.", "portable"),
        ((*ONLY_CLAUDE, "opencode.json"), "Skills for Claude Code. " * 20 + "Or opencode.", "portable"),
        (("CLAUDE.md", "commands/go.md", "lib/skills/pdf/SKILL.md"), "", "portable"),
    ],
)
def test_a_repository_that_is_a_client_s_configuration_is_for_that_client(
    tmp_path: Path, skilltool: Skilltool, files: tuple[str, ...], readme: str, owner: str
) -> None:
    (tmp_path / ".git").mkdir()
    for file in (*files, *(["README.md"] if readme else [])):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        text = readme if file == "README.md" else HEAD.format("pdf") + "---\n\nText.\n"
        (tmp_path / file).write_text(text, "utf-8")
    run = skilltool("lint", "--output-format", "json", cwd=tmp_path)
    assert [each["owners"] for each in reported(run)["audiences"]] == [[owner]]
