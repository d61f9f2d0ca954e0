"""An archive is the same on every machine and holds exactly the files that belong to the skill."""

from __future__ import annotations

import os
import stat
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from skilltool import pack
from skilltool.errors import SkilltoolError
from tests.conftest import MakeSkill, Skilltool


@pytest.fixture
def skill(repo: Path, make_skill: MakeSkill) -> Path:
    directory = make_skill(repo / "skills" / "forms")
    (directory / "scripts").mkdir()
    (directory / "scripts" / "run.sh").write_text("#!/bin/sh\n", "utf-8")
    (directory / "scripts" / "run.sh").chmod(0o744)
    (directory / "B.md").write_text("b", "utf-8")
    return directory


@pytest.mark.slow
@pytest.mark.parametrize("kind", pack.FORMATS)
def test_an_archive_is_the_same_whatever_the_times_and_modes(
    skilltool: Skilltool, repo: Path, skill: Path, kind: str
) -> None:
    first = skilltool("pack", str(skill), "--format", kind)
    assert first.returncode == 0
    assert first.stdout.startswith(f"forms.{kind}  forms, 3 files, ")
    before = (repo / f"forms.{kind}").read_bytes()
    for path in skill.rglob("*"):
        os.utime(path, (1, 1))
        path.chmod(0o755 if path.is_dir() else 0o666)
    again = skilltool("pack", str(skill / "SKILL.md"), "--format", kind, "-o", "again", TZ="Asia/Tokyo")
    assert (repo / "again").read_bytes() == before
    assert first.stdout.splitlines()[-1] == again.stdout.splitlines()[-1]
    checked = skilltool("pack", "--check", f"forms.{kind}")
    assert (checked.returncode, checked.stderr) == (0, "")
    assert checked.stdout.splitlines()[-1] == first.stdout.splitlines()[-1]


def test_other_programs_read_the_archives(skilltool: Skilltool, repo: Path, skill: Path) -> None:
    for kind in ("zip", "tar.gz"):
        skilltool("pack", str(skill), "--format", kind)
    names = ["forms/B.md", "forms/SKILL.md", "forms/scripts/run.sh"]
    with zipfile.ZipFile(repo / "forms.zip") as archive:
        assert archive.testzip() is None
        assert archive.namelist() == names
        assert archive.getinfo(names[2]).external_attr >> 16 == stat.S_IFREG | 0o755
    command = ["tar", "tzf", "forms.tar.gz"]
    listed = subprocess.run(command, cwd=repo, capture_output=True, text=True, check=True)
    assert listed.stdout.splitlines() == names


def test_files_that_never_belong_to_a_skill_are_excluded_and_listed(
    skilltool: Skilltool, repo: Path, skill: Path
) -> None:
    (skill / ".gitignore").write_text("draft*\n", "utf-8")
    for name in (".env", "draft.md", "x.pyc", ".env.example"):
        (skill / name).write_text("x", "utf-8")
    (skill / "__pycache__").mkdir()
    (skill / "__pycache__" / "y").touch()
    run = skilltool("pack", str(skill))
    excluded = [line.removeprefix("skilltool: left out: ") for line in run.stderr.splitlines()]
    assert excluded == [".env", "__pycache__/", "draft.md", "x.pyc"]
    assert ".env.example" in run.stdout


def test_a_skill_with_errors_is_not_packed(skilltool: Skilltool, repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / "bad", "no frontmatter")
    run = skilltool("pack", "bad")
    assert (run.returncode, run.stdout) == (1, "")
    assert "bad/SKILL.md:1:1: error[missing-frontmatter]" in run.stderr
    assert not (repo / "bad.skill").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda top: (top / "out").symlink_to("/etc/passwd"), "escaping-symlink"),
        (lambda top: (top / "out").symlink_to("gone"), "No such file"),
        (lambda top: (top / "round").symlink_to("round"), "round"),
        (lambda top: (top / "folder").symlink_to("scripts"), "folder: not a regular file"),
        (lambda top: os.mkfifo(top / "pipe"), "pipe: not a regular file"),
        (lambda top: (top / "b.md").touch(), "`B.md` and `b.md` differ only in case"),
        (lambda top: (top / "a\\b").touch(), "the path is absolute, or contains a backslash"),
        (lambda top: (top / os.fsdecode(b"f\xff.md")).touch(), "the path is not valid UTF-8"),
        (lambda top: os.truncate(top / "B.md", 101 << 20), "larger than the 100 MiB that skilltool allows"),
    ],
)
def test_files_that_cannot_be_packed_are_refused(
    skilltool: Skilltool, repo: Path, skill: Path, spoil: Callable[[Path], object], words: str
) -> None:
    spoil(skill)
    run = skilltool("pack", str(skill))
    assert words in run.stderr
    assert run.returncode in (1, 2)
    assert not (repo / "forms.skill").exists()


def test_a_link_that_leaves_the_skill_is_refused_from_python_too(skill: Path) -> None:
    (skill / "out").symlink_to("/etc/passwd")
    with pytest.raises(SkilltoolError, match="is a link that points outside the skill"):
        pack.collect(skill)


