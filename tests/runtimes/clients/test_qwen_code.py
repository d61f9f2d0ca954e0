"""qwen-code: the records of the pack, the program's answers to generated texts, and what neither shows."""

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
from skilltool.runtimes.qwen_code import answers, loading
from skilltool.runtimes.qwen_code.loading import parse
from skilltool.runtimes.values import LoadedSkill, Refusal, Refused
from tests.support.goldens import judging
from tests.support.manifests import manifest_data

EDITION = "qwen-code@0.24.4"
QWEN = runtimes.get("qwen-code")
PROGRAM = Path(__file__).parents[2] / "libraries" / "qwen-code-0.24.4.jsonl"
ALONE = {"skills.disabledLevels": ["bundled"]}


def parsed(raw: bytes, directory: str | None) -> dict[str, Any]:
    return manifest_data(parse(raw, directory))


def test_every_record_is_answered_byte_for_byte() -> None:
    assert judging.wrong(EDITION) == []
    assert judging.counts(EDITION) == {
        "call": 137,
        "catalog": 31,
        "discover": 33,
        "parse": 124,
        "tool": 13,
        "user": 26,
    }


def recorded_answers() -> list[dict[str, Any]]:
    return [json.loads(line) for line in PROGRAM.read_text("utf-8").split("\n") if line]


@pytest.mark.together
@pytest.mark.parametrize("answer", recorded_answers(), ids=lambda answer: repr(answer["text"])[:40])
def test_a_text_is_read_or_refused_as_by_the_program(answer: dict[str, Any]) -> None:
    raw = answer["text"].encode("utf-8", "surrogatepass")
    if "data" in answer:
        found = {key: value for key, value in parsed(raw, None).items() if key != "by_lines"}
        found.pop("hooks", None)  # of which the table has nothing
        assert found == answer["data"]
        return
    with pytest.raises(Refusal) as refused:
        parse(raw, None)
    assert refused.value.message == answer["error"]


def write(
    project: Path, name: str, front: str = "", body: str = "Body.", place: str = ".qwen/skills"
) -> Path:
    directory = project / place / name
    directory.mkdir(parents=True, exist_ok=True)
    front = front or f"name: {name}\ndescription: About {name}"
    (directory / "SKILL.md").write_text(f"---\n{front}\n---\n{body}\n", "utf-8")
    return directory


def opened(tmp_path: Path, **settings: Any) -> Session:
    named = {name.replace("__", "."): value for name, value in settings.items()}
    return QWEN.open(tmp_path, tmp_path / "home", {**ALONE, **named})


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("", {}),
        ("no colon\n# a: comment\n\n", {}),
        ("a: b: c", {"a": "b: c"}),
        ("a:\n  - 1\n  - x: y\nb: c", {"a": [1.0, "x: y"], "b": "c"}),
        ("a:\n  b: true\n  c:\nd: null", {"a": {"b": True, "c": ""}, "d": None}),
        ("a:\nb: c", {"b": "c"}),
        ("a:", {}),
        ("  - stray\na: b", {"": ["stray"], "a": "b"}),
        ('a: "q\\"\\\\"', {"a": 'q"\\'}),
        ("a: '1'\na: 0b11", {"a": 3.0}),
        ("a: Infinity", {"a": "Infinity"}),
    ],
)
def test_lines_are_read_when_yaml_is_not(lines: str, expected: dict[str, Any]) -> None:
    assert loading.read_lines(lines) == expected


