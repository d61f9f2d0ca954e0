"""Descriptions that say nearly the same are found as by comparing all, in steps that grow with the texts."""

from __future__ import annotations

import random
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from skilltool.lint import settings
from skilltool.lint.config import Config
from skilltool.lint.run import check_skills
from skilltool.rules.shared import similar_texts
from skilltool.rules.shared.similar_texts import ALIKE, alike, similar, words

SETS = st.lists(st.frozensets(st.sampled_from("abcdefghij")), max_size=similar_texts._MOST_COMPARED)


def by_comparing_all(texts: list[frozenset[str]]) -> list[tuple[int, int]]:
    firsts: list[int] = []
    found = []
    for number, text in enumerate(texts):
        earlier = next((each for each in firsts if alike(texts[each], text) >= ALIKE), None)
        if earlier is None:
            firsts.append(number)
        else:
            found.append((number, earlier))
    return found


@given(texts=SETS)
def test_few_texts_are_found_as_by_comparing_all(texts: list[frozenset[str]]) -> None:
    assert list(similar(texts)) == by_comparing_all(texts)


@given(one=st.frozensets(st.sampled_from("abcdef")), other=st.frozensets(st.sampled_from("abcdef")))
def test_alike_is_the_share_of_common_words(one: frozenset[str], other: frozenset[str]) -> None:
    assert alike(one, other) == (len(one & other) / len(one | other) if one | other else 0)


class Counted(frozenset[str]):
    """Words that count how often they are compared."""

    compared = 0

    def __and__(self, other: object) -> frozenset[str]:
        Counted.compared += 1
        return super().__and__(other)  # type: ignore[operator]


def test_of_many_texts_each_is_compared_with_few() -> None:
    drawn = random.Random(1)
    vocabulary = [f"w{number}" for number in range(200)]
    Counted.compared = 0
    assert list(similar([Counted(drawn.sample(vocabulary, 40)) for _ in range(300)])) == []
    assert 0 < Counted.compared <= 300 * similar_texts._MOST_COMPARED
    Counted.compared = 0
    same = [Counted([*vocabulary[:40], f"x{number}"]) for number in range(300)]
    assert list(similar(same)) == [(number, 0) for number in range(1, 300)]
    assert Counted.compared == 299


def test_words_are_folded_and_scripts_without_blanks_count_by_characters() -> None:
    assert words("PDF-Forms, pdf_x: 表单 3") == {"pdf": 2, "forms": 1, "x": 1, "表": 1, "单": 1, "3": 1}
    assert sum(words("ab " * 10_000).values()) <= 4096


def found(top: Path, *skills: tuple[str, str, str]) -> list[tuple[str, str]]:
    """Return skill and message for skills of a directory, a name and a description each."""
    for directory, name, description in skills:
        (top / directory).mkdir(parents=True)
        text = f"---\nname: {name}\ndescription: {description}\n---\n\nText.\n"
        (top / directory / "SKILL.md").write_text(text, "utf-8")
    options = {"paths": [top], "select": ["similar-description"], "runtimes": ["portable"]}
    report = check_skills(settings.resolve(Config(), options))
    return [(each.skill, each.message.partition(" with ")[0]) for each in report.diagnostics]


FORMS = "Fills in the forms of a PDF file and saves the result"


def test_the_later_of_two_is_reported_in_its_own_directory_only(tmp_path: Path) -> None:
    assert found(tmp_path, ("a", "a", FORMS), ("b", "b", FORMS), ("more/c", "c", FORMS)) == [
        ("b", "description shares all of its words")
    ]


def test_words_of_the_names_tell_descriptions_apart(tmp_path: Path) -> None:
    pdf = "Converts PDF files to Markdown so that they can be read. Not for Word. Use for any PDF."
    word = "Converts Word files to Markdown so that they can be read. Not for PDF. Use for any Word."
    assert found(tmp_path / "1", ("from-pdf", "from-pdf", pdf), ("from-word", "from-word", word)) == []
    assert found(tmp_path / "2", ("x", "x", pdf), ("y", "y", word)) == [
        ("y", "description shares all of its words")
    ]
    spring, kotlin = (
        "Advice for applications with Spring Boot",
        "Advice for applications with Spring Boot, Kotlin",
    )
    assert found(tmp_path / "3", ("java", "java", spring), ("kotlin", "kotlin", kotlin)) == [
        ("kotlin", "description shares 85% of its words")
    ], "nothing says that the other is for Java"


def test_skills_of_one_name_and_without_description_are_left_to_other_rules(tmp_path: Path) -> None:
    assert found(tmp_path, ("a", "same", FORMS), ("b", "same", FORMS), ("c", "c", ""), ("d", "d", "")) == []
