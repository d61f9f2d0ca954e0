"""Markers of a merge count where they belong together, and in a page only outside of code."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltool.rules.body import merge_conflict
from skilltool.runtimes import get
from skilltool.skill.model import Skill
from skilltool.text.source import Source
from tests.conftest import MakeSkill
from tests.rules.test_other_files import CONFLICT, lint, put

LINES = CONFLICT.split("\n")
DIFF3 = [*LINES[:2], "||||||| merged common ancestors", "base", *LINES[2:]]
HEAD = "---\nname: a\ndescription: d\n---\n"


def found(text: str) -> list[tuple[int, str]]:
    skill = Skill("a", "SKILL.md", Source(text))
    return [
        (skill.source.position(each.span.start).line, each.message)
        for each in merge_conflict.check(skill, get("portable"))
    ]


@pytest.mark.parametrize(
    ("lines", "first"),
    [(LINES, 6), (DIFF3, 6), (["<<<<<<<", "=======", ">>>>>>>"], 6), ([LINES[0], *LINES], 7)],
)
def test_markers_that_belong_together_are_one_finding(lines: list[str], first: int) -> None:
    text = "\n".join(lines)
    message = f"unresolved merge conflict, `{lines[0]}` to line {5 + len(lines)}"
    assert found(f"{HEAD}\n{text}\n") == [(first, message)]


@pytest.mark.together
@pytest.mark.parametrize(
    "text",
    [
        f"```text\n{CONFLICT}\n```",
        f"~~~\n{CONFLICT}\n~~~",
        f"- item\n\n  ```\n{CONFLICT}\n  ```".replace("\n<", "\n  <")
        .replace("\n=", "\n  =")
        .replace("\n>", "\n  >"),
        "Title\n=======\n\ntext",
        "Look for `<<<<<<<`, `=======` and `>>>>>>>`.",
        "<<<<<<< HEAD\nno more of it",
        "=======\nx\n>>>>>>> b",
        ">>>>>>> b\n=======\n<<<<<<< HEAD",
        "<<<<<<< HEAD\n>>>>>>> b",
        "<<<<<<<< HEAD\n========\n>>>>>>>> b",
        "<<<<<<<HEAD\n=======\n>>>>>>>b",
        " <<<<<<< HEAD\n =======\n >>>>>>> b",
    ],
)
def test_what_only_looks_like_a_marker_is_none(text: str) -> None:
    assert found(f"{HEAD}\n{text}\n") == []


def test_a_conflict_is_found_in_the_frontmatter_and_in_code_of_a_script(
    tmp_path: Path, make_skill: MakeSkill
) -> None:
    assert len(found(f"---\nname: a\n{CONFLICT}\ndescription: d\n---\n# A\n")) == 1
    directory = make_skill(tmp_path / "a")
    put(directory, "scripts/run.sh", f"```\n{CONFLICT}\n```\n{CONFLICT}\n")
    lines = [each.location.start.line for each in lint(directory, "merge-conflict")]
    assert lines == [2, 8]


def test_a_listing_of_an_asciidoc_page_is_no_conflict(tmp_path: Path, make_skill: MakeSkill) -> None:
    directory = make_skill(tmp_path / "a")
    listing = f"[source,html]\n----\n{CONFLICT}\n----\n\n"
    put(directory, "book/merge.adoc", listing + listing)
    put(directory, "book/real.adoc", listing + CONFLICT)
    found = [(each.file, each.location.start.line) for each in lint(directory, "merge-conflict")]
    assert found == [("book/real.adoc", listing.count("\n") + 1)]


@given(st.lists(st.sampled_from([*DIFF3, "text", "", "```"]), max_size=20))
def test_each_finding_is_at_an_opening_marker(lines: list[str]) -> None:
    text = "\n".join([*HEAD.split("\n"), *lines])
    for line, _ in found(text):
        assert text.split("\n")[line - 1] == LINES[0]
