"""Which client sees which copy: the tables, and the lists of a terminal that is too narrow for them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from skilltool.explain.copies import Copy, Seen
from skilltool.report.resolved import MEANINGS, details, name_of, overview
from skilltool.report.style import PLAIN, Style

CLIENTS = ("codex", "kodelet")
DEEP = "deeply/nested/directories/of/skills/pdf"


def seen(client: str, state: str = "loaded", **more: Any) -> Seen:
    return Seen(client, state, "project", more.pop("why", ""), **more)


def copy(skill: str, shown: str, *found: Seen) -> Copy:
    return Copy(skill, Path("/r") / shown, shown, {each.runtime: each for each in found})


COPIES = [
    copy(
        "pdf",
        DEEP,
        seen("codex", key="pdf"),
        seen("kodelet", "shadowed", by=Path("/r/a/pdf"), by_shown="a/pdf", why="it is\n  later"),
    ),
    copy(
        "pdf",
        "a/pdf",
        seen("codex", key="pdf", undetermined=True, by=Path("/r/x"), by_shown="x/pdf"),
        seen("kodelet", key="other", cut=True),
    ),
    copy("zip", "zip", seen("kodelet", "refused", listed=False)),
]


def shown(width: int | None, *found: Copy) -> list[str]:
    return list(overview(found or COPIES, CLIENTS, Style(width=width) if width else PLAIN))


def test_a_table_has_a_row_for_each_copy_and_below_it_who_loses_and_what_words_mean() -> None:
    lines = shown(None)
    assert lines[:8] == [
        "skill  copy                                     codex      kodelet",
        f"pdf    {DEEP}  loaded     shadowed",
        "       a/pdf                                    ambiguous  as other, truncated",
        "zip    zip                                      -          rejected, unlisted",
        "",
        f"a/pdf shadows {DEEP} in kodelet",
        "codex loads x/pdf or a/pdf; which one can vary between starts",
        "",
    ]
    words = ["as KEY", "cut", "unlisted", "shadowed", "refused", "-", "not determined"]
    assert lines[8:] == [f"{name_of(word):<9}  {MEANINGS[word]}" for word in words]


def test_where_all_is_well_there_is_nothing_to_explain() -> None:
    both = copy("zip", "zip", seen("codex", key="zip"), seen("kodelet", key="zip"))
    assert [line.split() for line in shown(None, both)] == [
        ["skill", "copy", *CLIENTS],
        ["zip", "zip", "loaded", "loaded"],
    ]


def test_a_narrow_terminal_gets_the_ends_of_paths_down_to_20_cells_and_then_a_list() -> None:
    rest = len("  ambiguous  as other, truncated")
    for width in range(20 + rest, 20 + rest + 15):
        row = shown(width)[1]
        assert row.startswith(f"…{DEEP[-(width - rest - 1) :]}  loaded ")
    narrow = shown(20 + rest - 1)
    assert narrow[:8] == [
        "pdf",
        f"  {DEEP}",
        "    loaded: codex",
        "    shadowed: kodelet",
        "  a/pdf",
        "    ambiguous: codex",
        "    as other, truncated: kodelet",
        "zip",
    ]
    assert not any(line.startswith("- ") for line in narrow)


LONG = "a-very-long-name-" * 3 + "of-a-skill"


def test_a_file_or_a_pipe_gets_whole_paths() -> None:
    path = f"{LONG}/{LONG}/zip"
    lines = shown(None, copy("zip", path, seen("codex", key="zip")))
    assert lines[:2] == [f"copy{' ' * (len(path) - 4)}  codex   kodelet", f"{path}  loaded  -"]


@pytest.mark.parametrize("width", [None, 60, 80, 100, 120])
def test_rows_are_told_apart_by_the_names_of_commands(width: int | None) -> None:
    commands = [copy(name, "commands", seen("codex", key=name)) for name in ("foo", "bar")]
    lines = shown(width, *commands, copy(LONG, f"skills/{LONG}", seen("codex", key=LONG)))
    assert {line.split()[0] for line in lines if line.strip()} >= {"foo", "bar"}


@pytest.mark.parametrize("width", range(64, 110, 6))
def test_no_two_rows_of_a_narrow_terminal_are_alike(width: int) -> None:
    tops = (".agents", ".claude", "packages/one/.claude", "packages/two/.claude", "more/packages/two/.claude")
    names = ("deployment-to-production", "zip")
    copies = [copy(n, f"{top}/skills/{n}", seen("codex", key=n)) for n in names for top in tops]
    lines = shown(width, *copies)
    paths = [line for line in lines if "skills/" in line]
    assert len(set(paths)) == len(copies)
    assert all(any(name in path for name in names) for path in paths)


@pytest.mark.parametrize("number", [1, 5, 6, 8])
def test_a_winner_is_told_with_five_of_those_that_it_shadows(number: int) -> None:
    lost = [
        copy("a", f"{n}/a", *(seen(each, "shadowed", by=Path("/w"), by_shown="w/a") for each in CLIENTS))
        for n in range(number)
    ]
    (line,) = (each for each in shown(None, *lost) if " shadows " in each)
    names = ", ".join(f"{n}/a" for n in range(min(number, 5)))
    more = f" and {number - 5} more" if number > 5 else ""
    assert line == f"w/a shadows {names}{more} in codex and kodelet"


def test_clients_that_may_load_any_are_told_together() -> None:
    chance = {"undetermined": True, "by": Path("/w"), "by_shown": "w/a"}
    line = shown(None, copy("a", "1/a", *(seen(each, key="a", **chance) for each in CLIENTS)))[3]
    assert line == "codex and kodelet load w/a or 1/a; which one can vary between starts"


def test_details_have_a_row_for_each_client_and_its_reason() -> None:
    lines = list(details(COPIES, CLIENTS, PLAIN))
    assert lines[:4] == [
        "copy                                     role     client   status               why",
        f"{DEEP}  project  codex    loaded",
        "                                         project  kodelet  shadowed             it is later",
        "a/pdf                                    project  codex    ambiguous",
    ]
    assert len(lines) == 6


def test_details_become_a_list_where_no_column_can_be_narrower() -> None:
    long = copy("a", "a" * 30, seen("codex", "refused", listed=False, why="because " * 20))
    least = 18 + len("  project  codex   ") + 9 + 2 + 24
    table = list(details([long], CLIENTS, Style(width=least)))
    assert table[:3] == [
        f"{'copy':<18}  role     client  status     why",
        f"{'a' * 18}  project  codex   rejected,  because because because",
        f"{'a' * 12:<18}                   unlisted   because because because",
    ]
    assert list(details([long], CLIENTS, Style(width=least - 1)))[:2] == [
        "a" * 30,
        "  codex (project): rejected, unlisted",
    ]
