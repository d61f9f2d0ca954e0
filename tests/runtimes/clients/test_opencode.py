"""opencode: the records of its pack, and what they do not show."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skilltool import runtimes
from skilltool.emulation.javascript import replace_all
from skilltool.runtimes.base import Session
from skilltool.runtimes.opencode import loading
from skilltool.runtimes.opencode.answers import filled, sampled_files
from skilltool.runtimes.opencode.loading import matches, parse
from skilltool.runtimes.values import LoadedSkill, Refusal, Refused
from tests.conftest import examples
from tests.support.goldens.judging import as_recorded, counts, wrong
from tests.support.goldens.worlds import Record
from tests.support.manifests import manifest_data

EDITION = "opencode@1.18.33"
OPENCODE = runtimes.get("opencode")
WRONG = {
    f"{EDITION}/args/user/052": "the text has what `echo` prints, and no command is run",
}

_ENTRY = re.compile(r"  <skill>\n    <name>(?P<name>.*)</name>\n[\s\S]*?  </skill>\n")
_FILES = re.compile(r"(?:<file>.*</file>\n)+")


def test_a_number_of_thousands_of_digits_is_json(tmp_path: Path) -> None:
    session = runtimes.get("opencode").open(tmp_path, tmp_path / "home")
    assert "Expected string, got" in str(session.call('{"name": ' + "9" * 5000 + "}").text)


def parsed(raw: bytes, directory: str | None) -> dict[str, Any]:
    return manifest_data(parse(raw, directory))


def same(record: Record, answer: Any) -> bool:
    """Whether an answer is as recorded, apart from what the mark `volatile` of the record names."""
    marks = record.get("volatile", ())
    if as_recorded(record, answer) or not marks:
        return as_recorded(record, answer)
    wanted = record["expect"]
    if record["op"] == "call":
        counted = [len(_FILES.findall(text)[0].splitlines()) for text in (wanted, answer)]
        return counted[0] == counted[1] and _FILES.sub("", wanted) == _FILES.sub("", answer)
    keys = {mark.split()[3] for mark in marks if mark.endswith(" wins")}
    if record["op"] == "catalog":
        return entries(wanted, keys) == entries(answer, keys)
    if not keys:  # the same file is reached by several paths: which one is kept
        return skills(wanted) == skills(answer) and wanted["skipped"] == answer["skipped"]
    return skills(wanted) == skills(answer) and copies(wanted) == copies(answer)


def entries(block: str, keys: set[str]) -> list[str]:
    """The entries of a listing: only the name of those in `keys`, or of all where paths are chance."""
    found = list(_ENTRY.finditer(block))
    return [each["name"] if not keys or each["name"] in keys else each[0] for each in found]


def skills(found: Any) -> list[str]:
    return [each["key"] for each in found["skills"]]


def copies(found: Any) -> set[str]:
    """Every copy that is loaded, shadowed or refused."""
    return {each["directory"] for each in [*found["skills"], *found["skipped"]]}


def skill(root: Path, directory: str, name: str, body: str = "Body.") -> Path:
    file = root / directory / "SKILL.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"---\nname: {name}\ndescription: About {directory}.\n---\n{body}\n", "utf-8")
    return file.parent


def opened(project: Path, config: Any = None, **environment: str) -> Session:
    (project / ".git").mkdir(exist_ok=True)
    (project / "home").mkdir(exist_ok=True)
    return OPENCODE.open(project, project / "home", {"opencode.json": config, "env": environment})


def test_every_record_is_answered_as_recorded() -> None:
    assert wrong(EDITION, same) == sorted(WRONG)
    assert counts(EDITION, frozenset(WRONG)) == {
        "parse": 168,
        "user": 56,
        "call": 47,
        "catalog": 41,
        "discover": 33,
        "tool": 7,
    }


@pytest.mark.parametrize(
    ("text", "name", "description", "body"),
    [
        ("---\nname: a\ndescription: b\n---\nx\n", "a", "b", "x\n"),
        ("\ufeff---\nname: a\n---\nx", "a", None, "x"),
        ("--- yaml\nname: a\n--- end\nx", "a", None, " end\nx"),
        ('---json\n{"name": "a"}\n---\nx', "a", None, "x"),
        ("---\nname: a\ndescription: b: c\n---\n", "a", "b: c", ""),
        ("---\r\nname: a\r\ndescription: b: c\r\n---\r\nx", "a", "b: c", "x"),
        ('---\nname: a\ndescription: "b" and: c\n---\n', "a", "b", ""),
        ("---\nname: a\nmetadata:\n\tb: c\n---\n", "a", None, ""),
        ("---\nname: ''\n", "", None, ""),
    ],
)
def test_a_file_that_is_read(text: str, name: str, description: str | None, body: str) -> None:
    assert parsed(text.encode(), "x") == {"name": name, "description": description, "body": body}


@pytest.mark.together
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("name: a\n", "`name` is missing or not a string"),
        ("----\nname: a\n----\n", "`name` is missing or not a string"),
        ("---\nname: 12\n---\n", "`name` is missing or not a string"),
        ("---\n# only a comment\n---\n", "`name` is missing or not a string"),
        ("---\nname: a\ndescription:\n---\n", "`description` is not a string"),
        ("---\nname: a\ndescription: 2026-01-02\n---\n", "`description` is not a string"),
        ("---\nname: a\nname: a\n---\n", "duplicated mapping key"),
        ("---\nname: a\nargument-hint: b: c\n---\n", "the frontmatter is not valid YAML"),
        ("---\nname: a\ndescription: b: c\nx: @y\n---\n", "the frontmatter is not valid YAML"),
        ("---toml\nname = 'a'\n---\n", "no parser for `toml`"),
        ("---js\n{name: 'a'}\n---\n", "skilltool does not read it: its frontmatter is JavaScript"),
        ("---json\n{name}\n---\n", "the frontmatter is not valid YAML"),
    ],
)
def test_a_file_that_is_refused_without_a_word(text: str, why: str) -> None:
    with pytest.raises(Refusal) as refused:
        parse(text.encode(), "x")
    assert refused.value.message is None
    assert why in refused.value.why


PIECES = st.sampled_from(
    ["---", "\n", "\r\n", "name: a", "description: ", "b: c", "\t", '"x"', "# c", "json", "{}", "\u2028"]
)


@settings(max_examples=examples(200))
@given(pieces=st.lists(PIECES, max_size=14))
def test_every_text_is_read_or_refused(pieces: list[str]) -> None:
    text = "".join(pieces)
    with suppress(Refusal):
        assert text.endswith(parsed(text.encode(), None)["body"])


def test_which_copy_wins_is_chance_in_all_roots(tmp_path: Path) -> None:
    skill(tmp_path / ".claude" / "skills", "a", "twin")
    skill(tmp_path / ".opencode" / "skill", "deep/er/b", "twin")
    skill(tmp_path / "home" / ".agents" / "skills", "c", "twin")
    session = opened(tmp_path)
    assert len(session.skills) == 1
    assert [lost.undetermined for lost in session.shadowed] == [True, True]


def test_a_file_with_several_paths_is_one_skill(tmp_path: Path) -> None:
    root = tmp_path / ".agents" / "skills"
    real = skill(root, "real", "one")
    (root / "again").symlink_to(real)
    (real / "self").symlink_to(root)
    session = opened(tmp_path)
    assert [each.directory for each in session.skills] == [real]
    assert session.shadowed == []


def test_links_do_not_multiply_the_walk(tmp_path: Path) -> None:
    """Thirty folders, each with two links to the next, have a thousand million paths."""
    root = tmp_path / ".agents" / "skills"
    for number in range(30):
        (root / f"d{number}").mkdir(parents=True)
        for link in ("x", "y"):
            (root / f"d{number}" / link).symlink_to(root / f"d{number + 1}")
    skill(root, "d30", "last")
    assert [each.key for each in opened(tmp_path).skills] == ["last"]


def test_a_link_to_very_many_folders_ends_the_walk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "_MOST_FOLDERS", 20)
    outside = tmp_path / "outside"
    for number in range(100):
        (outside / f"d{number}").mkdir(parents=True)
    root = tmp_path / ".agents" / "skills"
    skill(root, "a", "near")
    (root / "link").symlink_to(outside)
    session = opened(tmp_path)
    assert [each.key for each in session.skills] == ["near"]
    assert [(each.directory, each.not_read) for each in session.skipped] == [(root, True)]


def test_places_of_other_clients_can_be_off(tmp_path: Path) -> None:
    skill(tmp_path / ".claude" / "skills", "a", "theirs")
    skill(tmp_path / ".agents" / "skills", "b", "common")
    skill(tmp_path / ".opencode" / "skills", "c", "own")
    off = opened(tmp_path, OPENCODE_DISABLE_EXTERNAL_SKILLS="true")
    assert [each.key for each in off.skills] == ["own"]
    assert [each.hidden for each in off.skipped] == [True, True]
    assert [each.key for each in opened(tmp_path, OPENCODE_DISABLE_CLAUDE_CODE="1").skills] == [
        "common",
        "own",
    ]
    assert len(opened(tmp_path, OPENCODE_DISABLE_CLAUDE_CODE="0").skills) == 3


def test_folders_above_count_up_to_the_repository(tmp_path: Path) -> None:
    skill(tmp_path / ".agents" / "skills", "above", "above")
    project = tmp_path / "repository"
    skill(project / ".agents" / "skills", "top", "top")
    inner = project / "a" / "b"
    skill(inner / ".claude" / "skills", "here", "here")
    (project / ".git").mkdir()
    session = OPENCODE.open(inner, tmp_path / "none")
    assert [each.key for each in session.skills] == ["here", "top"]


def test_a_skill_without_a_description_is_called_and_not_listed(tmp_path: Path) -> None:
    file = skill(tmp_path / ".agents" / "skills", "a", "quiet") / "SKILL.md"
    file.write_text("---\nname: quiet\n---\nBody.\n", "utf-8")
    session = opened(tmp_path)
    assert "quiet" not in (session.catalog() or "")
    assert "# Skill: quiet" in (session.call({"name": "quiet"}).text or "")
    assert len(session.user("/quiet").messages) == 1


def test_a_long_answer_loses_its_end(tmp_path: Path) -> None:
    """Captured from 1.18.33: whole lines up to 51,200 bytes, or 2,000 lines."""
    bodies = {"wide": "v" * 99 + "\n", "many": "y\n", "one": "w" * 60_000 + "\n", "fits": "z" * 40_000}
    counts = {"wide": 600, "many": 2500, "one": 1, "fits": 1}
    for name, body in bodies.items():
        skill(tmp_path / ".opencode/skills", name, name, body * counts[name])
    session = opened(tmp_path)
    texts = {name: str(session.call({"name": name}).text) for name in bodies}
    assert texts["fits"].endswith("</skill_content>")
    heads = {name: texts[name].partition("\n\n...")[0] for name in ("wide", "many", "one")}
    assert 51_200 - 100 < len(heads["wide"]) <= 51_200
    assert heads["many"].count("\n") == 1999
    assert heads["one"] == '<skill_content name="one">\n# Skill: one\n'
    assert re.search(r"\n\n\.\.\.\d+ bytes truncated\.\.\.\n\nThe tool call succeeded", texts["wide"])
    assert "\n\n...512 lines truncated...\n\n" in texts["many"]
    assert f"{tmp_path}/home/.local/share/opencode/tool-output/tool_<ID>\nUse the Task tool" in texts["one"]


@pytest.mark.parametrize(
    ("permission", "tool", "listed", "called"),
    [
        ({"skill": {"*": "deny", "s*": "allow"}}, True, True, True),
        ({"skill": {"s*": "allow", "*": "deny"}}, False, False, False),
        ({"skill": {"so?o": "deny"}}, True, False, False),
        ({"skill": "ask"}, True, True, True),
        ("deny", False, False, False),
        ({"*": "deny", "skill": "allow"}, True, True, True),
        ({"bash": "deny"}, True, True, True),
    ],
)
def test_the_last_rule_that_matches_counts(
    tmp_path: Path, permission: Any, tool: bool, listed: bool, called: bool
) -> None:
    skill(tmp_path / ".agents" / "skills", "a", "solo")
    session = opened(tmp_path, json.dumps({"permission": permission}))
    assert (session.tool() is not None) == tool
    assert ("<name>solo</name>" in (session.catalog() or "")) == listed
    assert session.call({"name": "solo"}).is_error != called
    assert len(session.user("/solo").messages) == 1


@pytest.mark.together
@pytest.mark.parametrize(
    ("text", "pattern", "expected"),
    [
        ("solo", "*", True),
        ("solo", "s*o", True),
        ("solo", "s?lo", True),
        ("solo", "s?", False),
        ("", "*", True),
        ("", "?", False),
        ("a*b", "a*b", True),
        ("abcb", "a*b", True),
        ("abc", "a*b", False),
        ("a.c", "a.c", True),
        ("git", "git *", True),
        ("git x", "git *", True),
        ("gitx", "git *", False),
        ("abc", "a.c", False),
    ],
)
def test_patterns(text: str, pattern: str, expected: bool) -> None:
    assert matches(text, pattern) == expected


def test_a_hostile_pattern_does_not_backtrack() -> None:
    assert not matches("a" * 2000, "*a" * 200 + "b")


@pytest.mark.parametrize(
    ("text", "arguments", "expected"),
    [
        ("$1-$2", "a b c", "a-b c"),
        ("$2 $3", "a b", "b"),
        ("$0", "a b", "b"),
        ("$0 $1", "", "undefined"),
        ("[$ARGUMENTS] [$1]", "'a b' c", "['a b' c] [a b c]"),
        ("[$ARGUMENTS]", "$&-$$", "[$ARGUMENTS-$]"),
        ("x", " a ", "x\n\n a"),
        ("x", "  ", "x"),
        ("Out: !`rm $1` end", "a b", "Out: {output} end"),
        ("$99999999999999999999", "a", ""),
        ("$1", "don't", "don t"),
    ],
)
def test_arguments(text: str, arguments: str, expected: str) -> None:
    assert filled(text, arguments) == expected


def test_replacement_patterns() -> None:
    assert replace_all("a-X-b-X-c", "X", "<$`|$'|$&|$$|$1>") == (
        "a-<a-|-b-X-c|X|$|$1>-b-<a-X-b-|-c|X|$|$1>-c"
    )


def test_commands(tmp_path: Path) -> None:
    skill(tmp_path / ".agents" / "skills", "a", "mine", "From $1.")
    skill(tmp_path / ".agents" / "skills", "b", "init")
    session = opened(tmp_path, {"command": {"mine": {"template": "Own $1"}}})
    for typed, text in (("/mine a", "Own a"), ("/init", "{builtin}"), ("prose", "prose")):
        message = {"role": "user", "content": [{"type": "text", "text": text}]}
        assert session.user(typed).messages == (message,)
    unknown = session.user("/nope")
    assert unknown.messages == ()
    assert (unknown.shown or "").startswith('Command not found: "nope". Available commands: init, ')


def test_the_files_of_a_skill_are_a_sample(tmp_path: Path) -> None:
    for number in range(12):
        (tmp_path / f"d{number:02}").mkdir()
        (tmp_path / f"d{number:02}" / "SKILL.md").touch()
        (tmp_path / f"d{number:02}" / ".file").touch()
    (tmp_path / "link").symlink_to(tmp_path / "d00")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").touch()
    assert [Path(file).parent.name for file in sampled_files(tmp_path)] == [f"d{n:02}" for n in range(10)]


def test_arguments_that_are_refused(tmp_path: Path) -> None:
    session = opened(tmp_path)
    texts = {
        "[1]": "Expected object, got [1])",
        "{}": 'Missing key\n  at ["name"])',
        '{"name": true}': 'Expected string, got true\n  at ["name"])',
        "nonsense": 'Unexpected identifier "nonsense"',
    }
    for raw, words in texts.items():
        result = session.call(raw)
        assert result.is_error
        assert words in (result.text or "")
    assert session.call({"name": "toString"}).text == (
        'The "path" property must be of type string, got undefined'
    )


def test_one_directory_is_read_alone(tmp_path: Path) -> None:
    assert OPENCODE.load is not None
    assert isinstance(OPENCODE.load(skill(tmp_path, "a", "a b")), LoadedSkill)
    (tmp_path / "x" / "SKILL.md").mkdir(parents=True)
    (tmp_path / "y").mkdir()
    (tmp_path / "y" / "SKILL.md").symlink_to("nowhere")
    outcomes = [OPENCODE.load(tmp_path / name) for name in ("x", "y", "z")]
    assert all(isinstance(each, Refused) for each in outcomes)
    assert [each.message for each in outcomes if isinstance(each, Refused)] == [
        None,
        "failed to load skill",
        None,
    ]
