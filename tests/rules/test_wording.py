"""How messages show the text of an author."""

from __future__ import annotations

import pytest

from skilltool.rules.shared.wording import backticked


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("a  b\n c", "`a b c`"),
        ("x" * 60, f"`{'x' * 60}`"),
        ("x" * 61, f"`{'x' * 59}…`"),
        (None, "`null`"),
        ({"é": [1, True]}, '`{"é": [1, true]}`'),
    ],
)
def test_text_is_shown_on_one_line_up_to_a_limit_and_other_data_as_json(value: object, shown: str) -> None:
    assert backticked(value) == shown
