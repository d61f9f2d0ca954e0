"""What users read is in words of the field: a closed list of others is refused."""

from __future__ import annotations

import pytest

from tests.support.words import REFUSED, ROOT, files, refused


@pytest.mark.slow
def test_no_text_has_a_refused_word() -> None:
    found = {path.relative_to(ROOT).as_posix(): list(refused(path)) for path in files()}
    assert len(found) > 500
    assert {path: words for path, words in found.items() if words} == {}


@pytest.mark.parametrize(
    "text",
    [
        "can be mended: 3",
        "the field is no text",
        "check every skill anew",
        "to live with",
        "`name` contains a blank",
        "names separated by blanks",
        "a list refuses the skill",
        "loaded, cut: cline",
        "check the skills below this directory",
    ],
)
def test_a_refused_word_is_found(text: str) -> None:
    assert REFUSED.search(text)


@pytest.mark.parametrize(
    "text",
    [
        "there is no such file",
        "it is no longer read",
        "recommended",
        "amendment",
        "starts with a blank line",
        "loaded, truncated",
        "the findings below",
    ],
)
def test_other_words_are_not(text: str) -> None:
    assert not REFUSED.search(text)
