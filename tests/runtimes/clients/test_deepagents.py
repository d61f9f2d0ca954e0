"""Deep Agents: its records, answered by the driver, and what no record shows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from skilltool import runtimes
from skilltool.runtimes.base import Session
from skilltool.runtimes.deepagents.loading import ENDS, Package, label_of, read
from skilltool.runtimes.values import LoadedSkill, Refusal, Refused
from tests.conftest import MakeSkill, Skilltool
from tests.support.goldens import judging

EDITION = "deepagents@0.7.32"
READ = Path(__file__).parents[2] / "libraries" / "deepagents-0.7.32.jsonl"
TEXT = "---\nname: {name}\ndescription: {about}\n---\nBody.\n"
WARNINGS = "**Skill Loading Warnings:**\n"


def test_every_record_is_answered() -> None:
    assert judging.wrong(EDITION) == []
    expected = {"discover": 35, "catalog": 31, "call": 21, "user": 10, "parse": 68}
    assert judging.counts(EDITION) == expected


@pytest.mark.together
@pytest.mark.parametrize("line", READ.read_text("utf-8").split("\n")[:-1])
def test_a_file_is_read_as_the_framework_reads_it(line: str) -> None:
    """The table has what `deepagents.middleware.skills` of deepagents 0.7.32 made of generated texts."""
    row = json.loads(line)
    file = f"D/{row['directory']}/SKILL.md"
    if row.get("skill") is None:
        with pytest.raises(Refusal) as caught:
            read(row["text"], file, row["directory"])
        assert caught.value.message == (row["raised"] if caught.value.kind == ENDS else row["warnings"][0])
        return
    found = read(row["text"], file, row["directory"])
    assert {name: _plain(getattr(found, name)) for name in row["skill"]} == row["skill"]
    assert (list(found.warnings), found.body) == (row["warnings"], row["body"])


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def opened(project: Path, *roots: str, **settings: object) -> Session:
    given = {f"root {number}": project / root for number, root in enumerate(roots, start=1)}
    return runtimes.get("deepagents").open(project, project / "home", settings, given)


def test_the_last_copy_wins_where_the_first_one_was(tmp_path: Path, make_skill: MakeSkill) -> None:
    for place, name in (("one/a.b", "b"), ("one/a", "b"), ("one/a-b", "c"), ("two/b", "b")):
        make_skill(tmp_path / place, TEXT.format(name=name, about=place))
    session = opened(tmp_path, "one", "two")
    assert [skill.description for skill in session.skills] == ["one/a-b", "two/b"]
    assert [lost.skill.description for lost in session.shadowed] == ["one/a.b", "one/a"]


def test_a_value_that_cannot_be_built_ends_the_run(
    tmp_path: Path, make_skill: MakeSkill, skilltool: Skilltool
) -> None:
    make_skill(tmp_path / "one/a", TEXT.format(name="a", about="d"))
    make_skill(tmp_path / "one/b", "---\nname: b\ndescription: d\nupdated: 2024-13-01\n---\n")
    session = opened(tmp_path, "one")
    assert (session.failure, session.skills, session.catalog()) == ("month must be in 1..12", [], None)
    refused = runtimes.get("deepagents").load(tmp_path / "one/b")  # type: ignore[misc]
    assert isinstance(refused, Refused)
    assert refused.ends_loading
    assert session.call({"file_path": "x"}).flow_error == "month must be in 1..12"
    assert session.user("hello").messages == ()


@pytest.mark.parametrize("sources", [["/../one"], ["/a..b"]])
def test_a_source_outside_a_virtual_file_system_ends_the_run(tmp_path: Path, sources: list[str]) -> None:
    assert opened(tmp_path, virtual=True, sources=sources).failure == "Path traversal not allowed"


def test_a_virtual_file_system_shows_where_links_lead(tmp_path: Path, make_skill: MakeSkill) -> None:
    make_skill(tmp_path / "project/kept/a", TEXT.format(name="a", about="d"))
    make_skill(tmp_path / "outside/b", TEXT.format(name="b", about="d"))
    (tmp_path / "project/skills").mkdir()
    (tmp_path / "project/skills/link").symlink_to("../kept/a")
    (tmp_path / "project/skills/out").symlink_to(tmp_path / "outside/b")
    session = opened(tmp_path / "project", virtual=True, sources=["/skills"])
    assert [skill.known_as(Package).path for skill in session.skills] == ["/kept/a/SKILL.md"]


@pytest.mark.parametrize(
    ("path", "label"),
    [
        ("/", "Unnamed"),
        ("/x/Built_In_Skills/", "Built-in"),
        ("/x/.my_own-agent/Skills", "My Own Agent"),
        ("/skills", "Skills"),
        ("./skills", "Skills"),
        ("C:\\work\\FOO_bar", "Foo_bar"),
    ],
)
def test_labels_of_sources(path: str, label: str) -> None:
    assert label_of(path) == label


def test_what_is_wrong_with_sources_is_in_the_prompt(tmp_path: Path) -> None:
    names = [f"none{number}" for number in range(21)]
    shown = str(opened(tmp_path, sources=[f"{tmp_path}/{'n' * 1000}", *names]).catalog())
    lines = shown.partition(WARNINGS)[2].splitlines()
    assert "... [truncated]&quot;" in lines[0]
    assert (
        lines[19]
        == "- &quot;Cannot load skills from &#x27;none18&#x27;: Path &#x27;none18&#x27;: path_not_found&quot;"
    )
    assert lines[20] == "- &quot;2 additional skill loading warnings omitted.&quot;"


def read_file(project: Path, tool: str = "read_file", **arguments: object) -> str | None:
    return opened(project, "one").call(arguments, tool).text


@pytest.mark.parametrize(
    ("arguments", "header"),
    [
        ({}, "@@ lines 1-100 of 120 | next offset 100 @@"),
        ({"offset": 110}, "@@ lines 111-120 of 120 @@"),
        ({"offset": "3", "limit": 2.0}, "@@ lines 4-5 of 120 | next offset 5 @@"),
        ({"offset": True, "limit": "1_0"}, "@@ lines 2-11 of 120 | next offset 11 @@"),
        ({"offset": -1}, "[Requested offset -1 is before the start of the file; read from line 1 instead.]"),
    ],
)
def test_read_file_shows_a_part(tmp_path: Path, arguments: dict[str, Any], header: str) -> None:
    (tmp_path / "long.md").write_text("x\n" * 120, "utf-8")
    assert str(read_file(tmp_path, file_path=f"{tmp_path}/long.md", **arguments)).startswith(f"{header}\n")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("empty.md", "@@ lines 1-1 @@\nSystem reminder: File exists but has empty contents"),
        ("../above.md", "Error: Path traversal not allowed: {path}"),
        (
            "link.md",
            "Error: Error reading file '{path}': [Errno 40] Too many levels of symbolic links: '{path}'",
        ),
        ("below", "Error: File '{path}' not found"),
        ("a.png", None),
    ],
)
def test_read_file_of_what_is_no_text(tmp_path: Path, name: str, words: str | None) -> None:
    for each in ("empty.md", "a.png"):
        (tmp_path / each).write_bytes(b"")
    (tmp_path / "link.md").symlink_to("empty.md")
    (tmp_path / "below").mkdir()
    path = f"{tmp_path}/{name}"
    assert read_file(tmp_path, file_path=path) == (None if words is None else words.format(path=path))


# deepagents 0.7.32 answered these calls so (`create_deep_agent` with a scripted model).
_LARGE = (
    "[Output was truncated due to size limits. The file content is very large. Consider reformatting the "
    "file to make it easier to navigate. For example, if this is JSON, use execute(command='jq . {path}') to "
    "pretty-print it with line breaks. For other formats, you can use appropriate formatting tools to split "
    "long lines.]\n"
)


@pytest.mark.parametrize(
    ("content", "header", "shown"),
    [
        ("a\nb\n" + "z" * 90_000 + "\nend\n", "1-2 of 4 | next offset 2 | truncated due to size", "a\nb"),
        ("q" * 79_000 + "\n" + "z" * 9000, "1-1 of 2 | next offset 1 | truncated due to size", "q" * 79_000),
        ("a\n" * 50 + "y" * 80_000, "1-50 of 51 | next offset 50 | truncated due to size", "a\n" * 49 + "a"),
    ],
)
def test_of_a_file_that_is_too_large_whole_lines_are_read(
    tmp_path: Path, content: str, header: str, shown: str
) -> None:
    path = tmp_path / "wide.md"
    path.write_text(content, "utf-8")
    expected = f"{_LARGE.format(path=path)}@@ lines {header} @@\n{shown}"
    assert read_file(tmp_path, file_path=str(path)) == expected


def test_of_a_line_that_is_too_long_a_part_is_read(tmp_path: Path) -> None:
    path = tmp_path / "wide.md"
    path.write_text("w" * 90_000, "utf-8")
    before = _LARGE.format(path=path) + "@@ lines 1-1 of 1 | truncated mid-line | {} of 90000 chars @@\n"
    shown = 80_000 - len(before.format(90_000))
    assert read_file(tmp_path, file_path=str(path)) == before.format(shown) + "w" * shown


def test_of_80000_characters_nothing_is_whole_and_of_one_less_all(tmp_path: Path) -> None:
    path, header = tmp_path / "wide.md", "@@ lines 1-1 of 1 @@\n"
    path.write_text("w" * (79_999 - len(header)), "utf-8")
    assert str(read_file(tmp_path, file_path=str(path))).startswith(header)
    path.write_text("w" * (80_000 - len(header)), "utf-8")
    assert str(read_file(tmp_path, file_path=str(path))).startswith(_LARGE.format(path=path))


@pytest.mark.parametrize("field", ["description", "license", "compatibility", "allowed-tools"])
def test_half_of_a_character_in_the_list_ends_every_turn(
    tmp_path: Path, make_skill: MakeSkill, field: str
) -> None:
    fields = {"description": "d", field: '"\\ud83d\\ude00"'}
    front = "\n".join(f"{key}: {value}" for key, value in fields.items())
    make_skill(tmp_path / "one/a", f"---\nname: a\n{front}\n---\nBody.\n")
    session = opened(tmp_path, "one")
    assert str(session.failure).startswith(f"UnicodeEncodeError: `{tmp_path / 'one/a/SKILL.md'}` contains ")
    assert [skill.key for skill in session.skills] == ["a"]
    assert (session.catalog(), session.call({"file_path": "/x"}).flow_error) == (None, session.failure)


def test_half_of_a_character_that_is_not_in_the_list_is_never_sent(
    tmp_path: Path, make_skill: MakeSkill
) -> None:
    make_skill(tmp_path / "one/a", '---\nname: a\ndescription: d\nmetadata:\n  x: "\\ud83d"\n---\nBody.\n')
    assert opened(tmp_path, "one").failure is None


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "Input should be a valid integer"),
        (1.5, "Input should be a valid integer, got a number with a fractional part"),
        (float("inf"), "Input should be a finite number"),
        ("0x1", "Input should be a valid integer, unable to parse string as an integer"),
        ("1__0", "Input should be a valid integer, unable to parse string as an integer"),
    ],
)
def test_arguments_that_are_no_integers(tmp_path: Path, value: object, words: str) -> None:
    found = str(read_file(tmp_path, file_path="x", offset=value, limit=value))
    given = {"file_path": "x", "offset": value, "limit": value}
    error = f"with error:\n offset: {words}\nlimit: {words}\n Please fix the error and try again."
    assert found == f"Error invoking tool 'read_file' with kwargs {given} {error}"


@pytest.mark.parametrize("arguments", ["{", "[]"])
def test_what_is_not_known_is_not_answered(tmp_path: Path, arguments: str) -> None:
    assert opened(tmp_path, "one").call(arguments).text is None
    assert opened(tmp_path, "one").call({}, "write_file").text is None


def test_a_tool_that_is_not_there_is_told_which_are(tmp_path: Path) -> None:
    assert read_file(tmp_path, "nosuch") == (
        "Error: nosuch is not a valid tool, try one of [ls, read_file, write_file, edit_file, delete, glob, "
        "grep, execute, task]."
    )


def test_ls_names_what_a_directory_has(tmp_path: Path, make_skill: MakeSkill) -> None:
    make_skill(tmp_path / "one/a", TEXT.format(name="a", about="d"))
    assert read_file(tmp_path, "ls", path=f"{tmp_path}/one") == f"['{tmp_path}/one/a/']"
    (tmp_path / "none").mkdir()
    assert read_file(tmp_path, "ls", path=f"{tmp_path}/none") == "No files found"
    assert read_file(tmp_path, "ls", path="/no//where") == "Error: Path '/no/where': path_not_found"
    for number in range(400):
        (tmp_path / "none" / f"{number:0250}").touch()
    assert "... [results truncated" in str(read_file(tmp_path, "ls", path=f"{tmp_path}/none"))


def test_pinned_skills_follow_a_message(tmp_path: Path, make_skill: MakeSkill) -> None:
    make_skill(tmp_path / "one/a", TEXT.format(name="'a<b'", about="d"))
    session = opened(tmp_path, "one", pinned=["a<b", "none", "a<b"])
    sent = [part["text"] for message in session.user("hello").messages for part in message["content"]]
    path = tmp_path / "one/a/SKILL.md"
    assert sent == ["hello", f'<skill name="a&lt;b" path="{path}">\nBody.\n</skill>']
    path.unlink()
    assert len(session.user("hello").messages) == 1


def test_the_content_of_a_skill_is_its_whole_file(tmp_path: Path, make_skill: MakeSkill) -> None:
    make_skill(tmp_path / "one/a", TEXT.format(name="a", about="d"))
    session = opened(tmp_path, "one")
    skill = session.find("a")
    assert isinstance(skill, LoadedSkill)
    assert session.runtime.content(session, skill) == TEXT.format(name="a", about="d")  # type: ignore[misc]


@pytest.mark.parametrize("command", [["resolve"], ["cost"], ["render", "--part", "catalog"]])
def test_roots_are_asked_for(
    repo: Path, make_skill: MakeSkill, skilltool: Skilltool, command: Sequence[str]
) -> None:
    make_skill(repo.parent / "lib/a", TEXT.format(name="a", about="d"))
    asked = skilltool(*command, "--runtime", "deepagents")
    assert (asked.returncode, asked.stdout) == (2, "")
    assert "name some with --root DIR" in asked.stderr
    assert skilltool(*command, "--runtime", "deepagents", "--root", "../lib").returncode == 0


def test_of_several_runtimes_those_without_roots_are_left_out(
    repo: Path, make_skill: MakeSkill, skilltool: Skilltool
) -> None:
    make_skill(repo / ".agents/skills/a", TEXT.format(name="a", about="d"))
    found = skilltool("resolve", "--runtime", "deepagents", "--runtime", "kimi-cli")
    assert found.returncode == 0
    assert "deepagents" in found.stderr
    assert "deepagents" not in found.stdout
