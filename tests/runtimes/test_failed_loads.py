"""A runtime that fails to load its skills as a whole does not look like one that has none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from skilltool import runtimes
from tests.conftest import MakeSkill, Skilltool

PLAIN_FILES = [
    ("nfa", ".nfa/skills", "create skills directory error: mkdir "),
    ("nfa@2026-02", ".nfa/skills", "create skills directory error: mkdir "),
    ("pickle-bot", ".pickle-bot/skills", "[Errno 20] Not a directory"),
    ("agent", ".agent/skills", "[Errno 20] Not a directory"),
]


@pytest.mark.slow
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


@pytest.mark.parametrize(
    ("runtime", "root"),
    [
        ("agno", "skills"),
        ("deepagents", "skills"),
        ("deepagents-code", ".agents/skills"),
        ("kimi-cli", ".agents/skills"),
        ("pydantic-ai-harness", "skills"),
    ],
)
def test_half_of_a_character_in_the_list_ends_every_turn_of_a_program_in_python(
    repo: Path, make_skill: MakeSkill, runtime: str, root: str
) -> None:
    # Each raised UnicodeEncodeError as it sent the list of `"\\ud83d\\ude00"`, two halves for PyYAML.
    make_skill(repo / root / "a", '---\nname: a\ndescription: "\\ud83d\\ude00"\n---\nBody.\n')
    profile = runtimes.get(runtime)
    roots = {} if profile.roots else {"root 1": repo / root}
    session = profile.open(repo, repo / "home", roots=roots)
    assert str(session.failure).startswith(
        f"UnicodeEncodeError: `{repo / root / 'a' / 'SKILL.md'}` contains "
    )
    assert session.catalog() is None
    if profile.user is not None:
        assert session.user("hello").messages == ()


KODELETS = ["kodelet", "kodelet@2025-12"]
UNLISTABLE = [("plain file", "not a directory"), ("loop", "too many levels of symbolic links")]


def spoil(root: Path, how: str) -> None:
    """Put something in the place of a root that no runtime can list."""
    root.parent.mkdir()
    if how == "loop":
        root.symlink_to(root.name)
    else:
        root.touch()


@pytest.mark.slow
@pytest.mark.parametrize("runtime", KODELETS)
@pytest.mark.parametrize(("how", "words"), UNLISTABLE)
def test_kodelet_starts_without_skills_if_a_root_cannot_be_listed(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill, runtime: str, how: str, words: str
) -> None:
    spoil(repo / ".kodelet/skills", how)
    make_skill(repo / "home/.kodelet/skills/good")
    make_skill(repo / "home/.kodelet/skills/other")
    options = ("--runtime", runtime, "--home", "home")
    reason = f"failed to read skill directory ./.kodelet/skills: open ./.kodelet/skills: {words}"
    shown = skilltool("resolve", *options)
    assert (shown.returncode, f"\nloading failed: {reason}\n" in shown.stdout) == (1, True)
    assert "does not exist" not in shown.stdout.partition("plugin")[0]
    assert skilltool("resolve", *options, "--fail-on", "never").returncode == 0
    data = json.loads(skilltool("resolve", *options, "--output-format", "json").stdout)
    assert (data["skills"], data["shadowed"]) == ([], [])
    assert [Path(each["directory"]).name for each in data["skipped"]] == ["good", "other"]
    disabled = "<error>\nskills are disabled\n</error>\n"
    for asked, text in (
        (("good",), disabled),
        (("--call", '{"skill_name": "good"}'), disabled),
        (("--part", "catalog"), "Skills are currently not available.\n"),
    ):
        run = skilltool("render", *asked, *options)
        assert (run.returncode, run.stdout.endswith(text)) == (1, True)
        assert f"{runtime} fails to load its skills and starts without them: {reason}\n" in run.stderr


def test_kodelet_names_a_home_root_by_its_whole_path(skilltool: Skilltool, repo: Path) -> None:
    root = repo / "other/.kodelet/skills"
    spoil(root.parent, "plain file")
    run = skilltool("resolve", "--runtime", "kodelet", "--home", "other")
    assert f"loading failed: failed to read skill directory {root}: open {root}: " in run.stdout


def test_skills_that_are_switched_off_are_not_looked_for(skilltool: Skilltool, repo: Path) -> None:
    spoil(repo / ".kodelet/skills", "plain file")
    run = skilltool("resolve", "--runtime", "kodelet", "--set", "no_skills=true")
    assert (run.returncode, "loading failed" in run.stdout) == (0, False)


@pytest.mark.parametrize(
    ("runtime", "root"), [("kodelet@0.5.36", ".kodelet/skills"), ("mycodeagent", "sub/skills")]
)
def test_a_root_that_is_passed_over_is_not_one_that_does_not_exist(
    skilltool: Skilltool, repo: Path, runtime: str, root: str
) -> None:
    spoil(repo / root, "plain file")
    project = ("--project", str((repo / root).parent)) if runtime == "mycodeagent" else ()
    run = skilltool("resolve", "--runtime", runtime, *project)
    assert (run.returncode, "(is not a directory)" in run.stdout) == (0, True)
    data = json.loads(skilltool("resolve", "--runtime", runtime, *project, "--output-format", "json").stdout)
    assert (data["roots"][0]["exists"], data["roots"][0]["problem"]) == (False, "is not a directory")


def fails(skilltool: Skilltool, options: tuple[str, ...], reason: str) -> None:
    """Check that `resolve` and `render` say why loading fails, and have status 1."""
    shown = skilltool("resolve", *options)
    assert (shown.returncode, "loading failed: " in shown.stdout) == (1, True)
    assert skilltool("resolve", *options, "--fail-on", "never").returncode == 0
    calls = ("--query", "x") if "agent" in options else ("--call", "{}")
    for asked in (("good",), ("--part", "catalog"), calls):
        run = skilltool("render", *asked, *options)
        assert (run.returncode, run.stdout) == (1, "")
        assert "fails to load its skills and sends nothing to its model: " in run.stderr
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
