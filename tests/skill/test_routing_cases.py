"""Files with routing cases, read by shape: what people have in the wild, and what is wrong with some."""
# ruff: noqa: E501 - the files are as people have them, on one line

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from skilltool.skill import routing_cases, schema
from skilltool.skill.routing_cases import Case, CaseFile, NotParsedError

POSITIVE = ("pdf",)
WAZA = """\
skill: pdf
should_trigger_prompts:
  - prompt: Fill in this form
    reason: a form
    confidence: high
should_not_trigger_prompts:
  - prompt: Paint the wall
    reason: no form
"""


def read(text: str, file: str = "cases.json", owner: str | None = None) -> CaseFile:
    found = routing_cases.read(text, file, owner)
    assert found is not None
    return found


def judged(found: CaseFile) -> list[tuple[str, tuple[str, ...] | None, tuple[str, ...]]]:
    return [(case.prompt, case.expected, case.rejected) for case in found.cases]


@pytest.mark.together
@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("a.json", '[{"query": "Fill in this form", "should_trigger": true}, {"query": "Paint the wall", "should_trigger": false}]'),
        ("eval_queries.json", '[{"prompt": "Fill in this form", "should_trigger": true}, {"prompt": "Paint the wall", "should_trigger": false}]'),
        ("a.json", '[{"_comment": "mine"}, {"query": "Fill in this form", "should_trigger": true}, {"query": "Paint the wall", "should_trigger": false}]'),
        ("a.json", '{"skill": "pdf", "version": 1, "cases": [{"id": "a", "prompt": "Fill in this form", "should_trigger": true}, {"prompt": "Paint the wall", "should_trigger": false, "reason": "no"}]}'),
        ("evals.json", '{"evaluations": [{"id": 1, "prompt": "Fill in this form", "skill_should_trigger": true}, {"id": 2, "prompt": "Paint the wall", "skill_should_trigger": false}]}'),
        ("trigger_tests.yaml", WAZA),
        ("t.json", '{"skill_name": "pdf", "trigger": {"positive": [{"prompt": "Fill in this form", "top_k": 3}], "negative": [{"prompt": "Paint the wall"}]}}'),
        ("a.json", '[{"query": "Fill in this form", "should_trigger": true, "expected_skill": "pdf"}, {"query": "Paint the wall", "should_trigger": false}]'),
    ],
    ids=["skill-creator", "agentskills", "with a comment", "cases", "amd", "waza", "addyosmani", "narraitor"],
)  # fmt: skip
def test_shapes_about_one_skill_say_the_same(file: str, text: str) -> None:
    found = read(text, file, owner="pdf")
    assert judged(found) == [("Fill in this form", POSITIVE, ()), ("Paint the wall", None, POSITIVE)]
    assert found.misformed == ()


@pytest.mark.together
@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("a.jsonl", '{"id": "1", "prompt": "Fill in", "expected_skill": "pdf"}\n\n{"id": "2", "prompt": "Paint", "expected_skill": ""}\n'),
        ("a.json", '{"cases": [{"prompt": "Fill in", "expected": "pdf"}, {"prompt": "Paint", "expected": null}]}'),
        ("a.json", '[{"prompt": "Fill in", "expected_skills": ["pdf"], "kind": "direct"}, {"prompt": "Paint", "expected_skills": []}]'),
        ("a.yaml", "cases:\n- prompt: Fill in\n  expected_skill: pdf\n- prompt: Paint\n  expected_skill: ''\n"),
        ("a.json", '{"tests": [{"input": {"prompt": "Fill in"}, "expected_skill": "pdf"}, {"input": "Paint", "expected_skill": ""}]}'),
    ],
    ids=["UiPath", "exa", "ccheney", "YAML", "input"],
)  # fmt: skip
def test_shapes_about_many_skills_say_the_same(file: str, text: str) -> None:
    assert judged(read(text, file)) == [("Fill in", POSITIVE, ()), ("Paint", (), ())]


def test_other_right_and_wrong_skills_are_read() -> None:
    row = {"prompt": "x", "expected_skill": "a", "acceptable_skills": ["b"], "not_expected_skills": ["c"]}
    case = read(json.dumps([row])).cases[0]
    assert (case.expected, case.rejected) == (("a", "b"), ("c",))
    assert [case.is_right(name) for name in ("a", "b", "c", "d", None)] == [True, True, False, False, False]
    only_wrong = read(json.dumps([{"query": "x", "should_trigger": False}]), owner="c").cases[0]
    assert [only_wrong.is_right(name) for name in ("c", "d", None)] == [False, True, True]
    none = read(json.dumps([{"prompt": "x", "expected_skill": ""}])).cases[0]
    assert [none.is_right(name) for name in ("c", None)] == [False, True]


def test_the_owner_of_a_negative_is_what_is_expected_instead() -> None:
    text = json.dumps({"skill_name": "pdf", "trigger": {"negative": [{"prompt": "x", "owner": "docx"}]}})
    assert judged(read(text)) == [("x", ("docx",), ("pdf",))]


def test_a_negative_of_the_skill_that_is_expected_is_a_negative() -> None:
    row = {"query": "x", "should_trigger": False, "expected_skill": "pdf"}
    assert judged(read(json.dumps([row]), owner="pdf")) == [("x", None, POSITIVE)]