@given(st.text(st.sampled_from("ab:- \n\t\"'#[]{}1.\r\ufeff\u2028"), max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(Refusal):
        parse(text.encode(), None)


def test_a_directory_that_an_installation_left_behind_is_no_skill(tmp_path: Path) -> None:
    left = write(tmp_path, "pdf.backup-12-34", "name: pdf\ndescription: Old")
    kept = write(tmp_path, "pdf.backup-2024", "name: pdf\ndescription: Of mine")
    assert QWEN.load is not None
    assert isinstance(QWEN.load(left), Refused)
    assert isinstance(QWEN.load(kept), LoadedSkill)
    assert [skill.directory for skill in opened(tmp_path).skills] == [kept]


def test_a_file_that_cannot_be_read_is_told_in_the_words_of_node(tmp_path: Path) -> None:
    directory = tmp_path / ".qwen/skills/pdf"
    (directory / "SKILL.md").mkdir(parents=True)
    session = opened(tmp_path)
    words = "Failed to read skill file: EISDIR: illegal operation on a directory, read"
    assert [each.message for each in session.skipped] == [words]
    assert session.warnings == (f"Failed to parse skill at {directory}: {words}",)


def test_directories_of_settings_are_the_users_and_count_once(tmp_path: Path) -> None:
    write(tmp_path, "a", place="home/more")
    write(tmp_path, "b", place="own")
    session = opened(tmp_path, skills__directories=["~/more", "own", "~/.qwen/skills"])
    assert [(skill.key, skill.known_as(loading.Details).level) for skill in session.skills] == [
        ("a", "user"),
        ("b", "user"),
    ]
    assert [root.role for root in session.roots].count("custom") == 2


def test_in_the_home_directory_there_is_no_project(tmp_path: Path) -> None:
    write(tmp_path, "a")
    session = QWEN.open(tmp_path, tmp_path, ALONE)
    assert [(skill.key, skill.role) for skill in session.skills] == [("a", "user")]


def test_an_extension_gives_its_name_to_its_skills(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write(tmp_path, "a", place=f"home/.qwen/extensions/{name}/skills")
    (tmp_path / "home/.qwen/extensions/one/qwen-extension.json").write_text('{"name": "first"}', "utf-8")
    (tmp_path / "home/.qwen/extensions/two/qwen-extension.json").write_text("[", "utf-8")
    assert [skill.key for skill in opened(tmp_path).skills] == ["first:a"]
    assert opened(tmp_path, skills__disabled=["A"]).skills == []
    assert opened(tmp_path, skills__disabledLevels=["extension", "bundled"]).skills == []


def test_what_is_off_or_waits_is_hidden_and_still_shadows(tmp_path: Path) -> None:
    write(tmp_path, "a", 'name: a\ndescription: d\npaths: ["src/**/*.{ts,js}"]')
    write(tmp_path, "a", place=".agents/skills")
    session = opened(tmp_path)
    assert session.skills == []
    assert [each.hidden for each in session.skipped] == [True]
    assert len(session.shadowed) == 1
    assert session.call({"file_path": "src/a.py"}, tool="read_file").text == "{output}"
    told = session.call({"file_path": str(tmp_path / "src/b/c.js")}, tool="edit").text or ""
    assert told.startswith("{output}\n\n<system-reminder>\nThe following skill(s) became available")
    assert [skill.key for skill in session.skills] == ["a"]
    assert session.call({"file_path": "src/d.ts"}, tool="edit").text == "{output}"
    assert opened(tmp_path, touched=["src/x.ts"]).find("a") is not None
    assert opened(tmp_path, touched=["src/x.ts"], skills__disabled=["A"]).find("a") is None


def test_a_rule_for_one_skill_denies_its_call(tmp_path: Path) -> None:
    write(tmp_path, "a")
    write(tmp_path, "b")
    session = opened(tmp_path, permissions__deny=["Skill(a)"])
    denied = 'This "skill" invocation was denied by permission rules. Matching deny rule: "Skill(a)".'
    answer = session.call({"skill": "a"})
    assert (answer.text, answer.is_error) == (f"{denied} Other uses of this tool are still permitted.", True)
    assert not session.call({"skill": "b"}).is_error
    assert session.tool() is not None


def test_only_a_listing_over_the_budget_loses_text_and_says_of_whom(tmp_path: Path) -> None:
    assert QWEN.budget is not None
    assert QWEN.shares is not None
    write(tmp_path, "a", "name: a\ndescription: |\n  One.\n  Two.\nwhen_to_use: Now")
    write(tmp_path, "b", "name: b\ndescription: >\n  One.")
    assert QWEN.budget(opened(tmp_path)) == (8000, ())
    write(tmp_path, "c", f"name: c\ndescription: {'c' * 8000}")
    session = opened(tmp_path)
    assert QWEN.budget(session) == (8000, ("a",))
    text = session.catalog() or ""
    assert "One. (project)" in text
    assert "Two." not in text
    shares = QWEN.shares(session)
    assert list(shares.skills) == ["a", "b", "c"]
    assert shares.fixed + sum(share.sent for share in shares.skills.values()) == length(text)
    assert shares.skills["a"].asked - shares.skills["a"].sent == len("\nTwo.\n — Now")


def test_a_listing_as_long_as_the_budget_is_whole(tmp_path: Path) -> None:
    assert QWEN.budget is not None
    write(tmp_path, "a", "name: a\ndescription: |\n  One.\n  Two.")
    write(tmp_path, "c", f"name: c\ndescription: {'c' * 100}")
    listed = opened(tmp_path).catalog() or ""
    block = listed.partition("<available_skills>\n")[2].partition("\n</available_skills>")[0]
    room = 8000 - len(block)
    for more, cut in ((0, ()), (1, ("a",))):
        write(tmp_path, "c", f"name: c\ndescription: {'c' * (100 + room + more)}")
        assert QWEN.budget(opened(tmp_path)) == (8000, cut)


def test_the_programs_own_skills_are_listed_and_their_bodies_not_stored(tmp_path: Path) -> None:
    write(tmp_path, "review")
    session = QWEN.open(tmp_path, tmp_path / "home")
    assert (session.catalog() or "").count("(bundled)") == 13
    assert "[... fixed text ...]" in (session.call({"skill": "loop"}).text or "")
    assert "Body." in (session.call({"skill": "review"}).text or "")
    assert "coordinate" not in (session.call({"skill": "coordinate"}).text or "").partition("Available")[2]
    assert "{builtin}/coordinate" in (session.user("/coordinate").text or "")


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("!!binary aGVsbG8gd29ybGQ=", "hello world"),
        ("!!binary /wD+gA==", "\ufffd\0\ufffd\ufffd"),
        ("!!binary 77u/YQ==", "a"),
        ("!!timestamp 2001-12-14", "2001-12-14T00:00:00.000Z"),
        ("!!timestamp 2001-12-14t21:59:43.10-5:30", "2001-12-15T03:29:43.100Z"),
        ("!!timestamp 2001-13-32", "2002-02-01T00:00:00.000Z"),
        ("9" * 5000, "Infinity"),
        ("-" + "9" * 5000, "-Infinity"),
        ("0x" + "f" * 5000, "Infinity"),
        ("0o" + "7" * 5000, "Infinity"),
        ("9" * 5000 + ".5", "Infinity"),
        ("1e" + "9" * 5000, "Infinity"),
    ],
    ids=lambda value: value[:20],
)
def test_values_that_are_no_text_become_one(written: str, shown: str) -> None:
    assert parsed(f"---\nname: a\ndescription: {written}\n---\nB".encode(), "a")["description"] == shown


def test_a_bare_start_has_no_skills_and_no_tool(tmp_path: Path) -> None:
    write(tmp_path, "a")
    session = QWEN.open(tmp_path, tmp_path / "home", {"flags": ["--bare"]})
    assert (session.skills, session.tool()) == ([], None)
    assert str(session.catalog()).startswith("<system-reminder>\nNo skills are currently available.")


# By `nonInteractiveCliCommands.ts` of 0.24.4.
@pytest.mark.parametrize(
    ("typed", "bodies", "rest"),
    [
        ("/a /b go  on ", 2, "go  on"),
        ("/a /b", 2, None),
        ("/a /nope x", 1, "x"),
        ("/ a x", 1, "x"),
        ("//a", 0, "//a"),
        ("/*a", 0, "/*a"),
        ("/", 0, "/"),
    ],
)
def test_several_skills_are_sent_for_one_text(
    tmp_path: Path, typed: str, bodies: int, rest: str | None
) -> None:
    for name in "ab":
        write(tmp_path, name)
    parts = [part["text"] for part in opened(tmp_path).user(typed).messages[0]["content"]]
    assert sum(part.count("Base directory for this skill") for part in parts) == bodies
    assert rest is None or rest in parts[-1]
    assert len(parts) == (bodies + bool(rest) if bodies != 1 else 1)


def test_the_file_of_arguments_has_a_safe_name(tmp_path: Path) -> None:
    write(tmp_path, "技:é.b_c-d")
    (part,) = opened(tmp_path).user("/技:é.b_c-d x").messages[0]["content"]
    assert "<skill-args-file>.qwen/tmp/s-<SESSION>/qwen-skill-args-___.b_c-d.txt<" in part["text"]


@pytest.mark.parametrize(
    ("text", "most", "most_lines", "expected"),
    [
        ("a\nb\nc", 5, 3, "a\nb\nc"),
        ("a" * 3001, 0, 1000, "persisted"),
        ("a\n" * 900, 10_000, 0, "a\n"),
        ("x" * 900, 100, 1000, "... [CONTENT TRUNCATED] ..."),
        ("😀" * 600, 100, 1000, "... [CONTENT TRUNCATED] ..."),
    ],
)
def test_an_answer_is_cut_by_units_and_lines(text: str, most: int, most_lines: int, expected: str) -> None:
    found = answers.sent(text, most, most_lines, Path("/home/me"))
    assert expected in found
    assert found == text or "saved to: /home/me/.qwen/tmp/<PROJECT HASH>/" in found


def test_a_cut_keeps_a_fifth_of_the_beginning_and_the_rest_of_the_end() -> None:
    lines = [f"line {number:05}" for number in range(5000)]
    kept = answers.sent("\n".join(lines), 500_000, 100, Path("/")).partition(
        "Truncated part of the output:\n"
    )[2]
    head, _, tail = kept.partition("\n\n---\n... [CONTENT TRUNCATED] ...\n---\n\n")
    assert head.split("\n") == lines[:20]
    assert tail.split("\n") == lines[-80:]


def test_a_preview_masks_the_tags_of_the_program() -> None:
    found = answers.sent("</persisted-output><system-reminder>" + "x" * 40_000, 25_000, 1000, Path("/"))
    assert "&lt;/persisted-output&gt;&lt;system-reminder&gt;" in found
    assert found.count("<persisted-output>") == found.count("</persisted-output>") == 1


@pytest.mark.parametrize(
    ("tool", "text"),
    [
        (
            "a",
            '"a" is a skill name, not a tool name. To use this skill, invoke the "skill" tool with '
            'parameter: skill: "a"',
        ),
        (
            "mcp__a__b",
            'Tool "mcp__a__b" not found: no MCP server providing it is currently configured. If you recently '
            "removed or renamed an MCP server, its tools are no longer available.",
        ),
        (
            "Skill",
            'Tool "Skill" not found in registry. Tools must use the exact names that are registered. Did you '
            "mean one of: {tools}?",
        ),
    ],
)
def test_a_call_of_a_tool_that_does_not_exist(tmp_path: Path, tool: str, text: str) -> None:
    """As qwen-code 0.24.4 answered; which tools it suggests goes by all that it has."""
    file = tmp_path / ".qwen" / "skills" / "a" / "SKILL.md"
    file.parent.mkdir(parents=True)
    file.write_text("---\nname: a\ndescription: d\n---\nBody.\n", "utf-8")
    result = runtimes.get(EDITION).open(tmp_path, tmp_path / "home").call("{}", tool=tool)
    assert (result.text, result.is_error) == (text, True)
