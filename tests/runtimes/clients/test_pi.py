"""pi: the records of the pack, and what they do not show."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltool import runtimes
from skilltool.runtimes.base import Session
from skilltool.runtimes.pi import loading
from skilltool.runtimes.pi.loading import Ignored, parse
from skilltool.runtimes.values import LoadedSkill, Refusal, Refused
from tests.support.goldens import judging
from tests.support.manifests import manifest_data

EDITION = "pi@1.5.2"
PI = runtimes.get("pi")


def parsed(raw: bytes, directory: str | None) -> dict[str, Any]:
    return manifest_data(parse(raw, directory))


def test_every_record_is_answered() -> None:
    assert judging.wrong(EDITION) == []
    assert judging.counts(EDITION) == {
        "call": 86,
        "catalog": 54,
        "discover": 42,
        "parse": 167,
        "tool": 1,
        "user": 40,
    }


def test_what_is_warned_about_is_that_recorded() -> None:
    found = judging.answers(EDITION)
    for each in judging.records(EDITION):
        if "warnings" in each.get("extra", {}):
            assert found[each["id"]]["extra"] == each["extra"]


def write(project: Path, path: str, front: str = "", body: str = "Body.") -> Path:
    file = project / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"---\n{front or 'description: About it.'}\n---\n{body}\n", "utf-8")
    return file


def opened(project: Path, *options: str, **settings: Any) -> Session:
    (project / ".git").mkdir(parents=True, exist_ok=True)
    return PI.open(project, project / "home", {"flags": list(options), **settings})


@pytest.mark.parametrize("number", ["9" * 5000, "-" + "9" * 5000, "0o" + "7" * 5000, "9" * 5000 + ".5"])
def test_a_number_of_thousands_of_digits_is_no_text(number: str) -> None:
    with pytest.raises(Refusal, match="description is required"):
        parse(f"---\ndescription: {number}\n---\nB".encode(), "a")
    assert parsed(f"---\nname: {number}\ndescription: d\n---\nB".encode(), "a")["name"] == "a"


def keys(session: Session) -> list[str]:
    return [skill.key for skill in session.skills]


@given(st.text(st.sampled_from("ab:- \n\t\"'#[]{}1.\r\ufeff\u2028"), max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(Refusal):
        assert parsed(text.encode(), "a")["description"].strip()


@pytest.mark.parametrize(
    ("name", "warnings"),
    [
        ("a-b", []),
        ("-a--b", ["name must not start or end with a hyphen", "name must not contain consecutive hyphens"]),
        ("😀" * 33, ["name exceeds 64 characters (66)", "name contains invalid characters"]),
    ],
)
def test_a_name_is_warned_about_and_used(name: str, warnings: list[str]) -> None:
    found = parsed(f"---\nname: {name}\ndescription: d\n---\n".encode(), "x")
    assert found["name"] == name
    assert [each.partition(" (must")[0] for each in found.get("warnings", [])] == warnings


# By `ignore` 7.0.8, with the patterns as pi hands them on.
@pytest.mark.together
@pytest.mark.parametrize(
    ("prefix", "line", "path", "is_directory", "hidden"),
    [
        *(("", "by-git/", "a/by-git", True, True), ("", "by-git/", "by-git", False, False)),
        *(("", "/anchored", "sub/anchored", False, True), ("", "a/b", "sub/a/b", False, False)),
        *(("sub/", "local", "sub/local", True, True), ("sub/", "local", "sub/more/local", True, False)),
        *(("", "UPPER", "upper", True, True), ("", "upper", "UPPER", True, True)),
        *(
            ("", "# upper", "# upper", True, False),
            ("", "\\!a", "!a", False, False),
            ("", "  ", "  ", True, False),
        ),
        *(("", "*.md", "x/a.md", False, True), ("sub/", "/a", "sub/a", False, True)),
    ],
)
def test_a_pattern_hides_what_the_library_ignores(
    tmp_path: Path, prefix: str, line: str, path: str, is_directory: bool, hidden: bool
) -> None:
    (tmp_path / ".ignore").write_text(line, "utf-8")
    ignored = Ignored()
    ignored.enter(tmp_path, prefix, frozenset({".ignore", ".rgignore"}))
    assert ignored.hides(path, is_directory) is hidden


def test_the_last_pattern_decides_also_between_files(tmp_path: Path) -> None:
    for name, text in ((".gitignore", "*\n!keep\n"), (".fdignore", "keep\n")):
        (tmp_path / name).write_text(text, "utf-8")
    ignored = Ignored()
    ignored.enter(tmp_path, "", frozenset({".gitignore"}))
    assert not ignored.hides("keep", True)
    ignored.enter(tmp_path, "", frozenset({".fdignore", ".ignore"}))
    assert ignored.hides("keep", True)


def test_a_linked_tree_is_searched_once_and_ends(tmp_path: Path) -> None:
    for name in "abc":
        write(tmp_path, f".pi/skills/group/{name}/SKILL.md")
        for other in "xyz":
            (tmp_path / f".pi/skills/group/{name}-{other}").symlink_to(tmp_path / ".pi/skills")
    assert keys(opened(tmp_path)) == ["a", "b", "c"]


def test_flat_files_count_in_a_root_of_pi_and_below_one_of_agents(tmp_path: Path) -> None:
    for path in (
        ".pi/skills/flat.md",
        ".pi/skills/sub/no.md",
        ".agents/skills/no.md",
        ".agents/skills/sub/deep.md",
    ):
        write(tmp_path, path, f"name: {path.rpartition('/')[2][:-3]}\ndescription: d")
    (tmp_path / ".pi/skills/README.md").write_text("# Without a description\n", "utf-8")
    session = opened(tmp_path)
    assert keys(session) == ["flat", "deep"]
    assert session.skipped == []
    assert f"<location>{tmp_path}/.pi/skills/flat.md</location>" in (session.catalog() or "")


def test_the_same_name_is_a_collision_and_the_same_file_is_not(tmp_path: Path) -> None:
    write(tmp_path, ".pi/skills/a/SKILL.md")
    write(tmp_path, ".agents/skills/a/SKILL.md")
    (tmp_path / ".agents/skills/b").symlink_to(tmp_path / ".pi/skills/a")
    session = opened(tmp_path)
    assert keys(session) == ["a"]
    assert len(session.shadowed) == 1
    assert session.warnings == (f'{tmp_path}/.agents/skills/a/SKILL.md: name "a" collision',)


def test_an_untrusted_project_gives_nothing(tmp_path: Path) -> None:
    write(tmp_path, ".pi/skills/a/SKILL.md")
    write(tmp_path, "home/.pi/agent/skills/b/SKILL.md")
    session = opened(tmp_path, trust=False)
    assert keys(session) == ["b"]
    assert [root.role for root in session.roots if root.unscanned] == ["project", "project-agents"]


def test_directories_above_count_up_to_the_repository(tmp_path: Path) -> None:
    for number, path in enumerate(("", "repo/", "repo/a/", "repo/a/b/")):
        write(tmp_path, f"{path}.agents/skills/s{number}/SKILL.md")
        write(tmp_path, f"{path}.pi/skills/p{number}/SKILL.md")
    (tmp_path / "repo/.git").mkdir()
    session = PI.open(tmp_path / "repo/a/b", tmp_path / "home")
    assert keys(session) == ["p3", "s3", "s2", "s1"]
    assert [root.role for root in session.roots].count("agents-above") == 2


@pytest.mark.parametrize(
    ("entries", "left"),
    [
        ([], ["one", "two"]),
        (["!**/two"], ["one"]),
        (["!*", "+skills/two"], ["two"]),
        (["!*", "+./skills/two/SKILL.md"], ["two"]),
        (["-skills/one", "+skills/one"], ["two"]),
        (["!{one,two}"], []),
        (["!SKILL.md"], []),
        (["!t?o"], ["one"]),
    ],
)
def test_patterns_of_the_settings_take_skills_away(
    tmp_path: Path, entries: list[str], left: list[str]
) -> None:
    for name in ("one", "two"):
        write(tmp_path, f".pi/skills/{name}/SKILL.md")
    (tmp_path / ".pi/settings.json").write_text(json.dumps({"skills": entries}), "utf-8")
    session = opened(tmp_path)
    assert keys(session) == left
    assert len([each for each in session.skipped if each.hidden]) == 2 - len(left)


def test_paths_of_the_settings_come_first_and_those_of_the_user_after_the_project(tmp_path: Path) -> None:
    for path in ("more/m", "own/o", ".pi/skills/p", "home/.agents/skills/u"):
        write(tmp_path, f"{path}/SKILL.md")
    (tmp_path / ".pi/settings.json").write_text('{"skills": ["../more"]}', "utf-8")
    (tmp_path / "home/.pi/agent").mkdir(parents=True)
    (tmp_path / "home/.pi/agent/settings.json").write_text('{"skills": ["~/../own", 5]}', "utf-8")
    assert keys(opened(tmp_path)) == ["m", "p", "o", "u"]
    assert keys(opened(tmp_path, user_settings=False)) == ["m", "p", "u"]
    (tmp_path / ".pi/settings.json").write_text("[", "utf-8")
    assert keys(opened(tmp_path)) == ["p", "o", "u"]


def test_what_is_added_is_filtered_by_globs(tmp_path: Path) -> None:
    file = tmp_path / "x/SKILL.md"
    assert loading.is_wanted(file, ["more", "**/x"], tmp_path)
    assert not loading.is_wanted(file, ["more", "**/y"], tmp_path)
    assert loading.is_wanted(file, ["**/y", "+x"], tmp_path)
    assert not loading.is_wanted(tmp_path / ".x/SKILL.md", ["?x"], tmp_path)


def test_the_flags_add_and_remove(tmp_path: Path) -> None:
    write(tmp_path, ".pi/skills/a/SKILL.md")
    write(tmp_path, "extra/b/SKILL.md")
    write(tmp_path, "extra/c.md", "name: c\ndescription: d")
    assert keys(opened(tmp_path, "--skill", "extra")) == ["a", "b", "c"]
    assert keys(opened(tmp_path, "--no-skills", "--skill", "extra/c.md")) == ["c"]
    session = opened(tmp_path, "--skill", "nowhere")
    assert session.warnings == (f"{tmp_path}/nowhere: skill path does not exist",)
    assert opened(tmp_path, "--tools", "edit").catalog() is None


@pytest.mark.parametrize(
    ("options", "reader"),
    [
        ([], "read"),
        (["--tools", "bash, edit"], "bash"),
        (["--exclude-tools", "read,bash"], None),
        (["--no-tools", "--skill"], None),
    ],
)
def test_the_tools_say_how_a_skill_is_read(options: list[str], reader: str | None) -> None:
    assert loading.parsed(options).reader == reader


def lines(number: int, text: str = "x") -> str:
    return "".join(f"{text}\n" for _ in range(number))


# By `dist/core/tools/read.js` of 1.5.2.
@pytest.mark.parametrize(
    ("text", "arguments", "end"),
    [
        (lines(2000), {}, "x\nx\n"),
        (lines(2001), {}, "x\n\n[Showing lines 1-2000 of 2002. Use offset=2001 to continue.]"),
        (
            lines(600, "y" * 99),
            {},
            "y\n\n[Showing lines 1-512 of 601 (50.0KB limit). Use offset=513 to continue.]",
        ),
        (lines(5), {"offset": 2, "limit": 2}, "x\nx\n\n[3 more lines in file. Use offset=4 to continue.]"),
        (lines(3), {"offset": 9}, "Offset 9 is beyond end of file (4 lines total)"),
        (
            "z" * 60_000,
            {},
            "[Line 1 is 58.6KB, exceeds 50.0KB limit. Use bash: sed -n '1p' f.md | head -c 51200]",
        ),
    ],
)
def test_a_long_file_is_read_in_parts(tmp_path: Path, text: str, arguments: dict[str, int], end: str) -> None:
    (tmp_path / "f.md").write_text(text, "utf-8")
    found = opened(tmp_path).call({"path": "f.md", **arguments}).text or ""
    assert found.endswith(end)


@pytest.mark.parametrize(
    ("arguments", "tool", "why"),
    [
        ('{"path": "f.md",}', None, "its error for arguments that are not JSON is not known"),
        ('{"path": NaN}', None, "its error for arguments that are not JSON is not known"),
        ("[" * 100_000, None, "its error for arguments that are not JSON is not known"),
        ("{}", "bash", "what the tool `bash` answers is not known"),
    ],
)
def test_what_is_not_known_of_an_answer_is_said(
    tmp_path: Path, arguments: str, tool: str | None, why: str
) -> None:
    found = opened(tmp_path).call(arguments, tool=tool)
    assert (found.text, found.flow_error) == (None, why)


def test_a_tool_that_is_switched_off_is_not_there(tmp_path: Path) -> None:
    assert opened(tmp_path, "--tools", "bash").call("{}").text == "Tool read not found"


def test_a_file_that_ends_at_the_limit_with_a_line_end_is_said_to_go_on(tmp_path: Path) -> None:
    text = "y" * 1023 + "\n"
    (tmp_path / "f.md").write_text(text * 50, "utf-8")
    assert opened(tmp_path).call({"path": "f.md"}).text == text * 50
    (tmp_path / "f.md").write_text(text * 49 + "y" * 1024 + "\n", "utf-8")
    found = opened(tmp_path).call({"path": "f.md"}).text or ""
    assert found.endswith("y\n\n[Showing lines 1-50 of 51. Use offset=51 to continue.]")


def test_a_skill_is_called_by_its_command_and_read_as_a_file(tmp_path: Path) -> None:
    file = write(tmp_path, ".pi/skills/a/SKILL.md", "description: d\ndisable-model-invocation: true")
    session = opened(tmp_path)
    (skill,) = session.skills
    assert PI.typed is not None
    assert PI.content is not None
    assert session.user(f"{PI.typed(skill)} x").text is not None
    assert session.catalog() is None
    assert PI.content(session, skill) == file.read_text("utf-8")
    file.unlink()
    assert PI.content(session, skill) is None
    assert session.user("/skill:a x").messages[0]["content"][0]["text"] == "/skill:a x"


def test_a_directory_is_loaded_for_its_skill_file_alone(tmp_path: Path) -> None:
    assert PI.load is not None
    write(tmp_path, "flat/other.md")
    assert isinstance(PI.load(tmp_path / "flat"), Refused)
    write(tmp_path, "a/SKILL.md")
    assert isinstance(PI.load(tmp_path / "a"), LoadedSkill)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root reads everything")
def test_an_unreadable_file_is_told_in_the_words_of_node(tmp_path: Path) -> None:
    file = write(tmp_path, ".pi/skills/a/SKILL.md")
    file.chmod(0)
    (refused,) = opened(tmp_path).skipped
    assert refused.message == f"EACCES: permission denied, open '{file}'"
