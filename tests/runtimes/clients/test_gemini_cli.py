"""Gemini CLI: the records of its pack, and what they do not show."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skilltool import runtimes
from skilltool.runtimes.base import Session
from skilltool.runtimes.gemini_cli.answers import folder_tree
from skilltool.runtimes.gemini_cli.loading import by_lines, parse
from skilltool.runtimes.values import LoadedSkill, Refusal, Refused
from tests.conftest import examples
from tests.support.goldens.judging import counts, wrong
from tests.support.manifests import manifest_data

EDITION = "gemini-cli@0.61.0"
GEMINI = runtimes.get("gemini-cli")
WRONG: dict[str, str] = {}


def parsed(raw: bytes, directory: str | None) -> dict[str, Any]:
    return manifest_data(parse(raw, directory))


def skill(root: Path, directory: str, name: str, body: str = "Body.") -> Path:
    file = root / directory / "SKILL.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"---\nname: {name}\ndescription: About {directory}.\n---\n{body}\n", "utf-8")
    return file.parent


def opened(project: Path, **given_settings: Any) -> Session:
    return GEMINI.open(project, project / "home", given_settings)


def test_every_record_is_answered_as_recorded() -> None:
    assert wrong(EDITION) == sorted(WRONG)
    assert counts(EDITION) == {
        "parse": 133,
        "call": 90,
        "catalog": 36,
        "tool": 28,
        "user": 26,
        "discover": 24,
    }


@pytest.mark.parametrize(
    ("text", "name", "description", "body"),
    [
        ("---\nname: a\ndescription: b\n---\n\n x \n", "a", "b", "x"),
        ("---\r\nname: a\r\ndescription: b\r\n---\r\nx\r\ny", "a", "b", "x\r\ny"),
        ("---\nname: a\ndescription: b\n----\nx", "a", "b", ""),
        ("---\nname: a\ndescription: b\n---", "a", "b", ""),
        ("---\nname: a/b:c|d\ndescription: ''\n---\n", "a-b-c-d", "", ""),
        ("---\nname: 12\ndescription: 'b' # c\n---\n", "12", "'b' # c", ""),
        ("---\nname: a\ndescription: b: c\n  d\n\te\nf: g\n---\n", "a", "b: c d e", ""),
        ("---\nname: a\nname: 'b'\ndescription: c\n---\n", "'b'", "c", ""),
        ("---\nname: a\ndescription: >\n  b\n---\n", "a", "b\n", ""),
        ("---\n  name: a\n  description: !x b\n---\n", "a", "!x b", ""),
        ("---\n---\nname: a\ndescription: b\n---\n", "a", "b", ""),
    ],
)
def test_a_file_that_is_read(text: str, name: str, description: str, body: str) -> None:
    found = parsed(text.encode(), "x")
    assert (found["name"], found["description"], found["body"]) == (name, description, body)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("name: a\n", "the first line is not exactly `---`"),
        ("--- \nname: a\ndescription: b\n---\n", "the first line is not exactly `---`"),
        ("\ufeff---\nname: a\n---\n", "a byte order mark stands before the opening `---`"),
        ("---\nname: a\n ---\n", "is not closed by a line that begins with `---`"),
        ("---\nName: a\ndescription: b\n---\n", "no line begins with `name:`"),
        ("---\nname: a\n---\n", "no line begins with `description:`"),
    ],
)
def test_a_file_that_is_refused_without_a_word(text: str, why: str) -> None:
    with pytest.raises(Refusal) as refused:
        parse(text.encode(), "x")
    assert refused.value.message is None
    assert why in refused.value.why


PIECES = st.sampled_from(
    ["name: a", "description: ", "\n", "\r\n", "  b", "\t", "'", ": ", "\u2028", "\ufeff", "---"]
)


@settings(max_examples=examples(200))
@given(pieces=st.lists(PIECES, max_size=12))
def test_lines_never_span_lines(pieces: list[str]) -> None:
    found = by_lines("".join(pieces))
    assert all("\n" not in value for value in found.values())


def test_long_runs_of_blanks_take_no_longer() -> None:
    assert by_lines("name:" + " " * 200_000 + "\u2028x\u2029" + " " * 200_000) == {}


def test_which_of_two_folders_of_one_root_wins_is_chance(tmp_path: Path) -> None:
    root = tmp_path / ".gemini" / "skills"
    skill(root, "a", "twin")
    skill(root, "b", "twin")
    other = skill(tmp_path / ".agents" / "skills", "c", "solo")
    skill(root, "d", "solo")
    session = opened(tmp_path)
    chance = {lost.skill.key: lost.undetermined for lost in session.shadowed}
    assert chance == {"twin": True, "solo": False}
    assert session.find("solo") is not None
    assert session.find("solo").directory == other  # type: ignore[union-attr]


def test_the_last_root_decides_and_not_the_order_within_another(tmp_path: Path) -> None:
    for name in ("a", "b"):
        skill(tmp_path / ".gemini" / "skills", name, "twin")
    last = skill(tmp_path / ".agents" / "skills", "c", "twin")
    session = opened(tmp_path)
    assert [each.directory for each in session.skills] == [last]
    assert [lost.undetermined for lost in session.shadowed] == [False, False]
    assert len(session.warnings) == 2


def test_an_untrusted_folder_has_no_roots_of_its_own(tmp_path: Path) -> None:
    skill(tmp_path / ".gemini" / "skills", "a", "mine")
    skill(tmp_path / "home" / ".gemini" / "skills", "b", "yours")
    assert [each.key for each in opened(tmp_path, trusted=False).skills] == ["yours"]


def test_an_extension_counts_with_its_manifest(tmp_path: Path) -> None:
    extension = tmp_path / "home" / ".gemini" / "extensions" / "folder"
    skill(extension / "skills", "a", "mine")
    assert opened(tmp_path).skills == []
    (extension / "gemini-extension.json").write_text(json.dumps({"name": "ext"}), "utf-8")
    session = opened(tmp_path)
    assert [each.role for each in session.skills] == ["extension-ext"]
    assert len(session.user("/ext:mine go").messages) == 4
    assert len(session.user("/mine go").messages) == 1


def test_headless_offers_the_tool_with_yolo_only(tmp_path: Path) -> None:
    skill(tmp_path / ".gemini" / "skills", "a", "mine")
    assert opened(tmp_path).tool() is not None
    session = opened(tmp_path, view="headless")
    assert session.tool() is None
    assert session.catalog() is not None
    assert session.call({"name": "mine"}).is_error
    assert opened(tmp_path, view="headless", approval_mode="yolo").tool() is not None
    assert opened(tmp_path, **{"tools.core": ["read_file"]}).tool() is None


@pytest.mark.parametrize(
    ("settings", "suggestion"),
    [
        ({"approval_mode": "default"}, ' Did you mean one of: "update_topic", "read_file", "invoke_agent"?'),
        ({"approval_mode": "auto_edit"}, ' Did you mean one of: "write_file", "update_topic", "read_file"?'),
        ({"approval_mode": "plan"}, ' Did you mean one of: "write_file", "update_topic", "read_file"?'),
        (
            {"tools.exclude": ["activate_skill", "write_file"]},
            ' Did you mean one of: "update_topic", "read_file", "invoke_agent"?',
        ),
        ({"tools.core": ["read_file", "glob"]}, ' Did you mean one of: "read_file", "glob"?'),
        (
            {"tools.core": ["run_shell_command(git)", "ReadFileTool", "write_file"]},
            ' Did you mean one of: "write_file", "run_shell_command"?',
        ),
        ({"tools.core": ["glob"]}, ' Did you mean "glob"?'),
        ({"tools.core": ["nosuch"]}, ""),
    ],
)
def test_the_tools_that_are_suggested_are_those_that_are_offered(
    tmp_path: Path, settings: dict[str, Any], suggestion: str
) -> None:
    # As @google/gemini-cli 0.61.0 answered a scripted call (`gemini -p`).
    given = {"view": "headless", "approval_mode": "yolo", **settings}
    assert (
        opened(tmp_path, **given).call({"name": "a"}).text == f'Tool "activate_skill" not found.{suggestion}'
    )


def test_a_disabled_skill_is_hidden_and_still_shadows(tmp_path: Path) -> None:
    skill(tmp_path / "home" / ".gemini" / "skills", "a", "same")
    skill(tmp_path / ".gemini" / "skills", "a", "same")
    session = opened(tmp_path, **{"skills.disabled": ["SAME"]})
    assert session.skills == []
    assert [each.hidden for each in session.skipped] == [True]
    assert session.call({"name": "same"}).text == "params/name must be equal to one of the allowed values"


def test_a_lookup_ignores_case_and_takes_the_first(tmp_path: Path) -> None:
    root = tmp_path / ".gemini" / "skills"
    skill(root, "b", "twin", "Lower.")
    skill(root, "a", "TWIN", "Upper.")
    text = opened(tmp_path).call({"name": "TWIN"}).text or ""
    assert '<activated_skill name="TWIN">' in text
    assert "Lower." in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "params must have required property 'name'"),
        ({"name": "mine", "x": 1}, "params must NOT have additional properties"),
        ({"name": 5}, "params/name must be string"),
        ({"name": " mine "}, "params/name must be equal to one of the allowed values"),
        ("[1]", "params must be object"),
        ("{", "params must be object"),
    ],
)
def test_arguments_that_are_refused(tmp_path: Path, arguments: Any, words: str) -> None:
    skill(tmp_path / ".gemini" / "skills", "a", "mine")
    result = opened(tmp_path).call(arguments)
    assert (result.text, result.is_error) == (words, True)


def test_two_skills_of_one_command_name_lose_it(tmp_path: Path) -> None:
    root = tmp_path / ".gemini" / "skills"
    skill(root, "b", "two words")
    skill(root, "a", "two-words")
    skill(root, "c", "help")
    session = opened(tmp_path)
    assert len(session.user("/two-words x").messages) == 1
    assert len(session.user("/two-words1 x").messages) == 4
    assert session.user("/help x").shown == "{builtin}"
    assert session.user("/help1   a   b").messages[-1]["parts"] == [{"text": "a b"}]
    assert session.user("  //help1 x ").messages == ({"parts": [{"text": "//help1 x"}], "role": "user"},)


def test_a_link_is_no_entry_of_the_tree_and_the_rest_is_cut(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/")
    (tmp_path / "dist").mkdir()
    for number in range(150):
        (tmp_path / f"d{number:03}").mkdir()
        (tmp_path / f"d{number:03}" / "in.txt").touch()
    (tmp_path / "b.txt").touch()
    lines = folder_tree(str(tmp_path)).split("\n")
    assert lines[0].endswith("reached.")
    assert lines[3] == "├───b.txt"
    assert lines[-1] == "└───dist/..."
    assert "link" not in "\n".join(lines[3:])
    assert sum("in.txt" in line for line in lines) == 200 - 152


def test_a_folder_that_is_gone(tmp_path: Path) -> None:
    assert folder_tree(f"{tmp_path}/x").startswith("Error: Could not read directory")


def test_one_directory_is_read_alone(tmp_path: Path) -> None:
    assert GEMINI.load is not None
    assert isinstance(GEMINI.load(skill(tmp_path, "a", "a b")), LoadedSkill)
    (tmp_path / "none").mkdir()
    refused = GEMINI.load(tmp_path / "none")
    assert isinstance(refused, Refused)
    assert refused.why == "it has no SKILL.md (skipped silently)"


def test_dollars_in_a_description_expand_in_a_system_prompt_of_ones_own(tmp_path: Path) -> None:
    skill(tmp_path / ".gemini" / "skills", "$&$$", "mine")
    found = opened(tmp_path, system_md="A ${AgentSkills} B").catalog() or ""
    assert "About ${AgentSkills}$." in found
    assert opened(tmp_path, system_md="A").catalog() is None


def test_the_listing_costs_what_its_entries_are_long(tmp_path: Path) -> None:
    skill(tmp_path / ".gemini" / "skills", "a", "mine")
    session = opened(tmp_path)
    entry = next(entry for entry in (session.catalog() or "").split("\n  <skill>") if "mine" in entry)
    whole = len(session.catalog() or "")
    session.skills = []
    shorter = whole - len(session.catalog() or "")
    assert shorter == len("\n  <skill>" + entry.removesuffix("\n</available_skills>"))
