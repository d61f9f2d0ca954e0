"""SKILL.md texts that nfa and kodelet read by rules of Go's libraries, each with the rule."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from skilltool import runtimes
from skilltool.runtimes.values import Refusal, Result
from tests.support.manifests import manifest_data


def parsed(edition: str, raw: bytes) -> dict[str, Any] | None:
    parse = runtimes.get(edition).parse
    assert parse is not None
    try:
        return manifest_data(parse(raw, None))
    except Refusal:
        return None


def test_a_byte_that_is_no_utf8_makes_kodelets_frontmatter_unreadable() -> None:
    # yaml.v2 readerc.go: "invalid leading UTF-8 octet".
    assert parsed("kodelet@0.5.36", b"---\nname: a\ndescription: b\xff\n---\nx") is None


def test_each_byte_of_a_body_that_is_no_utf8_is_replaced() -> None:
    # encoding/json writes each of them as \ufffd, also the two of a sequence that is cut short.
    found = parsed("kodelet@0.5.36", b"---\nname: a\ndescription: b\n---\n\xe2\x80x\n")
    assert found is not None
    assert found["body"] == "\ufffd\ufffdx\n"


@pytest.mark.parametrize("line", ["\x0c", " \x0b ", "\x0c\r"])
def test_a_line_of_form_feeds_closes_kodelets_frontmatter(line: str) -> None:
    # goldmark-meta: isSeparator(line) && !util.IsBlank(line); goldmark's IsSpace has neither \v nor \f.
    found = parsed("kodelet@0.5.36", f"---\nname: a\ndescription: b\n{line}\n---\nx\n".encode())
    assert found == {"name": "a", "description": "b", "body": "x\n"}


def test_a_form_feed_before_the_dashes_opens_nothing() -> None:
    # goldmark-meta's Trigger is `-`: the first character that is neither blank nor tab.
    assert parsed("kodelet@0.5.36", b"\x0c---\nname: a\ndescription: b\n---\nx\n") is None


def test_text_behind_a_second_document_is_scanned_by_nfa_and_not_by_kodelet() -> None:
    # yaml.v3's scanner reads two tokens ahead for comments; yaml.v2's does not.
    raw = b"---\nname: a\ndescription: b\n--- x\nq: r\n---\n"
    assert parsed("nfa@2026-04", raw) is None
    assert parsed("kodelet@0.5.36", raw) is not None


SKILL = "---\nname: {name}\ndescription: d\n---\nx\n"


def plugin_keys(tmp_path: Path, edition: str = "kodelet@0.5.36") -> list[str]:
    return [skill.key for skill in runtimes.get(edition).open(tmp_path / "p", tmp_path / "h").skills]


def put(path: Path, name: str) -> None:
    path.mkdir(parents=True)
    (path / "SKILL.md").write_text(SKILL.format(name=name))


def test_a_plugins_skills_folder_may_be_a_link(tmp_path: Path) -> None:
    # plugins/types.go: `os.Stat(filepath.Join(path, subdir))` follows links; Walk itself enters none.
    put(tmp_path / "elsewhere/one", "one")
    plugins = tmp_path / "p/.kodelet/plugins"
    (plugins / "a@b").mkdir(parents=True)
    (plugins / "a@b/skills").symlink_to(tmp_path / "elsewhere")
    (plugins / "linked").symlink_to(plugins / "a@b")
    assert plugin_keys(tmp_path) == ["a@b/one"]


@pytest.mark.parametrize("edition", ["kodelet@0.5.36", "kodelet@2025-12"])
def test_a_file_called_skills_ends_the_walk_in_its_directory(tmp_path: Path, edition: str) -> None:
    # The same line: a file is found, too; `return filepath.SkipDir`; its ReadDir fails in silence.
    plugins = tmp_path / "p/.kodelet/plugins"
    put(plugins / "a@b/deeper/skills/one", "one")
    (plugins / "a@b/skills").write_text("")
    put(tmp_path / "p/.kodelet/skills/own", "own")
    assert plugin_keys(tmp_path, edition) == ["own"]


def test_a_skills_folder_in_the_plugins_root_hides_every_plugin(tmp_path: Path) -> None:
    # SkipDir for the root of a walk ends it before any entry is looked at.
    plugins = tmp_path / "p/.kodelet/plugins"
    put(plugins / "skills/top", "top")
    put(plugins / "aa@b/skills/one", "one")
    assert plugin_keys(tmp_path) == ["./top"]


def test_a_plugins_root_that_is_a_link_holds_none(tmp_path: Path) -> None:
    # filepath.Walk looks at its root with Lstat.
    put(tmp_path / "elsewhere/a@b/skills/one", "one")
    (tmp_path / "p/.kodelet").mkdir(parents=True)
    (tmp_path / "p/.kodelet/plugins").symlink_to(tmp_path / "elsewhere")
    assert plugin_keys(tmp_path) == []


def answer(tmp_path: Path, arguments: str) -> Result:
    put(tmp_path / "h/.nfa/skills/one", "one")
    return runtimes.get("nfa@2026-04").open(tmp_path / "p", tmp_path / "h").call(arguments)


def test_nfas_arguments_lose_what_is_null(tmp_path: Path) -> None:
    # genkit's NormalizeInput "removes any fields with null values", before the schema is asked.
    found = answer(tmp_path, '{"name": "one", "extra": null}')
    assert found.text == '{"content":"x\\n","description":"d","name":"one"}'


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("7", "json: cannot unmarshal number into Go value of type map[string]interface {}"),
        ("true", "json: cannot unmarshal bool into Go value of type map[string]interface {}"),
        ('{"name": [1e400]}', "json: cannot unmarshal number 1e400 into Go value of type float64"),
    ],
)
def test_arguments_that_are_no_map_end_nfas_turn(tmp_path: Path, arguments: str, words: str) -> None:
    # compat_oai: jsonStringToMap; the words are those of Go 1.26.6.
    found = answer(tmp_path, arguments)
    assert found.flow_error == f"unmarshal failed to parse json string {arguments}: {words}"


def test_a_root_that_is_a_broken_link_does_not_switch_kodelets_skills_off(tmp_path: Path) -> None:
    # discovery.go: `if os.IsNotExist(err) { continue }`.
    put(tmp_path / "h/.kodelet/skills/one", "one")
    (tmp_path / "p/.kodelet").mkdir(parents=True)
    (tmp_path / "p/.kodelet/skills").symlink_to(tmp_path / "gone")
    assert plugin_keys(tmp_path, "kodelet@2025-12") == ["one"]


def test_a_home_inside_of_the_project_is_shown_with_its_whole_path(tmp_path: Path) -> None:
    # discovery.go: "./.kodelet/skills" is relative, filepath.Join(homeDir, ...) is not.
    put(tmp_path / "p/h/.kodelet/skills/one", "one")
    session = runtimes.get("kodelet@0.5.36").open(tmp_path / "p", tmp_path / "p/h")
    assert session.skills[0].display_path == f"{tmp_path}/p/h/.kodelet/skills/one"
