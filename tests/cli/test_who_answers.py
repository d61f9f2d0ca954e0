"""Who answers where no runtime is named, for which copy, and what is said of it."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import MakeSkill, Skilltool

TEXT = "---\nname: {name}\ndescription: Greets people. Use when asked to.\n---\n\nSay hello to {who}.\n"
needs_git = pytest.mark.skipif(not shutil.which("git"), reason="git is what is called")


def marketplace(top: Path, **plugins: dict[str, object]) -> None:
    """Write the manifest of a marketplace with these entries."""
    entries = [{"name": name, "description": "d", **entry} for name, entry in plugins.items()]
    (top / ".claude-plugin").mkdir()
    manifest = {"name": "bazaar", "owner": {"name": "Ada"}, "plugins": entries}
    (top / ".claude-plugin/marketplace.json").write_text(json.dumps(manifest), "utf-8")


@pytest.fixture
def two_plugins(repo: Path, make_skill: MakeSkill) -> Path:
    """A marketplace of two plugins, each with a skill of the same name."""
    for name in ("one", "two"):
        make_skill(repo / name / "skills/greet", TEXT.format(name="greet", who=name))
    marketplace(repo, one={"source": "./one"}, two={"source": "./two"})
    return repo


@pytest.mark.usefixtures("two_plugins")
@pytest.mark.parametrize("plugin", ["one", "two"])
@pytest.mark.parametrize("named", [(), ("--runtime", "claude-code")])
def test_the_plugin_before_the_colon_counts(
    skilltool: Skilltool, plugin: str, named: tuple[str, ...]
) -> None:
    run = skilltool("render", f"{plugin}:greet", *named)
    assert run.returncode == 0
    assert f"Say hello to {plugin}." in run.stdout
    assert f"as if the plugin `{plugin}` were installed" in run.stderr


def test_all_plugins_of_a_marketplace_are_one_row_of_costs(skilltool: Skilltool, two_plugins: Path) -> None:
    run = skilltool("cost")
    assert [line.split()[:2] for line in run.stdout.splitlines()[1:2]] == [["claude-code", "2"]]
    assert "as if the plugins `one`, `two` were installed" in run.stderr


@pytest.fixture
def library(repo: Path, make_skill: MakeSkill) -> Path:
    """Skills in three directories, none of which a client reads."""
    for path in ("archive/greet", "skills/greet", "skills/wave", "skills/docs/part"):
        make_skill(repo / path, TEXT.format(name=path.rpartition("/")[2], who="you"))
    return repo


@pytest.mark.usefixtures("library")
def test_each_other_client_is_named_once(skilltool: Skilltool) -> None:
    run = skilltool("render", "--part", "catalog")
    others = run.stderr.splitlines()[0].partition("; use --runtime for others: ")[2]
    assert others == "codex, gemini-cli, opencode, qwen-code"


@pytest.mark.parametrize("configured", [False, True])
def test_one_listing_is_of_one_directory_and_says_so(
    skilltool: Skilltool, library: Path, configured: bool
) -> None:
    if configured:
        (library / "skilltool.toml").write_text('runtimes = ["codex"]\n', "utf-8")
    named = () if configured else ("--runtime", "codex")
    run = skilltool("render", "--part", "catalog", *named)
    assert "as if it read skills (not archive)" in run.stderr  # codex also looks in skills/docs
    assert [name for name in ("greet", "part", "wave") if f"- {name}:" in run.stdout] == [
        "greet",
        "part",
        "wave",
    ]
    run = skilltool("resolve", *named)
    assert "as if it read skills (not archive)" in run.stderr
    assert "loaded: 3" in run.stdout
    assert "skilltool resolve archive/greet" in run.stderr


@pytest.mark.usefixtures("library")
def test_listings_of_several_clients_are_one_of_each(skilltool: Skilltool) -> None:
    run = skilltool("render", "--part", "catalog", "--runtime", "gemini-cli,claude-code")
    heads = [line.split(":")[0] for line in run.stdout.splitlines() if line.startswith("==>")]
    assert heads == ["==> gemini-cli", "==> claude-code"]
    assert "gemini-cli, claude-code: as if they read skills (not archive, skills/docs)" in run.stderr
    run = skilltool("render", "--part", "catalog", "--diff", "gemini-cli", "claude-code")
    assert (run.returncode, run.stdout.splitlines()[0]) == (0, "--- gemini-cli/catalog"), run.stderr


def test_each_project_in_which_a_client_is_started_is_named(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    for path in ("a/.claude/skills/greet", "b/.claude/skills/wave", "b/.claude/skills/part"):
        make_skill(repo / path, TEXT.format(name=path.rpartition("/")[2], who="you"))
    for command in ("resolve", "cost"):
        assert "claude-code: as if started in a, b\n" in skilltool(command).stderr
    assert "claude-code: as if started in b\n" in skilltool("resolve", "wave").stderr
    run = skilltool("render", "--part", "catalog")
    assert "for claude-code, as if started in b (not a); " in run.stderr
    assert "- part:" in run.stdout


@pytest.mark.usefixtures("two_plugins")
def test_a_listing_has_plugins_beside_the_skills_at_home(
    skilltool: Skilltool, tmp_path: Path, make_skill: MakeSkill
) -> None:
    make_skill(tmp_path / "home/.claude/skills/greet", TEXT.format(name="greet", who="me"))
    home = ("--home", str(tmp_path / "home"))
    for named in ((), ("--runtime", "claude-code")):
        run = skilltool("render", "--part", "catalog", *home, *named)
        assert "as if the plugins `one`, `two` were installed" in run.stderr
        for key in ("greet", "one:greet", "two:greet"):
            assert f"- {key}: Greets people." in run.stdout
    rows = [line.split()[:2] for line in skilltool("cost", *home).stdout.splitlines() if "claude" in line]
    assert rows == [["claude-code", "3"]]
    assert "Say hello to one." in skilltool("render", "one/skills/greet", *home).stdout
    assert "Say hello to one." in skilltool("render", "greet", "--runtime", "claude-code", *home).stdout


@pytest.mark.usefixtures("library")
def test_each_row_of_a_client_has_a_place_of_its_own(
    skilltool: Skilltool, tmp_path: Path, make_skill: MakeSkill
) -> None:
    make_skill(tmp_path / "home/.claude/skills/mine", TEXT.format(name="mine", who="me"))
    options = ("--runtime", "claude-code,codex", "--home", str(tmp_path / "home"))
    for project, places in (
        (".", ["claude-code (archive)", "claude-code (skills/docs)", "claude-code (skills)"]),
        ("skills", ["claude-code (docs)", "claude-code (.)"]),
    ):
        rows = [line.partition("  ")[0] for line in skilltool("cost", *options, project).stdout.splitlines()]
        assert [row for row in rows if row.startswith("claude-code")] == places
        # It looks in `skills/docs` when it reads `skills`.
        assert not any(row.startswith("codex") and "docs" in row for row in rows)


@pytest.mark.usefixtures("two_plugins")
def test_skills_of_a_plugin_are_not_said_to_be_read_by_no_client(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / ".claude/skills/dev", TEXT.format(name="dev", who="you"))
    make_skill(repo / "drafts/wave", TEXT.format(name="wave", who="you"))
    for command in ("resolve", "cost"):
        run = skilltool(command)
        assert (
            "2 more for claude-code if their package is installed, such as "
            f"`skilltool {command} one/skills/greet`" in run.stderr
        )
        assert f"1 more in directories that no client reads: `skilltool {command} drafts/wave`" in run.stderr


@pytest.mark.slow
def test_an_entry_that_lists_skills_has_those_and_others_are_named(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    for name in ("art", "pdf", "orphan"):
        make_skill(repo / "skills" / name, TEXT.format(name=name, who=name))
    alike = {"source": "./", "strict": False}
    marketplace(repo, arts=alike | {"skills": ["./skills/art"]}, docs=alike | {"skills": ["./skills/pdf"]})
    run = skilltool("resolve")
    assert "as arts:art" in run.stdout
    assert "as docs:pdf" in run.stdout
    assert "orphan" not in run.stdout
    assert "1 more in directories that no client reads: `skilltool resolve skills/orphan`" in run.stderr
    skilltool("preview", "--export", "page.html")
    page = (repo / "page.html").read_text("utf-8")
    assert "as docs:pdf" in page
    assert "as arts:art" in page


def test_the_line_names_the_copy_that_is_read_and_the_others(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    home = repo.parent / "home"
    make_skill(repo / ".claude/skills/greet", TEXT.format(name="greet", who="the project"))
    make_skill(repo / ".codex/skills/greet", TEXT.format(name="greet", who="codex"))
    make_skill(home / ".claude/skills/greet", TEXT.format(name="greet", who="home"))
    run = skilltool("render", "greet", HOME=str(home))
    assert "Say hello to home." in run.stdout
    (line,) = run.stderr.splitlines()
    assert line.startswith("skilltool: for claude-code, which reads ~/.claude/skills/greet; ")
    assert "; other copies: .claude/skills/greet (claude-code), .codex/skills/greet (codex); " in line
    shadowed = skilltool("render", ".claude/skills/greet", HOME=str(home))
    assert (shadowed.returncode, shadowed.stdout) == (1, "")
    assert "claude-code does not load `.claude/skills/greet`" in shadowed.stderr


def test_arguments_are_for_the_copy_whose_client_takes_them(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / ".agents/skills/greet", TEXT.format(name="greet", who="all"))
    alone = skilltool("render", "greet", "--args", "Ann")
    assert (alone.returncode, alone.stdout) == (2, "")
    assert "takes no arguments; remove --args" in alone.stderr
    make_skill(repo / ".claude/skills/greet", TEXT.format(name="greet", who="claude"))
    assert "Say hello to all." in skilltool("render", "greet").stdout
    run = skilltool("render", "greet", "--args", "Ann")
    assert "Say hello to claude." in run.stdout
    assert "Ann" in run.stdout
    assert "other copies: .agents/skills/greet (codex); " in run.stderr


@pytest.mark.slow
@needs_git
@pytest.mark.parametrize("place", ["skills/greet", "skills/category/greet", "greet", "plugin/skills/greet"])
def test_a_revision_is_compared_where_no_client_looks(
    skilltool: Skilltool, tmp_path: Path, make_skill: MakeSkill, place: str
) -> None:
    top = tmp_path / "library"
    make_skill(top / place, TEXT.format(name="greet", who="you"))
    if place.startswith("plugin"):
        (top / "plugin/.claude-plugin").mkdir()
        (top / "plugin/.claude-plugin/plugin.json").write_text('{"name": "kit", "version": "1.0.0"}', "utf-8")
    for words in (
        ["init", "-q"],
        ["add", "-A"],
        ["-c", "user.email=a@b", "-c", "user.name=a", "commit", "-qm", "a"],
    ):
        subprocess.run(["git", *words], cwd=top, check=True)
    same = skilltool("cost", "--since", "HEAD", cwd=top)
    assert (same.returncode, same.stdout.partition(":")[0]) == (0, "unchanged"), same.stderr
    text = (top / place / "SKILL.md").read_text("utf-8")
    (top / place / "SKILL.md").write_text(text.replace("Use when", "Also in German. Use when"), "utf-8")
    assert "~" in skilltool("cost", "--since", "HEAD", cwd=top).stdout


def test_a_directory_without_a_skill_is_a_project(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / "packages/api/.claude/skills/greet", TEXT.format(name="greet", who="you"))
    assert "greet" in skilltool("resolve", "packages/api").stdout
    run = skilltool("render", "packages/api")
    assert (run.returncode, run.stdout) == (2, "")
    assert (
        run.stderr == "skilltool: packages/api has no SKILL.md; `skilltool resolve` lists the skills here\n"
    )


@pytest.mark.parametrize(
    "command",
    [["resolve"], ["cost"], ["render"], ["preview", "--export", "out.html"]],
    ids=lambda each: each[0],
)
def test_the_path_of_a_skill_md_means_its_directory(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill, command: list[str]
) -> None:
    skill = make_skill(repo / ".claude/skills/greet", TEXT.format(name="greet", who="you"))
    for path, cwd in ((".claude/skills/greet", repo), (str(skill), repo), (".", skill)):
        directory = skilltool(*command, path, cwd=cwd)
        file = skilltool(*command, "SKILL.md" if path == "." else f"{path}/SKILL.md", cwd=cwd)
        assert (file.returncode, file.stdout) == (0, directory.stdout), file.stderr


def test_a_client_counts_in_its_own_directory(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / ".claude/skills/greet", TEXT.format(name="greet", who="you"))
    assert "claude-code" in skilltool("resolve", cwd=repo / ".claude").stdout


def test_a_wrong_configuration_is_named(skilltool: Skilltool, repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / ".claude/skills/greet", TEXT.format(name="greet", who="you"))
    (repo / "skilltool.toml").write_text("runtimes = ['nope']\n", "utf-8")
    for command in (["lint"], ["resolve"], ["cost"], ["render", "greet"]):
        run = skilltool(*command)
        assert run.returncode == 2
        assert "skilltool.toml: `runtimes`: unknown runtime `nope`" in run.stderr


def test_a_wrong_path_leads_to_the_skill_of_that_name(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / ".claude/skills/greet", TEXT.format(name="greet", who="you"))
    run = skilltool("lint", "greet")
    assert run.returncode == 2
    assert "greet: No such file or directory; did you mean `.claude/skills/greet`?" in run.stderr


def test_a_copy_in_an_outer_project_that_an_inner_one_shadows_is_loaded_there(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    for place, name in (("pk", "greet"), ("pk/in", "greet"), ("pk/in", "wave")):
        make_skill(repo / place / ".claude/skills" / name, TEXT.format(name=name, who=place))
    rows = [line.split() for line in skilltool("resolve").stdout.splitlines()]
    assert ["greet", "pk/.claude/skills/greet", "loaded"] in [row[:3] for row in rows]
    assert "Say hello to pk." in skilltool("render", "pk/.claude/skills/greet").stdout


def test_cost_of_a_skill_of_a_plugin_is_not_that_of_its_namesake_at_home(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill, tmp_path: Path
) -> None:
    (repo / ".claude-plugin").mkdir()
    (repo / ".claude-plugin/plugin.json").write_text('{"name": "forms"}', "utf-8")
    make_skill(repo / "skills/greet", TEXT.format(name="greet", who="here"))
    make_skill(tmp_path / "home/.claude/skills/greet", TEXT.format(name="greet", who="me"))
    run = skilltool("cost", "greet", "--home", str(tmp_path / "home"))
    assert "skills/greet" in run.stdout.partition("\n")[0].replace(".claude/skills/greet", "")


def test_a_call_that_needs_permission_is_shown_with_it(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    text = TEXT.format(name="greet", who="you").replace("---\n\n", "allowed-tools: Bash\n---\n\n")
    make_skill(repo / ".claude/skills/greet", text)
    run = skilltool("render", "greet")
    assert (run.returncode, "Say hello to you." in run.stdout) == (0, True)
    assert "`greet` needs permission; claude-code sends this text once that is given (in print" in run.stderr
    told = json.loads(skilltool("render", "greet", "--output-format", "json").stdout)
    assert told["permission"] == "(in print mode, `claude -p`, for example by the allow rule `Skill(greet)`)"
    several = skilltool("render", "greet", "--runtime", "claude-code,goose").stdout
    assert several.startswith("==> claude-code (.claude/skills/greet) with permission: result")
    diff = skilltool("render", "greet", "--diff", "claude-code", "goose")
    assert "`greet` needs permission" in diff.stderr
    settings = repo / ".claude/settings.json"
    settings.write_text('{"permissions": {"allow": ["Skill(greet)"]}}', "utf-8")
    allowed = skilltool("render", "greet")
    assert (allowed.stdout, "permission" in allowed.stderr) == (run.stdout, False)


def test_a_call_that_fails_even_with_permission_says_so(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    text = TEXT.format(name="greet", who="you").replace("---\n\n", "allowed-tools: Read\n---\n\n")
    make_skill(repo / ".claude/skills/greet", text + "\n!`make it`\n")
    run = skilltool("render", "greet")
    assert run.returncode == 1
    assert "to the model's call to `greet` with this error, even with permission" in run.stderr
    assert "Shell command permission check failed" in run.stdout
    raw = skilltool("render", "--runtime", "claude-code", "--call", '{"skill": "greet"}').stdout
    assert raw.startswith("Execute skill: greet.")


def test_the_error_that_a_model_gets_is_explained(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / ".claude/skills/greet", TEXT.format(name="greet", who="you") + "\n!`make it`\n")
    run = skilltool("render", "greet")
    assert run.returncode == 1
    assert "to the model's call to `greet` with this error; `--part user` shows what typing" in run.stderr
    assert "{builtin}" in skilltool("render", "--part", "catalog").stderr
