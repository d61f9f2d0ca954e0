"""Regular expressions mean the same in every version of Python that we support."""

import re
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
_GROUP_REPEATED_POSSESSIVELY = re.compile(r"\)(?:[*+?]|\{\d*,?\d*\})\+")


def test_no_group_is_repeated_possessively() -> None:
    """Python before 3.11.5 loses a match of `(?:...)*+` where a part of the group can match in two ways.

    `(?>(?:...)*)` means the same, and is what later versions make of it.
    """
    found = [
        f"{path.relative_to(TOP)}:{number}"
        for path in sorted((TOP / "skilltool").rglob("*.py"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if _GROUP_REPEATED_POSSESSIVELY.search(line)
    ]
    assert found == []


@pytest.mark.parametrize("written", [r"(?:a|b)*+", r"(?:a)++", r"(?:a)?+", r"(?:a){0,9}+"])
def test_each_form_is_seen(written: str) -> None:
    assert _GROUP_REPEATED_POSSESSIVELY.search(written)
    assert not _GROUP_REPEATED_POSSESSIVELY.search(rf"(?>{written[:-1]})")
