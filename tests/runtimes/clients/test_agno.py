"""Agno: its records, answered by the driver, and what no record shows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from skilltool import runtimes
from skilltool.runtimes.agno.answers import OUTPUT, TOOLS, definition
from skilltool.runtimes.agno.loading import LOADER, Invalid, LoaderError, read
from skilltool.runtimes.base import Session
from skilltool.runtimes.values import LoadedSkill, Refusal, Refused
from tests.conftest import MakeSkill, Skilltool
from tests.support.goldens import judging

EDITION = "agno@3.1.10"
READ = Path(__file__).parents[2] / "libraries" / "agno-3.1.10.jsonl"
WRONG = {"agno@3.1.10/script/call/006-sh": "the text holds what a script prints, and no script is run"}
TEXT = "---\nname: {name}\ndescription: {about}\n---\nBody.\n"


def test_the_wrong_answers_are_those_with_a_reason() -> None:
    assert judging.wrong(EDITION) == sorted(WRONG)


def test_the_records_by_operation() -> None:
    found = judging.counts(EDITION, frozenset(WRONG))
    assert found == {"discover": 30, "catalog": 23, "tool": 3, "call": 26, "parse": 204}


def test_only_what_the_script_prints_is_missing() -> None:
    [name] = WRONG
    [record] = [each for each in judging.records(EDITION) if each["id"] == name]
    assert judging.answers(EDITION)[name]["answer"].replace(OUTPUT, "set\\n") == record["expect"]


@pytest.mark.together
@pytest.mark.parametrize("line", READ.read_text("utf-8").split("\n")[:-1])
def test_a_file_is_read_as_the_framework_reads_it(line: str) -> None:
    """The table has what `agno.skills.loaders.local` of agno 3.1.10 made of generated texts."""
    row = json.loads(line)
    assert _read(row, validate=True) == row["validated"]
    assert _read(row, validate=False) == row["lenient"]


def _read(row: dict[str, Any], validate: bool) -> Any:
    raw = row["text"].encode("utf-8", "surrogatepass")
    try:
        found = read(raw, row["directory"], f"DIR/{row['directory']}", validate)
    except Invalid as error:
        return {"errors": error.problems, "str": error.message}
    except Refusal as refusal:
        return {"skill": None, "warnings": [refusal.message]}
    except LoaderError as error:
        return {"raise": str(error)}
    skill = {"name": found.name, "description": found.description, "body": found.body}
    as_text = json.dumps({"skill": skill, "warnings": list(found.warnings)}, default=str)
    return json.loads(as_text)


def opened(project: Path, *roots: str, **settings: object) -> Session:
    given = {f"root {number}": project / root for number, root in enumerate(roots, start=1)}
    return runtimes.get("agno").open(project, project / "home", settings, given)


def test_one_refused_skill_ends_the_loading_of_all(
    tmp_path: Path, make_skill: MakeSkill, skilltool: Skilltool
) -> None:
    make_skill(tmp_path / "one/a", TEXT.format(name="a", about="d"))
    make_skill(tmp_path / "two/b", "---\nname: B-\ndescription: d\nallowed-tools: Read\n---\n")
    session = opened(tmp_path, "one", "two")
    words = (
        "4 validation errors: Skill name 'B-' must be lowercase; Skill name cannot start or end with a "
        "hyphen; Directory name 'b' must match skill name 'B-'; Field 'allowed-tools' must be a list"
    )
    assert (session.failure, session.skills, session.tool()) == (words, [], None)
    assert session.call({"skill_name": "a"}).flow_error == words
    refused = runtimes.get("agno").load(tmp_path / "two/b")  # type: ignore[misc]
    assert isinstance(refused, Refused)
    assert (refused.message, refused.ends_loading) == (words, True)
    linted = skilltool("lint", str(tmp_path / "two"), "--runtime", "agno")
    assert "error[invalid-name]" in linted.stdout
    assert "error[wrong-type]: `allowed-tools` is a string; `agno` expects a list" in linted.stdout
    resolved = skilltool("resolve", "--runtime", "agno", "--root", str(tmp_path / "two"))
    assert resolved.returncode == 1
    lenient = opened(tmp_path, "one", "two", validate=False)
    assert [skill.key for skill in lenient.skills] == ["a", "B-"]


def test_what_is_wrong_with_a_directory_is_a_warning(tmp_path: Path, make_skill: MakeSkill) -> None:
    (tmp_path / "file").write_text("x", "utf-8")
    make_skill(tmp_path / "two/a", "---\n1: 2\nname: a\ndescription: d\n---\n")
    make_skill(tmp_path / "three/a", TEXT.format(name="a", about="d"))
    make_skill(tmp_path / "three/none/below", TEXT.format(name="below", about="d"))
    make_skill(tmp_path / "three/.hidden", TEXT.format(name="hidden", about="d"))
    session = opened(tmp_path, "one", "file", "two", "three")
    assert list(session.warnings) == [
        f"Error loading skills from {LOADER}: Skills path does not exist: {tmp_path}/one",
        f"Error loading skills from {LOADER}: [Errno 20] Not a directory: '{tmp_path}/file'",
        f"Error loading skills from {LOADER}: sequence item 0: expected str instance, int found",
    ]
    assert [skill.directory for skill in session.skills] == [tmp_path / "three/a"]
    assert {each.directory.name for each in session.skipped} == {"none", ".hidden"}
    refused = runtimes.get("agno").load(tmp_path / "two/a")  # type: ignore[misc]
    assert isinstance(refused, Refused)
    assert not refused.ends_loading


def test_a_name_that_is_a_list_ends_the_loading_of_its_directory(
    tmp_path: Path, make_skill: MakeSkill
) -> None:
    for name, text in (("a", "a"), ("b", "[b]"), ("c", "c")):
        make_skill(tmp_path / f"one/{name}", TEXT.format(name=text, about="d"))
    make_skill(tmp_path / "two/d", TEXT.format(name="4", about="2024-01-02"))
    session = opened(tmp_path, "one", "two", validate=False)
    assert [skill.key for skill in session.skills] == ["a", "4"]
    assert session.warnings == (f"Error loading skills from {LOADER}: unhashable type: 'list'",)
    unknown = session.call({"skill_name": "4"})
    assert (unknown.text, unknown.is_error) == ("sequence item 1: expected str instance, int found", True)


def test_a_directory_can_be_one_skill_and_reached_through_links(
    tmp_path: Path, make_skill: MakeSkill
) -> None:
    make_skill(tmp_path / "real/a", TEXT.format(name="a", about="d"))
    (tmp_path / "link").symlink_to("real/a")
    session = opened(tmp_path, paths=["link"])
    assert [skill.directory for skill in session.skills] == [tmp_path / "real/a"]
    assert [root.path for root in session.roots] == [tmp_path / "real/a"]


@pytest.fixture
def session(tmp_path: Path, make_skill: MakeSkill) -> Session:
    """A session with one skill that has references and scripts."""
    make_skill(tmp_path / "one/a", TEXT.format(name="a", about="é"))
    below = tmp_path / "one/a"
    (below / "references/sub").mkdir(parents=True)
    (below / "scripts").mkdir()
    for name in ("x.md", "CON", "tr. ", "tr", "c:d", "bell\a", ".hidden"):
        (below / "references" / name).write_text(f"{name}\r\n", "utf-8", newline="")
    (below / "references/bad").write_bytes(b"\xff")
    (below / "references/out").symlink_to("../SKILL.md")
    (below / "scripts/run.sh").write_text("#!/bin/sh\n", "utf-8")
    (below / "scripts/plain").write_text("echo\n", "utf-8")
    return opened(tmp_path, "one")


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("x.md", {"content": "x.md\n"}),
        ("tr. ", {"content": "tr\n"}),
        (".hidden", {"error": "Reference '.hidden' not found in skill 'a'"}),
        ("sub", {"error": "Reference 'sub' not found in skill 'a'"}),
        ("CON", {"error": "Invalid reference path: 'CON'"}),
        ("c:d", {"error": "Invalid reference path: 'c:d'"}),
        ("bell\a", {"error": "Invalid reference path: 'bell\a'"}),
        ("out", {"error": "Invalid reference path: 'out'"}),
        ("None", {"error": "A reference_path is required to read a reference from skill 'a'"}),
    ],
)
def test_references(session: Session, path: str, answer: dict[str, str]) -> None:
    given = json.dumps({"skill_name": "a", "reference_path": path})
    found = json.loads(str(session.call(given, "get_skill_reference").text))
    assert found | answer == found


def test_files_that_cannot_be_read_or_run(session: Session) -> None:
    bad = session.call({"skill_name": "a", "reference_path": "bad"}, "get_skill_reference")
    assert "Error reading reference file: 'utf-8' codec can't decode" in str(bad.text)
    asked = {"skill_name": "a", "script_path": "plain", "execute": "yes"}
    plain = session.call(asked, "get_skill_script")
    assert "Error executing script: [Errno 8] Exec format error: " in str(plain.text)
    run = json.loads(str(session.call({**asked, "script_path": "run.sh"}, "get_skill_script").text))
    assert (run["stdout"], run["returncode"]) == (OUTPUT, 0)
    read_only = session.call({**asked, "execute": "off"}, "get_skill_script")
    assert json.loads(str(read_only.text))["content"] == "echo\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("{'skill_name': 'a'}", '{"skill_name": "a", "description": "\\u00e9", "instructions": "Body.", '),
        (
            "[]",
            "1 validation error for Skills._get_skill_instructions\nskill_name\n  Missing required argument",
        ),
        ("5", "Function arguments are not a valid JSON object.\n\n Please fix and retry."),
        ("(", "Error while decoding function arguments: '(' was never closed (<unknown>, line 1)\n\nPlease"),
        ("{1: 2}", "keywords must be strings"),
        (
            '{"skill_name": "TRUE"}',
            "1 validation error for Skills._get_skill_instructions\nskill_name\n  Input",
        ),
        (
            {"x": "y"},
            "2 validation errors for Skills._get_skill_instructions\nskill_name\n  Missing required argument "
            "[type=missing_argument, input_value=ArgsKwargs((), {'x': 'y'}), input_type=ArgsKwargs]\n",
        ),
    ],
)
def test_arguments_of_a_call(session: Session, arguments: Any, words: str) -> None:
    assert str(session.call(arguments).text).startswith(words)


def test_a_tool_that_is_not_there_and_what_is_not_known(session: Session) -> None:
    told = "Error: The requested tool does not exist or is not available."
    assert session.call({}, "other").text == told
    assert "100,000" in str(session.call("(" * 100_001).flow_error)


def test_a_description_that_holds_itself_is_an_error(tmp_path: Path, make_skill: MakeSkill) -> None:
    make_skill(tmp_path / "one/a", "---\nname: a\ndescription: &x [*x]\n---\n")
    found = opened(tmp_path, "one", validate=False).call({"skill_name": "a"})
    assert (found.text, found.is_error) == ("Circular reference detected", True)


def test_the_tools_are_there_without_skills(tmp_path: Path) -> None:
    session = opened(tmp_path)
    assert (session.catalog(), session.prompt()) == (None, None)
    assert session.tool() == definition("get_skill_instructions")
    assert list(TOOLS["get_skill_script"][1]) == ["skill_name", "script_path", "execute", "args", "timeout"]


def test_render(skilltool: Skilltool, repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / "lib/a", TEXT.format(name="a", about="d"))
    options = ("--runtime", "agno", "--root", "lib")
    assert '"instructions": "Body."' in skilltool("render", "a", *options).stdout
    assert skilltool("render", "a", *options, "--part", "content").stdout.strip() == "Body."
    assert "<skills_system>" in skilltool("render", "--part", "prompt", *options).stdout


def test_the_content_of_a_skill_is_its_body(session: Session) -> None:
    skill = session.find("a")
    assert isinstance(skill, LoadedSkill)
    assert session.runtime.content(session, skill) == "Body."  # type: ignore[misc]
