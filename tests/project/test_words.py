"""What users read is in words of the field: a closed list of others is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.words import REFUSED, ROOT, files, refused


@pytest.mark.parametrize("path", sorted(files()), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_text_has_a_refused_word(path: Path) -> None:
    assert list(refused(path)) == []


@pytest.mark.parametrize(
    "text", ["can be mended: 3", "the field is no text", "check every skill anew", "to live with"]
)
def test_a_refused_word_is_found(text: str) -> None:
    assert REFUSED.search(text)


@pytest.mark.parametrize(
    "text", ["there is no such file", "it is no longer read", "recommended", "amendment"]
)
def test_other_words_are_not(text: str) -> None:
    assert not REFUSED.search(text)
