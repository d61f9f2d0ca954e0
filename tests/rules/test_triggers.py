"""Triggers: patterns that do not compile or take long, words that are not found as people write them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from skilltool.lint import settings
from skilltool.lint.check import attempt
from skilltool.lint.config import Config
from skilltool.lint.run import check_skills
from skilltool.lint.settings import resolve
from skilltool.rules import RULES
from skilltool.rules.shared.pattern_trials import try_patterns
from skilltool.runtimes import get
from skilltool.skill.model import load_skill
from tests.conftest import slowest


def findings(directory: Path, rule: str, runtime: str = "agent", **triggers: object) -> list[str]:
    """Write a skill with these triggers; return each message of a rule, with the text at its location."""
    directory.mkdir(parents=True, exist_ok=True)
    head = f"name: {directory.name}\ndescription: Fills in forms.\ntriggers: {json.dumps(triggers)}"
    (directory / "SKILL.md").write_text(f"---\n{head}\n---\n\nRead the fields.\n", "utf-8")
    loaded = load_skill(directory)
    found = RULES[rule].check(loaded, get(runtime))
    return [f"{finding.message} | {loaded.source[finding.span]}" for finding in found]


def test_an_error_is_located_at_its_character(tmp_path: Path) -> None:
    found = findings(tmp_path / "a", "invalid-trigger-pattern", patterns=["ok", "fill [in"])
    assert found == ["pattern `fill [in` is not a valid regular expression: unterminated character set | ["]


def test_an_error_in_a_pattern_with_escapes_is_located_at_the_whole_pattern(tmp_path: Path) -> None:
    (found,) = findings(tmp_path / "a", "invalid-trigger-pattern", patterns=["ä("])
    assert found.endswith('| "\\u00e4("')


def test_a_pattern_that_is_too_large_does_not_compile(tmp_path: Path) -> None:
    (found,) = findings(tmp_path / "a", "invalid-trigger-pattern", patterns=["a{99999999999999999999}"])
    assert "the repetition number is too large" in found


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["invalid-trigger-pattern", "slow-trigger-pattern", "dead-trigger"])
def test_a_target_without_triggers_has_no_such_defect(rule: str, tmp_path: Path) -> None:
    wrong = {"keywords": ["c++"], "patterns": ["(", "(a+)+$"]}
    assert findings(tmp_path / "a", rule, "agentskills", **wrong) == []
    assert findings(tmp_path / "a", rule, "portable", **wrong) != []


@pytest.mark.parametrize(
    "triggers", [{}, {"patterns": "a("}, {"patterns": [1, None, ["("]]}, {"patterns": {"a": "("}}]
)
def test_what_is_not_a_list_of_strings_is_left_to_the_schema(
    triggers: dict[str, object], tmp_path: Path
) -> None:
    assert findings(tmp_path / "a", "invalid-trigger-pattern", **triggers) == []


SLOW = [r"(a+)+$", r"(\w+\s?)*:", r"(x+x+)+y", r"(foo|foo)+bar", r".*.*.*.*=", r"(?P<x>a+)+(?P=x)z"]
SLOW += [r"^(?=(a+)+$)", r"^(?!(a+)+$)"]
FAST = [
    *(r"greet\s+\w+", r".*foo.*bar.*", r"\s+$", r"(ok)+?!", r"(a?){30}a{30}", r"(?<=a)b+c", "", r"\b\w+\b"),
    *(r"\b(create|make)\b.*\b(pdf|form)s?\b", r"((a{1,1000}){1,1000}){1,1000}", r"(deploy\s+)(\w+\s+)*now"),
    r"^(?:https?://)?[\w.-]+(?:/[\w./-]*)?$",
]


@slowest
def test_what_backtracks_without_end_is_slow_and_nothing_else() -> None:
    assert [pattern for pattern in SLOW if try_patterns((pattern,))[0].slow is None] == []
    assert [
        pattern
        for pattern, trial in zip(FAST, try_patterns(tuple(FAST)), strict=True)
        if trial.slow is not None
    ] == []


@pytest.mark.slow
def test_any_pattern_is_tried_within_bounds() -> None:
    hostile = (
        "(" * 5_000 + ")" * 5_000,
        "(?:" * 40 + "a{8}" + "){8}" * 40,
        "a?" * 20_000,
        "[a-z]*" * 2_000,
        "\0",
    )
    assert len(try_patterns(hostile)) == len(hostile)


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("c++", "ends with `+`"),
        (".net", "starts with `.`"),
        ("#hash", "starts with `#`"),
    ],
)
def test_a_word_with_another_edge_is_not_found_as_people_write_it(
    word: str, reason: str, tmp_path: Path
) -> None:
    """The runtime itself does not match it either."""
    (found,) = findings(tmp_path / ".agent" / "skills" / "a", "dead-trigger", keywords=[word])
    assert reason in found
    session = get("agent").open(project=tmp_path, home=tmp_path / "home")
    assert session.context(f"tell me of {word.strip()} please") == "[1 skills available]"


@pytest.mark.parametrize("word", ["pdf", "tax form", " pdf", "a.b", "naïve", "画图", "_x_", "3d"])
def test_a_word_between_edges_of_words_is_fine(word: str, tmp_path: Path) -> None:
    assert findings(tmp_path / "a", "dead-trigger", keywords=[word], verbs=[word]) == []


def test_an_empty_word_is_named_as_one(tmp_path: Path) -> None:
    found = findings(tmp_path / "a", "dead-trigger", keywords=[""], verbs=["  "])
    assert found == ['keyword is empty | ""', "verb is empty |   "]


def test_a_keyword_of_two_skills_of_one_root_is_shared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, words in (
        ("one/a", ["Pdf", "tax"]),
        ("one/b", ["pdf", "pdf"]),
        ("one/c", ["PDF"]),
        ("two/d", ["tax"]),
    ):
        findings(tmp_path / name, "dead-trigger", keywords=words)
    monkeypatch.chdir(tmp_path)
    options = {"select": ["shared-trigger"], "paths": [tmp_path]}
    found = check_skills(settings.resolve(Config(), options)).diagnostics
    assert [(each.path, each.message) for each in found] == [
        ("one/b/SKILL.md", "keyword `pdf` is also a keyword of `one/a/SKILL.md`"),
        ("one/c/SKILL.md", "keyword `PDF` is also a keyword of `one/a/SKILL.md`"),
    ]
    options["runtimes"] = ["agentskills"]
    assert check_skills(settings.resolve(Config(), options)).diagnostics == []


@pytest.mark.slow
def test_many_slow_patterns_are_reported_before_the_skill_runs_out_of_time(tmp_path: Path) -> None:
    patterns = "\n".join(f"    - '(a|a|b{number})*$x'" for number in range(25))
    text = f"---\nname: a\ndescription: Fills in forms.\ntriggers:\n  patterns:\n{patterns}\n---\n\nText.\n"
    directory = tmp_path / "a"
    directory.mkdir()
    (directory / "SKILL.md").write_text(text, "utf-8")
    outcome, _row = attempt(directory, resolve(Config(), {"select": ["slow-trigger-pattern"]}))
    assert not isinstance(outcome, str)
    assert {each.rule for each in outcome.diagnostics} == {"slow-trigger-pattern"}
