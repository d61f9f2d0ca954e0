"""kodelet: what the goldens do not show."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from skilltool import runtimes
from tests.conftest import MakeSkill, Skilltool

EDITIONS = ["kodelet", "kodelet@2025-12", "kodelet@0.5.36"]
ON = "skills:\n  enabled: true\n"


@pytest.mark.parametrize("edition", EDITIONS)
def test_paths_are_relative_to_the_project_but_for_the_user_s_and_those_elsewhere(
    tmp_path: Path, make_skill: MakeSkill, edition: str
) -> None:
    project = tmp_path / "project"
    home = project / "home"
    make_skill(project / ".kodelet/skills/near")
    own = make_skill(home / ".kodelet/skills/own")
    other = make_skill(tmp_path / "elsewhere/other")
    session = runtimes.get(edition).open(project, home, roots={"project": tmp_path / "elsewhere"})
    shown = {skill.key: skill.display_path for skill in session.skills}
    assert shown["other"] == str(other)
    assert shown["own"] == str(own)
    session = runtimes.get(edition).open(project, home)
    shown = {skill.key: skill.display_path for skill in session.skills}
    assert shown == {"near": ".kodelet/skills/near", "own": str(own)}


@pytest.fixture
def places(tmp_path: Path, make_skill: MakeSkill) -> tuple[Path, Path]:
    """A project with the skills `pdf` and `xlsx`, and a home directory with `mail`."""
    project, home = tmp_path / "project", tmp_path / "home"
    for directory in (project / ".kodelet/skills/pdf", project / ".kodelet/skills/xlsx"):
        make_skill(directory)
    make_skill(home / ".kodelet/skills/mail")
    return project, home


def opened(
    places: tuple[Path, Path], edition: str = "kodelet", **settings: Any
) -> tuple[list[str], list[str]]:
    """Return the keys that are offered, and the warnings without the path of the project."""
    project, home = places
    session = runtimes.get(edition).open(project, home, settings)
    return [skill.key for skill in session.skills], [
        line.replace(f"{project}/", "").replace(f"{home}/", "~/") for line in session.warnings
    ]


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_file_of_the_project_overrides_that_of_the_home_key_by_key(
    places: tuple[Path, Path], edition: str
) -> None:
    project, home = places
    (home / ".kodelet/config.yaml").write_text(f"{ON}  allowed: [pdf, mail]\nmodel: x\n")
    assert opened(places, edition) == (["mail", "pdf"], [])
    (project / "kodelet-config.yaml").write_text("skills:\n  allowed: [xlsx]\n")
    assert opened(places, edition) == (["xlsx"], [])
    (project / "kodelet-config.yaml").write_text("skills:\n  enabled: false\n")
    assert opened(places, edition) == ([], [])
    assert opened(places, edition, enabled=True) == (["mail", "pdf"], [])
    assert opened(places, edition, enabled=True, allowed=["xlsx"]) == (["xlsx"], [])
    (project / "kodelet-config.yaml").unlink()
    assert opened(places, edition, user_settings=False) == (["mail", "pdf", "xlsx"], [])


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_section_without_enabled_disables_skills_but_not_in_the_document(
    places: tuple[Path, Path], edition: str
) -> None:
    (places[0] / "kodelet-config.yaml").write_text("skills:\n  allowed: [pdf]\n")
    assert opened(places, edition)[0] == (["pdf"] if edition == "kodelet" else [])


@pytest.mark.parametrize("text", ["", "skills:\n", "skills: {}\n", "skills:\n  enabled:\n", "model: x\n"])
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_section_without_a_value_is_none(places: tuple[Path, Path], edition: str, text: str) -> None:
    (places[0] / "kodelet-config.yaml").write_text(text)
    assert opened(places, edition) == (["mail", "pdf", "xlsx"], [])


@pytest.mark.parametrize(
    ("section", "keys"),
    [
        ("Skills:\n  Enabled: true\n  ALLOWED: [pdf]\n", ["pdf"]),
        ("skills:\n  allowed: pdf,mail\n", ["mail", "pdf"]),
        ("skills: &s\n  allowed: &a [pdf]\nother: *a\n", ["pdf"]),
        ("one: &a [pdf]\nskills:\n  allowed: *a\n", ["pdf"]),
        ("skills:\n  enabled: 0\n", []),
        ('skills:\n  enabled: "false"\n', []),
        ('skills:\n  enabled: "t"\n', ["mail", "pdf", "xlsx"]),
        ("\ufeffskills:\r\n  allowed: [pdf]\r\n", ["pdf"]),
    ],
)
def test_values_are_read_as_viper_does(places: tuple[Path, Path], section: str, keys: list[str]) -> None:
    (places[0] / "kodelet-config.yaml").write_bytes(section.encode())
    assert opened(places) == (keys, [])


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"skills: [", "it is not valid YAML"),
        (b"a: 1\na: 1\n\tb", "it is not valid YAML"),
        (b"[" * 100_000, "it is not valid YAML"),
        (b"a: \x1b[31m", "it is not valid YAML"),
        (b"\xff", "it is not UTF-8"),
        (b"- skills", "it is not a mapping"),
        (b"skills: 5", "`skills` is not a mapping"),
        (b"skills:\n  enabled: yes\n", "`skills.enabled` is not a boolean"),
        (b"skills:\n  enabled: [true]\n", "`skills.enabled` is not a boolean"),
        (b"skills:\n  allowed: {a: b}\n", "`skills.allowed` is not a list of names"),
        (b"skills:\n  allowed: [[a]]\n", "`skills.allowed` is not a list of names"),
        (b"skills: &a\n  allowed: *a\n", "`skills.allowed` is not a list of names"),
        (b"#" * (1 << 20) + b"\n", "skilltool does not read it: it is larger than 1 MiB"),
    ],
)
def test_a_file_that_says_nothing_is_ignored_with_a_warning(
    places: tuple[Path, Path], content: bytes, why: str
) -> None:
    everything = ["mail", "pdf", "xlsx"]
    (places[0] / "kodelet-config.yaml").write_bytes(content)
    assert opened(places) == (everything, [f"ignored kodelet-config.yaml: {why}"])
    (places[0] / "kodelet-config.yaml").rename(places[1] / ".kodelet/config.yaml")
    assert opened(places) == (everything, [f"ignored ~/.kodelet/config.yaml: {why}"])


def test_what_is_no_file_is_ignored_and_a_link_is_followed(places: tuple[Path, Path]) -> None:
    file = places[0] / "kodelet-config.yaml"
    everything = ["mail", "pdf", "xlsx"]
    file.symlink_to("nowhere")
    assert opened(places) == (everything, [])
    file.unlink()
    file.mkdir()
    assert opened(places) == (everything, ["ignored kodelet-config.yaml: it cannot be read: Is a directory"])
    file.rmdir()
    os.mkfifo(file)
    why = "skilltool does not read it: it is not a regular file"
    assert opened(places) == (everything, [f"ignored kodelet-config.yaml: {why}"])
    file.unlink()
    (places[0] / "real.yaml").write_text("skills:\n  allowed: [pdf]\n")
    file.symlink_to("real.yaml")
    assert opened(places) == (["pdf"], [])


def test_commands_read_the_files_and_lint_only_that_of_the_project(
    places: tuple[Path, Path], skilltool: Skilltool
) -> None:
    project, home = places
    (home / ".kodelet/config.yaml").write_text("skills:\n  allowed: [mail]\n")
    place = ("--runtime", "kodelet", "--project", str(project), "--home", str(home))

    def listed(*options: str) -> list[str]:
        found = json.loads(skilltool("resolve", *place, "--output-format", "json", *options).stdout)
        return [skill["key"] for skill in found["skills"]]

    assert listed() == ["mail"]
    assert listed("--no-user-settings") == ["mail", "pdf", "xlsx"]
    assert listed("--set", 'allowed=["pdf"]') == ["pdf"]
    assert "### mail" in (catalog := skilltool("render", "--part", "catalog", *place).stdout)
    assert "### pdf" not in catalog
    assert "pdf" not in skilltool("cost", *place).stdout
    assert "2 skills checked against `kodelet`" in skilltool("lint", str(project)).stdout
    (project / "kodelet-config.yaml").write_text("skills: [")
    assert "ignored" in skilltool("resolve", *place).stdout
