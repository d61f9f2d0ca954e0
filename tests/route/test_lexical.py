"""Ranks by words: what decides, what does not, and that it is the BM25 of the books."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltool.route.lexical import Index, decisive, rank_of, stems

TEXTS = {
    "pdf": "Fills in PDF forms and merges files. Use when the user mentions a form.",
    "docx": "Converts Word documents. Use when the user mentions a document.",
    "charts": "Draws charts of tables.",
}


def test_the_skill_whose_words_a_prompt_has_is_first() -> None:
    ranking = Index(TEXTS.items()).ranked("please fill this form in and merge it with my document")
    assert [each.key for each in ranking] == ["pdf", "docx"]
    assert {each.word for each in ranking[0].words} == {"fill", "form", "merge"}
    assert rank_of(ranking, ["docx"]) == 2
    assert rank_of(ranking, ["docx", "pdf"]) == 1
    assert rank_of(ranking, ["charts"]) is None


def test_words_of_every_subject_do_not_count() -> None:
    assert Index(TEXTS.items()).ranked("Use this when the user mentions a skill, please") == []


def test_other_forms_of_such_words_do_not_count_either() -> None:
    assert stems("It gets what needs getting, and she was helping").keys() == set()


def test_the_parts_of_a_name_are_words() -> None:
    index = Index({"fill_form": "x", "draw-chart": "y"}.items())
    assert [each.key for each in index.ranked("fill a form")] == ["fill_form"]
    assert [each.key for each in index.ranked("a chart")] == ["draw-chart"]


def test_a_short_text_in_a_long_one_is_not_as_near_as_two_that_are_equal() -> None:
    long = "merges pdf files in order and also paints walls, sings songs, walks dogs, bakes bread, cuts trees"
    texts = {"a": "merges pdf files", "b": long, "c": "merges pdf files"} | {
        f"x{n}": f"y{n}" for n in range(9)
    }
    likeness = {(pair.one, pair.other): pair.likeness for pair in Index(texts.items()).close(0.0)}
    assert likeness["a", "c"] > 1.3 * likeness.get(("a", "b"), 0.0)
    assert likeness["a", "b"] == pytest.approx(likeness["b", "c"])


def test_scores_are_those_of_bm25() -> None:
    """By hand: two texts, of two words and of four, keys included."""
    index = Index({"a": "form", "b": "form form table"}.items())
    rarity_of_one, rarity_of_both = math.log(1 + 1.5 / 1.5), math.log(1 + 0.5 / 2.5)
    short, long = 1.2 * (0.25 + 0.75 * 1 / 2), 1.2 * (0.25 + 0.75 * 3 / 2)
    scores = {each.key: each.score for each in index.ranked("form table")}
    assert math.isclose(scores["a"], rarity_of_both / (1 + short))
    assert math.isclose(scores["b"], rarity_of_both * 2 / (2 + long) + rarity_of_one / (1 + long))


def test_equal_scores_are_no_first_rank() -> None:
    index = Index({"one": "Fills forms.", "two": "Fills forms."}.items())
    ranking = index.ranked("fill a form")
    assert rank_of(ranking, ["one"]) == rank_of(ranking, ["two"]) == 2
    assert list(decisive(ranking[0], ranking[1])) == []


def test_a_language_without_spaces_is_split_into_characters() -> None:
    ranking = Index({"ppt": "制作演示文稿", "pdf": "填写表格"}.items()).ranked("请制作演示")
    assert ranking[0].key == "ppt"


def test_near_descriptions_are_near_and_others_are_not() -> None:
    same = {
        "a": "Merges PDF files in order.",
        "b": "Merges PDF files in a given order.",
        "c": "Draws charts.",
    }
    pairs = Index(same.items()).close(0.4)
    assert [(pair.one, pair.other) for pair in pairs] == [("a", "b")]
    assert set(pairs[0].words) >= {"merges", "pdf", "files"}


@given(
    st.dictionaries(st.text(min_size=1, max_size=5), st.text(max_size=40), max_size=5), st.text(max_size=40)
)
def test_ranks_are_those_of_the_scores(texts: dict[str, str], prompt: str) -> None:
    index = Index(texts.items())
    ranking = index.ranked(prompt)
    scores = [round(each.score, 9) for each in ranking]
    assert scores == sorted(scores, reverse=True)
    for each in ranking:
        assert each.score > 0
        assert math.isclose(each.score, sum(word.weight for word in each.words))
        assert {word.word for word in each.words} <= set(stems(prompt).values())
    for pair in index.close(0.0):
        assert 0 < pair.likeness <= 1 + 1e-9
