"""What is mended reads as before and needs no mending; what cannot be trusted is refused."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import settings as tried
from hypothesis import strategies as st

from skilltool import runtimes
from skilltool.findings.finding import Edit, Fix, applied
from skilltool.fix.choose import Candidate, FixedText, fix_skill, non_overlapping
from skilltool.fix.edits import apply
from skilltool.fix.plan import plan
from skilltool.rules import RULES
from skilltool.runtimes.edit_effects import readings_by_runtime, reason_not_to_apply
from skilltool.runtimes.values import Manifest, Refusal
from skilltool.skill.model import Skill
from tests.conftest import examples, slow, slowest
from tests.fix.texts import EVERYTHING, HEAD, skill_of, write

HERE = Path(__file__).parents[1]


@pytest.mark.slow
@given(st.lists(st.builds(Edit, st.integers(0, 8), st.integers(0, 4), st.text(max_size=2)), max_size=6))
def test_edits_that_are_chosen_together_do_not_touch(drawn: list[Edit]) -> None:
    edits = [Edit(edit.start, edit.start + edit.end, edit.text) for edit in drawn]
    chosen = non_overlapping(("rule", Fix(True, (edit,))) for edit in edits)
    taken = sorted(edit for _, each in chosen for edit in each.edits)
    assert all(one.end <= other.start and one.start < other.start for one, other in pairwise(taken))
    if edits:
        assert min(edits) in taken
    text = "0123456789abc"
    kept = [text[i] for i in range(len(text)) if not any(e.start <= i < e.end for e in taken)]
    assert "".join(kept) == "".join(c for c in applied(text, [Edit(e.start, e.end, "") for e in taken]))


FIELDS = st.sampled_from(
    [
        *("name: a", "name: 12", 'name: "a"', "name: A_b", "description: Use when: x", "description: yes"),
        *("description: d", "description: |\n  one\n  two", "description: **x** y", "description: d"),
        *("allowed-tools: [Read, Bash]", "allowed-tools:\n  - Read", "allowed-tools: Read, Bash(a, b)"),
        *("metadata:\n  version: 1.0", "metadata: {a: 1}", "author: me", "version: 1.0", "on: true"),
        *("license: null", "name: ~", "description:", "compatibility: Null", "metadata:\n  version: null"),
        *("allowed-tools:\n  # first\n  - Read", "allowed-tools:\n  - Read # r\n  - Bash # b"),
        *(
            "allowed-tools: [Read, # r\n  Bash]",
            "description: > # keep\n  one",
            "description: |- # keep\n  d",
        ),
        *("license: |\n  MIT", "license: |\n  MIT\n", "license: |+\n  MIT\n"),
        *("# note", "", 'x: "a" b', "x: [a] b", "stray words", 'y: "\\ud83d\\ude00"', "\ttab: x"),
    ]
)

COMMENTS = ("# note", "# first", "# r", "# b", "# keep")

DOCUMENTS = st.builds(
    lambda bom, fields, end, body, newline: (
        bom + "\n".join(["---", *fields, end, *body]).replace("\n", newline)
    ),
    st.sampled_from(["", "", "\ufeff", "\n"]),
    st.lists(FIELDS, max_size=7),
    st.sampled_from(["---", "---", "--- ", "---# Title", ""]),
    st.lists(st.sampled_from(["# Title", "text", "", "---", "- a", "```"]), max_size=4),
    st.sampled_from(["\n", "\n", "\r\n", "\r"]),
)


def asked(unsafe: bool) -> tuple[str, ...]:
    """The runtimes that a fix must not harm where no framework is a target."""
    return tuple(name for name in runtimes.ALWAYS_ASKED if not unsafe or name in runtimes.BARE)


@pytest.mark.slow
@pytest.mark.parametrize("unsafe", [False, True])
@tried(max_examples=examples(60))
@given(text=DOCUMENTS)
@example(
    text="---\n" + "metadata:\n  version: 1.0\n" * 3 + 'x: "a" b\nname: a\nmetadata:\n  version: 1.0\n---\n'
)
def test_what_is_mended_reads_the_same_and_needs_no_mending(tmp_path: Path, unsafe: bool, text: str) -> None:
    file = write(tmp_path / "a", text)
    ids = asked(unsafe)
    before = readings_by_runtime(text, "a", ids)
    apply(plan(EVERYTHING._replace(paths=(tmp_path / "a",)), unsafe))
    after = file.read_bytes().decode()
    assert reason_not_to_apply("a", text, after, not unsafe, ids) is None
    assert set(before) <= set(readings_by_runtime(after, "a", ids))
    lines = [Counter(skill_of(each).body.splitlines()) for each in (text, after)]
    if not skill_of(text).frontmatter.problems:
        assert lines[0] == lines[1]
    assert {each for each in COMMENTS if each in text} == {each for each in COMMENTS if each in after}
    assert not plan(EVERYTHING._replace(paths=(tmp_path / "a",)), unsafe).changes


REAL = sorted({file for top in ("goldens", "goldens-public") for file in (HERE / top).rglob("SKILL.md")})


@slow
@pytest.mark.parametrize("unsafe", [pytest.param(False, marks=slowest), True])
def test_the_fixtures_of_the_goldens_are_mended_without_a_loss(tmp_path: Path, unsafe: bool) -> None:
    for number, file in enumerate(REAL):
        name = file.parent.name
        copy = tmp_path / str(number) / name / "SKILL.md"
        copy.parent.mkdir(parents=True)
        copy.write_bytes(file.read_bytes())
        apply(plan(EVERYTHING._replace(paths=(copy.parent,)), unsafe))
        if copy.read_bytes() != file.read_bytes():
            before, after = (path.read_bytes().decode() for path in (file, copy))
            ids = asked(unsafe)
            assert reason_not_to_apply(name, before, after, not unsafe, ids) is None, file
        assert not plan(EVERYTHING._replace(paths=(copy.parent,)), unsafe).changes


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (f"{HEAD}---\nx\n", f"{HEAD}---\ny\n", "would read a different body"),
        (f"{HEAD}---\nx\n", "---\nname: b\ndescription: d\n---\nx\n", "would read a different name"),
        (f"{HEAD}---\nx\n", "x\n", "would no longer load it or its fields"),
        (
            "---\ntype: 5\nlicense: 5\nx: {a: 1}\n---\n",
            "---\ntype: 5\nlicense: 5\nx: [\n---\n",
            "it would not be valid YAML",
        ),
    ],
)
def test_a_text_that_must_not_take_the_place_of_another_is_refused(
    before: str, after: str, words: str
) -> None:
    assert words in (reason_not_to_apply("a", before, after, safe=True) or "")
    assert reason_not_to_apply("a", before, before, safe=True) is None


def test_a_fix_that_would_change_what_a_runtime_reads_is_left_and_said() -> None:
    text = f"{HEAD}---\nx\n"
    at = text.index("Fills")
    edit = Fix(True, (Edit(at, at + 5, "Reads"),))
    refused = fix_skill(skill_of(text), lambda now: [("some-rule", edit)])
    assert refused.text == text
    assert "would read a different description" in refused.refused["some-rule"]
    assert fix_skill(skill_of(text), lambda now: [("x", Fix(False, edit.edits))]).text == text
    wanted = [[("x", Fix(False, edit.edits))], []]
    assert "Reads in forms" in fix_skill(skill_of(text), lambda now: wanted.pop(0), unsafe=True).text


def test_an_edition_that_nobody_checks_for_makes_a_fix_unsafe() -> None:
    edition = "agent-harness@0.3.24"  # refuses a field that is null, as no other parser does
    text = f"{HEAD}license: MIT\n---\nx\n"
    at = text.index("MIT")
    edit = Fix(True, (Edit(at, at + 3, "null"),))
    why = f"`{edition}` would no longer load it or its fields"

    def fixed(unsafe: bool, *targets: str) -> FixedText:
        return fix_skill(
            skill_of(text), lambda now: [("x", edit)] if "MIT" in now.source.text else [], unsafe, targets
        )

    assert fixed(False).refused == {"x": f"{why}; use `--unsafe-fixes` if that does not matter"}
    assert fixed(False, edition).refused == fixed(True, edition).refused == {"x": why}
    assert fixed(True).text == text.replace("MIT", "null")


def test_line_ends_are_fixed_though_editions_keep_a_blank_line_only_after_crlf() -> None:
    lf = f"{HEAD}---\n\nx\n\ny\n"
    crlf = lf.replace("\n", "\r\n")
    edition = runtimes.get("kodelet@0.5.36")
    assert edition.parse is not None
    bodies = [edition.parse(text.encode(), "a").body for text in (crlf, lf)]
    assert bodies == ["\r\nx\r\n\r\ny\r\n", "x\n\ny\n"]
    (finding,) = RULES["carriage-return"].check(skill_of(crlf), runtimes.get("portable"))
    assert finding.fix is not None
    assert (
        fix_skill(skill_of(crlf), lambda now: [("x", finding.fix)] if "\r" in now.source.text else []).text
        == lf
    )


def reading(parse: Callable[[bytes, str | None], Manifest], text: str) -> Manifest | None:
    """What a runtime reads in a text, None if it refuses it."""
    try:
        return parse(text.encode(), "a")
    except Refusal:
        return None


def test_every_edition_is_asked_whether_it_reads_the_same() -> None:
    before = f"{HEAD}---\nx\n"
    for name in runtimes.IDS:
        parse = runtimes.get(name).parse
        if parse is not None:
            for after in (
                f"{HEAD}---\nx\ny\n",
                before.replace("name: a", "name: b"),
                before.replace("Fills", "Reads"),
            ):
                if reading(parse, after) != reading(parse, before):  # some do not read a name
                    assert reason_not_to_apply("a", before, after, True, [name])


@pytest.mark.slow
def test_a_fix_that_never_ends_is_not_begun() -> None:
    grows = fix_skill(skill_of(HEAD + "---\n"), lambda now: [("x", Fix(True, (Edit(4, 4, "# more\n"),)))])
    assert grows.text == HEAD + "---\n"
    assert grows.refused == {"x": "its fixes still changed each other after 200 rounds"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "field",
    [
        *("license: null", "license:", "license: ~", "metadata:\n  author: null", "name: null"),
        *("allowed-tools:\n  # why\n  - Read", "allowed-tools:\n  - Read # why\n  - Bash"),
        *("allowed-tools: [Read, # why\n  Bash]", "allowed-tools: [Read,\n  Bash # why\n  ]"),
        *("description: > # why\n  Text", "description: |- # why\n  Text"),
    ],
)
def test_nothing_is_no_word_and_no_comment_is_lost(tmp_path: Path, field: str) -> None:
    write(tmp_path / "a", f"---\n{field}\n---\n\nText.\n")
    assert not plan(EVERYTHING._replace(paths=(tmp_path / "a",)), unsafe=True).changes


@pytest.mark.parametrize(
    ("fields", "left"),
    [
        ("license: |\n  MIT\nlicense: |\n  MIT\n", "license: |\n  MIT\n"),
        ("license: >\n  MIT\n\nx: y\nlicense: >\n  MIT\n# note\n", "license: >\n  MIT\n\nx: y\n# note\n"),
        ("license: |+\n  MIT\n\nlicense: |+\n  MIT\n", None),
        ("x:\n  - a\nx:\n  # why\n  - a\n", None),
    ],
)
def test_of_equal_values_of_one_key_the_first_is_left(fields: str, left: str | None) -> None:
    text = f"{HEAD}{fields}---\n"
    (finding,) = RULES["duplicate-key"].check(skill_of(text), runtimes.get("portable"))
    found = applied(text, finding.fix.edits) if finding.fix else None
    assert found == (left and f"{HEAD}{left}---\n")


@pytest.mark.slow
def test_many_fixes_at_one_place_are_made_together(tmp_path: Path) -> None:
    fields = "".join(f"k{number}: v{number}\n" for number in range(250))
    file = write(tmp_path / "a", f"{HEAD}{fields}---\n\nText.\n")
    apply(plan(EVERYTHING._replace(paths=(tmp_path / "a",)), unsafe=True))
    below = "".join(f"  {line}\n" for line in fields.splitlines())
    assert file.read_text("utf-8") == f"{HEAD}metadata:\n{below}---\n\nText.\n"


def test_one_fix_that_is_refused_holds_up_no_other() -> None:
    before, after = (
        f"---\nname: a\n{line * 250}description: d\n{line * 250}---\n" for line in ("# x\n", "# y\n")
    )

    def find(now: Skill) -> list[Candidate]:
        text = now.source.text
        places = [found.start() for found in re.finditer("(?<=# )x|(?<=: )d", text)]
        return [(text[at], Fix(True, (Edit(at, at + 1, "y"),))) for at in places]

    done = fix_skill(skill_of(before), find)
    assert done.text == after
    assert (done.applied, list(done.refused)) == ({"x": 500}, ["d"])
