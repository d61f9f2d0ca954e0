"""What changed in the cost of skills: the sizes of two states, skill by skill, and the lines about them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from skilltool.explain.cost import (
    ClientChange,
    ClientCost,
    NamedFiles,
    Share,
    SkillChange,
    SkillCost,
    changes,
)
from skilltool.explain.cost import changes_data as data
from skilltool.report.costs import lines
from skilltool.report.style import PLAIN, Style


def skill(key: str, listing: int | None = 10, body: int = 20, files: int | None = None) -> SkillCost:
    listed = None if listing is None else Share(listing, listing)
    named = None if files is None else NamedFiles(1, files, 0)
    return SkillCost(key, Path("/r") / key, key, listed, body, named)


def cost(*skills: SkillCost, runtime: str = "codex", **more: Any) -> ClientCost:
    asked = sum(each.listing.asked for each in skills if each.listing)
    usual: dict[str, Any] = {"budget": 1_000, "budget_unit": "characters", "cut": ()}
    usual |= {"fixed": 0, "own": Share(0, 0), "next_cut": None, "listed": Share(asked, asked)}
    return ClientCost(runtime=runtime, unit="characters", skills=skills, **{**usual, **more})


def said(before: ClientCost | None, after: ClientCost | None) -> list[str]:
    return list(lines([ClientChange(before, after)], False, PLAIN))


def test_clients_are_paired_in_the_order_of_the_state_after() -> None:
    old = [cost(runtime="a"), cost(runtime="b"), cost(runtime="c")]
    new = [cost(runtime="d"), cost(runtime="b")]
    found = changes(old, new)
    pairs = [(each.before and each.before.runtime, each.after and each.after.runtime) for each in found]
    assert pairs == [(None, "d"), ("b", "b"), ("a", None), ("c", None)]
    assert [each.either.runtime for each in found] == ["d", "b", "a", "c"]
    with pytest.raises(ValueError, match="a change has a state"):
        _ = ClientChange(None, None).either


def test_skills_are_those_whose_sizes_differ_by_key() -> None:
    before = cost(skill("same"), skill("gone"), skill("listing"), skill("body"), skill("files"))
    after = cost(
        skill("same", files=0),
        skill("new"),
        skill("listing", 11),
        skill("body", 10, 21),
        skill("files", files=1),
    )
    found = list(ClientChange(before, after).skills())
    assert [each.key for each in found] == ["body", "files", "gone", "listing", "new"]
    assert [(each.before is None, each.after is None) for each in found][2:] == [
        (False, True),
        (False, False),
        (True, False),
    ]
    assert list(ClientChange(before, before).skills()) == []
    assert [each.key for each in ClientChange(None, after).skills()] == sorted(s.key for s in after.skills)


def test_sizes_of_what_is_not_listed_or_has_no_files_are_0() -> None:
    change = SkillChange("a", None, None)
    assert change.sizes(None) == {}
    assert change.sizes(skill("a", None, 3)) == {"listing": 0, "body": 3, "files": 0}
    assert change.sizes(skill("a", 4, 3, 9)) == {"listing": 4, "body": 3, "files": 9}


def test_what_is_cut_now_and_what_is_whole_again() -> None:
    before = cost(skill("a"), skill("b"), skill("c"), cut=("a", "b"))
    after = cost(skill("b"), skill("c"), cut=("c",))
    assert (ClientChange(before, after).newly_cut, ClientChange(before, after).restored) == (["c"], ["b"])
    assert (ClientChange(None, before).newly_cut, ClientChange(None, before).restored) == (["a", "b"], [])
    assert (ClientChange(before, None).newly_cut, ClientChange(before, None).restored) == ([], [])


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (
            cost(skill("a")),
            cost(skill("a", 1_010)),
            ["codex: listing 10 -> 1,010 / 1,000 characters", "  ~ a  listing 10 -> 1,010"],
        ),
        (
            cost(skill("a", 10, 1_500)),
            cost(skill("a", 10, 20, 7)),
            ["codex: listing 10 / 1,000 characters, unchanged", "  ~ a  body 1,500 -> 20, files 0 -> 7"],
        ),
        (
            None,
            cost(skill("a")),
            ["codex: listing 0 -> 10 / 1,000 characters", "  + a  listing 10, body 20"],
        ),
        (
            cost(skill("a", None, 2_000, 5)),
            None,
            ["codex: listing 0 / 1,000 characters, unchanged", "  - a  body 2,000, files 5"],
        ),
        (
            cost(skill("a"), skill("b"), cut=("b",)),
            cost(skill("a"), skill("b"), cut=("a",), omitted=("a",)),
            [
                "codex: listing 20 / 1,000 characters, unchanged: `a` is not listed, `b` is listed in full"
                " again"
            ],
        ),
        (
            cost(*map(skill, "abcd"), cut=tuple("abcd"), omitted=tuple("ab")),
            cost(*map(skill, "abcdef"), cut=("e", "f")),
            [
                "codex: listing 40 -> 60 / 1,000 characters: `e`, `f` lose their descriptions,"
                " `a`, `b`, `c` and 1 more are listed in full again",
                "  + e  listing 10, body 20",
                "  + f  listing 10, body 20",
            ],
        ),
        (
            cost(budget=None),
            cost(skill("a"), budget=None),
            ["codex: listing 0 -> 10 characters", "  + a  listing 10, body 20"],
        ),
        (
            cost(skill("a")),
            cost(skill("b"), budget_unit="tokens"),
            [
                "codex: listing 10 characters, unchanged",
                "  - a  listing 10, body 20",
                "  + b  listing 10, body 20",
            ],
        ),
    ],
)
def test_each_change_has_a_line(
    before: ClientCost | None, after: ClientCost | None, expected: list[str]
) -> None:
    assert said(before, after) == expected


@pytest.mark.parametrize(
    ("before", "after", "color"),
    [
        (cost(skill("a")), cost(skill("a", 11)), "33"),
        (cost(skill("a")), cost(skill("a", 9)), "32"),
        (cost(skill("a")), cost(skill("a", 11), cut=("a",)), "31"),
    ],
)
def test_more_is_yellow_less_is_green_and_a_cut_is_red(
    before: ClientCost, after: ClientCost, color: str
) -> None:
    (head, line) = lines([ClientChange(before, after)], False, Style(color=True))
    assert f"\x1b[{color}m10 -> " in head
    assert "\x1b[33m~ " in line


def test_lines_that_are_too_long_go_on_in_the_next() -> None:
    after = cost(skill("a-key-of-some-length", 1_000, 2_000, 3_000))
    found = list(lines([ClientChange(None, after)], False, Style(width=50)))
    assert found[1:] == [
        "  + a-key-of-some-length  listing 1,000, body",
        "    2,000, files 3,000",
    ]


def test_sizes_are_aligned_after_keys_of_up_to_20_characters() -> None:
    keys = ("a", "k" * 20, "k" * 21)
    found = [line.partition("listing") for line in said(None, cost(*map(skill, keys)))[1:]]
    assert [len(before) for before, _, _ in found] == [26, 26, 26]
    assert [len(each.partition("listing")[0]) for each in said(None, cost(skill("abc")))[1:]] == [9]


def test_clients_without_a_change_share_a_line() -> None:
    same = [cost(skill("a"), runtime=runtime) for runtime in ("a", "b", "c")]
    found = changes(same, [same[0], cost(skill("a", 11), runtime="b"), same[2]])
    assert list(lines(found, False, PLAIN)) == [
        "b: listing 10 -> 11 / 1,000 characters",
        "  ~ a  listing 10 -> 11",
        "unchanged: a, c",
    ]


def test_built_in_skills_are_counted_if_that_is_asked_for() -> None:
    change = ClientChange(cost(skill("a"), own=Share(30, 30)), cost(skill("a", 11), own=Share(40, 40)))
    heads = [next(iter(lines([change], built_in, PLAIN))) for built_in in (False, True)]
    assert heads == [
        "codex: listing 10 -> 11 / 1,000 characters",
        "codex: listing 40 -> 51 / 1,000 characters",
    ]


def test_programs_get_the_same() -> None:
    before, after = cost(skill("a"), cut=("a",)), cost(skill("a", 11), skill("b"), cut=("b",))
    assert data("HEAD", [ClientChange(before, after), ClientChange(None, before)]) == {
        "revision": "HEAD",
        "runtimes": [
            {
                "runtime": "codex",
                "before": 10,
                "after": 21,
                "newly_cut": ["b"],
                "restored": ["a"],
                "skills": [
                    {
                        "key": "a",
                        "before": {"listing": 10, "body": 20, "files": 0},
                        "after": {"listing": 11, "body": 20, "files": 0},
                    },
                    {"key": "b", "before": None, "after": {"listing": 10, "body": 20, "files": 0}},
                ],
            },
            {
                "runtime": "codex",
                "before": None,
                "after": 10,
                "newly_cut": ["a"],
                "restored": [],
                "skills": [{"key": "a", "before": None, "after": {"listing": 10, "body": 20, "files": 0}}],
            },
        ],
    }
