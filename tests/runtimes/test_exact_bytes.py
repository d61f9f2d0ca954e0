"""What `render` writes to a pipe and to a file is the runtime's text, byte for byte, and nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import MakeSkill, Skilltool

HARNESS = ("--runtime", "agent-harness@0.3.24")


def piped(directory: Path, *arguments: str, **environment: str) -> bytes:
    """Return the bytes that a command writes to a pipe."""
    run = subprocess.run(
        [sys.executable, "-m", "skilltool", *arguments],
        cwd=directory,
        env={**os.environ, **environment},
        capture_output=True,
        check=True,
    )
    return run.stdout


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "ascii"])
def test_a_pipe_gets_utf_8_in_every_locale(repo: Path, make_skill: MakeSkill, encoding: str) -> None:
    text = "---\nname: é漢\ndescription: d\n---\n\né漢\n"
    make_skill(repo / ".agents/skills/é漢", text)
    options = ("é漢", "--runtime", "agentskills")
    assert piped(repo, "render", *options, PYTHONIOENCODING=encoding) == text.encode()
    assert "loads as `é漢`" in piped(repo, "resolve", *options, PYTHONIOENCODING=encoding).decode()


def test_half_a_character_is_the_same_in_a_pipe_and_in_a_file(repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / ".agent/skills/many", f"---\nname: many\ndescription: {'😀' * 40}\n---\n\nText.\n")
    command = ("render", "--part", "prompt", *HARNESS, "--set", "view=summary")
    shown = piped(repo, *command)
    piped(repo, *command, "-o", "out")
    assert shown == (repo / "out").read_bytes()
    assert b"\xf0\x9f\x98\x80\xed\xa0\xbd..." in shown


@pytest.mark.parametrize(
    ("runtime", "call", "reason"),
    [
        ("nfa@2026-04", "[]", "unmarshal failed to parse json string []"),
        ("pickle-bot", "1" * 5000, "Exceeds the limit"),
    ],
)
def test_an_error_that_ends_the_turn_is_no_text(
    skilltool: Skilltool, repo: Path, runtime: str, call: str, reason: str
) -> None:
    command = ("render", "--runtime", runtime, "--home", str(repo), "--call", call)
    run = skilltool(*command)
    assert (run.returncode, run.stdout) == (1, "")
    assert f"skilltool: {runtime} sends nothing to its model and stops the turn: " in run.stderr
    assert reason in run.stderr
    data = json.loads(skilltool(*command, "--output-format", "json").stdout)
    assert data["text"] is None
    assert reason in data["ended"]
