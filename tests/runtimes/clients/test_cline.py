"""Cline: the records of the pack, and what they do not show."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltool import runtimes
from skilltool.emulation.javascript import length
from skilltool.runtimes.base import Session
from skilltool.runtimes.cline import command_name, parse, shortened
from skilltool.runtimes.values import Refusal
from tests.support.goldens import judging
from tests.support.goldens.worlds import Record
from tests.support.manifests import manifest_data

EDITION = "cline@0.0.86"
CLINE = runtimes.get("cline")
WRONG: dict[str, str] = {}


def parsed(raw: bytes, directory: str | None) -> dict[str, Any]:
    return manifest_data(parse(raw, directory))


def same(record: Record, answer: Any) -> bool:
    """Whether an answer is the recorded one, but for the digest of the tool's description.

    It has a fixed part that is not stored, so that its length can be told and its digest cannot.
    """
    expected = record["expect"]
    if record["op"] == "tool" and expected is not None:
        expected = json.loads(json.dumps(expected))
        expected["function"]["description"]["sha256"] = None
    return bool(answer == expected)


def test_the_records_are_answered() -> None:
    assert judging.wrong(EDITION, same) == sorted(WRONG)
    assert judging.counts(EDITION) == {
        "call": 98,
        "catalog": 25,
        "discover": 18,
        "parse": 129,
        "tool": 11,
        "user": 24,
    }


def test_the_commands_of_hosts_are_those_recorded() -> None:
    found = judging.answers(EDITION)
    recorded = [each for each in judging.records(EDITION) if "commands" in each.get("extra", {})]
    assert len(recorded) == 18
    for each in recorded:
        assert found[each["id"]]["extra"] == each["extra"]


def write(project: Path, name: str, front: str, body: str = "Body.", place: str = ".cline/skills") -> Path:
    directory = project / place / name
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "SKILL.md").write_text(f"---\n{front}\n---\n{body}\n", "utf-8")
    return directory


def opened(tmp_path: Path, level: str = "runtime", **settings: Any) -> Session:
    return CLINE.open(tmp_path, tmp_path / "home", settings, level=level)


@given(
    st.text(st.sampled_from("ab:- \n\t\"'#[]{}1.\r\ufeff\u2028"), max_size=60),
    st.sampled_from(["", " ", "a"]),
)
def test_any_text_is_read_or_refused(text: str, directory: str) -> None:
    with suppress(Refusal):
        assert parsed(text.encode(), directory)["body"]


def test_without_a_name_anywhere_a_skill_is_refused() -> None:
    with pytest.raises(Refusal, match="Missing skill name"):
        parse(b"Text.", " ")


@pytest.mark.parametrize(
    ("front", "disabled"),
    [
        ("disabled: true\nenabled: true", True),
        ("disabled: false\nenabled: false", False),
        ("enabled: false", True),
        ("enabled: ~\ndisabled:", False),
    ],
)
def test_disabled_counts_before_enabled(front: str, disabled: bool) -> None:
    assert parsed(f"---\nname: a\n{front}\n---\nB".encode(), "a").get("disabled", False) is disabled


@pytest.mark.parametrize("number", ["9" * 5000, "-" + "9" * 5000, "0x" + "f" * 5000, "1e" + "9" * 5000])
def test_a_number_of_thousands_of_digits_is_no_text(number: str) -> None:
    with pytest.raises(Refusal, match=r"'description' must be a string\."):
        parse(f"---\ndescription: {number}\n---\nB".encode(), "a")


@pytest.mark.parametrize("front", ["disabled: 'true'", "disabled: 1", "enabled: no thing"])
def test_a_switch_of_another_type_refuses_the_skill(front: str) -> None:
    with pytest.raises(Refusal, match=r"must be a boolean\.") as refused:
        parse(f"---\nname: a\n{front}\n---\nB".encode(), "a")
    assert refused.value.why.endswith("is not a boolean")


def test_a_skill_of_a_root_itself_and_a_disabled_one_keep_their_names(tmp_path: Path) -> None:
    write(tmp_path, "", "name: Top")
    write(tmp_path, "later", "name: top\ndisabled: true")
    session = opened(tmp_path)
    assert session.skills == []
    assert [(each.skill.key, each.by.name) for each in session.shadowed] == [("Top", "top")]
    assert [each.key for each in session.skipped if each.hidden] == ["top"]
    assert session.tool() is None


# By `user-instruction-plugin` of 0.0.86.
@pytest.mark.parametrize(
    ("called", "answer"),
    [
        ("b:pdf", 'Skill "b:pdf" is configured but disabled.'),
        ("x:pdf", 'Skill "x:pdf" is ambiguous. Use one of: a:pdf, c:pdf'),
        ("off", 'Skill "off" is configured but disabled.'),
        ("y:off", 'Skill "off" is configured but disabled.'),
        ("two", 'Skill "two" is ambiguous, and all matches are disabled: n:two, m:two'),
        ("nope", 'Skill "nope" not found. Available skills: a:pdf, C:pdf, One'),
    ],
)
def test_a_name_that_is_not_exact_is_looked_for_behind_colons(
    tmp_path: Path, called: str, answer: str
) -> None:
    for number, (name, off) in enumerate(
        [
            ("a:pdf", ""),
            ("b:pdf", "x"),
            ("C:pdf", ""),
            ("off", "x"),
            ("n:two", "x"),
            ("m:two", "x"),
            ("One", ""),
        ]
    ):
        write(tmp_path, f"d{number}", f"name: {name}" + ("\ndisabled: true" if off else ""))
    assert opened(tmp_path).call({"skill": called}).text == answer


def test_an_allow_list_names_skills_with_or_without_their_prefix(tmp_path: Path) -> None:
    for name in ("a:pdf", "docx", "other"):
        write(tmp_path, name.replace(":", "-"), f"name: {name}")
    session = opened(tmp_path, skills=["/PDF", " docx "])
    assert session.catalog() == "Available skills: a:pdf, docx."
    assert session.call({"skill": "other"}).text == 'Skill "other" not found. Available skills: a:pdf, docx'
    assert opened(tmp_path, skills=["nope"]).catalog() is None
    assert opened(tmp_path, enableTools=False).catalog() is None


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"skill": ""}, "✖ Too small: expected string to have >=1 characters\n  → at skill"),
        ({"skill": ["a"]}, "✖ Invalid input: expected string, received array\n  → at skill"),
        (
            {"skill": True, "args": {}},
            "✖ Invalid input: expected string, received boolean\n  → at skill\n"
            "✖ Invalid input: expected string, received object\n  → at args",
        ),
        ("[]", "✖ Invalid input: expected object, received array"),
        ('[{"skill": "a"}]', "✖ Invalid input: expected object, received array"),
        ('["a"', "✖ Invalid input: expected object, received array"),
        ("5", "✖ Invalid input: expected object, received number"),
        ("9" * 5000, "✖ Invalid input: expected object, received number"),
        ("true", "✖ Invalid input: expected object, received boolean"),
        ("null", "✖ Invalid input: expected string, received undefined\n  → at skill"),
        (
            '{"skill": ' + "9" * 5000 + "}",
            "✖ Invalid input: expected string, received number\n  → at skill",
        ),
    ],
)
def test_what_the_schema_refuses_is_told_as_by_zod(tmp_path: Path, arguments: Any, words: str) -> None:
    write(tmp_path, "a", "name: a")
    assert json.loads(opened(tmp_path).call(arguments).text or "") == {"error": words}


def test_a_tool_that_is_not_there_is_told_which_are(tmp_path: Path) -> None:
    write(tmp_path, "a", "name: a")
    assert json.loads(opened(tmp_path).call("{}", tool="nosuch").text or "") == {
        "error": "Tool call nosuch was rejected before execution: AI_NoSuchToolError: Model tried to call "
        "unavailable tool 'nosuch'. Available tools: skills, read_files, search_codebase, run_commands, "
        "fetch_web_content, editor."
    }
    assert opened(tmp_path).call("{}", tool="editor").text is None


def test_arguments_that_cannot_be_repaired_are_refused(tmp_path: Path) -> None:
    write(tmp_path, "a", "name: a")
    session = opened(tmp_path)
    assert "could not be parsed as JSON" in (session.call('{"skill": "a"} tail').text or "")
    assert "must be encoded as a JSON object" in (session.call("'a'").text or "")
    assert session.call("{'skill': 'a'").text == session.call({"skill": "a"}).text


@pytest.mark.parametrize("size", [7999, 8000])
def test_a_text_within_the_limit_is_sent_whole(size: int) -> None:
    assert shortened("x" * size) == "x" * size


@pytest.mark.parametrize("text", ["x" * 8001, "x" * 100_000, "😀" * 4001, "ab😀" * 5000])
def test_a_longer_text_loses_its_middle(text: str) -> None:
    found = shortened(text)
    assert 7990 < length(found) <= 8000
    kept, _, rest = found.partition("\n\n...[truncated ")
    number, _, end = rest.partition(" chars]...\n\n")
    assert length(kept) + int(number) + length(end) == length(text)
    assert length(kept) == length(end)


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("Two  Words", "two-words"),
        ("q<r>*s", "q-r-s"),
        ("-a--b-", "a-b"),
        ("技能.é:@_x", "技能.é:@_x"),
        ("🎉", ""),
        ("a\u2028b", "a-b"),
    ],
)
def test_a_command_is_a_name_without_other_characters(name: str, command: str) -> None:
    assert command_name(name) == command


def test_a_host_puts_the_body_in_the_place_of_the_command(tmp_path: Path) -> None:
    write(tmp_path, "a", "name: Two Words")
    host = opened(tmp_path, "class")
    assert host.user("/two-words  x").messages[0]["content"][0]["text"] == "Body.  x"
    assert host.user("/").messages[0]["content"][0]["text"] == "/"
    assert host.user("/🎉 x").messages[0]["content"][0]["text"] == "/🎉 x"
    assert opened(tmp_path).user("/two-words  x").messages[0]["content"][0]["text"] == "/two-words  x"
