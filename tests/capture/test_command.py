"""`skilltool capture` with a program that does what our profile says, or something else."""

from __future__ import annotations

import ast
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from skilltool import runtimes
from skilltool.skill import schema
from tests.conftest import MakeSkill, Skilltool
from tests.support import fake_claude, fake_client

pytestmark = pytest.mark.slow
CLIENT = "claude-code"
NOTE = "the installed claude-code 9.9.9 differs from 2.1.332, the version shown here, in entries, results"


def on_path(program: Path) -> str:
    return f"{program.parent}{os.pathsep}{os.environ['PATH']}"


def failing(folder: Path, kind: str, version: str = "") -> Path:
    """A program `claude` that fails in one of the ways of `fake_client`; only a `version` is printed."""
    program = folder / "claude"
    answer = f'[ "$1" != --version ] || exec echo {version}' if version else ""
    run = f'exec "{sys.executable}" -IS "{fake_client.__file__}" {kind}'
    program.write_text(f"#!/bin/sh\n{answer}\n{run}\n", "utf-8")
    program.chmod(0o755)
    return program


def valid(text: str) -> dict[str, object]:
    data: dict[str, object] = json.loads(text)
    Draft202012Validator(schema.load("capture")).validate(data)
    return data


def test_a_client_that_is_the_same(skilltool: Skilltool, repo: Path, tmp_path: Path) -> None:
    path = on_path(fake_claude.write(tmp_path / "client"))
    home = {"HOME": str(tmp_path), "PATH": path}
    rows = [line.split() for line in skilltool("capture", "--list", **home).stdout.splitlines()]
    assert [CLIENT, "9.9.9", "2.1.332", "-", "-"] in rows
    run = skilltool("capture", CLIENT, "-o", "kept", **home)
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.startswith("claude-code 9.9.9: the same as claude-code 2.1.332 (")
    assert "$ " in run.stderr
    assert "claude -p hello" in run.stderr
    listed = valid(skilltool("capture", "--list", "--output-format", "json", **home).stdout)["clients"]
    assert isinstance(listed, list)
    row = next(each for each in listed if each["client"] == CLIENT)
    assert (row["outcome"], row["is_current"], row["version"]) == ("same", True, "9.9.9")
    assert skilltool("render", "--part", "catalog", "--runtime", CLIENT, **home).stderr.count("differs") == 0

    run = skilltool("capture", CLIENT, "--edition", "-o", "edition", **home)
    (line,) = (each for each in run.stdout.splitlines() if each.startswith('    "'))
    name, (like, how) = ast.literal_eval(f"{{{line}}}").popitem()  # as UNCHANGED of the runtimes has it
    assert (name, like) == ("claude-code@9.9.9", "claude-code@2.1.332")
    assert like in runtimes.IDS
    assert re.fullmatch(r"\d{4}-\d\d-\d\d, wire: 7\d captured answers, all the same", how)
    assert skilltool("render", "bom", "--captured", "edition", **home).stdout.endswith("/bom\n\nBody.\n")
    shown = skilltool("render", "plain", "--captured", "kept", **home)
    assert shown.stdout == "Base directory for this skill: {project}/.claude/skills/plain\n\nBody of plain.\n"
    listing = skilltool("render", "--part", "catalog", "--captured", "kept", **home).stdout
    assert listing.startswith("The following skills are available")
    assert "\n- bom: " in listing
    assert skilltool("render", "gone", "--captured", "kept", **home).returncode == 1
    kept = "".join((repo / "kept" / name).read_text("utf-8") for name in os.listdir(repo / "kept"))
    assert str(tmp_path) not in kept.replace(json.dumps(path), "").replace(str(tmp_path / "client"), "")
    assert "dummy" not in kept


