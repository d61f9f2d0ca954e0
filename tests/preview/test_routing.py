"""The page of a result of `route`: what it counts, what it refuses, and where it is shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from skilltool.errors import SkilltoolError
from skilltool.preview.html import Addresses, routing_page
from skilltool.preview.routing import Routing, read, routing
from skilltool.skill import schema
from tests.conftest import Skilltool
from tests.preview.browsing import ATTACK, Preview, exact, harmful
from tests.preview.test_export import stored
from tests.preview.test_pages import skill

RATE = {"value": 0.5, "cases": 4, "low": 0.15, "high": 0.85}
CASES = [
    ("fill in a form", ["pdf"], ["pdf", "pdf", "docx"]),
    ("merge files", ["pdf"], [None, "pdf", "pdf"]),
    ("write a letter", ["docx"], ["docx", "docx", "docx"]),
    ("what is the time", [], [None, "pdf", None]),
]


def result(model: str = "model-1", prompts: bool = True) -> dict[str, Any]:
    """Return what `route --model` prints, as far as the page reads it."""
    places = [f"evals/routing.json:{number}" for number in range(1, 5)]
    return {
        "schema_version": 1,
        "files": ["evals/routing.json"],
        "outcome_files": [],
        "cases": [
            {"place": place, "id": place[-1:], "expected": expected, "rejected": []}
            | ({"prompt": prompt} if prompts else {})
            for place, (prompt, expected, _) in zip(places, CASES, strict=True)
        ],
        "lexical": {"about": "by words", "runtimes": [], "near": []},
        "problems": [],
        "model": {
            "model": model,
            "endpoint": "127.0.0.1",
            "method": "client",
            "repeats": 3,
            "sent": 12,
            "kept": 0,
            "about": "first answers",
            "intervals": "of cases",
            "against": None,
            "runtimes": [
                {
                    "runtime": "claude-code",
                    "not_sent": ["its `system` prompt"],
                    "not_asked": ["evals/routing.json:9"],
                    "errors": {"timeout": 2},
                    "tokens": {"in": 1, "out": 1},
                    "right": RATE,
                    "recall": RATE,
                    "precision": RATE,
                    "skills": [],
                    "table": [],
                    "cases": [
                        {
                            "place": place,
                            "expected": expected,
                            "wanted": expected[0] if expected else "no skill",
                            "called": called,
                            "right": [name in expected if expected else name is None for name in called],
                            "errors": 0,
                        }
                        for place, (_, expected, called) in zip(places, CASES, strict=True)
                    ],
                    "change": None,
                }
            ],
        },
    }


def cells(found: Routing) -> dict[tuple[str, str], tuple[int, bool, list[str]]]:
    (part,) = found.parts
    return {
        (expected, pair.called): (pair.answers, pair.is_right, [case.prompt for case in pair.cases])
        for expected, row in part.rows
        for pair in row
        if pair is not None
    }


def test_each_cell_has_its_answers_and_their_prompts() -> None:
    found = routing(result())
    assert cells(found) == {
        ("pdf", "pdf"): (4, True, ["fill in a form", "merge files"]),
        ("pdf", "docx"): (1, False, ["fill in a form"]),
        ("pdf", "no skill"): (1, False, ["merge files"]),
        ("docx", "docx"): (3, True, ["write a letter"]),
        ("no skill", "no skill"): (2, True, ["what is the time"]),
        ("no skill", "pdf"): (1, False, ["what is the time"]),
    }
    assert [expected for expected, _ in found.parts[0].rows] == ["pdf", "no skill", "docx"]
    assert found.sentence == "model-1 gives the right answer for 50% of 4 cases in claude-code"
    assert found.parts[0].remarks == (
        "Not sent: its `system` prompt.",
        "1 case not sent because the skill is not listed.",
        "2 errors, not included in any rate: timeout.",
    )
    assert "prompts are shown if" in routing_page(routing(result(prompts=False)), Addresses())


def test_text_of_strangers_is_escaped() -> None:
    data = result(model=ATTACK)
    data["cases"][0]["prompt"] = data["cases"][0]["place"] = ATTACK
    data["model"]["runtimes"][0]["cases"][0] |= {"place": ATTACK, "called": [ATTACK], "wanted": ATTACK}
    page = routing_page(routing(data), Addresses())
    assert harmful(page) == []
    assert exact(page).count(ATTACK) >= 5


@pytest.mark.parametrize(
    ("text", "why"),
    [("", "is not JSON"), ("[", "is not JSON"), ("{}", "is not a result of"), ("[" * 100_000, "is not JSON")],
)
def test_a_file_that_is_no_result_is_refused(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "x.json").write_text(text, "utf-8")
    with pytest.raises(SkilltoolError, match=why):
        read(tmp_path / "x.json")


@pytest.mark.slow
def test_a_result_without_a_model_is_shown_and_read_again(skilltool: Skilltool, repo: Path) -> None:
    (repo / "home").mkdir()
    skill(repo / ".claude/skills/pdf", "Fills in PDF forms. Use when the user mentions a form.")
    skill(repo / ".claude/skills/docx", "Writes letters. Use when the user wants a letter.")
    prompts = {"Fill in this form": "pdf", "A letter with a form": "docx"}
    rows = [{"prompt": prompt, "expected_skill": name} for prompt, name in prompts.items()]
    (repo / "evals").mkdir()
    (repo / "evals/routing.json").write_text(json.dumps({"cases": rows}), "utf-8")
    made = ("route", "--runtime", "claude-code", "--home", "home", "--output-format", "json")
    skilltool(*made, "--show-prompts", "--fail-on", "never", "-o", "result.json")
    assert read(repo / "result.json").sentence.startswith(
        "By shared words, the expected skill ranks first for"
    )
    run = skilltool("preview", "--routing", "result.json", "--export", "out.html")
    assert run.returncode == 0, run.stderr
    pages = stored((repo / "out.html").read_text("utf-8"))
    assert "Fill in this form" in pages["routing"]
    assert skilltool("preview", "--routing", "evals/routing.json", "--export", "x.html").returncode == 2
    with Preview(repo, "--routing", "result.json", home=repo / "home") as preview:
        assert '<a href="/routing">By shared words' in preview.page("/")
        assert "A letter with a form" in preview.page("/routing")
        (repo / "result.json").write_text("{", "utf-8")
        status, _, content = preview.ask("/routing")
        assert status == 503
        assert b"is not JSON" in content


def test_the_result_of_these_tests_has_the_form_of_a_result() -> None:
    from jsonschema import Draft202012Validator

    Draft202012Validator(schema.load("route")).validate(result())
