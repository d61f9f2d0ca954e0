"""Claude Code: what its session does with files of ours, beyond the recorded cases."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from skilltool import runtimes
from skilltool.emulation.javascript import length
from skilltool.emulation.picomatch import expanded
from skilltool.runtimes.base import Session
from skilltool.runtimes.claude_code import manifest
from skilltool.runtimes.claude_code.answers import filled, is_read_only, mentioned_paths
from skilltool.runtimes.claude_code.loading import matches

CLAUDE = runtimes.get("claude-code")
Write = Callable[[str, str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a file under the test's directory, which has a `project` with a repository and a `home`."""
    (tmp_path / "project" / ".git").mkdir(parents=True)
    (tmp_path / "home").mkdir()

    def write_file(path: str, text: str) -> Path:
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        return file

    return write_file


PACK = Path(__file__).parents[1] / "goldens" / "packs" / "claude-code"
ARGUMENTS = [json.loads(line) for line in (PACK / "arguments.jsonl").read_text("utf-8").splitlines()]


def opened(tmp_path: Path, cwd: str = "project", **settings: Any) -> Session:
    return CLAUDE.open(tmp_path / cwd, tmp_path / "home", settings)


def skill(description: str, body: str = "Body.\n", more: str = "") -> str:
    return f"---\ndescription: {description}\n{more}---\n{body}"


def keys(session: Session) -> list[str]:
    return [each.key for each in session.skills]


def test_a_skill_is_shown_by_its_directory_and_a_command_by_its_file(tmp_path: Path, write: Write) -> None:
    one = write("project/.claude/skills/one/SKILL.md", skill("One."))
    two = write("project/.claude/commands/two.md", skill("Two."))
    shown = {each.key: each.display_path for each in opened(tmp_path).skills}
    assert shown == {"one": str(one.parent), "two": str(two)}


def test_the_tool_takes_a_skill_and_its_arguments(tmp_path: Path, write: Write) -> None:
    write("project/.claude/skills/one/SKILL.md", skill("One."))
    tool = opened(tmp_path).tool()
    assert tool is not None
    assert tool["name"] == "Skill"
    assert list(tool["input_schema"]["properties"]) == ["skill", "args"]
    assert tool["input_schema"]["required"] == ["skill"]
    write("project/.claude/settings.json", '{"permissions": {"deny": ["Skill"]}}')
    assert opened(tmp_path).tool() is None


@pytest.mark.together
@pytest.mark.parametrize("record", ARGUMENTS, ids=lambda record: ascii(record["arguments"]))
def test_words_of_arguments_as_recorded(record: dict[str, Any]) -> None:
    """What the program sent for `[$0] [$1] [$2] [$3] [$ARGUMENTS]`; a missing word stands as it is."""
    body = "0=[$0] 1=[$1] 2=[$2] 3=[$3] all=[$ARGUMENTS]"
    found = [*record["words"], *(f"${number}" for number in range(len(record["words"]), 4))]
    shown = " ".join(f"{number}=[{word}]" for number, word in enumerate(found))
    assert filled(body, record["arguments"]) == f"{shown} all=[{record['whole']}]"


@pytest.mark.parametrize(
    ("body", "arguments", "parameters", "text"),
    [
        ("$0 $1", "a", (), "a $1"),
        ("$name $name2", "a b", ("name", "name2"), "a b"),
        ("$name.", "", ("name",), "."),
        ("$name[0]", "a", ("name",), "$name[0]\n\nARGUMENTS: a"),
        ("\\$0 \\\\$0", "a", (), "$0 \\\\a"),
        ("$ARGUMENTS[1]x", "a b", (), "bx"),
        ("$1é", "a b", (), "bé"),
        ("none", " ", (), "none\n\nARGUMENTS:  "),
        ("none", None, (), "none"),
        ("[$ARGUMENTS]", None, (), "[]"),
    ],
)
def test_placeholders(body: str, arguments: str | None, parameters: tuple[str, ...], text: str) -> None:
    assert filled(body, arguments, parameters) == text


def test_the_repair_quotes_only_what_yaml_would_take_apart() -> None:
    assert manifest.repaired('a: b: c\nd: e\nf: "g: h"\n  i: j: k\nl2: m: n\nend: x: y\r') == (
        'a: "b: c"\nd: e\nf: "g: h"\n  i: j: k\nl2: m: n\nend: x: y\r'
    )


