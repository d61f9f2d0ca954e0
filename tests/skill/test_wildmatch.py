"""Patterns match what git matches, and none of them takes for ever."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skilltool.skill.discovery.wildmatch import compile_line
from tests.conftest import Skilltool, examples

# What git has a rule for: brackets with ranges, classes, slashes and no end, escapes, stars in any number.
TOKENS = st.sampled_from(
    [
        *("**", "***", "/**/", "[ab]", "[!a]", "[^b]", "[a-c]", "[]a]", "[a/b]", "[b-a]", "[a-]", "*a*b"),
        *("[[:alpha:]]", "[[:foo:]]", "[[:a]", "[\\]a]", "[é]", "[!é]", "\\a", "\\*", "\\/", "\\ "),
        *"ab*?/é #-[]!\\",
    ]
)
PARTS = st.text(st.sampled_from("abé*-[] "), min_size=1, max_size=3)
PATHS = st.lists(PARTS, min_size=1, max_size=4).map("/".join)


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("git"), reason="git is the judge")
@settings(max_examples=examples(150))
@given(
    line=st.lists(TOKENS, min_size=1, max_size=7).map("".join).filter(lambda line: line[0] != "!"),
    paths=st.lists(PATHS, min_size=1, max_size=30, unique=True),
)
def test_git_check_ignore_agrees_on_every_pattern(
    tmp_path_factory: pytest.TempPathFactory, line: str, paths: list[str]
) -> None:
    top = tmp_path_factory.getbasetemp() / "judge"
    if not top.is_dir():
        top.mkdir()
        subprocess.run(["git", "init", "--quiet"], cwd=top, check=True)
    (top / ".gitignore").write_text(f"{line}\n", "utf-8")
    asked = subprocess.run(
        ["git", "check-ignore", "--no-index", "--stdin", "-z"],
        cwd=top,
        input="\0".join(paths).encode(),
        capture_output=True,
        timeout=60,
    )
    expected = {*asked.stdout.decode().split("\0")} - {""}
    assert {path for path in paths if is_ignored(line, path)} == expected


def is_ignored(line: str, path: str) -> bool:
    """Whether a pattern ignores a file or a directory above it."""
    pattern = compile_line(line.encode())
    parts = path.encode().split(b"/")
    return pattern is not None and any(
        pattern.matches(b"/".join(parts[:number]), parts[number - 1], number < len(parts))
        for number in range(1, len(parts) + 1)
    )


EVIL = [
    *("*a" * 12 + "b", "*[a-z]*?" * 12 + "b", "**/*a" * 12 + "/b", "/**/a*a" * 12 + "/b", "**/" * 50 + "b"),
    *("?*" * 50 + "b", "[!b]*" * 30 + "b"),
]


@pytest.mark.slow
@pytest.mark.parametrize("pattern", EVIL)
def test_no_pattern_takes_for_ever(skilltool: Skilltool, repo: Path, pattern: str) -> None:
    name = "/".join(["a" * 60] * 6)
    (repo / name).mkdir(parents=True)
    (repo / name / "SKILL.md").write_text("---\nname: a\ndescription: A.\n---\n\nA.\n", "utf-8")
    (repo / ".gitignore").write_text(f"{pattern}\n", "utf-8")
    (repo / "skilltool.toml").write_text(
        f"exclude = ['{pattern}']\n[per-file-ignores]\n'{pattern}' = ['all']\n", "utf-8"
    )
    run = skilltool("lint", "--no-cache", name, cwd=repo)
    assert "1 skill" in run.stdout
    run = skilltool("pack", name, cwd=repo)
    assert run.returncode in (0, 1)


CLASSES = [
    "alnum",
    "alpha",
    "blank",
    "cntrl",
    "digit",
    "graph",
    "lower",
    "print",
    "punct",
    "space",
    "upper",
    "xdigit",
]


@pytest.mark.skipif(not shutil.which("git"), reason="git is the judge")
@pytest.mark.parametrize("name", CLASSES)
def test_a_class_has_the_characters_that_it_has_for_git(repo: Path, name: str) -> None:
    subprocess.run(["git", "init", "--quiet"], cwd=repo, check=True)
    (repo / ".gitignore").write_text(f"x[[:{name}:]]y\n", "utf-8")
    paths = [f"x{chr(number)}y" for number in range(1, 128) if chr(number) != "/"]
    asked = subprocess.run(
        ["git", "check-ignore", "--no-index", "--stdin", "-z"],
        cwd=repo,
        input="\0".join(paths).encode(),
        capture_output=True,
        check=False,
    )
    pattern = compile_line(f"x[[:{name}:]]y".encode())
    assert pattern is not None
    ours = [path for path in paths if pattern.matches(path.encode(), path.encode(), False)]
    assert ours == asked.stdout.decode().split("\0")[:-1]
