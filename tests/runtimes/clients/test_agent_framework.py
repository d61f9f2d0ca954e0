"""Agent Framework: its records, answered by the driver, what its package says, and what no record shows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from skilltool import runtimes
from skilltool.runtimes.agent_framework import Details, read
from skilltool.runtimes.base import Session
from skilltool.runtimes.fixed_text import fixed_parts, whole_length
from skilltool.runtimes.values import Refusal
from tests.conftest import MakeSkill, Skilltool
from tests.support.goldens import judging

EDITION = "agent-framework@1.23.0"
TABLE = Path(__file__).parents[2] / "libraries" / "agent-framework-1.23.0.jsonl"
TEXT = "---\nname: {name}\ndescription: d\n{more}---\n{body}\n"


def test_every_record_is_answered() -> None:
    assert judging.wrong(EDITION) == []
    counts = {"discover": 18, "catalog": 23, "tool": 6, "call": 37, "parse": 133}
    assert judging.counts(EDITION) == counts


def test_the_text_around_the_listing_is_measured(tmp_path: Path, make_skill: MakeSkill) -> None:
    record = next(each for each in judging.records(EDITION) if "cut" in each)
    make_skill(tmp_path / "skills/a", TEXT.format(name="a", more="", body="b"))
    session = opened(tmp_path / "skills")
    before, after = (session.prompt() or "").split(session.catalog() or "-")
    assert whole_length(before) == record["cut"]["prefix_chars"] - len("Base.\n")
    assert fixed_parts(after) == [(record["cut"]["suffix_chars"], record["cut"]["suffix_sha256"])]


@pytest.mark.together
@pytest.mark.parametrize("line", TABLE.read_text("utf-8").splitlines())
def test_a_file_is_read_as_the_package_reads_it(line: str) -> None:
    """The table has what `FileSkillsSource` of agent-framework-core 1.23.0 said of generated files."""
    row = json.loads(line)
    file = Path("{directory}/SKILL.md")
    if "error" in row:
        with pytest.raises(Refusal) as caught:
            read(row["text"].encode(), file, row["directory"])
        assert caught.value.message == row["error"]
        return
    found = read(row["text"].encode(), file, row["directory"])
    assert (found.fields, found.content, list(found.warnings)) == (
        row["fields"],
        row["body"],
        row["warnings"],
    )


def opened(*roots: Path, **settings: object) -> Session:
    given = {f"root {number}": root for number, root in enumerate(roots, 1)}
    return runtimes.get("agent-framework").open(roots[0].parent, roots[0].parent, settings, given)


def test_skills_lie_one_or_two_levels_below_a_root(tmp_path: Path, make_skill: MakeSkill) -> None:
    root = tmp_path / "skills"
    for path in ("one", "group/two", "one/inner", "deep/er/three"):
        make_skill(root / path, TEXT.format(name=path.rpartition("/")[2], more="", body="b"))
    session = opened(root)
    assert [skill.key for skill in session.skills] == ["two", "one"]
    assert [str(each.directory.relative_to(root)) for each in session.skipped] == ["deep", "deep/er"]
    assert [skill.key for skill in opened(root / "one").skills] == ["one"]


def test_links_below_a_root_are_not_followed(tmp_path: Path, make_skill: MakeSkill) -> None:
    root = tmp_path / "skills"
    make_skill(tmp_path / "other/a", TEXT.format(name="a", more="", body="b"))
    (root / "b").mkdir(parents=True)
    (root / "a").symlink_to("../other/a")
    (root / "b/SKILL.md").symlink_to("../../other/a/SKILL.md")
    session = opened(root)
    assert session.skills == []
    linked = "symbolic link or reparse point"
    assert session.warnings == (
        f"Skipping discovery entry '{root}/a': {linked} detected, or the entry could not be inspected",
        f"Skipping skill directory '{root}/b': 'SKILL.md' is a {linked}, or could not be inspected",
    )
    (tmp_path / "linked").symlink_to("other")
    assert [skill.key for skill in opened(tmp_path / "linked").skills] == ["a"]


def test_a_file_that_is_not_utf_8_ends_the_run(
    tmp_path: Path, make_skill: MakeSkill, skilltool: Skilltool
) -> None:
    root = tmp_path / "skills"
    make_skill(root / "a", TEXT.format(name="a", more="", body="b"))
    (root / "b").mkdir()
    (root / "b/SKILL.md").write_bytes(b"---\nname: b\ndescription: d\n---\ncaf\xe9\n")
    session = opened(root)
    assert (session.failure or "").startswith("'utf-8' codec can't decode byte 0xe9 in position 34")
    assert session.skills == []
    assert session.prompt() is None
    assert session.call({"skill_name": "a"}).flow_error == session.failure
    found = skilltool("lint", str(root), "--runtime", "agent-framework", "--output-format", "concise")
    message = "error[ends-loading]: `agent-framework` loads no skills at all because of this file"
    assert message in found.stdout


def test_a_name_with_a_backslash_ends_the_run(tmp_path: Path, make_skill: MakeSkill) -> None:
    root = tmp_path / "skills"
    make_skill(root / "a", TEXT.format(name="a", more="", body="b"))
    (root / "a/x\\y.md").write_text("x", "utf-8")
    assert opened(root).failure == f"Resource file 'x/y.md' not found in skill directory '{root}/a'."


def test_files_that_are_links_are_left_out(tmp_path: Path, make_skill: MakeSkill) -> None:
    root = tmp_path / "skills"
    make_skill(root / "a", TEXT.format(name="a", more="", body="b"))
    (root / "a/docs").mkdir()
    (root / "a/docs/x.MD").write_text("x", "utf-8")
    (root / "a/docs/skill.md").write_text("x", "utf-8")
    (root / "a/y.md").symlink_to("docs/x.MD")
    (root / "a/more").symlink_to("docs")
    session = opened(root)
    assert session.call({"skill_name": "A"}).text == (
        TEXT.format(name="a", more="", body="b")
        + '\n\n<available_resources>\n  <resource name="docs/x.MD"/>\n</available_resources>'
        + "\n\n<available_scripts />"
    )
    link = "symbolic link or reparse point detected in path under skill directory"
    assert session.warnings == (
        f"Skipping resource '{root}/a/y.md': {link} '{root}/a'",
        f"Skipping resource directory '{root}/a/more': {link} '{root}/a'",
        f"Skipping script directory '{root}/a/more': {link} '{root}/a'",
    )


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("load_skill", {"skill_name": "a", "x": 1}, "Error: Argument parsing failed."),
        ("nothing", {}, 'Error: Requested function "nothing" not found.'),
        ("read_skill_resource", {"skill_name": "a"}, "Error: Argument parsing failed."),
        (
            "read_skill_resource",
            {"skill_name": "a", "resource_name": " "},
            "Error: Resource name cannot be empty.",
        ),
        ("read_skill_resource", {"skill_name": "a", "resource_name": "B.TXT"}, "one\ntwo\n"),
        ("run_skill_script", {"skill_name": "a", "script_name": ""}, "Error: Script name cannot be empty."),
        (
            "run_skill_script",
            {"skill_name": "a", "script_name": "run.py", "args": 5},
            "Error: Function failed.",
        ),
    ],
)
def test_calls(
    tmp_path: Path, make_skill: MakeSkill, tool: str, arguments: dict[str, Any], expected: str
) -> None:
    root = tmp_path / "skills"
    make_skill(root / "a", TEXT.format(name="a", more="", body="b"))
    (root / "a/b.txt").write_bytes(b"one\r\ntwo\r\n")
    (root / "a/run.py").write_text("", "utf-8")
    assert opened(root).call(arguments, tool=tool).text == expected
    assert opened(root, approval=True).call({"skill_name": "a"}).text is None


def test_a_resource_is_looked_at_again_when_it_is_read(tmp_path: Path, make_skill: MakeSkill) -> None:
    root = tmp_path / "skills"
    make_skill(root / "a", TEXT.format(name="a", more="", body="b"))
    for name in ("b.txt", "c.txt"):
        (root / "a" / name).write_text("x", "utf-8")
    session = opened(root)
    (root / "a/b.txt").unlink()
    (root / "a/c.txt").unlink()
    (root / "a/c.txt").symlink_to("SKILL.md")
    for name in ("b.txt", "c.txt"):
        found = session.call({"skill_name": "a", "resource_name": name}, tool="read_skill_resource")
        assert found.text == "Error: Function failed."


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("A {{x}} {skills}", "A {x} "),
        ("{skills}{runner_instructions}", "[... 405 fixed characters, "),
        ("none", "must contain a '{skills}' placeholder."),
        ("{skills} {", "is not a valid format string."),
        ("{skills} {other}", "is not a valid format string."),
        ("{skills:>9}", "is not a valid format string."),
        ("{skills.upper}", "is not a valid format string."),
    ],
)
def test_instructions_of_the_developers_own(
    tmp_path: Path, make_skill: MakeSkill, template: str, expected: str
) -> None:
    make_skill(tmp_path / "skills/a", TEXT.format(name="a", more="", body="b"))
    session = opened(tmp_path / "skills", instruction_template=template)
    assert expected in (session.prompt() or session.failure or "")
    assert (session.catalog() is None) is (session.failure is not None)


def test_metadata_that_is_not_text_is_left_out(tmp_path: Path, make_skill: MakeSkill) -> None:
    more = "metadata: {a: 1, b: [x], a: 2, ~: y}\n"
    make_skill(tmp_path / "skills/a", TEXT.format(name="a", more=more, body="b"))
    session = opened(tmp_path / "skills")
    assert session.skills[0].known_as(Details).manifest.fields["metadata"] == {"a": "1"}
    begin = f"SKILL.md at '{tmp_path}/skills/a/SKILL.md' "
    assert [each.removeprefix(begin) for each in session.warnings] == [
        "has an invalid metadata value for 'b'; expected a text scalar; skipping entry",
        "contains duplicate metadata key 'a'; keeping the first value",
        "has an invalid metadata key; skipping entry",
    ]
