"""Pydantic AI harness: its records, answered by the driver, and what no record shows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from skilltool import runtimes
from skilltool.runtimes.base import Session
from skilltool.runtimes.pydantic_ai_harness import framed, read
from skilltool.runtimes.values import Refusal
from tests.conftest import MakeSkill, Skilltool
from tests.support.goldens import judging

EDITION = "pydantic-ai-harness@0.62.0"
TABLE = Path(__file__).parents[2] / "libraries" / "pydantic-ai-harness-0.62.0.jsonl"
TEXT = "---\nname: {name}\ndescription: d\n{more}---\n{body}\n"


def test_every_record_is_answered() -> None:
    assert judging.wrong(EDITION) == []
    counts = {"discover": 23, "catalog": 18, "tool": 2, "call": 15, "user": 8, "parse": 137}
    assert judging.counts(EDITION) == counts


def test_what_follows_an_answer_and_what_ends_a_run_is_as_recorded() -> None:
    answers = judging.answers(EDITION)
    for name in ("extra", "flow_error"):
        having = [each for each in judging.records(EDITION) if name in each]
        assert having
        assert [answers[each["id"]][name] for each in having] == [each[name] for each in having]


@pytest.mark.together
@pytest.mark.parametrize("line", TABLE.read_text("utf-8").splitlines())
def test_a_file_is_read_as_the_package_reads_it(line: str) -> None:
    """The table has what `parse_skill` of pydantic-ai-harness 0.62.0 said of generated files."""
    row = json.loads(line)
    file = Path("/x") / row["directory"] / "SKILL.md"
    if "error" in row:
        with pytest.raises(Refusal) as caught:
            read(row["text"].encode(), file)
        assert caught.value.message == row["error"]
        return
    found = read(row["text"].encode(), file)
    expected = {**row["fields"], "body": row["body"]}
    assert {**found._asdict(), "ignored": list(found.ignored)} == expected


def opened(*roots: Path, **settings: object) -> Session:
    given = {f"root {number}": root for number, root in enumerate(roots, 1)}
    return runtimes.get("pydantic-ai-harness").open(roots[0].parent, roots[0].parent, settings, given)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a <system>b</system>", "a &lt;system>b&lt;/system>"),
        ("< / CONTEXT_diff x", "&lt; / CONTEXT_diff x"),
        ("<context", "&lt;context"),
        ("<contexts> <b> &amp;", "<contexts> <b> &amp;"),
    ],
)
def test_only_tags_of_the_framework_are_escaped(text: str, expected: str) -> None:
    assert framed("a", text) == f'<context id="capability:a">\n{expected}\n</context>'


def test_a_name_twice_ends_the_run_unless_the_files_are_the_same(
    tmp_path: Path, make_skill: MakeSkill
) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for root in (one, two):
        make_skill(root / "a", TEXT.format(name="a", more="", body="b"))
    assert [skill.directory for skill in opened(one, two).skills] == [one / "a"]
    make_skill(two / "a", TEXT.format(name="a", more="", body="other"))
    session = opened(one, two)
    assert session.failure == f"Duplicate skill name 'a': {one}/a/SKILL.md and {two}/a/SKILL.md."
    assert (session.skills, session.catalog(), session.tool()) == ([], None, None)
    assert session.call({"id": "a"}).flow_error == session.failure
    kept = opened(one, two, duplicate_names="keep_first")
    assert kept.warnings == (
        f"Skipping {two}/a/SKILL.md: skill name 'a' is already taken by {one}/a/SKILL.md.",
    )


@pytest.mark.parametrize(
    ("settings", "failure"),
    [
        ({"include": ["a", "x", "y"]}, "Unknown skills in include: x, y. Available skills: a, b."),
        ({"exclude": ["x"]}, "Unknown skill in exclude: x. Available skills: a, b."),
        ({"include": ["a"], "exclude": ["b"]}, "include and exclude cannot be used together."),
        ({"include": ["x"], "unknown_names": "skip"}, None),
    ],
)
def test_names_that_are_chosen(
    tmp_path: Path, make_skill: MakeSkill, settings: dict[str, Any], failure: str | None
) -> None:
    for name in ("a", "b"):
        make_skill(tmp_path / "skills" / name, TEXT.format(name=name, more="", body="b"))
    session = opened(tmp_path / "skills", **settings)
    assert session.failure == failure
    assert session.skills == []
    left = opened(tmp_path / "skills", exclude=["b"])
    assert [skill.key for skill in left.skills] == ["a"]
    assert [(each.directory.name, each.hidden) for each in left.skipped] == [("b", True)]


def test_roots_that_are_no_libraries(tmp_path: Path, make_skill: MakeSkill) -> None:
    make_skill(tmp_path / "skills/a", TEXT.format(name="a", more="", body="b"))
    (tmp_path / "file").write_text("", "utf-8")
    begin = "Skill library"
    for name, words in (
        ("none", f"{begin} directory does not exist in the workspace: {tmp_path}/none"),
        ("file", f"{begin} path is not a directory: {tmp_path}/file"),
        (
            "skills/a",
            f"{begin} path points to a skill package: {tmp_path}/skills/a. "
            "Pass its parent directory instead.",
        ),
    ):
        assert opened(tmp_path / name).failure == words
    every = opened(
        *(tmp_path / each for each in ("none", "file", "skills/a", "skills")), missing_directories="skip"
    )
    assert [skill.key for skill in every.skills] == ["a"]
    assert every.warnings == (
        f"Skipping {tmp_path}/file: it is not a directory.",
        f"Skipping {tmp_path}/skills/a: it is a skill package, not a library.",
    )


def test_a_tool_that_is_not_there_is_told_which_are(tmp_path: Path, make_skill: MakeSkill) -> None:
    make_skill(tmp_path / "one/a", TEXT.format(name="a", more="", body="x"))
    told = """{"error":"Unknown tool name: 'nosuch'. Available tools: 'load_capability'"}"""
    assert opened(tmp_path / "one").call({}, "nosuch").text == told


@pytest.mark.parametrize("path", ["~/skills", "~", "~user/x"])
def test_the_home_directory_is_not_filled_in(tmp_path: Path, path: str) -> None:
    harness = runtimes.get("pydantic-ai-harness")
    session = harness.open(tmp_path, tmp_path, {"missing_directories": "skip"}, {"root 1": Path(path)})
    assert session.failure == (
        f"Workspace paths do not expand `~`: {path}. Use an absolute path inside the sandbox or a path "
        "relative to its working directory."
    )


def test_a_link_that_leads_to_itself_ends_the_run(tmp_path: Path) -> None:
    (tmp_path / "skills/a").mkdir(parents=True)
    (tmp_path / "skills/a/SKILL.md").symlink_to("SKILL.md")
    assert "Too many levels of symbolic links" in (opened(tmp_path / "skills").failure or "")


def test_long_descriptions_and_fields_of_others_only_warn(tmp_path: Path, make_skill: MakeSkill) -> None:
    make_skill(tmp_path / "skills/a", f"---\ndescription: {'x' * 1025}\nmodel: m\nhooks: {{}}\n---\n")
    session = opened(tmp_path / "skills")
    assert session.skills[0].key == "a"
    assert session.warnings == (
        "Agent Skill descriptions exceed the 1,024-character limit: a (1,025 characters)",
        "Ignoring unsupported Agent Skill behavioral frontmatter fields: a: hooks, model",
    )


def test_who_may_call_a_skill(tmp_path: Path, make_skill: MakeSkill) -> None:
    root = tmp_path / "skills"
    make_skill(root / "a", TEXT.format(name="a", more="disable-model-invocation: TRUE\n", body="b"))
    session = opened(root)
    assert (session.catalog(), session.tool()) == (None, None)
    assert session.user("/a x").text == (
        f"# Skill: a\n\nSkill directory: `{root}/a`. Relative paths in this skill resolve against it."
        "\n\nb\n\nARGUMENTS: x"
    )
    make_skill(root / "c", TEXT.format(name="c", more="user-invocable: false\n", body="b"))
    session = opened(root)
    assert "- c: d" in (session.catalog() or "")
    assert "- a: d" not in (session.catalog() or "")
    assert session.call({"id": "a"}).text == '{"error":"No capability found with id \'a\'."}'
    assert session.user("/c x").text is None


def test_a_skill_is_loaded_once(tmp_path: Path, make_skill: MakeSkill) -> None:
    make_skill(tmp_path / "skills/a", TEXT.format(name="a", more="", body="Use <system>."))
    session = opened(tmp_path / "skills", own_workspace=True)
    first, second = session.call({"id": "a"}), session.call('{"id": "a"}')
    assert [each["role"] for each in first.messages] == ["tool", "system"]
    assert (first.text or "").endswith(
        '<context id="capability:a">\n# Skill: a\n\nUse &lt;system>.\n</context>'
    )
    assert "is already active" in (second.text or "")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (
            '{"id": null}',
            '"type":"string_type","loc":["id"],"msg":"Input should be a valid string","input":null',
        ),
        ({"x": "é"}, '"type":"missing","loc":["id"],"msg":"Field required","input":{"x":"é"}'),
        ("5", '"type":"dict_type","loc":[],"msg":"Input should be an object","input":5'),
        ("{", '"msg":"Invalid JSON: EOF while parsing an object at line 1 column 1","input":"{"'),
    ],
)
def test_arguments_that_are_refused(
    tmp_path: Path, make_skill: MakeSkill, arguments: Any, expected: str
) -> None:
    make_skill(tmp_path / "skills/a", TEXT.format(name="a", more="", body="b"))
    assert expected in (opened(tmp_path / "skills").call(arguments).text or "")


def test_lint_says_what_it_refuses_in_its_own_words(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / "skills/a", TEXT.format(name="a", more="disable-model-invocation: yes\n", body="Body."))
    make_skill(repo / "skills/b", TEXT.format(name="b", more="x: {y: 1, y: 2}\n", body="Body."))
    make_skill(repo / "skills/c", "---\ndescription: 2024-01-02\n---\nBody.\n")
    lines = skilltool(
        "lint", "--runtime", "pydantic-ai-harness", "--output-format", "concise"
    ).stdout.splitlines()
    found = [line.partition("skills/")[2] for line in lines if ": error[" in line]
    begin = "error[not-loaded]: `pydantic-ai-harness` does not load this skill: Skipping "
    assert found == [
        f"a/SKILL.md:4:27: {begin}a/SKILL.md: Invalid Agent Skill frontmatter in a/SKILL.md: "
        "1 validation error for _SkillFrontmatter",
        "b/SKILL.md:4:11: error[duplicate-key]: duplicate key `y`, first used on line 4",
    ]


def test_instructions_are_stripped_before_they_are_framed() -> None:
    """Captured from 0.62.0 with pydantic-ai-slim 2.62.0, whose `_instructions.py` strips what it appends."""
    assert (
        framed("x", "# Skill: x\n\n  Body.  ")
        == '<context id="capability:x">\n# Skill: x\n\n  Body.\n</context>'
    )