def test_fields_are_lost_where_the_repair_does_not_help() -> None:
    read = manifest.read("---\ndescription: |\n  text\nversion: a: b\n---\nBody.\n")
    assert read.fields == {}
    assert read.problem == "YAML Parse error: Unexpected token"
    assert read.body == "Body.\n"


@pytest.mark.parametrize(
    ("patterns", "path", "found"),
    [
        (["*.py"], "a/b.py", True),
        (["src"], "lib/src/x.c", True),
        (["/src"], "lib/src/x.c", False),
        (["src/*.{c,h}"], "src/x.h", True),
        (["*.py", "!test_*.py"], "test_a.py", False),
        (["docs"], "docs.md", False),
    ],
)
def test_path_patterns(patterns: list[str], path: str, found: bool) -> None:
    assert matches(patterns, path) is found


def test_braces_do_not_explode() -> None:
    assert expanded("{a,b}{c,d}") == ["ac", "ad", "bc", "bd"]
    assert len(expanded("{a,b}" * 40)) < 3000


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("git status --short", True),
        ("ls | wc -l", True),
        ("echo a >&2; pwd", True),
        ("npm test", False),
        ("echo a > file", False),
        ("echo $(rm x)", False),
        ("ls; rm x", False),
        ("echo 'open", False),
    ],
)
def test_commands_that_do_not_ask(command: str, found: bool) -> None:
    assert is_read_only(command) is found


def test_no_command_is_run_and_the_answer_names_it(tmp_path: Path, write: Write) -> None:
    write("project/.claude/skills/s/SKILL.md", skill("d", "Now !`echo hi; pwd`.\n"))
    result = opened(tmp_path).call({"skill": "s"})
    assert result.text is not None
    assert result.text.endswith("Now {output}.\n")
    assert result.metadata == {"skill": "s", "commands": ["echo hi; pwd"]}


def test_a_command_that_writes_needs_permission(tmp_path: Path, write: Write) -> None:
    made = tmp_path / "project" / "made"
    write(
        "project/.claude/skills/s/SKILL.md", skill("d", "!`touch made`\n", "allowed-tools: Bash(touch *)\n")
    )
    write("project/.claude/skills/t/SKILL.md", skill("d", "!`touch made`\n"))
    session = opened(tmp_path, flags=["--allowedTools", "Skill"])
    assert session.call({"skill": "t"}).is_error
    assert not session.call({"skill": "s"}).is_error
    assert not made.exists()


def test_settings_of_later_files_override_earlier_ones(tmp_path: Path, write: Write) -> None:
    for name in ("a", "b", "c"):
        write(f"project/.claude/skills/{name}/SKILL.md", skill(name))
    write("home/.claude/settings.json", json.dumps({"skillOverrides": {"a": "off", "b": "off"}}))
    write("project/.claude/settings.json", json.dumps({"skillOverrides": {"b": "on"}}))
    write("project/.claude/settings.local.json", json.dumps({"skillOverrides": {"c": "name-only"}}))
    assert keys(opened(tmp_path)) == ["b", "c"]
    assert keys(opened(tmp_path, user_settings=False)) == ["a", "b", "c"]
    given = ["--settings", json.dumps({"skillOverrides": {"a": "on"}})]
    assert keys(opened(tmp_path, flags=given)) == ["a", "b", "c"]


def test_a_setting_that_is_invalid_drops_its_file(tmp_path: Path, write: Write) -> None:
    write("project/.claude/skills/a/SKILL.md", skill("a"))
    invalid = {"skillOverrides": {"a": "off"}, "skillListingMaxDescChars": 0}
    write("project/.claude/settings.json", json.dumps(invalid))
    assert keys(opened(tmp_path)) == ["a"]


def test_the_environment_of_this_process_never_counts(
    tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("project/.claude/skills/a/SKILL.md", skill("a"))
    monkeypatch.setenv("SLASH_COMMAND_TOOL_CHAR_BUDGET", "-1")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "elsewhere"))
    assert CLAUDE.budget is not None
    assert CLAUDE.budget(opened(tmp_path)) == (30_000, ())
    assert CLAUDE.budget(opened(tmp_path, env={"SLASH_COMMAND_TOOL_CHAR_BUDGET": "-1"}))[0] == -1


