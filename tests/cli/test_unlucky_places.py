"""Every command where it may not look or cannot write: full and read-only disks, closed directories, no home.

One line says what could not be written, and nothing is left of it; what only reads goes on without what it
may not see. The real programs run, below mounts of their own where a test needs a disk that is full.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from tests.preview.test_export import pages

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="tmpfs and capabilities are Linux's"),
]

_PROGRAM = (sys.executable, "-m", "skilltool")
_GOOD = (
    "---\nname: {}\ndescription: Adds up figures in tables. Use when a table has sums.\n---\n\nAdd them up.\n"
)
_FIXABLE = "---\nname: {}\ndescription: Adds up figures: use when a table has sums.\n---\n\nAdd them up.\n"
_WITHOUT = "-dac_override,-dac_read_search"  # the capabilities by which root reads and writes everything

# The commands that write, and what they cannot write on a disk that is full.
_WRITING = {
    "new": (("new", "gamma", "--no-input", "--description", "Use when a gamma is needed."), ".claude/skills"),
    "new --output": (
        ("new", "gamma", "--no-input", "--output", "made", "--description", "Use it for gamma."),
        "skilltool: ",
    ),
    "lint --output-file": (("lint", "--output-file", "report.txt"), "report.txt"),
    "lint --fix": (("lint", "--fix", "--unsafe-fixes"), "SKILL.md"),
    "baseline": (("baseline",), "skilltool-baseline.json"),
    "pack": (("pack", ".claude/skills/alpha"), "alpha.skill"),
    "pack --index": (("pack", ".claude/skills/alpha", "--index", "site"), "site/.well-known/agent-skills"),
    "preview --export": (("preview", "--export", "page.html"), "page.html"),
}
_READING = (("lint",), ("resolve",), ("render", "alpha"), ("cost",), ("lint", "--runtime", "all"))


@cache
def _as_user() -> tuple[str, ...]:
    """Return how a command begins in which permissions count, also for root."""
    if os.geteuid() != 0:
        return ()
    if shutil.which("setpriv") is None:
        pytest.skip("there is no setpriv here, and root may read everything")
    return ("setpriv", f"--bounding-set={_WITHOUT}", f"--inh-caps={_WITHOUT}")


@cache
def _can_mount() -> bool:
    if sys.platform != "linux":
        return False
    command = ["unshare", "--user", "--map-root-user", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    return (
        shutil.which("unshare") is not None and subprocess.run(command, capture_output=True).returncode == 0
    )


def _project(top: Path) -> Path:
    for name, text in (("alpha", _GOOD), ("beta", _GOOD), ("odd", _FIXABLE)):
        (top / ".claude/skills" / name).mkdir(parents=True)
        (top / ".claude/skills" / name / "SKILL.md").write_text(text.format(name), encoding="utf-8")
    (top / "home").mkdir()
    return top


def _run(command: Sequence[str], cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    given = {name: value for name, value in os.environ.items() if name != "HOME"}
    run = subprocess.run(
        command, cwd=cwd, env={**given, **environment}, capture_output=True, text=True, timeout=120
    )
    assert "Traceback" not in run.stderr + run.stdout
    assert "internal error" not in run.stderr + run.stdout
    return run


@pytest.mark.skipif(not _can_mount(), reason="nothing can be mounted here")
@pytest.mark.parametrize("state", ["full", "read-only"])
@pytest.mark.parametrize("name", _WRITING)
def test_a_disk_that_takes_nothing(tmp_path: Path, name: str, state: str) -> None:
    arguments, what = _WRITING[name]
    _project(tmp_path / "seed")
    (tmp_path / "disk").mkdir()
    script = (
        "mount -t tmpfs -o size=128k tmpfs disk; cp -r seed/. disk; "
        + (
            "dd if=/dev/zero of=disk/filling bs=4k 2>/dev/null; "
            if state == "full"
            else "mount -o remount,ro disk; "
        )
        + '(cd disk; find . -type f | sort >../before; "$@" >../out 2>../err; echo $? >../status; '
        "find . -type f | sort >../after; cmp {0} ../seed/{0})".format(".claude/skills/odd/SKILL.md")
    )
    command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh"]
    run = _run([*command, *_PROGRAM, *arguments], tmp_path, HOME=str(tmp_path / "seed/home"))
    said = (tmp_path / "err").read_text(encoding="utf-8")
    shown = (tmp_path / "out").read_text(encoding="utf-8")
    assert run.returncode == 0, run.stderr + said + shown  # `cmp` found the skill as it was
    assert "Traceback" not in said
    assert (tmp_path / "after").read_text() == (tmp_path / "before").read_text()
    reason = "No space left on device" if state == "full" else "Read-only file system"
    assert (tmp_path / "status").read_text() == "2\n"
    assert reason in said, said
    assert what in next(line for line in said.splitlines() if reason in line)


@pytest.mark.parametrize("mode", [0o000, 0o444])
def test_a_closed_skill_hides_no_other(tmp_path: Path, mode: int) -> None:
    _project(tmp_path)
    closed, home = tmp_path / ".claude/skills/beta", str(tmp_path / "home")
    closed.chmod(mode)

    def said(status: int, *arguments: str) -> str:
        run = _run([*_as_user(), *_PROGRAM, *arguments], tmp_path, HOME=home)
        assert run.returncode == status, run.stdout + run.stderr
        return run.stdout

    try:
        in_lint = 2 if mode == 0 else 1  # a directory that can be listed shows that a skill is there
        assert "invalid-yaml" in said(in_lint, "lint")
        assert "invalid-yaml" in said(in_lint, "lint", "--runtime", "all")
        assert "  .claude/skills/alpha\n    loaded: claude-code" in said(0, "resolve")
        assert "Add them up." in said(0, "render", "alpha")
        assert "\nclaude-code           2 " in said(0, "cost")
        assert said(2 if mode == 0 else 0, "preview", "--export", "page.html") == ""
        shown = pages((tmp_path / "page.html").read_text("utf-8"))
        assert any("Add them up." in page for page in shown.values())
    finally:
        closed.chmod(0o755)


def test_closed_directories_of_clients(tmp_path: Path) -> None:
    _project(tmp_path)
    closed = [tmp_path / ".agents", tmp_path / ".opencode", tmp_path / ".github", tmp_path / "home"]
    for directory in closed:
        directory.mkdir(exist_ok=True)
        directory.chmod(0)
    try:
        for arguments in _READING:
            run = _run([*_as_user(), *_PROGRAM, *arguments], tmp_path, HOME=str(tmp_path / "home"))
            assert run.returncode == (2 if arguments[0] == "lint" else 0), run.stderr
            assert run.stdout
    finally:
        for directory in closed:
            directory.chmod(0o755)


def test_a_fix_leaves_a_file_that_may_not_be_written(tmp_path: Path) -> None:
    file = _project(tmp_path) / ".claude/skills/odd/SKILL.md"
    before = file.read_bytes()
    file.chmod(0o444)
    run = _run([*_as_user(), *_PROGRAM, "lint", "--fix"], tmp_path, HOME=str(tmp_path / "home"))
    assert (run.returncode, file.read_bytes()) == (2, before)
    assert (
        "skilltool: .claude/skills/odd/SKILL.md: Permission denied; the file was left unchanged" in run.stderr
    )


@pytest.mark.parametrize("name", ["new", "lint --fix", "baseline", "preview --export"])
def test_a_umask_that_closes_everything(tmp_path: Path, name: str) -> None:
    """Where not even the owner may enter a new directory, none of ours is left in the way of the next run."""
    project = _project(tmp_path / "project")
    before = {*(project / ".claude/skills").iterdir()}
    shell = ("sh", "-c", 'umask 0777; exec "$@"', "sh")
    run = _run(
        [*_as_user(), *shell, *_PROGRAM, *_WRITING[name][0]],
        project,
        HOME=str(project / "home"),
        SKILLTOOL_CACHE_DIR=str(tmp_path / "cache"),
    )
    assert (run.returncode == 2) == (name == "new"), run.stderr
    assert name != "new" or "cannot be rendered" in run.stderr
    assert {*(project / ".claude/skills").iterdir()} == before
    assert (project / ".claude/skills/odd/SKILL.md").stat().st_mode & 0o777 == 0o644


@pytest.mark.skipif(
    os.name != "posix" or os.geteuid() != 0, reason="only root becomes a user that nobody knows"
)
@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("lint",), 0),
        (("baseline", "-o", "/dev/stdout"), 0),
        (("clean",), 0),
        (("resolve",), 2),
        (("resolve", "--home", "home"), 0),
        (("render", "alpha", "--home", "home"), 0),
        (("cost", "--home", "home", "--runtime", "all"), 0),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_user_without_a_home(tmp_path: Path, arguments: tuple[str, ...], status: int) -> None:
    """A container may run as a number that has no entry among the users, and without HOME."""
    _project(tmp_path)
    code = (
        "import os, pwd, sys\n"
        "os.environ.pop('HOME', None)\n"
        "def unknown(number): raise KeyError(number)\n"  # what the system says of a number without an entry
        "pwd.getpwuid = unknown\n"
        "from skilltool.cli import main\n"
        "main()\n"
    )
    run = _run([sys.executable, "-c", code, *arguments], tmp_path)
    assert run.returncode == status, run.stdout + run.stderr
    assert status == 0 or run.stderr == "skilltool: cannot determine your home directory; set HOME\n"
