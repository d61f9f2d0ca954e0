"""What skills cost, as people read it: the headline of a client, and tables that become narrower."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from skilltool.inspect.cost import ClientCost, NamedFiles, Share, SkillCost
from skilltool.report.costs import NOTE, costs, headline
from skilltool.report.style import PLAIN, Style


def skill(key: str, listing: int | None, body: int, files: int | None) -> SkillCost:
    listed = None if listing is None else Share(listing, listing)
    return SkillCost(
        key, Path("/r") / key, key, listed, body, None if files is None else NamedFiles(1, files, 0)
    )


def cost(**more: Any) -> ClientCost:
    usual: dict[str, Any] = {
        "runtime": "codex",
        "unit": "characters",
        "budget": 1_000,
        "budget_unit": "characters",
        "fixed": 40,
        "own": Share(30, 30),
        "skills": (
            skill("pdf-forms-and-more", 100, 4_001, 8),
            skill("zip", 50, 10, None),
            skill("hid", None, 7, 9),
        ),
        "cut": (),
        "next_cut": None,
        "listed": Share(150, 148),
        "cut_keeps_name": False,
    }
    return ClientCost(**{**usual, **more})


@pytest.mark.parametrize(
    ("more", "lines"),
    [
        ({}, ["codex: listing of 180 of 1,000 characters (18%), ~55 tokens"]),
        ({"budget": 180}, ["codex: listing of 180 of 180 characters (100%), ~55 tokens"]),
        ({"budget": 181}, ["codex: listing of 180 of 181 characters (99%), ~55 tokens"]),
        ({"budget": 0}, ["codex: listing of 180 of 0 characters (more than all), ~55 tokens"]),
        ({"budget": None}, ["codex: listing of 220 characters, ~55 tokens"]),
        (
            {"budget": 179, "cut": ("zip",)},
            [
                "codex: listing of 180 of 179 characters (101%), ~55 tokens",
                "  1 skill is not listed: `zip`",
            ],
        ),
        (
            {"budget": 100, "cut": tuple("abcde"), "cut_keeps_name": True},
            [
                "codex: listing of 180 of 100 characters (180%), ~55 tokens",
                "  5 skills lose their description: `a`, `b`, `c`, `d`, `e`",
            ],
        ),
        (
            {"budget": 100, "cut": tuple("abcdefg")},
            [
                "codex: listing of 180 of 100 characters (180%), ~55 tokens",
                "  7 skills are not listed: `a`, `b`, `c`, `d`, `e` and 2 more",
            ],
        ),
        (
            {"budget_unit": "tokens", "cut": ("a", "b"), "cut_to": "names"},
            [
                "codex: listing of 220 characters, ~55 tokens",
                "  budget of 1,000 tokens",
                "  2 skills keep only names: `a`, `b`",
            ],
        ),
        (
            {"next_cut": "zip"},
            [
                "codex: listing of 180 of 1,000 characters (18%), ~55 tokens",
                "  first to be cut over budget: `zip`",
            ],
        ),
        (
            {"next_cut": "zip", "budget": 180},
            [
                "codex: listing of 180 of 180 characters (100%), ~55 tokens",
                "  first to be cut over budget: `zip`",
            ],
        ),
        (
            {"next_cut": "zip", "budget": 100},
            ["codex: listing of 180 of 100 characters (180%), ~55 tokens", "  next to be cut: `zip`"],
        ),
    ],
)
def test_a_headline_has_the_size_the_budget_and_what_is_cut(more: dict[str, Any], lines: list[str]) -> None:
    assert list(headline(cost(**more), PLAIN)) == lines


ROWS = [
    "pdf-forms-and-more      100      25  4,001   1,001      8       2",
    "zip                      50      13     10       3      -       -  cut",
    "hid                       0       0      7       2      9       3  unlisted",
]


def test_a_table_has_a_row_for_each_skill_and_if_asked_for_other_texts() -> None:
    one = cost(cut=("zip",))
    head = "skill               listing  tokens   body  tokens  files  tokens"
    assert list(costs([one], False, PLAIN))[2:] == [head, *ROWS, "", NOTE]
    other = ["fixed text               40      10", "its own skills           30       8"]
    assert list(costs([one], True, PLAIN))[2:] == [head, *other, *ROWS, "", NOTE]
    none = cost(fixed=0, own=Share(0, 0), cut=("zip",))
    assert list(costs([none], True, PLAIN))[2:] == [head, *ROWS, "", NOTE]


def test_clients_are_apart_and_one_without_skills_has_no_table() -> None:
    empty = cost(skills=(), listed=Share(0, 0), fixed=0, own=Share(0, 0))
    line = "codex: listing of 0 of 1,000 characters (0%), ~0 tokens"
    assert list(costs([empty, empty], True, PLAIN)) == [line, "", line, "", NOTE]
    assert list(costs([], True, PLAIN)) == []


def test_a_narrower_terminal_gets_tokens_only_and_keys_of_14_cells_at_least() -> None:
    one = cost(skills=(skill("a-key-that-is-longer", 100, 4_001, 8),))
    rest = "  listing  tokens   body  tokens  files  tokens"
    short = "  listing   body  files"
    whole = 14 + len(rest) + 2  # and the column of notes, which is empty
    for width, head in (
        (whole, f"{'skill':<14}{rest}"),
        (whole - 1, f"{'tokens of':<20}{short}"),
        (14 + len(short), f"{'tokens of':<14}{short}"),
        (14 + len(short) - 1, f"{'tokens of':<20}{short}"),  # wrapped by the terminal
    ):
        assert head in costs([one], False, Style(width=width)), width
    assert f"{'a-key-that-is…':<14}       25  1,001      2" in costs(
        [one], False, Style(width=14 + len(short))
    )
