"""The skill that teaches agents this tool: clean for every client, loaded where they look, and right."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from skilltool import runtimes
from skilltool.cli import COMMANDS
from tests.conftest import Skilltool

ROOT = Path(__file__).parents[2]
SKILL = ROOT / ".agents" / "skills" / "skilltool"
LINK = ROOT / ".claude" / "skills" / "skilltool"
TEXT = "\n".join(path.read_text("utf-8") for path in sorted(SKILL.rglob("*.md")))
SHOWN = re.findall(r"^ *skilltool .+$|(?<=`)skilltool [a-z][^`\n]*", TEXT, re.MULTILINE)
COMMANDS_SHOWN = [command.strip() for command in dict.fromkeys(SHOWN)]


def test_no_rule_finds_anything_in_it_for_any_runtime(skilltool: Skilltool) -> None:
    for names in ("all", "portable", "auto"):
        options = ["--select", "all,pedantic", "--runtime", names, "--fail-on", "info", "--isolated"]
        run = skilltool("lint", *options, SKILL, cwd=ROOT)
        assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.slow
def test_it_is_loaded_by_every_client_that_looks_there(skilltool: Skilltool, tmp_path: Path) -> None:
    options = ["--project", ROOT, "--home", tmp_path, "--output-format", "json"]
    looking = set()
    for name in runtimes.BARE:
        roots = {path for path in runtimes.get(name).project_roots if (ROOT / path / "skilltool").is_dir()}
        if not roots:
            continue
        looking.add(name)
        run = skilltool("resolve", "skilltool", "--runtime", name, *options)
        assert run.returncode == 0, run.stdout + run.stderr
        assert json.loads(run.stdout)
    assert {"codex", "opencode", "gemini-cli"} <= looking


@pytest.mark.skipif(not LINK.parent.is_dir(), reason="an archive of the sources holds no links")
def test_claude_code_gets_the_same_files() -> None:
    assert LINK.is_symlink()
    assert LINK.resolve() == SKILL


def test_its_text_is_short_and_names_every_command_that_matters() -> None:
    body = (SKILL / "SKILL.md").read_text("utf-8")
    assert len(body.splitlines()) <= 90
    named = {command.split()[1] for command in COMMANDS_SHOWN}
    assert named <= set(COMMANDS)
    assert named >= {"new", "lint", "rule", "resolve", "render", "cost", "runtimes", "schema"}


@pytest.mark.slow
def test_every_command_that_it_shows_works(tmp_path: Path, skilltool: Skilltool) -> None:
    (tmp_path / ".git").mkdir()
    for command in COMMANDS_SHOWN:
        run = skilltool(*shlex.split(command)[1:], cwd=tmp_path, HOME=str(tmp_path / "home"))
        # Codex does not look in the directory of Claude Code: that is the question of the skill's example.
        asks_another = "codex" in command and "claude-code" not in command and "release-notes" in command
        assert run.returncode == int(asks_another), (command, run.stdout, run.stderr)
        assert run.stdout or asks_another or "--diff" in command, command
    assert (tmp_path / ".claude" / "skills" / "release-notes" / "SKILL.md").is_file()