def test_used_skills_keep_their_text_first(tmp_path: Path, write: Write) -> None:
    for name in ("a", "b"):
        write(f"home/.claude/skills/{name}/SKILL.md", skill(name * 50))
    write("home/.claude/settings.json", '{"disableBundledSkills": true}')
    env = {"SLASH_COMMAND_TOOL_CHAR_BUDGET": "70"}
    assert CLAUDE.budget is not None
    assert CLAUDE.budget(opened(tmp_path, env=env))[1] == ("b",)
    write("home/.claude.json", '{"skillUsage": {"b": {"usageCount": 1}}}')
    assert CLAUDE.budget(opened(tmp_path, env=env))[1] == ("a",)


def test_nested_skills_and_those_with_paths_come_with_a_touched_file(tmp_path: Path, write: Write) -> None:
    write("project/.claude/skills/deploy/SKILL.md", skill("root"))
    write("project/.claude/skills/py/SKILL.md", skill("python", more='paths: "*.py"\n'))
    write("project/web/.claude/skills/deploy/SKILL.md", skill("web"))
    file = write("project/web/page.py", "x\n")
    session = opened(tmp_path)
    assert keys(session) == ["deploy"]
    assert [(lost.key, lost.hidden) for lost in session.skipped] == [("py", True)]
    told = session.call({"file_path": str(file)}, tool="Read").messages
    assert [message["role"] for message in told] == ["user", "system"]
    assert keys(session) == ["deploy", "web:deploy", "py"]
    assert session.skipped == []
    assert len(session.call({"file_path": str(file)}, tool="Read").messages) == 1
    assert keys(opened(tmp_path, touched=["web/page.py"])) == keys(session)


def test_a_touched_file_elsewhere_loads_nothing(tmp_path: Path, write: Write) -> None:
    write("other/.claude/skills/x/SKILL.md", skill("x"))
    write("project/.claude/skills/py/SKILL.md", skill("python", more='paths: "*.py"\n'))
    assert keys(opened(tmp_path, touched=["../other/a.py"])) == []


def test_plugins_are_found_where_the_program_keeps_them(tmp_path: Path, write: Write) -> None:
    kept = write("cache/p/1.0/.claude-plugin/plugin.json", '{"name": "p"}').parents[1]
    write("cache/p/1.0/skills/one/SKILL.md", skill("One."))
    write("home/.claude/settings.json", '{"enabledPlugins": {"p@market": true, "q@market": false}}')
    installed = {"version": 2, "plugins": {"p@market": [{"scope": "user", "installPath": str(kept)}]}}
    write("home/.claude/plugins/installed_plugins.json", json.dumps(installed))
    session = opened(tmp_path)
    assert keys(session) == ["p:one"]
    assert session.call({"skill": "p:one"}).display == "Launching skill: p:one"


def test_a_plugin_may_name_directories_that_are_skills_or_hold_some(tmp_path: Path, write: Write) -> None:
    text = '{"name": "p", "skills": ["./tool", "./more"]}'
    top = write("p/.claude-plugin/plugin.json", text).parents[1]
    write("p/tool/SKILL.md", skill("Tool.", more="name: other\n"))
    write("p/more/one/SKILL.md", skill("One."))
    write("p/skills/usual/SKILL.md", skill("Usual."))
    session = opened(tmp_path, flags=["--plugin-dir", str(top)])
    assert sorted(keys(session)) == ["p:one", "p:tool", "p:usual"]


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("p", ["p:only"]),
        ("skills/p", ["p:only"]),
        ("home/.claude/skills/p", ["p"]),  # which is a skill of the user, too
        ("home/.claude/other/p", ["p:only"]),
    ],
)
def test_a_plugin_may_itself_be_a_skill(
    tmp_path: Path, write: Write, place: str, expected: list[str]
) -> None:
    top = write(f"{place}/.claude-plugin/plugin.json", '{"name": "p"}').parents[1]
    write(f"{place}/SKILL.md", skill("Only.", more="name: only\n"))
    assert keys(opened(tmp_path, flags=["--plugin-dir", str(top)])) == expected
    (top / "skills").mkdir()
    assert "p:only" not in keys(opened(tmp_path, flags=["--plugin-dir", str(top)]))


def test_a_root_that_is_given_takes_the_place_of_the_usual_one(tmp_path: Path, write: Write) -> None:
    write("elsewhere/a/SKILL.md", skill("A."))
    session = CLAUDE.open(tmp_path / "project", tmp_path / "home", roots={"project": tmp_path / "elsewhere"})
    assert keys(session) == ["a"]


