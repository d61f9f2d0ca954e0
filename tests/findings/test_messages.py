"""Lists of names in messages."""

from __future__ import annotations

import pytest

from skilltool.findings.finding import listed_names


@pytest.mark.parametrize(
    ("names", "listed"),
    [
        ("a", "`a`"),
        ("ab", "`a` and `b`"),
        ("abcd", "`a`, `b`, `c` and `d`"),
        ("abcde", "`a`, `b`, `c` and 2 more"),
    ],
)
def test_of_many_names_only_the_first_are_listed(names: str, listed: str) -> None:
    assert listed_names([*names]) == listed
