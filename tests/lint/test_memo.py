"""A rule is asked once for all runtimes that are alike in what it looks at, and its findings are the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from skilltool import runtimes
from skilltool.lint.memo import MOST, Memo, first_findings
from skilltool.rules import RULES
from skilltool.rules.may_apply import MAY_APPLY as PREFILTERS
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill, load_skill

TESTS = Path(__file__).parents[1]
PACKS = [TESTS / "goldens" / "fixtures", TESTS / "goldens-public" / "fixtures"]
SKILLS = sorted({file.parent for top in PACKS for file in top.rglob("SKILL.md")})[::5]


@pytest.mark.slow
@pytest.mark.together
@pytest.mark.parametrize("directory", SKILLS, ids=lambda path: path.name)
def test_answers_are_those_that_each_runtime_would_get(directory: Path) -> None:
    skill = load_skill(directory)
    answers = Memo(skill)
    for runtime in map(runtimes.get, runtimes.IDS):
        for name, prefilter in PREFILTERS.items():
            assert answers.ask(prefilter, runtime) == prefilter(skill, runtime), name
        for name in RULES:
            assert answers.findings(RULES[name].check, runtime) == list(RULES[name].check(skill, runtime)), (
                name
            )


class Question:
    """Asks for some attributes of a runtime, and counts how often it is asked."""

    def __init__(self, *attributes: str) -> None:
        self.attributes = attributes
        self.asked = 0

    def __call__(self, skill: Skill, runtime: Runtime) -> tuple[object, ...]:
        self.asked += 1
        return tuple(getattr(runtime, name) for name in self.attributes)


@pytest.mark.parametrize(
    ("attributes", "asked"),
    [((), 1), (("schema",), 2), (("id",), 3), (("specification", "schema"), 2)],
    ids=["nothing", "the schema", "the id", "two attributes"],
)
def test_a_question_is_asked_again_only_where_it_looks_at_something_else(
    attributes: tuple[str, ...], asked: int
) -> None:
    question = Question(*attributes)
    answers = Memo(load_skill(SKILLS[0]))
    alike = [runtimes.get(name) for name in ("kodelet", "kodelet@0.5.36", "nfa", "kodelet")]
    assert [answers.ask(question, each) for each in alike] == [
        tuple(getattr(each, name) for name in attributes) for each in alike
    ]
    assert question.asked == asked


def test_a_rule_has_a_limited_number_of_findings_in_one_skill(tmp_path: Path) -> None:
    body = "".join(f"[a](gone-{number}.md)\n" for number in range(MOST + 5))
    (tmp_path / "SKILL.md").write_text(f"---\nname: a\ndescription: b\n---\n{body}", "utf-8")
    findings = first_findings(RULES["broken-link"].check(load_skill(tmp_path), runtimes.get("portable")))
    assert len(findings) == MOST
    assert [each for each in findings if "omitted" in each.message] == [findings[-1]]
    assert "gone-0.md" in findings[0].message