def test_a_link_to_an_excluded_file_is_excluded_too(skilltool: Skilltool, repo: Path, skill: Path) -> None:
    (skill / ".git").mkdir()
    (skill / ".git" / "config").write_text("secret", "utf-8")
    (skill / ".ENV").write_text("secret", "utf-8")
    (skill / "public.txt").symlink_to(".ENV")
    (skill / "config.txt").symlink_to(".git/config")
    (skill / "again.md").symlink_to("B.md")
    run = skilltool("pack", str(skill))
    excluded = [line.removeprefix("skilltool: left out: ") for line in run.stderr.splitlines()]
    assert excluded == [".ENV", ".git/", "config.txt", "public.txt"]
    with zipfile.ZipFile(repo / "forms.skill") as archive:
        assert archive.read("forms/again.md") == b"b"
        assert not any(b"secret" in archive.read(name) for name in archive.namelist())


def test_an_archive_inside_the_skill_is_not_packed_again(
    skilltool: Skilltool, repo: Path, skill: Path
) -> None:
    for _ in range(2):
        run = skilltool("pack", str(skill), "-o", str(skill / "forms.skill"))
        assert "forms, 3 files, " in run.stdout
    assert run.stderr == "skilltool: left out: forms.skill\n"
    before = (skill / "SKILL.md").read_bytes()
    run = skilltool("pack", str(skill), "-o", str(skill / "SKILL.md"))
    assert (run.returncode, "a file in the skill" in run.stderr) == (2, True)
    assert (skill / "SKILL.md").read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["skills/forms", "-o", "x.rar"],
            "unknown archive extension; use one of .skill, .zip, .tar.gz",
        ),
        (["skills/forms", "-o", "x.gz"], "use one of .skill, .zip, .tar.gz, or set --format"),
        (["form"], "form: no such file or directory; did you mean skills/forms?"),
        (["."], "did you mean `skilltool pack skills/forms`?"),
        (["nowhere"], "nowhere: no such file or directory\n"),
        ([".git"], "it contains no SKILL.md; name a directory that does"),
    ],
)
@pytest.mark.usefixtures("skill")
def test_what_cannot_be_packed_is_2_with_a_way_out(
    skilltool: Skilltool, repo: Path, arguments: list[str], words: str
) -> None:
    before = sorted(repo.iterdir())
    run = skilltool("pack", *arguments)
    assert (run.returncode, run.stdout) == (2, "")
    assert words in run.stderr
    assert sorted(repo.iterdir()) == before


@pytest.mark.usefixtures("skill")
def test_a_name_without_an_ending_is_a_skill_archive_and_format_decides(
    skilltool: Skilltool, repo: Path
) -> None:
    assert skilltool("pack", "skills/forms", "-o", "x").returncode == 0
    assert skilltool("pack", "skills/forms", "-o", "x.rar", "--format", "zip").returncode == 0
    assert (repo / "x").read_bytes() == (repo / "x.rar").read_bytes()


def test_a_second_or_excluded_skill_file_is_refused(
    skilltool: Skilltool, repo: Path, skill: Path, make_skill: MakeSkill
) -> None:
    make_skill(skill / "inner")
    run = skilltool("pack", str(skill))
    assert (run.returncode, "contains a second skill, `inner/SKILL.md`" in run.stderr) == (2, True)
    (repo / ".gitignore").write_text("SKILL.md\n", "utf-8")
    run = skilltool("pack", str(skill))
    assert (run.returncode, "SKILL.md is excluded by .gitignore" in run.stderr) == (2, True)
    assert not (repo / "forms.skill").exists()


@pytest.mark.slow
def test_what_can_be_packed_can_be_checked(skilltool: Skilltool, repo: Path, skill: Path) -> None:
    deepest = skill.joinpath(*["x"] * 30)
    deepest.mkdir(parents=True)
    (deepest / "f").touch()
    assert skilltool("pack", str(skill), "-o", "a.tar.gz").returncode == 0
    checked = skilltool("pack", "--check", "a.tar.gz")
    assert (checked.returncode, f"{'x/' * 30}f  0 bytes" in checked.stdout) == (0, True)
    (deepest / "x").mkdir()
    (deepest / "x" / "f").touch()
    assert "nested deeper than the 32 levels" in skilltool("pack", str(skill)).stderr


@pytest.mark.slow
def test_pack_uses_the_configuration_of_lint(skilltool: Skilltool, repo: Path, make_skill: MakeSkill) -> None:
    long = "Fills in forms. Use when asked. " * 25
    make_skill(repo / "forms", f"---\nname: forms\ndescription: {long}\n---\n\nText.\n")
    (repo / "skilltool.toml").write_text('runtimes = ["portable"]\n', "utf-8")
    assert skilltool("pack", "forms").returncode == 1
    (repo / "skilltool.toml").write_text('runtimes = ["agentskills"]\n', "utf-8")
    assert skilltool("pack", "forms").returncode == 0
    assert skilltool("pack", "--check", "forms.skill").returncode == 0
