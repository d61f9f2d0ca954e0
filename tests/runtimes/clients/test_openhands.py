"""OpenHands: its records, answered by the driver, and what no record shows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltool import runtimes
from skilltool.runtimes.base import Session
from skilltool.runtimes.openhands.answers import OUTPUT, touch, without_commands
from skilltool.runtimes.openhands.loading import NOTICE, matches, shortened
from skilltool.runtimes.values import LoadedSkill, Refused
from tests.conftest import MakeSkill, Skilltool
from tests.support.goldens import judging

EDITION = "openhands@1.58.0"
_COMMANDS = "the text holds what commands in the body print, and no command is run"
WRONG = {
    "openhands@1.58.0/big/call/001-big1m": "SKILL.md is larger than 1 MiB, which is not read",
    "openhands@1.58.0/body-sub/call/001-cmd-cwd": _COMMANDS,
    "openhands@1.58.0/body-user/call/001-cmd-cwd": _COMMANDS,
    "openhands@1.58.0/body/call/003-cmd": _COMMANDS,
    "openhands@1.58.0/body/call/004-cmd-open": _COMMANDS,
    "openhands@1.58.0/body/call/012-cmd-big": _COMMANDS,
    "openhands@1.58.0/trig/call/001-fruit": _COMMANDS,
}
TEXT = "---\nname: {name}\ndescription: d\n{more}---\n{body}\n"


def test_the_wrong_answers_are_those_with_a_reason() -> None:
    assert judging.wrong(EDITION) == sorted(WRONG)


def test_the_records_by_operation() -> None:
    found = judging.counts(EDITION, frozenset(WRONG))
    counts = {"discover": 46, "catalog": 36, "tool": 4, "call": 48, "parse": 59, "user": 18, "touch": 4}
    assert found == counts


@pytest.mark.parametrize("name", [name for name, why in WRONG.items() if why == _COMMANDS])
def test_only_what_commands_print_is_missing(name: str) -> None:
    [record] = [each for each in judging.records(EDITION) if each["id"] == name]
    parts = str(judging.answers(EDITION)[name]["answer"]).split(OUTPUT)
    assert len(parts) > 1
    assert re.fullmatch("[\\s\\S]*".join(map(re.escape, parts)), record["expect"])


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("a !`x` b !`y`", "a {output} b {output}"),
        ("`code` and \\!`kept` and !`x`", "`code` and !`kept` and {output}"),
        ("```\n!`in a fence`\n``` !`x`", "```\n!`in a fence`\n``` {output}"),
        ("````\n!`x`\n````", "````\n!`x`\n````"),
        ("```\nopen !`x` `` !`y`", "```\nopen !`x` `` !`y`"),
        ("!`two\nlines` !``", "{output} !``"),
        ("no command!", "no command!"),
    ],
)
def test_commands_in_a_body(body: str, expected: str) -> None:
    assert without_commands(body) == expected


@given(st.text(alphabet="a!`\\\n ", max_size=40))
def test_commands_are_found_as_its_pattern_finds_them(body: str) -> None:
    theirs = re.compile(
        r"(?P<fenced>```[\s\S]*?(?:```|$))|(?P<escaped>\\!`[^`]+`)|(?P<inline>(?<!!)`[^`]+`)|!`(?P<cmd>[^`]+)`"
    )
    body = body.strip()

    def replaced(found: re.Match[str]) -> str:
        return OUTPUT if found["cmd"] else found["escaped"][1:] if found["escaped"] else found[0]

    assert without_commands(body) == theirs.sub(replaced, body)


@pytest.mark.together
@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("*.py", "a.py", True),
        ("*.py", "deep/down/a.py", True),
        ("*.py", "a.pyc", False),
        ("docs/**/*.md", "docs/a.md", True),
        ("docs/**/*.md", "docs/x/y/a.md", True),
        ("docs/**/*.md", "other/docs/a.md", False),
        ("src/*", "src/a/b", False),
        ("src/**", "src/a/b", True),
        ("a?c/d", "abc/d", True),
        ("a?c/d", "a/c/d", False),
        ("[ab].py", "a.py", False),
        ("A.py", "a.py", False),
        ("", "a", False),
    ],
)
def test_patterns_of_paths(pattern: str, path: str, expected: bool) -> None:
    assert matches(pattern, path) is expected


@given(st.text(alphabet="ab/*?.", max_size=12), st.text(alphabet="ab/.\n", max_size=12))
def test_patterns_match_as_a_regular_expression_would(pattern: str, path: str) -> None:
    stand_for = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    tokens = re.findall(r"\*\*/|\*\*|\*|\?|[^*?]+", pattern if "/" in pattern else f"**/{pattern}")
    whole = "".join(stand_for.get(token, re.escape(token)) for token in tokens)
    expected = bool(pattern) and re.fullmatch(f"(?s:{whole})", path) is not None
    assert matches(pattern, path) is expected


@given(st.text(max_size=300), st.integers(min_value=1, max_value=300))
def test_a_shortened_text_keeps_both_ends(text: str, most: int) -> None:
    found = shortened(text, most)
    assert len(found) == min(len(text), most)
    if len(text) > most > len(NOTICE):
        begin, end = found.split(NOTICE)
        assert text.startswith(begin)
        assert text.endswith(end)
        assert len(begin) - len(end) in (0, 1)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ('{"name": "a"', "Error validating tool 'invoke_skill': Expecting ',' delimiter: line 1 column 13"),
        ('{"name": "a\n"}', "Body."),
        ('["a"]', "Error validating tool 'invoke_skill': 1 validation error for InvokeSkillAction\nname\n"),
        ({"name": ["a", ""]}, "Body."),
        ({"name": []}, "[An error occurred during execution.]\nUnknown skill ''. Available skills: a."),
        ({"name": [1]}, "Error validating tool 'invoke_skill': 1 validation error"),
        ({"name": "a", "summary": 5, "security_risk": "x", "securtiy_risk": "y"}, "Body."),
        ({"name": 5, "x": 1}, "Error validating tool 'invoke_skill': 2 validation errors"),
    ],
)
def test_arguments_of_a_call(tmp_path: Path, make_skill: MakeSkill, arguments: Any, words: str) -> None:
    make_skill(tmp_path / ".agents/skills/a", TEXT.format(name="a", more="", body="Body."))
    assert str(opened(tmp_path, tmp_path / "home").call(arguments).text).startswith(words)


def test_without_a_package_there_is_no_tool(tmp_path: Path) -> None:
    session = opened(tmp_path, tmp_path / "home")
    assert session.tool() is None
    found = session.call({"name": "a"})
    assert found.text == "Tool 'invoke_skill' not found. Available: ['finish', 'think']"
    assert "unparseable JSON" in str(session.call("{").text)


def test_a_long_body_is_cut_in_the_middle(tmp_path: Path, make_skill: MakeSkill) -> None:
    make_skill(tmp_path / ".agents/skills/a", TEXT.format(name="a", more="", body="x" * 60_000))
    text = opened(tmp_path, tmp_path / "home").call({"name": "a"}).text or ""
    assert len(text) == 50_000
    assert NOTICE in text
    assert text.endswith("are relative to that directory.")


def opened(project: Path, home: Path, **settings: object) -> Session:
    return runtimes.get("openhands").open(project, home, settings)


def test_a_file_of_instructions_that_is_not_utf_8_ends_the_project(
    tmp_path: Path, make_skill: MakeSkill
) -> None:
    make_skill(tmp_path / ".agents/skills/a", TEXT.format(name="a", more="", body="b"))
    make_skill(tmp_path / "home/.agents/skills/b", TEXT.format(name="b", more="", body="b"))
    (tmp_path / "CLAUDE.md").write_bytes(b"\xff")
    session = opened(tmp_path, tmp_path / "home")
    assert [skill.key for skill in session.skills] == ["b"]
    [log] = session.logs
    assert log.message.startswith("Failed to load project skills: 'utf-8' codec can't decode byte 0xff")


def test_instructions_below_the_project_are_rules(tmp_path: Path) -> None:
    for name in ("server/AGENTS.md", ".hidden/AGENTS.md", "node_modules/AGENTS.md"):
        file = tmp_path / name
        file.parent.mkdir()
        file.write_text("Rules.\n", "utf-8")
    session = opened(tmp_path, tmp_path / "home")
    assert [skill.key for skill in session.skills] == ["agents:server"]
    assert touch(session, "other.py") is None
    told = touch(session, str(tmp_path / "server/deep/a.py"))
    assert told is not None
    assert 'matches "server/**"' in told
    assert touch(session, "server/b.py") is None  # each rule once
    assert opened(tmp_path, tmp_path / "home", nested_rules=False).skills == []


def test_two_links_to_one_file_of_instructions_are_one(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("Rules.\n", "utf-8")
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")
    assert [skill.key for skill in opened(tmp_path, tmp_path / "home").skills] == ["agents"]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("1: x\n", "keywords must be strings"),
        ("content: x\n", "Post.__init__() got multiple values for argument 'content'"),
        (
            "triggers: [1]\n",
            "1 validation error for KeywordTrigger\nkeywords.0\n  Input should be a valid string",
        ),
        ("triggers:\n", "Triggers must be a list of strings"),
        ("inputs: {}\n", "inputs must be a list"),
        ("inputs: [{name: x}]\n", "1 validation error for InputMetadata\ndescription\n  Field required"),
        ("paths: 5\n", "paths must be a string or list"),
        ("allowed-tools: 5\n", "allowed-tools must be a string or list"),
        ("license: [x]\nmetadata: x\n", "metadata must be a dictionary"),
        ("license: [x]\ncompatibility: 2\n", "2 validation errors for Skill\nlicense\n"),
        ("disable-model-invocation: maybe\n", "unable to interpret input"),
    ],
)
def test_what_refuses_a_skill(tmp_path: Path, make_skill: MakeSkill, more: str, message: str) -> None:
    make_skill(tmp_path / "a", TEXT.format(name="a", more=more, body="b"))
    found = runtimes.get("openhands").load(tmp_path / "a")  # type: ignore[misc]
    assert isinstance(found, Refused)
    assert message in (found.message or "")


@pytest.mark.parametrize(
    ("servers", "message"),
    [
        ("{", "Invalid JSON in "),
        ("[]", "Invalid .mcp.json format: expected object, got list"),
        ('{"mcpServers": []}', "Invalid MCP configuration: "),
        ('{"mcpServers": {"a": {}}}', "Invalid MCP configuration: "),
        ('{"mcpServers": {"a": {"command": "x"}, "b": {"url": "y"}}}', None),
        ("{}", None),
    ],
)
def test_servers_beside_a_skill(
    tmp_path: Path, make_skill: MakeSkill, servers: str, message: str | None
) -> None:
    make_skill(tmp_path / "a", TEXT.format(name="a", more="", body="b"))
    (tmp_path / "a/.mcp.json").write_text(servers, "utf-8")
    found = runtimes.get("openhands").load(tmp_path / "a")  # type: ignore[misc]
    if message is None:
        assert isinstance(found, LoadedSkill)
    else:
        assert isinstance(found, Refused)
        assert message in (found.message or "")


def test_of_two_single_files_with_one_name_the_last_counts(tmp_path: Path) -> None:
    root = tmp_path / ".agents/skills"
    root.mkdir(parents=True)
    for name in ("a", "b", "c"):
        (root / f"{name}.md").write_text(
            f"---\nname: {'x' if name != 'b' else 'b'}\n---\nText of {name}.", "utf-8"
        )
    session = opened(tmp_path, tmp_path / "home")
    assert [(skill.key, skill.body) for skill in session.skills] == [("x", "Text of c."), ("b", "Text of b.")]
    assert [(lost.skill.body, lost.why) for lost in session.shadowed] == [
        ("Text of a.", "the last copy wins, and `.agents/skills` (project) comes after this one")
    ]


def test_a_root_that_cannot_be_listed_is_left_out(tmp_path: Path, make_skill: MakeSkill) -> None:
    make_skill(tmp_path / ".openhands/skills/a", TEXT.format(name="a", more="", body="b"))
    (tmp_path / ".agents").mkdir()
    (tmp_path / ".agents/skills").write_text("no directory", "utf-8")
    session = opened(tmp_path, tmp_path / "home")
    assert [skill.key for skill in session.skills] == ["a"]
    assert session.warnings[0].startswith(f"Failed to load project skills from {tmp_path}/.agents/skills: ")


@pytest.mark.parametrize("model", ["", "openai/claude-x", "gemini-9", "gpt-9", "unheard-of"])
def test_instructions_for_one_family_of_models(tmp_path: Path, model: str) -> None:
    for name in ("CLAUDE.md", "GEMINI.md"):
        (tmp_path / name).write_text(f"From {name}.\n", "utf-8")
    prompt = opened(tmp_path, tmp_path / "home", model=model).prompt() or ""
    assert ("From CLAUDE.md" in prompt) is (model not in {"gemini-9", "gpt-9"})
    assert ("From GEMINI.md" in prompt) is (model not in {"openai/claude-x", "gpt-9"})


def test_lint_says_what_it_refuses_in_its_own_words(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / ".agents/skills/a", TEXT.format(name="b", more="", body="Body."))
    make_skill(repo / ".agents/skills/c", TEXT.format(name="c", more="inputs: {}\n", body="Body."))
    lines = skilltool("lint", "--runtime", "openhands", "--output-format", "concise").stdout.splitlines()
    found = [line.partition(": ")[2] for line in lines if ": error[" in line]
    assert found == [
        "error[name-directory-mismatch]: name `b` does not match directory `a`",
        "error[wrong-type]: `inputs` is a mapping; `openhands` expects a list",
    ]
    (repo / ".agents/skills/c/.mcp.json").write_text("[]", "utf-8")
    make_skill(repo / ".agents/skills/c", TEXT.format(name="c", more="", body="Body."))
    lines = skilltool("lint", "--runtime", "openhands", "--output-format", "concise").stdout.splitlines()
    [line] = [line for line in lines if "[not-loaded]" in line]
    assert "Invalid .mcp.json format: expected object, got list" in line
