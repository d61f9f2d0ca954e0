"""google-adk: its records, answered by the driver, what its package says, and what no record shows."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltool import runtimes
from skilltool.runtimes.base import Session
from skilltool.runtimes.google_adk import answers
from skilltool.runtimes.google_adk.answers import MissingValueError, injected
from skilltool.runtimes.google_adk.loading import check_directory, parse, read
from skilltool.runtimes.values import Refusal
from tests.conftest import MakeSkill, Skilltool
from tests.support.goldens import judging
from tests.support.manifests import manifest_data

EDITION = "google-adk@2.13.0"
TABLE = Path(__file__).parents[2] / "libraries" / "google-adk-2.13.0.jsonl"
TEXT = "---\nname: {name}\ndescription: d\n{more}---\n{body}\n"


def parsed(raw: bytes, directory: str | None) -> dict[str, Any]:
    return manifest_data(parse(raw, directory))


def test_every_record_is_answered() -> None:
    assert judging.wrong(EDITION) == []
    counts = {"discover": 33, "catalog": 13, "tool": 10, "call": 32, "parse": 131}
    assert judging.counts(EDITION) == counts


def test_the_errors_that_end_a_turn_are_as_recorded() -> None:
    answers = judging.answers(EDITION)
    ended = [each for each in judging.records(EDITION) if "flow_error" in each]
    assert len(ended) == 2
    for record in ended:
        assert answers[record["id"]]["flow_error"] == record["flow_error"]


def test_the_fixed_text_of_the_eager_instruction_is_as_recorded() -> None:
    record = next(each for each in judging.records(EDITION) if "cut" in each)
    prompt = runtimes.get(EDITION).open(settings={"mode": "eager"}, roots={}).prompt() or ""
    fixed = (
        'Base.\n\nYou are an agent. Your internal name is "a".\n\n'
        + prompt.partition("<available_skills>")[0]
    )
    assert record["cut"]["prefix_chars"] == len(fixed)
    assert record["cut"]["prefix_sha256"] == sha256(fixed.encode()).hexdigest()


@pytest.mark.together
@pytest.mark.parametrize("line", TABLE.read_text("utf-8").splitlines())
def test_a_file_is_read_as_the_package_reads_it(line: str) -> None:
    """The table has what `load_skill_from_dir` of google-adk 2.13.0 said of generated files."""
    row = json.loads(line)
    if "error" in row:
        with pytest.raises(Refusal) as caught:
            check_directory(read(row["text"].encode()), row["directory"])
        assert (caught.value.message, caught.value.kind) == (row["error"], row["type"])
        return
    found = read(row["text"].encode())
    assert json.loads(json.dumps(found.fields, default=repr)) == row["fields"]
    assert found.body == row["body"]


def test_an_alias_of_what_it_is_in_does_not_end_in_an_endless_answer() -> None:
    text = TEXT.format(name="a", more="x: &x [*x, 1]\nmetadata: &m {a: *m}\n", body="b")
    found = parsed(text.encode(), "a")
    assert (found["extra"], found["metadata"]) == ({"x": [None, 1]}, {"a": {"a": None}})


def opened(root: Path, **settings: object) -> Session:
    return runtimes.get("google-adk").open(root.parent, root.parent, settings, {"root 1": root})


def answered(session: Session, tool: str = "load_skill", **arguments: object) -> Any:
    return json.loads(session.call(arguments, tool=tool).text or "null")


def test_one_invalid_skill_ends_the_loading_of_all(tmp_path: Path, make_skill: MakeSkill) -> None:
    root = tmp_path / "skills"
    make_skill(root / "a", TEXT.format(name="a", more="", body="b"))
    make_skill(root / "b", TEXT.format(name="other", more="", body="b"))
    session = opened(root)
    assert session.failure == "Skill name 'other' does not match directory name 'b'."
    assert session.skills == []
    assert (session.catalog(), session.prompt(), session.tool()) == (None, None, None)
    assert session.call({"skill_name": "a"}).flow_error == session.failure
    lenient = opened(root, api="list_skills_in_dir")
    assert [skill.key for skill in lenient.skills] == ["a"]
    [warning] = lenient.warnings
    assert warning == f"Skipping invalid skill 'b' in directory '{root}': {session.failure}"


@pytest.mark.parametrize("lenient", [False, True])
def test_a_root_that_is_not_there(tmp_path: Path, lenient: bool) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    settings = {"api": "list_skills_in_dir"} if lenient else {}
    missing, file = opened(tmp_path / "none", **settings), opened(tmp_path / "file", **settings)
    if lenient:
        assert missing.failure is None
        assert missing.warnings == (f"Skills base path '{tmp_path}/none' is not a directory.",)
        return
    assert missing.failure == f"Skills directory '{tmp_path}/none' does not exist."
    assert file.failure == f"'{tmp_path}/file' is not a directory."


def test_skills_that_are_loaded_one_by_one(tmp_path: Path, make_skill: MakeSkill) -> None:
    root = tmp_path / "skills"
    make_skill(root / "a", TEXT.format(name="a", more="", body="b"))
    make_skill(root / "b", "broken")
    (root / "c").mkdir()
    assert [skill.key for skill in opened(root, only=["a"]).skills] == ["a"]
    assert opened(root, only=["none"]).failure == f"Skill directory '{root}/none' not found."
    assert opened(root, only=["c"]).failure == f"SKILL.md not found in '{root}/c'."


def test_state_is_put_into_a_body(tmp_path: Path, make_skill: MakeSkill) -> None:
    root = tmp_path / "skills"
    more = "metadata:\n  adk_inject_state: true\n"
    make_skill(root / "a", TEXT.format(name="a", more=more, body="Hi {who}{gone?}, ${who} {x y} {user:n}."))
    session = opened(root, state={"who": "Ann", "user:n": None})
    assert answered(session, skill_name="a")["instructions"] == "Hi Ann, ${who} {x y} ."
    result = opened(root, agent="bee").call({"skill_name": "a"})
    assert result.text is None
    assert result.flow_error == "KeyError: \"Context variable not found: `who` in agent 'bee'.\""


def test_an_artifact_is_never_there() -> None:
    assert injected("{artifact.x?}", {}, "a") == ""
    with pytest.raises(MissingValueError, match=r"Artifact 'x' not found in agent 'a'\."):
        injected("{artifact.x}", {}, "a")


@given(st.text(alphabet="{}$\\a? :", max_size=30))
def test_braces_are_replaced_once(text: str) -> None:
    try:
        found = injected(text, {"a": "{a}"}, "agent")
    except MissingValueError:
        return
    assert found.count("{a}") >= (1 if "{a}" in text else 0)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"skill_name": "a"}, "Argument 'file_path' is required."),
        ({}, "Argument 'skill_name' is required.\nArgument 'file_path' is required."),
        ({"skill_name": "x", "file_path": "assets/a"}, "Skill 'x' not found."),
        ({"skill_name": "a", "file_path": "SKILL.md"}, "Path must start with 'references/'"),
        ({"skill_name": "a", "file_path": "references/../SKILL.md"}, "Resource 'references/../SKILL.md' not"),
        ({"skill_name": "a", "file_path": "references//g.md"}, "Resource 'references//g.md' not found"),
        ({"skill_name": "a", "file_path": "references/__pycache__/x"}, "Resource 'references/__pycache__/x'"),
        ({"skill_name": "a", "file_path": "references/linked/g.md"}, "Resource 'references/linked/g.md'"),
        ({"skill_name": "a", "file_path": "scripts/latin.py"}, "Resource 'scripts/latin.py' not found"),
    ],
)
def test_what_is_no_resource(
    tmp_path: Path, make_skill: MakeSkill, arguments: dict[str, str], expected: str
) -> None:
    found = answered(with_files(tmp_path, make_skill), "load_skill_resource", **arguments)
    assert found["error"].startswith(expected)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("references/g.md", ("content", "one\ntwo\n")),
        ("assets/link.txt", ("content", "one\ntwo\n")),
        ("assets/.hidden", ("content", "h")),
        ("assets/latin.bin", ("status", "Binary file detected. The content has been injected into the")),
    ],
)
def test_what_is_a_resource(
    tmp_path: Path, make_skill: MakeSkill, path: str, expected: tuple[str, str]
) -> None:
    session = with_files(tmp_path, make_skill)
    found = answered(session, "load_skill_resource", skill_name="a", file_path=path)
    key, begin = expected
    assert found[key].startswith(begin)
    assert (found["skill_name"], found["file_path"]) == ("a", path)


def with_files(tmp_path: Path, make_skill: MakeSkill) -> Session:
    top = tmp_path / "skills/a"
    make_skill(top, TEXT.format(name="a", more="", body="b"))
    for folder in ("references/__pycache__", "assets", "scripts", "elsewhere"):
        (top / folder).mkdir(parents=True)
    (top / "references/g.md").write_bytes(b"one\r\ntwo\r\n")
    (top / "references/__pycache__/x").write_bytes(b"x")
    (top / "references/linked").symlink_to("../elsewhere")
    (top / "elsewhere/g.md").write_bytes(b"g")
    (top / "assets/link.txt").symlink_to("../references/g.md")
    (top / "assets/.hidden").write_bytes(b"h")
    for name in ("assets/latin.bin", "scripts/latin.py"):
        (top / name).write_bytes(b"\xe9")
    return opened(tmp_path / "skills")


def test_from_the_second_missing_file_on_the_model_is_told_to_stop(
    tmp_path: Path, make_skill: MakeSkill
) -> None:
    session = with_files(tmp_path, make_skill)
    codes = [
        answered(session, "load_skill_resource", skill_name="a", file_path="assets/none") for _ in range(3)
    ]
    assert [each["error_code"] for each in codes] == [
        "RESOURCE_NOT_FOUND",
        "RESOURCE_NOT_FOUND_FATAL",
        "RESOURCE_NOT_FOUND_FATAL",
    ]
    assert "This is resource lookup failure #3 this invocation." in codes[2]["error"]


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("at: 2024-01-02T03:04:05Z\n", '"at": "2024-01-02T03:04:05+00:00"'),
        ("raw: !!binary //8=\n", '"raw": "__8="'),
        ("day: 2024-01-02\n", None),
    ],
)
def test_own_fields_are_sent_as_json(
    tmp_path: Path, make_skill: MakeSkill, more: str, expected: str | None
) -> None:
    make_skill(tmp_path / "skills/a", TEXT.format(name="a", more=more, body="b"))
    result = opened(tmp_path / "skills").call({"skill_name": "a"})
    if expected is None:
        assert result.flow_error == "TypeError: Object of type date is not JSON serializable"
    else:
        assert expected in (result.text or "")


@pytest.mark.parametrize("arguments", ["{", "[]", {"skill_name": ["a"]}])
def test_what_is_not_known_is_not_answered(tmp_path: Path, arguments: Any) -> None:
    (tmp_path / "skills").mkdir()
    result = opened(tmp_path / "skills").call(arguments)
    assert (result.text, result.flow_error) == (None, "the result of this call is not known")


def test_the_mode_decides_which_tools_there_are(tmp_path: Path) -> None:
    (tmp_path / "skills").mkdir()
    lazy, eager = opened(tmp_path / "skills", prefix="my"), opened(tmp_path / "skills", mode="eager")
    assert [*answers.tools(lazy)] == ["my_list_skills", "my_load_skill", "my_load_skill_resource"]
    assert [*answers.tools(eager)] == ["load_skill", "load_skill_resource"]
    assert answered(lazy, "my_list_skills") == {"result": "<available_skills>\n</available_skills>"}
    # As google-adk 2.13.0 answered a scripted call.
    assert answered(eager, "list_skills") == {
        "error": "Invoking `list_skills()` failed as no tool with that name is available. The tools you can "
        "call are: load_skill, load_skill_resource. You could retry, but it is IMPORTANT that you only call "
        "a tool from that list."
    }
    assert "my_list_skills, my_load_skill," in answered(lazy, "load_skill")["error"]


def test_lint_says_which_file_ends_the_loading(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / "skills/a", TEXT.format(name="a", more="metadata: {1: x}\n", body="Body."))
    make_skill(repo / "skills/b", TEXT.format(name="b", more="allowed-tools: [Read]\n", body="Body."))
    lines = skilltool("lint", "--runtime", "google-adk", "--output-format", "concise").stdout.splitlines()
    found = [line.partition(": ")[2] for line in lines if ": error[" in line]
    begin = "error[ends-loading]: `google-adk` loads no skills at all because of this file: "
    ended = [line.removeprefix(begin) for line in found if line.startswith(begin)]
    assert ended == ["1 validation error for Frontmatter"] * 2
    [other] = [line for line in found if not line.startswith(begin)]
    assert other == "error[wrong-type]: `allowed-tools` is a list; `google-adk` expects a string or null"
