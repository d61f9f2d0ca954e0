"""Files with routing cases in skills: what lint says of their form, and of skills that do not exist."""
# ruff: noqa: E501 - the files are as people have them, on one line

from __future__ import annotations

import json
from pathlib import Path

import pytest

from skilltool import runtimes
from skilltool.rules.file import invalid_routing_case
from skilltool.skill.model import load_skill
from tests.conftest import MakeSkill, Skilltool


def found(skilltool: Skilltool, *paths: str) -> list[str]:
    run = skilltool("lint", "--output-format", "json", *paths)
    rules = {"unknown-expected-skill", "invalid-routing-case"}
    return [each["message"] for each in json.loads(run.stdout)["diagnostics"] if each["rule"] in rules]


def write(skill: Path, file: str, text: str) -> None:
    path = skill / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_a_skill_that_does_not_exist_is_told_also_from_the_cache(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    forms = make_skill(repo / "skills" / "forms")
    write(
        forms,
        "evals/r.json",
        '[{"prompt": "a", "expected_skill": "form"}, {"prompt": "b", "expected_skill": "forms"}]',
    )
    message = "`evals/r.json` expects the skill `form`, which does not exist"
    assert found(skilltool) == [message]
    assert found(skilltool) == [message]
    make_skill(repo / "skills" / "form")
    assert found(skilltool) == []
    assert found(skilltool, "skills/forms") == []  # the other one is beside it, though not checked


def test_a_name_is_no_way_to_other_directories(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    forms = make_skill(repo / "skills" / "forms")
    make_skill(repo / "other")
    rows = [{"prompt": name, "expected_skill": name} for name in ("..", ".", "../other", "a:..")]
    write(forms, "evals/r.json", json.dumps(rows))
    assert found(skilltool, "skills") == ["`evals/r.json` expects the skill `../other`, which does not exist"]


def test_of_very_many_misformed_cases_the_first_are_told(tmp_path: Path) -> None:
    write(tmp_path / "forms", "SKILL.md", "---\nname: forms\ndescription: x\n---\nDo it.\n")
    write(tmp_path / "forms", "evals/r.jsonl", '{"prompt": "x", "should_trigger": 1}\n' * 100)
    told = list(invalid_routing_case.check(load_skill(tmp_path / "forms"), runtimes.get("portable")))
    assert len(told) == 20


def test_a_skill_of_another_directory_exists_where_it_is_checked(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    forms = make_skill(repo / "a" / "skills" / "forms")
    make_skill(repo / "b" / "skills" / "letters")
    write(
        forms,
        "triggers.jsonl",
        '{"prompt": "a", "expected_skill": "letters"}\n{"prompt": "b", "expected_skill": ""}\n',
    )
    assert found(skilltool) == []


@pytest.mark.together
@pytest.mark.parametrize(
    ("file", "text", "messages"),
    [
        ("evals/any-name.json", '[{"query": "x", "should_trigger": 1}]', ["`should_trigger` is not `true` or `false`"]),
        ("trigger_tests.yaml", "should_trigger_prompts:\n- reason: x\n", ["case has no `prompt`"]),
        ("tests/deep/er.jsonl", '{"prompt": "x", "expected_skill": 1}', ["`expected_skill` is not the name of a skill"]),
        ("evals/good.json", '[{"query": "x", "should_trigger": true}]', []),
        ("evals/evals.json", '{"skill_name": "forms", "evals": [{"id": 1, "prompt": 3}]}', []),
        ("evals/other.json", '{"trigger": "x", "cases": [3]}', []),
        ("evals/broken-trigger.json", '[{"query": "x", "should_trigger"', []),
        ("assets/trigger.json", '[{"query": "x", "should_trigger": 1}]', []),
        ("package.json", '{"tests": [{"prompt": "x", "should_trigger": 1}]}', []),
    ],
)  # fmt: skip
def test_the_form_of_cases_is_checked_whatever_the_file(
    file: str, text: str, messages: list[str], tmp_path: Path
) -> None:
    skill = tmp_path / "forms"
    write(skill, "SKILL.md", "---\nname: forms\ndescription: Fills in forms.\n---\nDo it.\n")
    write(skill, file, text)
    told = list(invalid_routing_case.check(load_skill(skill), runtimes.get("portable")))
    assert [each.message for each in told] == messages
    assert {each.file for each in told} <= {file}


@pytest.mark.parametrize(
    ("case", "messages"),
    [
        ({"input": {"ticket": 1}, "expected": {"done": True}}, []),
        ({"input": {"prompt": 1}, "expected_skill": "a"}, ["`input` is not a string"]),
        ({"input": 1, "expected_skill": "a"}, ["`input` is not a string"]),
        ({"query": 1, "input": {"ticket": 1}, "expected_skill": "a"}, ["`query` is not a string"]),
    ],
)
def test_an_input_with_fields_of_its_own_is_no_prompt(
    tmp_path: Path, make_skill: MakeSkill, case: dict[str, object], messages: list[str]
) -> None:
    skill = make_skill(tmp_path / "a")
    write(skill, "evals/evals.json", json.dumps({"evals": [case]}))
    checked = invalid_routing_case.check(load_skill(skill), runtimes.get("portable"))
    assert [each.message for each in checked] == messages
