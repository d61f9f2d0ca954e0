"""codex: its records, and behaviour that they do not show."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltool import runtimes
from skilltool.emulation import rust
from skilltool.runtimes.base import Session
from skilltool.runtimes.codex import answers, loading
from skilltool.runtimes.codex.loading import entries_of, manifest, split
from skilltool.runtimes.fixed_text import whole_length
from skilltool.runtimes.values import LoadedSkill, Refusal, Refused
from tests.support.goldens.judging import answers as recorded_answers
from tests.support.goldens.judging import counts, records, wrong
from tests.support.goldens.worlds import Record

EDITION = "codex@0.169.0"
CODEX = runtimes.get("codex")
OWN = "the text of the program's own skills, which is not stored"
WRONG = {
    f"{EDITION}/bundled-shadow/catalog/001": OWN,
    f"{EDITION}/bundled-shadow/discover/001": OWN,
}


def same(record: Record, answer: Any) -> bool:
    """Whether an answer is as recorded; the mark of library text is not part of an answer."""
    expected = record["expect"]
    if isinstance(expected, dict) and "skipped" in expected:
        unmarked = [
            {name: value for name, value in each.items() if name != "library_text"}
            for each in expected["skipped"]
        ]
        expected = {**expected, "skipped": unmarked}
    return bool(answer == expected)


def test_the_wrong_answers_are_those_with_a_reason() -> None:
    assert wrong(EDITION, same) == sorted(WRONG)


def test_the_right_answers_by_operation() -> None:
    found = counts(EDITION, frozenset(WRONG))
    assert found == {"parse": 168, "catalog": 76, "user": 69, "discover": 33, "tool": 1}


def test_the_warnings_are_those_recorded() -> None:
    found = recorded_answers(EDITION)
    assert [
        each["id"] for each in records(EDITION) if each.get("extra") != found[each["id"]].get("extra")
    ] == []


def write(directory: Path, text: str = "", name: str | None = None) -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    written = text or f"---\nname: {name or directory.name}\ndescription: About it.\n---\nBody.\n"
    (directory / "SKILL.md").write_text(written, "utf-8")
    return directory


def opened(top: Path, **settings: Any) -> Session:
    (top / "project/.git").mkdir(parents=True, exist_ok=True)
    (top / "home").mkdir(exist_ok=True)
    roots = {"admin": top / "etc"}
    return CODEX.open(top / "project", top / "home", {"bundled": False, **settings}, roots)


def test_copies_of_a_name_have_their_paths_for_keys_and_only_a_link_means_one(tmp_path: Path) -> None:
    for root in ("project/.agents/skills", "project/.codex/skills"):
        write(tmp_path / root / "pdf")
    write(tmp_path / "home/.agents/skills/solo")
    session = opened(tmp_path)
    assert [each.key for each in session.skills] == [
        ".agents/skills/pdf/SKILL.md",
        ".codex/skills/pdf/SKILL.md",
        "solo",
    ]
    assert CODEX.typed is not None
    typed = [CODEX.typed(each) for each in session.skills]
    assert typed[1:] == [f"[$skill]({tmp_path}/project/.codex/skills/pdf/SKILL.md)", "$solo"]
    for text in typed:
        assert len(session.user(text).messages) == 2
    assert len(session.user("$pdf").messages) == 1


@pytest.mark.parametrize("name", ["two words", "a.b", "café", "shell", "PATH"])
def test_a_skill_whose_name_is_not_a_mention_is_called_by_a_link(name: str, tmp_path: Path) -> None:
    write(tmp_path / "project/.agents/skills/one", name=name)
    session = opened(tmp_path)
    assert CODEX.typed is not None
    [skill] = session.skills
    assert len(session.user(f"${name}").messages) == 1
    assert len(session.user(CODEX.typed(skill)).messages) == 2


@pytest.mark.parametrize(
    ("text", "is_meant"),
    [
        ("$solo", True),
        ("\\$solo, `$solo`", True),
        ("$solo:x $solo_ $solo- $Solo", False),
        ("[$x](skill://{file})", True),
        ("[$x]\n({file})", True),
        ("[$x] [y]({file})", False),
        ("[$x](app://{file})", False),
        ("[$x]({file}", False),
        ("[$HOME]({file})", False),
        ("/solo @solo", False),
    ],
)
def test_what_mentions_a_skill(text: str, is_meant: bool, tmp_path: Path) -> None:
    file = write(tmp_path / "project/.agents/skills/solo") / "SKILL.md"
    sent = opened(tmp_path).user(text.format(file=file))
    assert len(sent.messages) == 1 + is_meant


def test_a_changed_file_counts_at_once_and_a_deleted_one_adds_nothing(tmp_path: Path) -> None:
    directory = write(tmp_path / "project/.agents/skills/solo")
    session = opened(tmp_path)
    write(directory, "---\ndescription: About it.\n---\nNew.\n")
    assert "New." in (session.user("$solo").text or "")
    assert session.catalog() is None
    write(directory.parent / "more")
    assert "- more: About it." in (session.catalog() or "")
    for each in (directory, directory.parent / "more"):
        (each / "SKILL.md").unlink()
    assert session.catalog() == answers.GONE


def test_a_skill_that_is_switched_off_is_hidden_and_frees_its_name(tmp_path: Path) -> None:
    for root in ("project/.agents/skills", "project/.codex/skills"):
        write(tmp_path / root / "pdf")
    file = tmp_path / "project/.codex/skills/pdf/SKILL.md"
    off = {"path": str(file), "enabled": False}
    session = opened(tmp_path, config=[off])
    assert [each.key for each in session.skills] == ["pdf"]
    assert [(each.hidden, each.directory) for each in session.skipped] == [(True, file.parent)]
    both = opened(tmp_path, config=[off, {"name": "pdf", "enabled": True}])
    assert len(both.skills) == 2


def test_the_skills_of_the_program_take_room_and_may_be_cut(tmp_path: Path) -> None:
    write(tmp_path / "project/.agents/skills/solo")
    whole = opened(tmp_path, bundled=True).catalog() or ""
    assert [each.key for each in opened(tmp_path, bundled=True).skills] == ["solo"]
    cut = opened(tmp_path, bundled=True, max_context_tokens=120).catalog() or ""
    assert "[... 570 fixed characters" in whole
    assert 0 < whole_length(cut) < whole_length(whole)
    assert "imagegen: [..." in cut


def test_shares_add_up_to_the_listing(tmp_path: Path) -> None:
    for number in range(30):
        write(tmp_path / f"project/.agents/skills/s{number:02}")
    for tokens in (5_000, 400, 300, 200, 1):
        session = opened(tmp_path, bundled=True, max_context_tokens=tokens)
        shares = answers.shares(session)
        sent = shares.own.sent + sum(each.sent for each in shares.skills.values())
        assert shares.fixed + sent == whole_length(session.catalog() or "")
        omitted = answers.budget(session)[1]
        assert all(shares.skills[key].sent == 0 for key in omitted)


def test_without_room_for_any_entry_the_introduction_is_another(tmp_path: Path) -> None:
    write(tmp_path / "project/.agents/skills/one")
    assert opened(tmp_path, max_context_tokens=1).catalog() == (
        "<skills_instructions>\n## Skills\nA skill is a set of instructions provided through a `SKILL.md` "
        "source. Below is the list of skills that can be used. Each entry includes a name, description, and "
        "source locator. `file` locators are on the host filesystem, `executor package` locators are owned "
        "by their execution environment, `cloud package` locators are opaque package identifiers, and "
        "`custom resource` locators use their provider's access mechanism.\n### Available skills\n"
        "</skills_instructions>"
    )


def test_zero_tokens_end_the_start_of_a_thread(tmp_path: Path) -> None:
    assert "expected a nonzero usize" in (opened(tmp_path, max_context_tokens=0).failure or "")


def test_a_description_over_the_limit_is_cut_in_code_points(tmp_path: Path) -> None:
    long, short = "é" * 1025, "é" * 1024
    for name, text in (("long", long), ("short", short)):
        write(tmp_path / f"project/.agents/skills/{name}", f"---\ndescription: {text}\n---\n")
    by_name = {each.name: each for each in opened(tmp_path).skills}
    assert answers.summary(by_name["long"]) == f"{long[:1021]}..."
    assert answers.summary(by_name["short"]) == short


@pytest.mark.parametrize(
    ("extra", "listed", "loads"),
    [
        ("policy:\n  allow_implicit_invocation: false\n", False, True),
        ("policy: {allow_implicit_invocation: FALSE}\n", False, True),
        ("policy:\n  allow_implicit_invocation: no\n", True, True),
        ("policy:\n  products: [atlas, codex]\n", True, True),
        ("policy:\n  products: [atlas]\n", True, False),
        ("policy:\n  products: atlas\n", True, True),
        ("policy:\n", True, True),
    ],
)
def test_the_policy_decides_who_sees_a_skill(extra: str, listed: bool, loads: bool, tmp_path: Path) -> None:
    directory = write(tmp_path / "project/.agents/skills/one")
    (directory / "agents").mkdir()
    (directory / "agents/openai.yaml").write_text(extra)
    assert CODEX.load is not None
    assert isinstance(CODEX.load(directory), LoadedSkill) == loads
    session = opened(tmp_path)
    assert [entry.listed for entry in entries_of(session)] == [listed] * loads
    assert ("- one:" in (session.catalog() or "")) == (listed and loads)


@pytest.mark.parametrize(
    ("path", "why"),
    [
        (".hidden/SKILL.md", "its name begins with a dot (skipped silently)"),
        ("lower/skill.md", "`skill.md` is not named SKILL.md (skipped silently)"),
        ("a/b/c/d/e/f/deep/SKILL.md", "it is more than 6 levels under the root (skipped silently)"),
    ],
)
def test_what_the_walk_passes_over_is_told(path: str, why: str, tmp_path: Path) -> None:
    file = tmp_path / "project/.agents/skills" / path
    file.parent.mkdir(parents=True)
    file.write_text("---\ndescription: d\n---\n")
    session = opened(tmp_path)
    assert [(each.directory, each.why) for each in session.skipped] == [(file.parent, why)]


def test_links_are_followed_to_directories_but_not_to_files(tmp_path: Path) -> None:
    root, far = tmp_path / "project/.agents/skills", write(tmp_path / "far/one")
    root.mkdir(parents=True)
    (root / "again").symlink_to(far)
    (root / "linked").symlink_to(far)
    (root / "loop").symlink_to(root)
    (root / "file").mkdir()
    (root / "file/SKILL.md").symlink_to(far / "SKILL.md")
    session = opened(tmp_path)
    assert [each.directory for each in session.skills] == [root / "again"]
    assert "(file: r0/again/SKILL.md)" in (session.catalog() or "")
    assert CODEX.load is not None
    outcome = CODEX.load(root / "file")
    assert isinstance(outcome, Refused)
    assert outcome.message is None


def test_a_directory_above_home_that_lint_opens_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    write(tmp_path / ".agents/skills/own")
    (tmp_path / ".git").mkdir()
    project = tmp_path / "code"
    write(project / ".agents/skills/ours")
    by_lint = CODEX.open(project, project / "nowhere", {"bundled": False})
    assert [each.key for each in by_lint.skills] == ["ours"]
    by_user = CODEX.open(project, tmp_path, {"bundled": False})
    assert {each.key for each in by_user.skills} == {"ours", "own"}


@pytest.mark.together
@pytest.mark.parametrize(
    ("line", "repaired"),
    [
        ("a: b: c", "a: 'b: c'"),
        ("a: it's: so", "a: 'it''s: so'"),
        ("  a:\tb: c  # d: e", "  a:\t'b: c'  # d: e"),
        ("- a: b: c", "- a: 'b: c'"),
        ("a: [b] c", "a: '[b] c'"),
        ("a: @b", "a: '@b'"),
        ("a: {b: c}", "a: '{b: c}'"),
        ("a: [b, c]", None),
        ("a: b:", None),
        ("a:b: c", None),
        ('a: "b: c" d', None),
        ("a: %b", None),
        ("a: *b", None),
        (": b: c", None),
        ("a: |\n  b: c: d\n\ne: f: g", "a: |\n  b: c: d\n\ne: 'f: g'"),
        ("a: # b: c", None),
    ],
)
def test_values_that_are_prose_are_put_in_quotes(line: str, repaired: str | None) -> None:
    assert loading.repaired(line) == repaired


@given(st.text(st.sampled_from("ab:-[]{}'\"#&*!|>%@\n\r\t ?,\x00\u2028\x85\ufeff\x1c`"), max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(Refusal):
        manifest(f"---\n{text}\n---\n", "it")
    with suppress(Refusal):
        manifest(text, "it")


@given(st.text(st.sampled_from("-ab \t\r\n\x85\u2028"), max_size=30))
def test_frontmatter_is_split_as_by_lines(text: str) -> None:
    lines = rust.lines(text)
    fences = [number for number, line in enumerate(lines) if rust.trim(line) == "---"]
    found = split(text)
    if fences[:1] != [0] or len(fences) < 2 or fences[1] == 1:
        assert found is None
    else:
        assert found is not None
        assert found[0] == "\n".join(lines[1 : fences[1]])
        assert rust.lines(found[1]) == lines[fences[1] + 1 :]


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"a\xff", "invalid utf-8 sequence of 1 bytes from index 1"),
        (b"\xe2\x82X", "invalid utf-8 sequence of 2 bytes from index 0"),
        (b"\xf0\x9f\x98X", "invalid utf-8 sequence of 3 bytes from index 0"),
        (b"\xed\xa0\x80", "invalid utf-8 sequence of 1 bytes from index 0"),
        (b"ab\xe2\x82", "incomplete utf-8 byte sequence from index 2"),
    ],
)
def test_what_rust_says_of_bytes_that_are_not_utf8(raw: bytes, message: str) -> None:
    with pytest.raises(UnicodeDecodeError) as error:
        raw.decode("utf-8")
    assert rust.utf8_error(error.value) == message


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (" a\t\n b ", "a b"),
        ("a\xa0\u3000b", "a b"),
        ("a\x1cb", "a\x1cb"),
        ("\u200ba\ufeff", "\u200ba\ufeff"),
        ("\x85", ""),
    ],
)
def test_blanks_are_those_of_unicode_as_in_rust(text: str, line: str) -> None:
    assert rust.single_line(text) == line
    assert rust.trim(line) == line