def test_a_client_that_has_changed(skilltool: Skilltool, tmp_path: Path) -> None:
    changes = {"a": "The copy at home. -> The copy.", "b": "Body of plain. -> Text of plain."}
    program = fake_claude.write(tmp_path / "client", **changes)
    home = {"HOME": str(tmp_path), "PATH": on_path(program)}
    run = skilltool("capture", **home)
    assert run.returncode == 1, run.stdout + run.stderr
    assert "differs from claude-code 2.1.332: entries, results (" in run.stdout
    assert "  entries: twice\n    - - twice: The copy at home.\n    + - twice: The copy.\n" in run.stdout
    assert "  results: plain\n    - Body of plain.\n    + Text of plain.\n" in run.stdout
    for command in (("render", "--part", "catalog"), ("resolve",), ("cost",)):
        assert NOTE in skilltool(*command, "--runtime", CLIENT, **home).stderr
    assert "differs" not in skilltool("resolve", "--runtime", "codex", **home).stderr
    program.write_text(f"{program.read_text('utf-8')}\n", "utf-8")  # an update
    assert "differs" not in skilltool("resolve", "--runtime", CLIENT, **home).stderr
    assert "changed, but the program has changed since" in skilltool("capture", "--list", **home).stdout

    run = skilltool("capture", CLIENT, "--edition", "-o", "kept", **home)
    assert run.stdout.endswith("to change in the profile:\n  entries: twice\n  results: plain\n")


@pytest.mark.parametrize("kind", ["login", "no-listing"])
def test_a_client_that_cannot_be_captured(skilltool: Skilltool, tmp_path: Path, kind: str) -> None:
    program = failing(tmp_path, kind)
    run = skilltool("capture", CLIENT, "--program", program, "--output-format", "json", HOME=str(tmp_path))
    assert run.returncode == 2
    found = valid(run.stdout)["captures"]
    assert isinstance(found, list)
    assert found[0]["outcome"] == "failed"
    run = skilltool("capture", CLIENT, "--program", program, HOME=str(tmp_path))
    assert run.stdout == f"claude-code: not captured: it {found[0]['problem']}\n"


def test_an_interrupted_capture_ends_the_client(tmp_path: Path) -> None:
    program = failing(tmp_path, "hang", "9.9.9")
    command = [sys.executable, "-m", "skilltool", "capture", CLIENT, "--program", str(program)]
    process = subprocess.Popen(command, env={**os.environ, "HOME": str(tmp_path)}, stderr=subprocess.PIPE)
    while not (cache := [*tmp_path.glob(".cache/skilltool/capture-*/client.stderr")]):
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    said = process.communicate(timeout=30)[1].decode()
    assert process.returncode == 130
    assert "Traceback" not in said
    assert not cache[0].parent.exists()
    assert [p for p in Path("/proc").glob("[0-9]*/environ") if holds(p, f"HOME={cache[0].parent}/home")] == []


def holds(file: Path, text: str) -> bool:
    try:
        return text.encode() in file.read_bytes()
    except OSError:
        return False


def test_skills_of_the_user(skilltool: Skilltool, repo: Path, make_skill: MakeSkill, tmp_path: Path) -> None:
    make_skill(repo / "mine" / "forms")
    home = {"HOME": str(tmp_path), "PATH": on_path(fake_claude.write(tmp_path / "client"))}
    run = skilltool("capture", CLIENT, "--skills", "mine", "-o", "kept", **home)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "(1 of 1 skills listed)" in run.stdout
    assert "results    none" in run.stdout
    assert skilltool("render", "forms", "--captured", "kept", **home).returncode == 1
    run = skilltool("capture", CLIENT, "--skills", "mine", "--call", **home)
    assert "(2 called)" in run.stdout
    assert "may run commands" in run.stderr

    text = "---\nname: runs\ndescription: Runs. Use never.\n---\nNow !`date`.\n"
    make_skill(repo / "mine" / "runs", text)
    run = skilltool("capture", CLIENT, "--skills", "mine", "--call", **home)
    assert run.returncode == 2
    assert "clients run commands when they load runs (`date`); review them" in run.stderr
    (repo / "mine" / "forms" / ".mcp.json").write_text("{}", "utf-8")
    run = skilltool("capture", CLIENT, "--skills", "mine", **home)
    assert "clients run commands when they load forms (.mcp.json); review them" in run.stderr


USAGE = [
    (["--call"], "--call needs --skills"),
    (["--allow-commands"], "--allow-commands needs --skills"),
    (["--edition"], "--edition needs -o"),
    (["--program", "x"], "need exactly one CLIENT"),
    (["nobody"], "unknown client `nobody`"),
    (["codex", "--program", "/nowhere"], "/nowhere: no such file"),
    (["codex", "--skills", "/nowhere"], "/nowhere: no such directory"),
]


@pytest.mark.parametrize(("options", "words"), USAGE, ids=[" ".join(options) for options, _ in USAGE])
def test_usage(skilltool: Skilltool, options: list[str], words: str) -> None:
    run = skilltool("capture", *options)
    assert run.returncode == 2
    assert words in run.stderr
