"""git is asked about strangers' repositories, whose configuration can name programs: none of them runs."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from skilltool.files import git

pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="git is what is called")
PACKAGE = Path(git.__file__).parents[1]
LISTING = ("ls-files", "-z", "--cached")


def plain_git(directory: Path, *arguments: str, fails: bool = False) -> None:
    identity = ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "protocol.file.allow=always"]
    subprocess.run(
        ["git", *identity, *arguments],
        cwd=directory,
        check=not fails,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=60,
    )


@pytest.fixture
def cloned(tmp_path: Path) -> Path:
    """A repository of two files; the content of one is not there, git would fetch it."""
    origin = tmp_path / "origin"
    origin.mkdir()
    for name in ("a.txt", "b.txt"):
        (origin / name).write_text(f"{name}\n", "utf-8")
    plain_git(origin, "init", "--quiet")
    plain_git(origin, "add", ".")
    plain_git(origin, "commit", "--quiet", "-m", "a")
    plain_git(origin, "config", "uploadpack.allowFilter", "true")
    where = origin.as_uri()
    plain_git(tmp_path, "clone", "--quiet", "--filter=blob:none", "--no-checkout", where, "repo")
    plain_git(tmp_path / "repo", "checkout", "HEAD", "--", "a.txt")
    return tmp_path / "repo"


def plant(repo: Path) -> Path:
    """Make every program that a configuration can name leave a mark; return where."""
    marks = repo.parent / "marks"
    marks.mkdir()

    def program(name: str) -> str:
        script = repo.parent / f"{name}.sh"
        script.write_text(f"#!/bin/sh\ntouch {marks}/{name}\nexit 1\n", "utf-8")
        script.chmod(0o755)
        return os.fspath(script)

    config = {
        "core.fsmonitor": program("fsmonitor"),
        "core.hooksPath": os.fspath(repo.parent / "hooks"),
        "core.pager": program("pager"),
        "core.sshCommand": program("ssh"),
        "core.gitProxy": program("proxy"),
        "core.alternateRefsCommand": program("refs"),
        "credential.helper": program("credential"),
        "diff.external": program("external"),
        "diff.mark.textconv": program("textconv"),
        "filter.mark.clean": program("clean"),
        "filter.mark.smudge": program("smudge"),
        "filter.mark.process": program("process"),
        "alias.ls-files": f"!{program('alias')}",
        "pager.ls-files": "true",
        "protocol.allow": "always",
        "protocol.ext.allow": "always",
        "remote.origin.url": f"ext::{program('fetch')}",
        "remote.origin.uploadpack": program("uploadpack"),
    }
    for key, value in config.items():
        plain_git(repo, "config", key, value)
    (repo / ".git" / "info" / "attributes").write_text("* filter=mark diff=mark\n", "utf-8")
    (repo.parent / "hooks").mkdir()
    for hook in ("post-index-change", "post-checkout", "pre-commit"):
        Path(program(hook)).rename(repo.parent / "hooks" / hook)
        (repo.parent / "hooks" / hook).chmod(0o755)
    return marks


def test_no_program_that_a_repository_configures_runs(cloned: Path) -> None:
    marks = plant(cloned)
    missing = subprocess.run(
        ["git", "rev-parse", "HEAD:b.txt"], cwd=cloned, check=True, capture_output=True, text=True
    ).stdout.strip()
    os.utime(cloned / "a.txt", (1, 1))
    assert b"a.txt\0" in git.read(cloned, *LISTING)
    assert git.read(cloned, "cat-file", "blob", "HEAD:a.txt") == b"a.txt\n"
    with pytest.raises(git.GitError):
        git.read(cloned, "cat-file", "blob", missing)
    assert list(marks.iterdir()) == []
    plain_git(cloned, "status", fails=True)
    plain_git(cloned, "cat-file", "blob", missing, fails=True)
    assert {"fsmonitor", "fetch", "process"} <= {mark.name for mark in marks.iterdir()}


def test_what_may_run_programs_is_refused(cloned: Path) -> None:
    for command in (("status",), ("show", "HEAD"), ("cat-file", "--textconv", "HEAD:a.txt")):
        with pytest.raises(ValueError, match="may run programs"):
            git.read(cloned, *command)


def test_variables_that_name_another_repository_are_not_obeyed(
    cloned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", os.fspath(tmp_path / "nothing"))
    monkeypatch.setenv("GIT_INDEX_FILE", os.fspath(tmp_path / "nothing"))
    assert b"a.txt" in git.read(cloned, *LISTING)


def test_a_repository_above_does_not_answer(cloned: Path) -> None:
    (cloned / "inner" / ".git").mkdir(parents=True)
    with pytest.raises(git.GitError):
        git.read(cloned / "inner", *LISTING)


def test_a_repository_of_another_owner_is_refused_in_gits_words(
    cloned: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not hasattr(os, "chown") or os.geteuid() != 0:
        pytest.skip("only root can give a directory away")
    for path in (cloned, cloned / ".git"):
        os.chown(path, 12345, 12345)
    with pytest.raises(git.GitError, match="dubious ownership"):
        git.read(cloned, *LISTING)


def test_without_git_the_error_says_so(cloned: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.fspath(cloned / "bin"))
    with pytest.raises(git.NotInstalledError, match="not installed"):
        git.read(cloned, *LISTING)


def test_a_git_beside_the_files_is_not_run(cloned: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (cloned / "git").write_text("#!/bin/sh\ntouch ran\n", "utf-8")
    (cloned / "git").chmod(0o755)
    monkeypatch.chdir(cloned)
    monkeypatch.setenv("PATH", os.pathsep.join([".", os.environ["PATH"]]))
    with pytest.raises(git.NotInstalledError):
        git.read(cloned, *LISTING)
    assert not (cloned / "ran").exists()


@pytest.mark.slow
@pytest.mark.parametrize(("shell", "reason"), [("sleep 60", "longer than"), ("yes", "too much")])
def test_time_and_output_are_limited(
    shell: str, reason: str, cloned: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = cloned / "bin"
    own.mkdir()
    (own / "git").write_text(f"#!/bin/sh\nexec {shell}\n", "utf-8")
    (own / "git").chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join([os.fspath(own), os.environ["PATH"]]))
    monkeypatch.setattr(git, "_SECONDS", 0.5 if "sleep" in shell else 60.0)
    with pytest.raises(git.GitError, match=reason):
        git.read(cloned, *LISTING)


@pytest.mark.slow
def test_no_other_module_starts_git() -> None:
    starting = set()
    for file in PACKAGE.rglob("*.py"):
        names = {
            node.value
            for node in ast.walk(ast.parse(file.read_text("utf-8")))
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        if "subprocess" in file.read_text("utf-8") and "git" in names:
            starting.add(file.relative_to(PACKAGE).as_posix())
    assert starting == {"files/git.py"}
