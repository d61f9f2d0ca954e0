"""What the command line overrides, what it adds, and where its patterns apply."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from skilltool.errors import ConfigError
from skilltool.lint import settings
from skilltool.lint.config import Config
from skilltool.skill.discovery import discover
from tests.conftest import MakeSkill


def rules(file: dict[str, Any], **options: tuple[str, ...]) -> tuple[str, ...]:
    given = {key.replace("_", "-"): value for key, value in options.items()}
    return settings.resolve(Config(file, Path("/x/skilltool.toml")), given).rules


def test_select_of_the_command_line_replaces_the_file_s() -> None:
    assert rules({"select": ["body"]}, select=("invalid-name",)) == ("invalid-name",)


def test_extend_select_of_file_and_command_line_are_concatenated() -> None:
    file = {"select": ["invalid-name"], "extend-select": ["broken-link"]}
    assert rules(file, extend_select=("empty-body",)) == ("broken-link", "empty-body", "invalid-name")


def test_ignore_of_the_command_line_replaces_the_file_s() -> None:
    body = set(rules({"select": ["body"]}))
    file = {"select": ["body"], "ignore": ["broken-link", "empty-body"]}
    assert set(rules(file)) == body - {"broken-link", "empty-body"}
    assert rules(file, ignore=("body",)) == ()
    assert set(rules(file, ignore=("escaping-link",))) == body - {"escaping-link"}
    assert {"broken-link", "empty-body", "escaping-link"} < body


def test_a_rule_selected_by_id_runs_even_if_the_file_ignores_it() -> None:
    file = {"ignore": ["broken-link", "empty-body"]}
    assert rules(file, select=("broken-link",)) == ("broken-link",)
    assert "broken-link" in rules(file, extend_select=("broken-link",))
    assert "empty-body" not in rules(file, extend_select=("broken-link",))
    assert "broken-link" not in rules(file, select=("body",))  # a group does not ask for each of its rules


def test_runtimes_keep_their_order_without_duplicates() -> None:
    chosen = settings.resolve(Config(), {"runtimes": ("agentskills", "portable", "agentskills")})
    assert chosen.runtimes == ("agentskills", "portable")


def test_an_unknown_name_in_the_file_is_an_error_even_if_overridden() -> None:
    with pytest.raises(ConfigError, match="`runtimes`: unknown runtime `portabel`"):
        settings.resolve(Config({"runtimes": ["portabel"]}, Path("x.toml")), {"runtimes": ("portable",)})


def test_an_option_that_was_not_given_changes_nothing() -> None:
    file = Config(
        {"allow-empty": True, "respect-gitignore": False, "fail-on": "never"}, Path("/x/skilltool.toml")
    )
    nothing = {"allow-empty": None, "respect-gitignore": None, "fail-on": None, "select": (), "exclude": ()}
    assert settings.resolve(file, nothing) == settings.resolve(file, {})
    assert settings.resolve(file, {"respect-gitignore": True}).respect_gitignore


@pytest.mark.parametrize(
    ("below", "pattern", "expected"),
    [
        (".", "drafts/old", "/drafts/old"),
        (".", "./drafts", "/drafts"),
        (".", "drafts", "drafts"),
        (".", "drafts/", "drafts/"),
        ("sub", "drafts", "drafts"),
        ("sub", "drafts/old/", "/sub/drafts/old/"),
        ("sub", "/drafts", "/sub/drafts"),
        ("sub", "!/drafts", "!/sub/drafts"),
        ("sub", "../drafts", "/drafts"),
        ("sub", "**/old/x", "/sub/**/old/x"),
        ("[sub]*", "./x", "/[[]sub][*]/x"),
    ],
)
def test_a_pattern_of_the_command_line_is_relative_to_the_working_directory(
    repo: Path, monkeypatch: pytest.MonkeyPatch, below: str, pattern: str, expected: str
) -> None:
    (repo / below).mkdir(exist_ok=True)
    monkeypatch.chdir(repo / below)
    chosen = settings.resolve(Config({}, repo / "skilltool.toml"), {"exclude": (pattern,)})
    assert (chosen.base, chosen.exclude) == (repo, (expected,))


def test_a_pattern_of_the_command_line_excludes_what_it_names(
    repo: Path, monkeypatch: pytest.MonkeyPatch, make_skill: MakeSkill
) -> None:
    for name in ("[sub]/drafts/a", "[sub]/b", "drafts/c"):
        make_skill(repo / name)
    monkeypatch.chdir(repo / "[sub]")
    chosen = settings.resolve(Config({}, repo / "skilltool.toml"), {"exclude": ("./drafts",)})
    found = discover([repo], exclude=chosen.exclude, base=chosen.base)
    assert [skill.name for skill in found.skills] == ["b", "c"]
