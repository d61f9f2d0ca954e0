"""Rules about many skills, beyond the examples of their manuals: roots, targets, links, paths."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from skilltool.findings.finding import Severity
from skilltool.lint import settings
from skilltool.lint.config import Config
from skilltool.lint.run import check_skills
from skilltool.runtimes import BARE, get
from tests.conftest import Skilltool


def skill(directory: Path, name: str = "", description: str = "d", body: str = "Do it.") -> None:
    directory.mkdir(parents=True, exist_ok=True)
    text = f"---\nname: {name or directory.name}\ndescription: {description}\n---\n{body}\n"
    (directory / "SKILL.md").write_text(text, "utf-8")


def found(top: Path, rule: str, *targets: str) -> list[str]:
    """The files, under `top`, in which a rule finds something for these targets."""
    chosen = settings.resolve(Config(), {"runtimes": list(targets or ("portable",)), "select": [rule]})
    diagnostics = check_skills(chosen._replace(paths=(top,))).diagnostics
    return [Path(each.path).relative_to(top).as_posix() for each in diagnostics]


def test_a_skill_is_undiscovered_only_if_no_target_finds_it(tmp_path: Path) -> None:
    skill(tmp_path / ".kodelet/skills/group/a")
    assert found(tmp_path, "undiscovered-skill", "kodelet") == [".kodelet/skills/group/a/SKILL.md"]
    assert found(tmp_path, "undiscovered-skill", "portable") == []
    skill(tmp_path / ".claude/skills/b")
    assert len(found(tmp_path, "undiscovered-skill", "kodelet")) == 2
    both = found(tmp_path, "undiscovered-skill", "kodelet", "agent-harness@0.3.24")
    assert both == [".kodelet/skills/group/a/SKILL.md"]


@pytest.mark.slow
@pytest.mark.parametrize("root", [".claude/skills/a", ".kodelet/skills/group/a"])
def test_targets_that_do_not_look_into_projects_do_not_speak_for_a_skill(root: str, tmp_path: Path) -> None:
    skill(tmp_path / root)
    for targets in (
        ("kodelet",),
        ("kodelet", "nfa"),
        ("kodelet", "portable"),
        ("agent", "mycodeagent"),
        tuple(
            name for name in BARE if root.partition("/skills")[0] + "/skills" not in get(name).project_roots
        ),
    ):
        assert found(tmp_path, "undiscovered-skill", *targets) == [f"{root}/SKILL.md"]
    expected = [] if "claude" in root else [f"{root}/SKILL.md"]
    assert found(tmp_path, "undiscovered-skill", *BARE) == expected
    assert found(tmp_path, "undiscovered-skill", "nfa", "pickle-bot") == []
    assert found(tmp_path, "undiscovered-skill", "agentskills") == []


def test_a_directory_of_a_client_that_is_not_known_is_no_place_to_move_from(tmp_path: Path) -> None:
    for root in (".kiro/skills/a", ".factory/skills/a", ".other/skills/a"):
        skill(tmp_path / root)
    assert found(tmp_path, "undiscovered-skill", "claude-code") == [".other/skills/a/SKILL.md"]


def test_one_target_that_finds_a_skill_is_enough(tmp_path: Path) -> None:
    for root in (".agents/skills/a", ".agent/skills/b", ".kodelet/skills/c", "skills/d"):
        skill(tmp_path / root)
    assert found(tmp_path, "undiscovered-skill", *BARE) == []
    assert found(tmp_path, "undiscovered-skill", "kodelet", "agentskills") == [".agent/skills/b/SKILL.md"]


@pytest.mark.parametrize(("size", "is_read"), [(1 << 20, True), ((1 << 20) + 1, False)])
def test_a_file_in_a_root_is_read_up_to_the_size_of_a_skill(tmp_path: Path, size: int, is_read: bool) -> None:
    skill(tmp_path / ".kodelet/skills/a")
    text = b"---\nname: b\ndescription: Words.\n---\n"
    (tmp_path / ".kodelet/skills/b.md").write_bytes(text.ljust(size, b"x"))
    expected = [".kodelet/skills/b.md"] if is_read else []
    assert found(tmp_path, "undiscovered-skill", "kodelet") == expected


def test_a_repository_with_a_dot_is_a_project(tmp_path: Path) -> None:
    skill(tmp_path / ".dotfiles/skills/a")
    skill(tmp_path / ".work/skills/repo/library/b")
    for repository in (".dotfiles", ".work/skills/repo"):
        (tmp_path / repository / ".git").mkdir()
        for target in ("kodelet", "mycodeagent"):
            assert found(tmp_path / repository, "undiscovered-skill", target) == []


def test_a_skill_that_is_linked_into_a_root_is_found_there(tmp_path: Path) -> None:
    skill(tmp_path / ".claude/skills/a")
    skill(tmp_path / ".kodelet/skills/b")
    (tmp_path / ".kodelet/skills/a").symlink_to("../../.claude/skills/a")
    assert found(tmp_path, "undiscovered-skill", "kodelet") == []


def test_a_root_of_another_runtime_is_not_searched_but_a_plain_library_is(tmp_path: Path) -> None:
    skill(tmp_path / ".claude/skills/a")
    skill(tmp_path / "library/a")
    skill(tmp_path / "skills/b")
    assert found(tmp_path, "undiscovered-skill", "kodelet") == [".claude/skills/a/SKILL.md"]
    assert found(tmp_path, "undiscovered-skill", "kodelet", "nfa") == [".claude/skills/a/SKILL.md"]
    assert found(tmp_path, "undiscovered-skill", "kodelet", "mycodeagent", "nfa") == [
        ".claude/skills/a/SKILL.md"
    ]


def test_a_markdown_file_beside_skills_is_reported_where_it_has_their_frontmatter(
    tmp_path: Path, skilltool: Skilltool
) -> None:
    root = tmp_path / "skills"
    skill(root / "a")
    for name, text in {
        "flat.md": "---\nname: flat\ndescription: d\n---\n",
        "README.md": "# Skills\n",
        "page.md": "---\ntitle: Page\n---\n",
        "broken.md": "---\nname: [\n---\n",
    }.items():
        (root / name).write_text(text, "utf-8")
    (root / "link.md").symlink_to(root / "flat.md")
    os.mkfifo(root / "pipe.md")
    assert found(tmp_path, "undiscovered-skill", "mycodeagent") == ["skills/flat.md"]
    for directory, path in ((tmp_path, "skills/flat.md"), (root, "flat.md")):
        run = skilltool("lint", "--runtime", "mycodeagent", "--output-format", "concise", cwd=directory)
        assert f"{path}:1:1: warning[undiscovered-skill]" in run.stdout
    inside = skilltool("lint", "--runtime", "mycodeagent", "--output-format", "concise", cwd=root / "a")
    assert f"{root.as_posix()}/flat.md:1:1: " in inside.stdout


def test_copies_drift_only_between_roots_of_one_project(tmp_path: Path) -> None:
    skill(tmp_path / "one/.claude/skills/a", body="Do it.")
    skill(tmp_path / "one/skills/a", body="Do it well.")
    skill(tmp_path / "two/skills/a", body="Do it badly.")
    assert found(tmp_path, "drifted-copy") == ["one/skills/a/SKILL.md"]
    text = (tmp_path / "one/.claude/skills/a/SKILL.md").read_text("utf-8")
    (tmp_path / "one/skills/a/SKILL.md").write_text(text, "utf-8", newline="\r\n")
    assert found(tmp_path, "drifted-copy") == []
    other = text.replace("\n---\n", "\nmodel: haiku\n---\n\n", 1).replace(
        "description: ", "description: >-\n  "
    )
    (tmp_path / "one/skills/a/SKILL.md").write_text(other, "utf-8")
    assert found(tmp_path, "drifted-copy") == []


def test_a_copy_that_alone_has_a_file_for_codex_is_a_version_for_it(tmp_path: Path) -> None:
    skill(tmp_path / ".claude/skills/a", body="Call /a.")
    skill(tmp_path / ".agents/skills/a", body="Call $a.")
    assert found(tmp_path, "drifted-copy") == [".claude/skills/a/SKILL.md"]
    (tmp_path / ".agents/skills/a/agents").mkdir()
    (tmp_path / ".agents/skills/a/agents/openai.yaml").write_text("interface: {}\n", "utf-8")
    assert found(tmp_path, "drifted-copy") == []


@pytest.mark.parametrize(
    ("body", "differs"),
    [
        ("Read `.codex/skills/a/b.md`.\n\nDo it.  \n", []),
        ("Read `.claude/skills/a/b.md`.\n\nDo it.", []),
        ("Read `.codex/agents/a-b.toml`.\n\nDo it.", []),
        ("Read `.codex/skills/a/b.md`.\n\nDo it well.", [".codex/skills/a/SKILL.md"]),
        ("Do it.", []),
        ("Read `docs/b.md`.\n\nDo it.", [".codex/skills/a/SKILL.md"]),
    ],
)
def test_a_copy_that_a_program_makes_for_a_client_names_that_client_s_directory(
    tmp_path: Path, body: str, differs: list[str]
) -> None:
    skill(tmp_path / ".claude/skills/a", body="Read `.claude/skills/a/b.md`.\nDo it.")
    skill(tmp_path / ".codex/skills/a", body=body)
    assert found(tmp_path, "drifted-copy") == differs


def test_a_copy_that_signs_with_its_client_is_the_same(tmp_path: Path) -> None:
    skill(tmp_path / ".claude/skills/a", body="Sign with [Claude Code](https://claude.com/claude-code).")
    skill(tmp_path / ".agents/skills/a", body="Sign with [Codex](https://Codex.com/Codex).")
    assert found(tmp_path, "drifted-copy") == []


def test_a_directory_that_both_copies_name_is_none_of_their_own(tmp_path: Path) -> None:
    for place in (".claude", ".github"):
        skill(tmp_path / f"{place}/skills/a", body=f"Run `.github/workflows/a.yml`, see `{place}/skills/a`.")
    assert found(tmp_path, "drifted-copy") == []


@pytest.mark.parametrize("before", ["./", "~/", "$HOME/"])
def test_the_directory_of_a_copy_may_come_after_another(tmp_path: Path, before: str) -> None:
    for place in (".claude", ".codex"):
        skill(tmp_path / f"{place}/skills/a", body=f"Read `{before}{place}/skills/a/b.md`.")
    assert found(tmp_path, "drifted-copy") == []


def test_a_copy_for_a_client_has_that_client_s_name(tmp_path: Path) -> None:
    skill(tmp_path / ".claude/skills/a", body="Ask Claude Code to read CLAUDE.md.")
    skill(tmp_path / ".codex/skills/a", body="Ask Codex to read AGENTS.md.")
    assert found(tmp_path, "drifted-copy") == []
    skill(tmp_path / ".codex/skills/a", body="Ask Codex to heed AGENTS.md.\nThen stop.")
    assert found(tmp_path, "drifted-copy") == [".codex/skills/a/SKILL.md"]


@pytest.mark.parametrize(("others", "severity"), [(1, Severity.INFO), (6, Severity.WARNING)])
def test_copies_that_differ_where_they_speak_of_their_client_are_written_for_it(
    tmp_path: Path, others: int, severity: Severity
) -> None:
    steps = [f"{number}. Fill in field {number}." for number in range(20)]
    asked = [f"Ask Claude to {each}." for each in ("read", "write", "run", "stop")]
    mine = [f"Start {each} with Codex." for each in ("one", "two", "three", "four")]
    skill(tmp_path / ".claude/skills/a", body="\n".join([*steps, *asked]))
    changed = [line.replace("Fill in", "Ask for") for line in steps[:others]]
    skill(tmp_path / ".codex/skills/a", body="\n".join([*changed, *steps[others:], *mine]))
    report = check_skills(settings.resolve(Config(), {"paths": [tmp_path], "select": ["drifted-copy"]}))
    assert [each.severity for each in report.diagnostics] == [severity]


@pytest.mark.parametrize(("own", "differs"), [(4, ["skills/a/SKILL.md"]), (8, [])])
def test_a_body_written_anew_for_a_client_is_no_drifted_copy(
    tmp_path: Path, own: int, differs: list[str]
) -> None:
    lines = [f"{number}. Fill in field {number}." for number in range(12)]
    skill(tmp_path / ".claude/skills/a", body="\n".join(lines))
    changed = [line.replace("Fill in", "Ask for") for line in lines[:own]]
    skill(tmp_path / "skills/a", body="\n".join([*changed, *lines[own:]]))
    assert found(tmp_path, "drifted-copy") == differs


@pytest.mark.parametrize(
    ("folder", "differs"), [(".ja", []), (".zh-CN", []), (".go", ["one/skills/a/SKILL.md"])]
)
def test_a_translation_is_no_drifted_copy(tmp_path: Path, folder: str, differs: list[str]) -> None:
    skill(tmp_path / f"one/{folder}/skills/a", body="\u8aad\u3080")
    skill(tmp_path / "one/skills/a", body="Read it.")
    assert found(tmp_path, "drifted-copy") == differs


@pytest.mark.slow
def test_copies_that_differ_between_the_same_two_directories_are_told_once(tmp_path: Path) -> None:
    for name in "abcde":
        skill(tmp_path / f".claude/skills/{name}", name, body="Do it.")
        skill(tmp_path / f"skills/{name}", name, body="Do it well.")
    command = [
        sys.executable,
        "-m",
        "skilltool",
        "lint",
        "--isolated",
        "--no-cache",
        "--select",
        "drifted-copy",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "copy of `a` differs from `.claude/skills/a/SKILL.md`; 4 more findings like this" in done.stdout
    assert done.stdout.count("differs from") == 1


@pytest.mark.parametrize(("name", "collides"), [("A-B", True), ("a_b", True), ("a-b", False), ("ab", False)])
def test_names_collide_in_case_and_underscores(tmp_path: Path, name: str, collides: bool) -> None:
    skill(tmp_path / "1", "a-b")
    skill(tmp_path / "2", name)
    skill(tmp_path / "elsewhere/3", "A-B")
    assert found(tmp_path, "case-collision") == (["2/SKILL.md"] if collides else [])


@pytest.mark.slow
def test_a_crowded_catalog_is_reported_once_per_root(tmp_path: Path) -> None:
    for top in ("one", "two"):
        for number in range(40):
            skill(tmp_path / f"{top}/skills/s{number:02}", description="x" * 400)
    skill(tmp_path / "three/skills/a")
    crowded = found(tmp_path, "crowded-catalog", "mycodeagent")
    assert [path.partition("/")[0] for path in crowded] == ["one", "two"]
    assert found(tmp_path, "crowded-catalog", "kodelet") == []


def test_a_shadowed_copy_is_reported_and_not_the_one_that_wins(tmp_path: Path) -> None:
    skill(tmp_path / ".claude/skills/a")
    skill(tmp_path / ".agent/skills/a")
    target = "agent-harness@0.3.24"
    assert found(tmp_path, "shadowed-skill", target) == [".claude/skills/a/SKILL.md"]
    assert found(tmp_path / ".claude/skills", "shadowed-skill", target) == ["a/SKILL.md"]
    assert found(tmp_path / ".agent/skills", "shadowed-skill", target) == []
    assert found(tmp_path, "shadowed-skill", "kodelet") == []


def messages(top: Path, rule: str, target: str) -> list[tuple[str, str]]:
    chosen = settings.resolve(Config(), {"runtimes": [target], "select": [rule]})
    diagnostics = check_skills(chosen._replace(paths=(top,))).diagnostics
    return [(each.severity.name, each.message) for each in diagnostics]


def test_copies_of_one_root_of_which_chance_decides_are_an_error(tmp_path: Path) -> None:
    for directory in ("a", "b"):
        skill(tmp_path / ".gemini/skills" / directory, "twin")
    used = f"name `twin` is already used by `{tmp_path}/.gemini/skills/a/SKILL.md`"
    chance = "`gemini-cli` loads one of the two; which one can vary between starts"
    assert messages(tmp_path, "duplicate-name", "gemini-cli") == [("ERROR", f"{used}; {chance}")]
    assert messages(tmp_path, "duplicate-name", "portable") == [("WARNING", used)]
    assert messages(tmp_path, "shadowed-skill", "gemini-cli") == []


def test_a_skill_that_its_client_does_not_come_to_is_no_duplicate(tmp_path: Path) -> None:
    skill(tmp_path / ".claude/skills/a", "twin")
    skill(tmp_path / ".claude/skills/.disabled/b", "twin")
    assert messages(tmp_path, "duplicate-name", "claude-code") == []
    skill(tmp_path / ".claude/skills/b", "twin")
    used = f"name `twin` is already used by `{tmp_path}/.claude/skills/a/SKILL.md`"
    assert messages(tmp_path, "duplicate-name", "claude-code") == [("WARNING", used)]


def test_two_links_to_one_file_are_no_duplicates(tmp_path: Path) -> None:
    (tmp_path / "skills/a").mkdir(parents=True)
    skill(tmp_path / ".gemini/skills/c", "other")
    (tmp_path / "skills/a/SKILL.md").write_text(
        "---\nname: twin\ndescription: Fills in forms.\n---\n\nText.\n", "utf-8"
    )
    for name in ("a", "b"):
        (tmp_path / ".gemini/skills" / name).mkdir()
        (tmp_path / ".gemini/skills" / name / "SKILL.md").symlink_to("../../../skills/a/SKILL.md")
    assert messages(tmp_path, "duplicate-name", "gemini-cli") == []


def test_names_that_become_one_key_are_no_duplicates_and_chance_decides(tmp_path: Path) -> None:
    skill(tmp_path / ".gemini/skills/a", "'tw:in'")
    skill(tmp_path / ".gemini/skills/b", "tw-in")
    assert messages(tmp_path, "duplicate-name", "gemini-cli") == []
    first = f"{tmp_path}/.gemini/skills/a/SKILL.md"
    chance = f"`gemini-cli` loads this skill or `{first}` as `tw-in`; which one can vary between starts"
    assert messages(tmp_path, "shadowed-skill", "gemini-cli") == [("WARNING", chance)]


def test_copies_in_several_roots_of_which_chance_decides_say_so(tmp_path: Path) -> None:
    skill(tmp_path / ".claude/skills/a", "twin")
    skill(tmp_path / ".opencode/skills/b", "twin")
    second = f"{tmp_path}/.opencode/skills/b/SKILL.md"
    chance = f"`opencode` loads this skill or `{second}` as `twin`; which one can vary between starts"
    assert messages(tmp_path, "shadowed-skill", "opencode") == [("WARNING", chance)]


def test_a_skill_that_is_loaded_and_never_listed_is_reported(tmp_path: Path) -> None:
    skill(tmp_path / ".opencode/skills/a")
    file = tmp_path / ".opencode/skills/a/SKILL.md"
    file.write_text("---\nname: a\n---\nDo it.\n", "utf-8")
    unlisted = "field `description` is missing; `opencode` loads the skill but does not list it"
    assert messages(tmp_path, "missing-field", "opencode") == [("WARNING", unlisted)]


@pytest.mark.parametrize(
    ("first", "second", "difference"),
    [
        ("PDF-tools", "pdf-tools", "case"),
        ("pdf_tools", "pdf-tools", "`_` versus `-`"),
        ("PDF_tools", "pdf-tools", "case and in `_` versus `-`"),
    ],
)
def test_a_collision_says_in_what_the_names_differ(
    first: str, second: str, difference: str, tmp_path: Path
) -> None:
    skill(tmp_path / "1", first)
    skill(tmp_path / "2", second)
    chosen = settings.resolve(Config(), {"runtimes": ["kodelet"], "select": ["case-collision"]})
    [diagnostic] = check_skills(chosen._replace(paths=(tmp_path,))).diagnostics
    assert diagnostic.message.endswith(f"differ only in {difference}")


@pytest.mark.parametrize(
    ("field", "advice"),
    [
        ("desc", "write `description` instead of `desc`"),
        ("DESC", "write `description` instead of `DESC`"),
        ("des", "add a `description: ...` line"),
        ("describe", "add a `description: ...` line"),
    ],
)
def test_a_shortened_name_of_a_field_is_the_missing_one(tmp_path: Path, field: str, advice: str) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "SKILL.md").write_text(f"---\nname: a\n{field}: Fills in forms.\n---\nText\n", "utf-8")
    options = {"paths": [tmp_path], "select": ["missing-field"]}
    report = check_skills(settings.resolve(Config(), options))
    (told,) = report.diagnostics
    assert (told.help or "").partition(";")[0] == advice


@pytest.mark.parametrize(("other", "severity"), [("Do it.", "info"), ("Do it well.", "warning")])
def test_a_skill_that_loses_to_an_identical_copy_is_a_note(tmp_path: Path, other: str, severity: str) -> None:
    (tmp_path / ".git").mkdir()
    skill(tmp_path / ".gemini/skills/a", body="Do it.")
    skill(tmp_path / ".agents/skills/a", body=other)
    options = {"paths": [tmp_path], "select": ["shadowed-skill"], "runtimes": ["gemini-cli"]}
    (told,) = check_skills(settings.resolve(Config(), options)).diagnostics
    assert str(told.severity) == severity
