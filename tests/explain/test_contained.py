"""One runtime does not fail the others: not by a root that a place does not have, nor by a defect of ours."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skilltool import runtimes
from skilltool.cli.sessions import SessionOptions, sessions_of
from skilltool.explain import compare
from skilltool.packages.manifest import places
from tests.conftest import MakeSkill, Skilltool, examples
from tests.support import failing

SAID = "internal error in `kodelet` (please report it): ValueError: made up"
PLACES = ["", "skills", "a/b", *(each.path for each in places())]
SKILL = "---\nname: {name}\ndescription: Fills in forms. Use for a form.\n---\n\nbody-{name}\n"


@pytest.mark.slow
@pytest.mark.parametrize("function", ["scan", "catalog", "budget"])
@pytest.mark.parametrize("command", [["resolve"], ["resolve", "pdf"], ["cost"], ["cost", "pdf"]])
def test_a_defect_in_one_runtime_leaves_the_others(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill, tmp_path: Path, function: str, command: list[str]
) -> None:
    for place in (".claude/skills", ".kodelet/skills"):
        make_skill(repo / place / "pdf", SKILL.format(name="pdf"))
    broken = failing.environment(tmp_path / "hook", failing.of_runtime(function))
    named = ("--runtime", "kodelet,claude-code")
    whole = skilltool(*command, *named)
    assert (whole.returncode, whole.stderr) == (0, "")
    run = skilltool(*command, *named, **broken)
    if function == "budget" and command[0] == "cost":  # nobody asks a client without skills over budget
        assert "claude-code" in run.stdout
        return
    if function == "catalog" and command[0] == "resolve":  # a table has no listing
        assert (run.returncode, run.stdout) == (0, whole.stdout)
        return
    assert run.returncode == 2
    assert run.stderr.count(SAID) == 1
    assert "claude-code" in run.stdout
    assert ".kodelet" not in run.stdout


@pytest.mark.slow
@pytest.mark.parametrize("function", ["scan", "call"])
def test_a_defect_in_one_runtime_is_a_line_in_its_section(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill, tmp_path: Path, function: str
) -> None:
    for place in (".claude/skills", ".kodelet/skills"):
        make_skill(repo / place / "pdf", SKILL.format(name="pdf"))
    broken = failing.environment(tmp_path / "hook", failing.of_runtime(function))
    run = skilltool("render", "pdf", "--runtime", "all", **broken)
    assert run.returncode == 2
    assert "==> claude-code (.claude/skills/pdf): result" in run.stdout
    assert "body-pdf" in run.stdout
    assert run.stdout.partition("==> no text\n")[2].count(SAID) == 1
    alone = skilltool("render", "pdf", "--runtime", "kodelet", **broken)
    assert (alone.returncode, alone.stdout) == (2, "")
    assert "(please report it): ValueError: made up" in alone.stderr
    found = json.loads(
        skilltool("render", "pdf", "--runtime", "all", "--output-format", "json", **broken).stdout
    )
    assert [each["runtime"] for each in found["runtimes"] if SAID in (each["problem"] or "")] == ["kodelet"]


@pytest.mark.slow
@settings(max_examples=examples(40), deadline=None)
@given(
    copies=st.lists(st.sampled_from(PLACES), min_size=1, max_size=3, unique=True),
    at_home=st.sampled_from([None, *(each.path for each in places())]),
    below=st.sampled_from([".", "src", "packages/api"]),
    git=st.sampled_from([None, ".", "packages"]),
    group=st.sampled_from(["all", "clients", "frameworks", "documents", "pi,codex", "opencode,agno"]),
)
def test_no_place_ends_a_group_of_runtimes(
    tmp_path_factory: pytest.TempPathFactory,
    copies: list[str],
    at_home: str | None,
    below: str,
    git: str | None,
    group: str,
) -> None:
    base = tmp_path_factory.mktemp("place")
    top, home = base / "project", base / "home"
    directories = [top / copy / "pdf" for copy in copies] + ([home / at_home / "pdf"] if at_home else [])
    for directory in directories:
        directory.mkdir(parents=True, exist_ok=True)
        (directory / "SKILL.md").write_text(SKILL.format(name="pdf"), "utf-8")
    home.mkdir(exist_ok=True)
    (top / below).mkdir(parents=True, exist_ok=True)
    if git is not None and (top / git).is_dir():
        (top / git / ".git").mkdir(exist_ok=True)
    given_options = SessionOptions(top / below, home)
    for name in (None, "pdf", str(directories[0])):
        opened = sessions_of(group.split(","), given_options, name)
        asked = [each for part in group.split(",") for each in runtimes.GROUPS.get(part, (part,))]
        answered = {each.runtime.id for each in opened.sessions} | {each.id for each in opened.left_out}
        assert answered == set(asked)
        for session in opened.sessions:
            shown = compare.shown_in(session, name, None if name else "catalog", None)
            assert shown.gives_text or shown.problem
            assert session.failure is None or "internal error" not in session.failure


@pytest.mark.slow
def test_every_runtime_is_started_in_every_place_with_the_defaults_of_its_settings(tmp_path: Path) -> None:
    for number, (place, name) in enumerate(product(PLACES, runtimes.IDS)):
        project = tmp_path / str(number % len(PLACES)) / "x"
        (project / place / "pdf").mkdir(parents=True, exist_ok=True)
        (project / place / "pdf" / "SKILL.md").write_text(SKILL.format(name="pdf"), "utf-8")
        runtime = runtimes.get(name)
        defaults = {key: each.default for key, each in runtime.settings.items()}
        session = runtime.open(project, tmp_path / "home", defaults)
        assert session.failure is None
