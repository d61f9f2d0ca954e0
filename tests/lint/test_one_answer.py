"""One answer: the matrix, the session and the findings of a runtime agree on every skill."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skilltool.findings.finding import Severity
from skilltool.lint.config import Config
from skilltool.lint.find import find_skills
from skilltool.lint.run import check_skills
from skilltool.lint.settings import resolve
from skilltool.runtimes import agentskills
from tests.conftest import MakeSkill, Skilltool, examples
from tests.judges.one_answer import IDS, Answers, answers

FIXTURES = Path(__file__).parents[1]


def disagreements(top: Path, name: str) -> list[Answers]:
    return [each for each in answers(top, name) if not each.agree]


@pytest.mark.slow
@pytest.mark.together
@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("pack", ["goldens", "goldens-public"])
def test_matrix_session_and_findings_agree_on_the_fixtures(name: str, pack: str) -> None:
    assert disagreements(FIXTURES / pack / "fixtures", name) == []


NAMES = st.sampled_from(
    ["name: a", "name: A", "name: 'a'", "name: [a]", "name: b", "name:", "nam: a", "name: a--a"]
)
DESCRIPTIONS = st.sampled_from(
    [
        "description: Fills in forms.",
        "description: >\n  Fills in forms.",
        "description: |\n  Fills in\n  forms.",
        "description: Fills in: forms",
        "description: [Fills, in]",
        "description: left---right",
        "description: a #b",
        "description: " + "x" * 600,
        "description: ''",
        "description: {a: b}",
    ]
)
OTHERS = st.sampled_from(
    [
        "",
        "argument-hint: [x]",
        "metadata: {internal: true}",
        "metadata:\n  version: 1.0",
        'metadata:\n  tags: ["a", "b"]',
        "allowed-tools: [Read, Bash(which x)]",
        "triggers: [a]",
        "toolsets: ['x:Y']",
        "description: again",
        "\ufefflicense: MIT",
        "\tlicense: MIT",
        "%YAML 1.2",
        "license: &a MIT",
        "- item",
    ]
)
OPENINGS = st.sampled_from(["---\n", "--- \n", "\n---\n", "\ufeff---\n", "---\r\n", "", "-----\n"])
CLOSINGS = st.sampled_from(["---\n", "--- \n", "", "...\n", "---"])
FILES = st.sampled_from(["SKILL.md", "SKILL.md", "SKILL.md", "skill.md", "link", "dangling", "page"])


@st.composite
def texts(draw: st.DrawFn) -> bytes:
    lines = "\n".join(draw(each) for each in (NAMES, DESCRIPTIONS, OTHERS))
    body = draw(st.sampled_from(["\n# A\n", "", "\xff"]))
    text = f"{draw(OPENINGS)}{lines}\n{draw(CLOSINGS)}{body}"
    return text.encode("latin-1", "replace") if body == "\xff" else text.encode()


@pytest.mark.slow
@settings(max_examples=examples(40))
@given(skills=st.lists(st.tuples(texts(), FILES), min_size=1, max_size=3))
def test_matrix_session_and_findings_agree_on_generated_trees(
    tmp_path_factory: pytest.TempPathFactory, skills: list[tuple[bytes, str]]
) -> None:
    top = tmp_path_factory.mktemp("tree")
    (top / ".git").mkdir()
    for directory, (raw, file) in zip("abc", skills, strict=False):
        place = top / "skills" / directory
        place.mkdir(parents=True)
        if file == "dangling":
            (place / "SKILL.md").symlink_to("gone.md")
        elif file == "page":
            (place / "SKILL.md").symlink_to("SKILL.md")
            (place / "page.md").write_bytes(raw)
        elif file == "link":
            (top / f"{directory}.md").write_bytes(raw)
            (place / "SKILL.md").symlink_to(f"../../{directory}.md")
        else:
            (place / file).write_bytes(raw)
    if any(find_skills(resolve(Config(), {"paths": [top], "allow-empty": True})).skills):
        for name in IDS:
            assert disagreements(top, name) == [], name
    shutil.rmtree(top)


def test_a_client_that_takes_the_page_beside_a_skill_for_one_does_not_load_the_skill(
    skilltool: Skilltool, repo: Path
) -> None:
    place = repo / ".agents" / "skills" / "forms"
    place.mkdir(parents=True)
    (place / "SKILL.md").symlink_to("gone.md")
    (place / "fields.md").write_text(
        "---\nname: fields\ndescription: Fills in forms.\n---\n\nText.\n", "utf-8"
    )
    assert "loaded: 1\n  fields " in skilltool("resolve", "--runtime", "openhands").stdout
    found = list(answers(repo, "openhands"))
    assert [(each.cell, each.agree) for each in found] == [("refused", True)]


AGENTSKILLS = {
    "flow": ("license: MIT\nargument-hint: [x]", "not-loaded", 5),
    "field": ("context: fork", "unknown-field", 4),
    "other": ("license: MIT\nlicense: MIT", "duplicate-key", 5),
    "tools": ("allowed-tools:\n  - Read", None, 0),
    "list": ('metadata:\n  tags: ["a", "b"]', "not-loaded", 5),
    "data": ("metadata:\n  internal: true", None, 0),
}


@pytest.mark.parametrize(("name", "case"), AGENTSKILLS.items(), ids=list(AGENTSKILLS))
def test_agentskills_has_an_error_exactly_where_the_validator_refuses(
    repo: Path, make_skill: MakeSkill, name: str, case: tuple[str, str | None, int]
) -> None:
    lines, rule, line = case
    text = f"---\nname: {name}\ndescription: Fills in forms.\n{lines}\n---\n\nText.\n"
    skill = make_skill(repo / name, text)
    report = check_skills(resolve(Config(), {"paths": [skill], "runtimes": ["agentskills"]}))
    errors = [each for each in report.diagnostics if each.severity is Severity.ERROR]
    assert [(each.rule, each.location.start.line) for each in errors] == ([(rule, line)] if rule else [])
    assert bool(agentskills.validate(skill)) == bool(errors)


def test_line_breaks_of_a_message_stay_line_breaks(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    skill = make_skill(repo / "a", "---\nname: A_b\ndescription: d\nextra: x\n---\n\nText.\n")
    first, *others = agentskills.validate(skill)
    shown = skilltool("lint", "--runtime", "agentskills", "--select", "not-loaded").stdout
    assert len(others) == 3
    assert f"  = agentskills: {first}\n" in shown
    assert all(f"\n      {line}\n" in shown for line in others)


def test_refusals_of_several_runtimes_are_one_finding_with_their_words(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(
        repo / "a", "---\nname: a\ndescription: Fills in forms.\nlicense: &x MIT\nother: *y\n---\n\nText.\n"
    )
    options = ("--select", "not-loaded", "--runtime", "kodelet,agent,nfa")
    run = skilltool("lint", *options, "--output-format", "json")
    (found,) = json.loads(run.stdout)["diagnostics"]
    assert found["runtimes"] == ["kodelet", "agent", "nfa"]
    assert sorted(name for each in found["notes"] for name in each["runtimes"]) == ["agent", "kodelet", "nfa"]
    shown = skilltool("lint", *options).stdout
    for note in found["notes"]:
        assert f"= {', '.join(note['runtimes'])}: " in shown


@pytest.mark.parametrize("name", ["mycodeagent", "portable"])
def test_a_block_that_a_runtime_does_not_read_is_one_finding_at_the_block(
    repo: Path, make_skill: MakeSkill, name: str
) -> None:
    skill = make_skill(repo / "a", "---\nname: a\ndescription: >\n  Fills in forms.\n---\n\nText.\n")
    report = check_skills(resolve(Config(), {"paths": [skill], "runtimes": [name]}))
    assert [(each.rule, each.location.start.line) for each in report.diagnostics] == [("not-loaded", 3)]