def test_splits_have_two_names() -> None:
    rows = [
        {"prompt": str(n), "expected_skill": "a", "split": s}
        for n, s in enumerate(("train", "holdout", "x", 3))
    ]
    assert [case.split for case in read(json.dumps(rows)).cases] == ["tune", "judge", None, None]


@pytest.mark.together
@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"expected_skill": "a"}, "case has no `prompt`"),
        ({"prompt": " ", "expected_skill": "a"}, "`prompt` is empty"),
        ({"prompt": 3, "expected_skill": "a"}, "`prompt` is not a string"),
        ({"prompt": "x"}, "case does not say which skill is expected"),
        ({"prompt": "x", "expected_skill": 3}, "`expected_skill` is not the name of a skill"),
        ({"prompt": "x", "expected_skills": ["a", ""]}, "`expected_skills` is not the name of a skill"),
        ({"prompt": "x", "should_trigger": "yes"}, "`should_trigger` is not `true` or `false`"),
        ({"prompt": "x", "should_trigger": True}, "`should_trigger` is about no skill"),
        ({"prompt": "x", "should_trigger": False}, "`should_trigger` is about no skill"),
        ({"id": "good", "prompt": "x", "expected_skill": "a"}, "id `good` is there twice"),
        ("x", "case is not an object"),
    ],
)
def test_a_misformed_row_is_told_with_its_place_and_hides_no_other(row: object, message: str) -> None:
    good = {"id": "good", "prompt": "y", "expected_skill": "a"}
    text = json.dumps({"cases": [good, row]}, indent=1)
    found = read(text)
    assert [each.message for each in found.misformed] == [message]
    assert found.cases[0].prompt == "y"
    span = found.span(found.misformed[0].path)
    assert text.index(json.dumps(good)[1:8]) < span.start < len(text)


@pytest.mark.together
@pytest.mark.parametrize(
    "text",
    ["3", "{}", "[]", '{"cases": []}', '{"cases": [{"name": "x"}]}', '["x"]', '{"tests": {"a": 1}}', "null",
     '[{"prompt": "x", "answer": "y"}]', '{"scripts": {"test": "x"}}', '{"cases": "should_trigger"}'],
)  # fmt: skip
def test_other_json_is_no_file_of_cases(text: str) -> None:
    assert routing_cases.read(text, "a.json") is None


def test_a_file_of_outcomes_is_known_as_one() -> None:
    text = json.dumps(
        {"skill_name": "pdf", "evals": [{"id": 1, "prompt": "Fill in", "expected_output": "a form"}]}
    )
    found = read(text)
    assert found.outcomes
    assert judged(found) == [("Fill in", POSITIVE, ())]


@pytest.mark.together
@pytest.mark.parametrize(
    ("file", "text", "message", "start"),
    [
        ("a.json", "[{]", "not valid JSON: ", 2),
        ("a.jsonl", '{"prompt": "x", "expected_skill": "a"}\n{]', "not valid JSON: ", 40),
        ("a.yaml", "a: [", "not valid YAML: ", 4),
        ("a.json", "[" * 100, "not valid JSON: has more than 64 levels", 64),
    ],
)
def test_a_text_that_does_not_parse_is_told_with_its_place(
    file: str, text: str, message: str, start: int
) -> None:
    with pytest.raises(NotParsedError) as raised:
        routing_cases.read(text, file)
    assert raised.value.message.startswith(message)
    assert raised.value.span.start == start


def test_more_cases_than_the_bound_are_told_once() -> None:
    row = '{"prompt": "x", "expected_skill": "a"}\n'
    found = read(row * (routing_cases.MAX_CASES + 10), "a.jsonl")
    assert len(found.cases) == routing_cases.MAX_CASES
    assert [each.message for each in found.misformed] == ["has more than 5,000 cases"]


NAMES = st.lists(st.sampled_from(["a", "b", "c", "pdf-tools"]), max_size=2, unique=True).map(tuple)
CASES = st.builds(
    Case,
    st.just(""),
    st.text(min_size=1).filter(str.strip),
    st.none() | NAMES,
    NAMES,
    st.sampled_from([None, "tune", "judge"]),
    st.text(max_size=8),
    st.just(()),
).filter(lambda case: case.expected is not None or bool(case.rejected))


@given(st.lists(CASES, min_size=1, max_size=4))
def test_what_is_written_is_read_back_and_fits_the_schema(cases: list[Case]) -> None:
    cases = [case._replace(id=str(number)) for number, case in enumerate(cases)]
    text = routing_cases.written(cases)
    Draft202012Validator(schema.load("cases")).validate(json.loads(text))
    found = read(text)
    assert found.misformed == ()
    assert [case._replace(path=()) for case in found.cases] == cases


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=6), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["cases", "prompt", "query", "should_trigger", "expected_skill", "expected_skills", "skill", "evals", "trigger", "positive", "negative", "should_trigger_prompts", "input", "id", "split"]), inner, max_size=4), max_leaves=20))  # fmt: skip
def test_any_json_is_read_or_told(data: object) -> None:
    found = routing_cases.read(json.dumps(data), "a.json")
    if found is not None:
        assert found.cases or found.misformed
        for path in [*(case.path for case in found.cases), *(each.path for each in found.misformed)]:
            assert found.span(path).start >= 0
