"""Answers are checked before anything is written, and none breaks the frontmatter."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skilltool import runtimes, scaffold
from skilltool.frontmatter import read
from skilltool.source import Source
from tests.conftest import Skilltool
from tests.new.making import template

ANSWERS = st.text(st.characters(blacklist_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1, max_size=60)


@settings(max_examples=40)
@given(description=ANSWERS.filter(str.strip))
def test_no_answer_breaks_the_frontmatter(tmp_path: Path, description: str) -> None:
    shutil.rmtree(tmp_path / "out", ignore_errors=True)
    with scaffold.opened("basic") as basic:
        order = scaffold.Order(
            basic, {"name": "a", "description": description}, runtimes.get("kodelet"), tmp_path / "out"
        )
        made = scaffold.make(order)
    if made.moved:
        data = read(Source.decode((made.directory / "SKILL.md").read_bytes())).data
        assert data is not None
        assert data["description"] == description


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["Bad_Name"],
            '"Bad_Name" is not lowercase words joined by hyphens; did you mean `bad-name`?',
        ),
        (["../up"], "is not lowercase words"),
        (["x" * 65], "the name has 65 characters"),
        (["a", "--description", "x" * 501], "`description` has 501 characters; mycodeagent takes 500"),
        (["a", "--description", " "], "`description` is empty"),
        (["a", "--description", "x\ny"], "one line of text"),
        (["a", "--data", "who=me"], "basic does not ask for `who`; it asks for: name, description"),
        (["a", "--data", "who"], "write KEY=VALUE"),
        (
            ["a", "--runtime", "nfa"],
            "nfa has no project root; use --scope user (~/.nfa/skills) or --output",
        ),
        (["a", "--runtime", "portable"], "portable has no roots of its own; say where with --output DIR"),
        (["a", "--template", "basik"], "unknown template `basik`; did you mean `basic`?"),
        (["a", "--template", "./nowhere"], "./nowhere: no such directory"),
        (["a", "--template", "https://example.org/x.git"], "pass --trust"),
        ([], "name the skill: skilltool new NAME"),
    ],
)
def test_what_does_not_fit_is_said_before_anything_is_written(
    skilltool: Skilltool, repo: Path, arguments: list[str], words: str
) -> None:
    run = skilltool("new", *arguments, "--no-input")
    assert run.returncode == 2
    assert words in run.stderr
    assert os.listdir(repo) == [".git"]


def test_choices_of_a_template_are_held_to_their_list(skilltool: Skilltool, repo: Path) -> None:
    template(repo / "t", "Speak {{ cookiecutter.tongue }}.", tongue=["plainly", "formally"])
    run = skilltool("new", "a", "--template", "./t", "--data", "tongue=loudly", "--no-input")
    assert "`tongue` must be one of plainly, formally, not `loudly`" in run.stderr
    skilltool("new", "a", "--template", "./t", "--no-input")
    assert "Speak plainly." in (repo / "skills/a/SKILL.md").read_text("utf-8")


def test_on_a_terminal_it_asks_until_an_answer_fits(repo: Path) -> None:
    parent, child = pty.openpty()
    run = subprocess.Popen(
        [sys.executable, "-m", "skilltool", "new"], cwd=repo, stdin=child, stdout=child, stderr=child
    )
    os.close(child)
    answers = [b"Bad Name\n", b"good-name\n", b"Says: what. Use when asked.\n"]
    seen = b""
    deadline = time.monotonic() + 30
    while run.poll() is None and time.monotonic() < deadline:
        if select.select([parent], [], [], 0.2)[0]:
            try:
                seen += os.read(parent, 4096)
            except OSError:
                break
        elif answers:
            os.write(parent, answers.pop(0))
    run.wait(timeout=30)
    os.close(parent)
    text = seen.decode()
    assert "name (at most 64 characters)" in text
    assert "did you mean `bad-name`?" in text
    assert "description (at most 500 characters)" in text
    written = (repo / "skills/good-name/SKILL.md").read_text("utf-8")
    assert 'description: "Says: what. Use when asked."' in written
