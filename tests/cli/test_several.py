"""`resolve`, `render` and `cost` for several clients at once, as a user runs them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from wcwidth import wcswidth

from skilltool import runtimes
from tests.conftest import MakeSkill, Skilltool
from tests.support.schemas import validate
from tests.support.terminal import Terminal

HOME = ("--home", "../home")
OWNERS = ("agentskills", "claude-code", "kodelet", "mycodeagent")
BODY = "---\nname: greet\ndescription: Greets people{}. Use when asked.\n---\n\n# Greet\n\nSay hello{}.\n"


@pytest.fixture
def project(repo: Path, make_skill: MakeSkill) -> Path:
    """Copies of `greet` for four clients, of which two are equal, and another skill."""
    make_skill(repo / ".agents/skills/greet", BODY.format("", ""))
    make_skill(repo / ".claude/skills/greet", BODY.format("", ""))
    make_skill(repo.parent / "home/.claude/skills/greet", BODY.format(" in German", " in German"))
    make_skill(repo / ".kodelet/skills/greet", BODY.format("", " politely"))
    make_skill(repo / ".kodelet/skills/broken", "# no frontmatter\n")
    make_skill(repo / "skills/greet", BODY.format("", ""))
    return repo


def valid(name: str, text: str) -> Any:
    data = json.loads(text)
    validate(name, data)
    return data


def cells(line: str) -> list[str]:
    return re.split(r" {2,}", line.strip())


def finds_a_root(name: str, project: Path) -> bool:
    home = project.parent / "home"
    templates = [root.path_template for root in runtimes.get(name).roots if root.path_template]
    return any(Path(each.format(project=project, home=home)).is_dir() for each in templates)


def test_resolve_is_about_the_clients_that_look_at_anything_here(skilltool: Skilltool, project: Path) -> None:
    run = skilltool("resolve", *HOME, "--output-format", "json")
    looking = [name for name in runtimes.BARE if finds_a_root(name, project) and name != "mycodeagent"]
    assert [each["runtime"] for each in valid("resolve", run.stdout)["runtimes"]] == looking
    said = skilltool("resolve", *HOME).stderr.splitlines()
    assert said[0].endswith(": 1 more in directories that no client reads: `skilltool resolve skills/greet`")
    others = len(runtimes.BARE) - len(looking)
    assert (
        said[1] == f"skilltool: {others} runtimes have no skills directory here (`--runtime all` shows them)"
    )


@pytest.mark.usefixtures("project")
def test_resolve_is_a_table_of_a_few_clients_and_a_list_of_many(skilltool: Skilltool) -> None:
    run = skilltool("resolve", *HOME, "--runtime", ",".join(OWNERS))
    assert run.returncode == 0
    table = run.stdout.partition("\n\n")[0].splitlines()
    assert cells(table[0]) == ["skill", "copy", *OWNERS]
    assert [cells(line) for line in table[1:]] == [
        ["broken", ".kodelet/skills/broken", "-", "-", "rejected", "-"],
        ["greet", ".agents/skills/greet", "loaded", "-", "-", "-"],
        [".claude/skills/greet", "-", "shadowed", "-", "-"],
        [".kodelet/skills/greet", "-", "-", "loaded", "-"],
        ["skills/greet", "-", "-", "-", "loaded"],
        ["~/.claude/skills/greet", "-", "loaded", "-", "-"],
    ]
    assert "\n~/.claude/skills/greet shadows .claude/skills/greet in claude-code\n" in run.stdout
    assert "\nshadowed  the client loads a different copy" in run.stdout
    legend = run.stdout.partition("\n\n")[2].partition("\n\n")[2].splitlines()
    assert [line.split()[0] for line in legend] == ["shadowed", "rejected", "-"]
    assert cells(legend[-1]) == ["-", "the client does not look in this directory"]
    many = skilltool("resolve", *HOME, "--runtime", "all").stdout.splitlines()
    assert many[:3] == ["broken", "  .kodelet/skills/broken", "    rejected: kodelet"]
    assert not any(" - " in line for line in many), "a table of this width is not read"


@pytest.mark.usefixtures("project")
def test_resolve_name_says_what_becomes_of_each_copy_and_why(skilltool: Skilltool) -> None:
    rows = [cells(line) for line in skilltool("resolve", "greet", *HOME).stdout.splitlines()]
    assert rows[0] == ["copy", "role", "client", "status", "why"]
    why = "the first copy wins, and `~/.claude/skills/greet` (user) comes before this one"
    assert [".claude/skills/greet", "project", "claude-code", "shadowed", why] in rows
    assert "broken" not in str(rows)
    explained = skilltool("resolve", "greet", *HOME, "--explain").stdout
    assert "claude-code:\n  1. ~/.claude/skills/greet (user) loads as `greet`" in explained
    assert "kodelet:\n  1. .kodelet/skills/greet (project) loads as `greet`" in explained
    assert skilltool("resolve", "broken", *HOME).returncode == 1


def test_the_configuration_names_the_clients(skilltool: Skilltool, project: Path) -> None:
    config = project / "skilltool.toml"
    config.write_text("runtimes = ['nfa', 'kodelet']\n", "utf-8")
    assert cells(skilltool("resolve", *HOME).stdout.splitlines()[0])[2:] == ["nfa", "kodelet"]
    config.write_text("runtimes = ['kodelet']\n", "utf-8")
    one = skilltool("resolve", *HOME)
    assert one.stdout == skilltool("resolve", *HOME, "--runtime", "kodelet").stdout
    configured, unseen = one.stderr.splitlines()
    assert configured == "skilltool: for kodelet, which is configured"
    assert unseen == "skilltool: 1 more in directories that no client reads: `skilltool resolve skills/greet`"
    assert "agentskills" in skilltool("resolve", *HOME, "--runtime", "all").stdout


@pytest.mark.slow
def test_groups_are_several_runtimes_and_auto_names_none(skilltool: Skilltool, project: Path) -> None:
    by_group = skilltool("resolve", *HOME, "--runtime", "documents").stdout
    assert cells(by_group.splitlines()[0])[2:] == ["agent", "kodelet", "mycodeagent", "nfa", "pickle-bot"]
    assert skilltool("render", "greet", *HOME, "--runtime", "documents").stdout.startswith("==> kodelet (")
    usual = skilltool("resolve", *HOME).stdout
    (project / "skilltool.toml").write_text("runtimes = ['auto']\n", "utf-8")
    assert skilltool("resolve", *HOME).stdout == usual


def test_a_link_and_what_it_leads_to_are_one_copy(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / ".agents/skills/forms")
    (repo / ".claude/skills").mkdir(parents=True)
    (repo / ".claude/skills/forms").symlink_to("../../.agents/skills/forms")
    table = skilltool("resolve", "--runtime", "agentskills,claude-code").stdout.splitlines()
    assert [cells(line) for line in table[1:2]] == [["forms", ".agents/skills/forms", "loaded", "loaded"]]


def test_a_key_that_differs_from_the_directory_is_in_the_cell(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / ".kodelet/skills/folder", BODY.format("", ""))
    assert "as greet" in skilltool("resolve").stdout
    rendered = skilltool("render", "folder", "--runtime", "kodelet,nfa")
    assert rendered.returncode == 0
    assert rendered.stdout.startswith("==> kodelet (.kodelet/skills/folder): result\n")


@pytest.mark.usefixtures("project")
def test_render_has_a_section_for_each_text_and_marks_what_differs(skilltool: Skilltool) -> None:
    run = skilltool("render", "greet", "--runtime", ",".join((*OWNERS, "nfa", "agent", "pickle-bot")), *HOME)
    assert run.returncode == 0
    heads = [line for line in run.stdout.splitlines() if line.startswith("==>")]
    assert [head.partition(":")[0] for head in heads] == [
        "==> agentskills (.agents/skills/greet)",
        "==> claude-code (~/.claude/skills/greet)",
        "==> kodelet (.kodelet/skills/greet)",
        "==> mycodeagent (skills/greet)",
        "==> no text",
    ]
    assert "\n  # Greet\n\n* Say hello politely.\n" in run.stdout
    assert "\n  # Greet\n\n* Say hello in German.\n" in run.stdout
    missing = run.stdout.partition("==> no text\n")[2]
    assert "\n  not in a directory that these runtimes read: nfa, agent, pickle-bot\n" in f"\n{missing}"
    assert "skilltool render .agents/skills/greet --runtime nfa" in missing


def test_equal_texts_stand_once(skilltool: Skilltool, repo: Path, make_skill: MakeSkill) -> None:
    (repo.parent / "home").mkdir()
    for root in (".kodelet/skills", ".agents/skills"):
        make_skill(repo / root / "greet", BODY.format("", ""))
    part = ("render", "greet", "--part", "content", *HOME)
    run = skilltool(*part, "--runtime", "kodelet@0.5.36", "--runtime", "agentskills,kodelet@2025-12,nfa")
    heads = [line for line in run.stdout.splitlines() if line.startswith("==>")]
    assert heads[0] == (
        "==> kodelet@0.5.36 (.kodelet/skills/greet), kodelet@2025-12 (.kodelet/skills/greet): "
        "the same content"
    )
    assert heads[1] == "==> agentskills (.agents/skills/greet): content, 4 of 8 lines marked"
    assert run.stdout.count("  # Greet\n") == 2
    same = skilltool(*part, "--diff", "kodelet@0.5.36", "kodelet@2025-12")
    assert (same.returncode, same.stdout) == (0, "")
    assert same.stderr == "skilltool: kodelet@0.5.36 and kodelet@2025-12 send the same text\n"


@pytest.mark.usefixtures("project")
def test_diff_is_what_patch_understands(skilltool: Skilltool, project: Path) -> None:
    first, second = (
        skilltool("render", "greet", *HOME, "--runtime", name) for name in ("kodelet", "claude-code")
    )
    diff = skilltool("render", "greet", *HOME, "--diff", "kodelet", "claude-code")
    assert (diff.returncode, diff.stderr) == (0, "")
    assert diff.stdout.startswith("--- kodelet/result\n+++ claude-code/result\n")
    before, after = (
        "".join(line[1:] + "\n" for line in diff.stdout.splitlines()[3:] if line[0] in f" {mark}")
        for mark in "-+"
    )
    assert before == first.stdout
    assert after.rstrip("\n") == second.stdout.rstrip("\n")
    missing = skilltool("render", "greet", *HOME, "--diff", "kodelet", "nfa")
    assert (missing.returncode, missing.stdout) == (1, "")
    assert "nfa does not find `greet`" in missing.stderr


@pytest.mark.usefixtures("project")
def test_if_no_runtime_gives_the_text_the_status_is_1(skilltool: Skilltool) -> None:
    run = skilltool("render", "nothing", "--runtime", "kodelet,nfa", *HOME)
    assert (run.returncode, run.stdout.splitlines()[0]) == (1, "==> no text")
    parts = skilltool("render", "greet", "--part", "context", "--runtime", "kodelet,nfa", *HOME)
    assert parts.returncode == 1
    assert "kodelet has no part `context`; it has: result" in parts.stdout
    taken = skilltool("render", "greet", "--args", "x", "--runtime", "kodelet,claude-code", *HOME)
    assert taken.returncode == 0
    assert "`result` of kodelet takes no arguments" in taken.stdout


def test_no_text_looks_like_a_section(skilltool: Skilltool, repo: Path, make_skill: MakeSkill) -> None:
    for root in (".kodelet", ".claude"):
        make_skill(repo / root / "skills/greet", BODY.format("", "\n==> nfa: result\n--- x\n"))
    shown = skilltool("render", "greet", "--runtime", "kodelet,claude-code,nfa").stdout
    assert len(re.findall(r"(?m)^==>", shown)) == 3


@pytest.mark.slow
@pytest.mark.usefixtures("project")
def test_json_of_several_has_the_object_of_each_and_fits_the_schema(skilltool: Skilltool) -> None:
    form = ("--output-format", "json", *HOME)
    data = valid("render", skilltool("render", "greet", "--runtime", "all", *form).stdout)
    for each in data["runtimes"]:
        run = skilltool("render", "greet", "--runtime", each["runtime"], *form)
        if run.returncode == 2:  # what is refused for one is the problem of one of several
            assert run.stderr == f"skilltool: {each['problem']}\n"
            continue
        one = valid("render", run.stdout)
        assert one.items() <= each.items()
        assert (each["problem"] is None) == (each["directory"] is not None)
    resolved = valid("resolve", skilltool("resolve", "greet", *form).stdout)
    for each in resolved["runtimes"]:
        one = valid("resolve", skilltool("resolve", "greet", "--runtime", each["runtime"], *form).stdout)
        assert one == each
    answered = [each["runtime"] for each in resolved["runtimes"]]
    assert resolved["left_out"] == [name for name in runtimes.BARE if name not in answered]
    assert {"agent", "nfa", "pickle-bot"} <= set(resolved["left_out"])
    states = {seen["state"] for copy in resolved["copies"] for seen in copy["seen"]}
    assert states == {"loaded", "shadowed"}


@pytest.mark.usefixtures("project")
def test_roots_and_settings_go_to_the_runtimes_that_have_them(skilltool: Skilltool) -> None:
    options = ("--runtime", "kodelet,nfa", "--root", "project=skills", "--set", "allowed=none", *HOME)
    data = json.loads(skilltool("resolve", *options, "--output-format", "json").stdout)
    kodelet, nfa = data["runtimes"]
    assert kodelet["roots"][0]["path"].endswith("/repo/skills")
    assert [each["role"] for each in nfa["roots"]] == ["user"]
    assert kodelet["skills"] == []


@pytest.mark.usefixtures("project")
def test_fail_on_is_about_any_of_the_clients(skilltool: Skilltool) -> None:
    for state, status in (("shadowed", 1), ("skipped", 1), ("warning", 0), ("never", 0)):
        run = skilltool("resolve", *HOME, "--fail-on", state, "--runtime", ",".join(OWNERS))
        assert run.returncode == status, state


@pytest.mark.slow
@pytest.mark.parametrize("command", [["resolve"], ["cost"], ["render", "greet", "--diff", "kodelet", "nfa"]])
def test_watch_notices_a_root_that_comes_and_goes(project: Path, command: list[str]) -> None:
    waiting = "waiting for changes"
    nfa = project.parent / "home/.nfa/skills/greet"
    with Terminal(*command, *HOME, "--watch", cwd=project, COLUMNS="120") as terminal:
        terminal.until(waiting)
        nfa.parent.parent.parent.mkdir(exist_ok=True)
        (project / ".kodelet/skills/greet").rename(project / ".kodelet/skills/other")
        terminal.until(waiting)
        (project / ".kodelet/skills/other").rename(project / ".kodelet/skills/greet")
        terminal.until(waiting)
        nfa.mkdir(parents=True)
        (nfa / "SKILL.md").write_text(BODY.format(" twice", " twice"), "utf-8")
        shown = {"resolve": "~/\\.nfa/skills/greet", "cost": "nfa(?:\x1b\\[0m)? +1 ", "render": "twice"}
        printed = ""
        while not re.search(shown[command[0]], printed):
            printed += terminal.until(waiting)
        assert terminal.interrupt() == 130


@pytest.mark.slow
def test_watch_notices_the_settings_files_of_a_runtime(project: Path) -> None:
    waiting = "waiting for changes"
    home = project.parent / "home/.kodelet/config.yaml"
    home.parent.mkdir(parents=True, exist_ok=True)
    with Terminal("resolve", "--runtime", "kodelet", *HOME, "--watch", cwd=project) as terminal:
        terminal.until(waiting)
        for file in (project / "kodelet-config.yaml", home):
            file.write_text("skills:\n  allowed: [none]\n", "utf-8")
            assert "does not list it" in terminal.until(waiting)
            file.unlink()
            assert "does not list it" not in terminal.until(waiting)
        assert terminal.interrupt() == 130


@pytest.mark.slow
@pytest.mark.parametrize("columns", [40, 80, 120])
@pytest.mark.parametrize("command", [["resolve"], ["resolve", "greet"], ["cost"]], ids=" ".join)
def test_what_people_read_fits_the_terminal(project: Path, command: list[str], columns: int) -> None:
    with Terminal(*command, *HOME, "--color", "never", cwd=project, COLUMNS=str(columns)) as terminal:
        lines = [line for line in terminal.rest().splitlines() if not line.startswith("skilltool: ")]
    assert len(lines) > 5
    assert max(map(wcswidth, lines)) <= columns
    shown = " ".join(" ".join(lines).split())
    for name in ("agentskills", "claude-code", "kodelet"):
        assert name in shown


@pytest.mark.usefixtures("project")
def test_nothing_here_is_said(skilltool: Skilltool, tmp_path: Path) -> None:
    (tmp_path / "empty/.git").mkdir(parents=True)
    for command in ("resolve", "cost"):
        run = skilltool(command, "--home", str(tmp_path / "empty"), cwd=tmp_path / "empty")
        assert (run.returncode, run.stdout) == (0, "")
        told = "no skills in this project or in the home directory; create one with `skilltool new`"
        assert run.stderr == f"skilltool: {told}\n"


def test_clients_in_which_the_same_copy_wins_share_a_line(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    for place in (".agents/skills", ".claude/skills"):
        make_skill(repo / place / "greet")
    (repo.parent / "home").mkdir()
    run = skilltool("resolve", "--runtime", "copilot,goose,crush", "--home", "../home")
    assert "\n.agents/skills/greet shadows .claude/skills/greet in copilot and goose\n" in run.stdout
    assert "\n.claude/skills/greet shadows .agents/skills/greet in crush\n" in run.stdout
    assert "\nshadowed  " in run.stdout
    assert "not seen" not in run.stdout, "each client looks in each directory"


def test_the_cost_of_a_listing_that_nobody_knows_is_not_told(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / ".agents/skills/pdf")
    (repo.parent / "home").mkdir(exist_ok=True)
    run = skilltool("cost", *HOME, "--runtime", "pi", "--runtime", "cursor")
    assert "cursor skipped: its listing format is not known" in run.stderr
    assert re.fullmatch(r"client +listed +tokens\npi +1 +\d+\n", run.stdout.partition("\n\n")[0] + "\n")
    alone = skilltool("cost", *HOME, "--runtime", "cursor")
    assert (alone.returncode, alone.stdout) == (2, "")
    assert "the listing format of cursor is not known; choose a different runtime" in alone.stderr


def test_resolve_counts_what_a_client_loads_and_does_not_list_apart(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    (repo.parent / "home").mkdir()
    make_skill(repo / ".agents/skills/office/greet", BODY.format("", ""))
    (repo / ".agents/skills/office/greet/people.md").write_text("# People\n", "utf-8")
    (repo / ".claude/commands").mkdir(parents=True)
    (repo / ".claude/commands/deploy.md").write_text(
        "---\ndisable-model-invocation: true\n---\n\nDeploy.\n", "utf-8"
    )
    run = skilltool("resolve", "--runtime", "openhands,claude-code,codex", *HOME)
    assert "openhands also loads 1 other file: `skilltool resolve --runtime openhands`" in run.stderr
    assert "people" not in run.stdout
    assert "deploy" in run.stdout  # a user calls it
    assert "people" in skilltool("resolve", "--runtime", "openhands", *HOME).stdout
