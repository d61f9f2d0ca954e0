"""A row of the cache gives back the result it was made from, and any other text is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltool.files.paths import display_path
from skilltool.findings.diagnostic import Diagnostic, Excerpt, Location, Told
from skilltool.findings.finding import Edit, Fix, Severity
from skilltool.lint.cache import store
from skilltool.rules.records import CheckedSkill, IgnoreComment, Record
from skilltool.text.source import Position

HERE = Path(__file__).parent

TEXTS = st.text(st.characters(codec=None), max_size=20)

NUMBERS = st.integers(1, 9999)

PLACES = st.builds(
    Location,
    st.builds(Position, NUMBERS, NUMBERS),
    st.builds(Position, NUMBERS, NUMBERS),
    st.builds(Excerpt, TEXTS, NUMBERS, NUMBERS),
)

EDITS = st.lists(st.builds(Edit, NUMBERS, NUMBERS, TEXTS)).map(tuple)

FIXES = st.builds(Fix, st.booleans(), EDITS, st.none() | st.tuples(TEXTS, TEXTS))

RULES = st.lists(TEXTS, max_size=3).map(tuple)


@pytest.mark.slow
@given(data=st.data())
def test_a_row_gives_back_what_was_put_in(data: st.DataObject) -> None:
    directory = HERE / "a"
    path = display_path(directory / "SKILL.md")
    files = st.sampled_from(["", "page.md", "scripts/run.sh"])

    def placed(found: tuple) -> tuple:
        """A finding or comment of one file, at the path of that."""
        entry, file = found
        return entry._replace(file=file, path=display_path(directory / (file or "SKILL.md")))

    diagnostics = st.builds(
        Diagnostic,
        st.just(path),
        PLACES,
        TEXTS,
        st.sampled_from(Severity),
        TEXTS,
        st.none() | TEXTS,
        TEXTS,
        RULES,
        st.none() | FIXES,
        also=st.lists(st.builds(Told, TEXTS, TEXTS, TEXTS), max_size=2).map(tuple),
    )
    comments = st.builds(
        IgnoreComment, st.just(path), TEXTS, RULES, TEXTS, PLACES, NUMBERS, st.none() | NUMBERS
    )
    name = data.draw(st.none() | TEXTS)
    record = Record(path, str(directory), "a", name, data.draw(PLACES), data.draw(RULES))
    checked = CheckedSkill(
        record,
        tuple(data.draw(st.lists(st.tuples(diagnostics, files).map(placed), max_size=3))),
        tuple(data.draw(st.lists(st.tuples(comments, files).map(placed), max_size=2))),
    )
    text = store.dumps(checked, "SKILL.md")
    assert text.isascii()
    assert store.loads(text, directory) == checked


def test_a_finding_has_nothing_that_a_row_cannot_give_back() -> None:
    """Each field has another value than the default, and a new one fails here until it is stored."""
    place = Location(Position(1, 2), Position(3, 4), Excerpt("text", 0, 4), "digest")
    path, file = display_path(HERE / "a" / "page.md"), "page.md"
    fix = Fix(True, (Edit(1, 2, "x"),), ("old", "new"))
    finding = Diagnostic(
        path, place, "rule", Severity.ERROR, "message", "help", "a", ("kodelet",),
        fix, True, 1, ((("kodelet",), "said"),), (Told("other", "message", "print"),), file,
        "cause",
    )  # fmt: skip
    assert not [
        name for name, default in Diagnostic._field_defaults.items() if getattr(finding, name) == default
    ]
    record = Record(display_path(HERE / "a" / "SKILL.md"), str(HERE / "a"), "a", None, place, ())
    checked = CheckedSkill(record, (finding,), ())
    assert store.loads(store.dumps(checked, "SKILL.md"), HERE / "a") == checked


FOREIGN = ('["SKILL.md", [1, 2, 3, 4], [], []]', "[[], [], [], []]", "{}", "null")


@given(text=st.text() | st.sampled_from(FOREIGN))
def test_a_row_of_somebody_else_is_refused(text: str) -> None:
    try:
        store.loads(text, HERE)
    except ValueError:
        pass
    else:
        pytest.fail("taken")
