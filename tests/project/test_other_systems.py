"""What other systems lack is missed nowhere, and what they cannot check out is not committed.

The tests run on Linux. Here they take away what Windows and macOS do not have, and look at the repository as
their file systems and git would.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Skilltool, slow

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
# Runs the command where modules and functions of POSIX are missing and no process can be forked. The standard
# library was imported before, since it would look for what this system has in place of them.
ELSEWHERE = """
import asyncio, ctypes, importlib.metadata, multiprocessing, select, shutil, socket, subprocess
import os, signal, sys
for name in ("fcntl", "grp", "pty", "pwd", "readline", "resource", "termios", "tty"):
    sys.modules[name] = None
missing = {os: "O_ASYNC O_DIRECTORY O_NOFOLLOW O_NONBLOCK fork geteuid mkfifo sched_getaffinity setsid",
           signal: "ITIMER_PROF ITIMER_REAL ITIMER_VIRTUAL SIGALRM SIGHUP SIGIO SIGURG SIGVTALRM getitimer "
                   "setitimer"}
for module, names in missing.items():
    for name in names.split():
        delattr(module, name)
shutil._use_fd_functions = False  # as the library itself finds without such flags
sys.platform = "darwin"
from skilltool.__main__ import main
main()
"""
RESERVED = re.compile(
    r'[<>:"|?*\\\x00-\x1f]|[ .](?:/|$)|(?:^|/)(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|/|$)', re.I
)


@slow
def test_commands_print_the_same_without_what_only_posix_has(tmp_path: Path, skilltool: Skilltool) -> None:
    (tmp_path / ".git").mkdir()
    shutil.copytree(
        EXAMPLES, tmp_path / ".claude" / "skills", ignore=shutil.ignore_patterns("tour", "README.md")
    )
    (tmp_path / ".claude" / "skills" / "pdf-forms" / "references" / "fields.md").unlink()
    environment = {"SKILLTOOL_CACHE_DIR": str(tmp_path / "cache"), "HOME": str(tmp_path / "home")}
    for command in (
        "lint",
        "lint --runtime all --no-cache",
        "lint --runtime agent --select triggers",
        "resolve",
        "render pdf-forms --runtime claude-code",
        "cost --runtime claude-code",
        "pack .claude/skills/release-notes -o notes.zip",
        "pack --check notes.zip",
        "lint --fix",
        "new greet --runtime claude-code --no-input --dry-run",
        "baseline -o accepted.json",
    ):
        expected = skilltool(*command.split(), cwd=tmp_path, **environment)
        (tmp_path / "notes.zip").unlink() if "-o notes.zip" in command else None
        run = subprocess.run(
            [sys.executable, "-c", ELSEWHERE, *command.split()],
            cwd=tmp_path,
            env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), **environment},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        found = (run.returncode, run.stdout, run.stderr)
        assert found == (expected.returncode, expected.stdout, expected.stderr), command


def committed(*options: str) -> list[str]:
    if not (ROOT / ".git").exists():
        pytest.skip("not a checkout")
    command = ["git", "ls-files", "-z", *options]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return run.stdout.split("\0")[:-1]


def test_every_path_can_be_written_on_every_system() -> None:
    paths = committed()
    assert [path for path in paths if RESERVED.search(path)] == []
    assert len({path.casefold() for path in paths}) == len(paths)
    assert max(map(len, paths)) < 150  # Windows allows 260, with the directory of the checkout


@pytest.mark.slow
def test_a_checkout_has_the_same_line_ends_on_every_system() -> None:
    """Scripts, templates and examples break with CRLF, which git for Windows writes by default."""
    files = [line.partition("\t")[::2] for line in committed("--eol")]
    assert len(files) > 1000
    kept = re.compile(r"\beol=lf\b|-text\b")
    assert [path for about, path in files if about.startswith("i/lf") and not kept.search(about)] == []