def test_skills_above_the_repository_do_not_count(tmp_path: Path, write: Write) -> None:
    write("project/.claude/skills/a/SKILL.md", skill("A."))
    write(".claude/skills/above/SKILL.md", skill("Above."))
    (tmp_path / "project" / "sub").mkdir()
    assert keys(opened(tmp_path, cwd="project/sub")) == ["a"]


def test_a_typed_command_runs_the_skill_or_says_why_not(tmp_path: Path, write: Write) -> None:
    write("project/.claude/skills/a/SKILL.md", skill("A.", "All: $ARGUMENTS\n"))
    write("project/.claude/skills/b/SKILL.md", skill("B.", more="user-invocable: nope\n"))
    session = opened(tmp_path)
    assert (
        session.user("/a  x y ").text
        == f"Base directory for this skill: {session.project}/.claude/skills/a\n\nAll: x y\n"
    )
    refused = session.user("/b")
    assert refused.messages == ()
    assert refused.shown is not None
    assert "can only be invoked by Claude" in refused.shown
    assert [block["text"] for block in session.user("hello").messages[0]["content"]] == ["hello"]


def test_a_disabled_skill_may_be_called_once_the_user_names_it(tmp_path: Path, write: Write) -> None:
    write("project/.claude/skills/a/SKILL.md", skill("A.", more="disable-model-invocation: true\n"))
    session = opened(tmp_path)
    assert session.catalog() is None or "- a" not in str(session.catalog())
    assert session.call({"skill": "a"}).is_error
    session.user("please run /a, then stop")
    assert not session.call({"skill": "a"}).is_error


def test_files_that_a_body_names_are_read_from_the_working_directory(tmp_path: Path, write: Write) -> None:
    write("project/.claude/skills/a/SKILL.md", skill("A.", "See @notes.md, `@notes.md` and me@notes.md.\n"))
    write("project/notes.md", "One.\n")
    blocks = opened(tmp_path).call({"skill": "a"}).messages[0]["content"]
    assert [block["type"] for block in blocks] == ["tool_result", "text", "text", "text"]
    assert "1\tOne.\n2\t" in blocks[2]["text"]


def test_what_names_no_file_is_not_sent_along() -> None:
    """Captured from 2.1.329."""
    for name in ("/", "/,", ".", "./", "..", "../", "~", "~/", "//etc"):
        assert list(mentioned_paths(f"See @{name} now.")) == []
    for name in ("sub/", "./sub", "../sub", "/etc/", "~/sub", "sub."):
        assert [path for _, path in mentioned_paths(f"See @{name} now.")] == [name]


def test_no_file_elsewhere_is_opened_for_a_skill(tmp_path: Path, write: Write) -> None:
    secret = write("elsewhere/key", "secret\n")
    body = f"See @{secret} and @~/own and @link\n"
    write("home/own", "secret\n")
    write("project/.claude/skills/a/SKILL.md", skill("A.", body))
    (tmp_path / "project" / "link").symlink_to(secret)
    message = json.dumps(opened(tmp_path).call({"skill": "a"}).messages)
    assert "secret" not in message
    assert message.count("{content}") == 3


def test_lint_reads_no_home_directory_above_a_project(
    tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("home/.claude/skills/mine/SKILL.md", skill("Mine."))
    write("home/work/.claude/skills/a/SKILL.md", skill("A."))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    session = CLAUDE.open(tmp_path / "home" / "work", tmp_path / "home" / "work" / ".none")
    assert keys(session) == ["a"]


@pytest.mark.parametrize(
    ("text", "more"), [("安" * 300, 300), ("🔒" * 150, 0), ("👨\u200d👩\u200d👧" * 30, -180), ("é" * 300, 0)]
)
def test_the_budget_counts_terminal_cells(tmp_path: Path, write: Write, text: str, more: int) -> None:
    """Captured from 2.1.329: 300 characters of Chinese take as much as 600 of English."""
    write("home/.claude/settings.json", json.dumps({"disableBundledSkills": True}))
    write("project/.claude/skills/wide/SKILL.md", skill(text))
    write("project/.claude/skills/zz/SKILL.md", skill("Last."))
    used = length(f"- wide: {text}\n- zz: Last.") + more
    for budget, is_kept in ((used, True), (used - 1, False)):
        session = opened(tmp_path, env={"SLASH_COMMAND_TOOL_CHAR_BUDGET": str(budget)})
        assert ("- zz: Last." in str(session.catalog())) is is_kept
