"""Half of a character in a list ends the session of a client in Python: one finding, which names the file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Skilltool

ABOUT = "Does {escape} odd things. Use when asked for odd things."
TEXT = f'---\nname: odd\ndescription: "{ABOUT}"\n---\n# Odd\n\nDo it.\n'
WORDS = "cannot send any request while it lists this skill: the listing would contain an unpaired surrogate"


def write(repo: Path, place: str, escape: str) -> Path:
    file = repo / place / "odd" / "SKILL.md"
    file.parent.mkdir(parents=True)
    file.write_text(TEXT.format(escape=escape), "utf-8")
    return file


def found(skilltool: Skilltool, repo: Path, *options: str) -> list[dict[str, Any]]:
    run = skilltool("lint", "--no-cache", "--output-format", "json", *options, cwd=repo)
    diagnostics: list[dict[str, Any]] = json.loads(run.stdout)["diagnostics"]
    return diagnostics


def test_it_is_one_error_that_tells_what_the_parser_says_too(skilltool: Skilltool, repo: Path) -> None:
    write(repo, ".kimi/skills", "\\ud83d")
    [one] = found(skilltool, repo)
    assert (one["rule"], one["severity"], one["path"]) == (
        "ends-loading",
        "error",
        ".kimi/skills/odd/SKILL.md",
    )
    assert f"`kimi-cli` {WORDS}" in one["message"]
    assert [each["rule"] for each in one["also"]] == ["invalid-yaml"]


def test_of_a_pair_the_finding_that_can_be_fixed_tells_it(skilltool: Skilltool, repo: Path) -> None:
    write(repo, ".kimi/skills", "\\ud83d\\ude00")
    [one] = found(skilltool, repo)
    assert (one["rule"], one["severity"]) == ("invalid-yaml", "error")
    assert [each["rule"] for each in one["also"]] == ["ends-loading"]
    skilltool("lint", "--no-cache", "--fix", "--unsafe-fixes", cwd=repo)
    assert found(skilltool, repo) == []


@pytest.mark.parametrize(
    "runtime", ["agno", "deepagents", "deepagents-code", "kimi-cli", "pydantic-ai-harness"]
)
def test_five_runtimes_end(skilltool: Skilltool, repo: Path, runtime: str) -> None:
    write(repo, "skills", "\\ud83d")
    options = ("--runtime", runtime, "--select", "ends-loading")
    [one] = found(skilltool, repo, *options)
    assert (one["severity"], f"`{runtime}` {WORDS}" in one["message"]) == ("error", True)


@pytest.mark.parametrize("runtime", ["codex", "google-adk", "pi", "opencode"])
def test_others_do_not(skilltool: Skilltool, repo: Path, runtime: str) -> None:
    write(repo, "skills", "\\ud83d")
    assert found(skilltool, repo, "--runtime", runtime, "--select", "ends-loading") == []


def test_what_no_list_has_ends_nothing(skilltool: Skilltool, repo: Path) -> None:
    file = write(repo, ".kimi/skills", "")
    file.write_text(
        file.read_text("utf-8").replace("---\n# Odd", 'metadata: {a: "\\ud83d"}\n---\n# Odd'), "utf-8"
    )
    assert found(skilltool, repo, "--select", "ends-loading") == []


@pytest.mark.parametrize("command", [("render", "odd"), ("resolve",)])
def test_a_session_names_the_file_that_ends_it(
    skilltool: Skilltool, repo: Path, command: tuple[str, ...]
) -> None:
    file = write(repo, ".kimi/skills", "\\ud83d")
    run = skilltool(*command, "--runtime", "kimi-cli", cwd=repo)
    said = f"{run.stdout} {run.stderr}".split()
    assert f"`{file}`" in said
    assert "an unpaired surrogate" in " ".join(said)


def test_a_file_that_ends_loading_is_named_with_the_error(skilltool: Skilltool, repo: Path) -> None:
    file = write(repo, ".kimi/skills", "")
    file.write_bytes(file.read_bytes() + b"\xe9\n")
    said = skilltool("render", "odd", "--runtime", "kimi-cli", cwd=repo).stderr
    assert "sends nothing to its model, because of .kimi/skills/odd: 'utf-8' codec can't decode byte" in said
