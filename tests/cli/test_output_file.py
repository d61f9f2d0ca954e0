"""Where a report goes, in which format, and that neither changes the exit status."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from skilltool.report import FOR_PEOPLE, FORMATS
from tests.conftest import MakeSkill, Skilltool

HEAD = "---\nname: {}\ndescription: Fills in forms. Use when asked.\n---\n\n"
# Name of a skill, to its text and the mildest severity of --fail-on that it passes.
SKILLS = {
    "clean": HEAD.format("clean") + "Text.\n",
    "warned": HEAD.format("warned") + "[x](gone.md)\n",
    "wrong": "---\nname: Wrong\n---\n\nText.\n",
}
STATUS = {
    ("clean", "info"): 0,
    ("clean", "error"): 0,
    ("warned", "error"): 0,
    ("warned", "warning"): 1,
    ("warned", "never"): 0,
    ("wrong", "error"): 1,
    ("wrong", "never"): 0,
}


@pytest.fixture
def skills(repo: Path, make_skill: MakeSkill) -> Path:
    for name, text in SKILLS.items():
        make_skill(repo / name, text)
    return repo


@pytest.mark.slow
@pytest.mark.parametrize("output_format", FORMATS)
def test_no_format_and_no_file_changes_the_status(
    skilltool: Skilltool, skills: Path, output_format: str
) -> None:
    for (name, level), status in STATUS.items():
        options = (name, "--fail-on", level, "--output-format", output_format)
        run = skilltool("lint", *options)
        assert (run.returncode, run.stderr) == (status, ""), (name, level)
    written = skilltool("lint", *options, "-o", "report")
    assert (written.returncode, written.stdout) == (status, "")
    assert (skills / "report").read_text("utf-8") == run.stdout
    both = skilltool("lint", "wrong", "gone", "--output-format", output_format)
    assert (both.returncode, both.stderr) == (2, "skilltool: gone: No such file or directory\n")
    assert both.stdout  # what could be checked is reported all the same


def test_the_option_wins_over_the_environment_and_that_over_the_configuration(
    skilltool: Skilltool, skills: Path
) -> None:
    (skills / "skilltool.toml").write_text('output-format = "github"\n', "utf-8")
    assert skilltool("lint", "warned").stdout.startswith("::warning ")
    assert skilltool("lint", "warned", SKILLTOOL_OUTPUT_FORMAT="jsonl").stdout.startswith("{")
    assert skilltool("lint", "warned", SKILLTOOL_OUTPUT_FORMAT="").stdout.startswith("::warning ")
    run = skilltool("lint", "warned", "--output-format", "concise", SKILLTOOL_OUTPUT_FORMAT="json")
    assert run.stdout.startswith("warned/SKILL.md:6:5: ")
    wrong = skilltool("lint", "warned", SKILLTOOL_OUTPUT_FORMAT="jsn")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "Invalid value for 'SKILLTOOL_OUTPUT_FORMAT': " in wrong.stderr
    assert "; did you mean 'json'?" in wrong.stderr
    option = skilltool("lint", "warned", "--output-format", "jsn", SKILLTOOL_OUTPUT_FORMAT="json")
    assert "Invalid value for '--output-format': " in option.stderr


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_is_written_to_and_stays(skills: Path) -> None:
    os.mkfifo(skills / "pipe")
    command = [sys.executable, "-m", "skilltool", "lint", "warned", "--output-format", "concise", "-o"]
    with subprocess.Popen([*command, "pipe"], cwd=skills) as process:
        shown = (skills / "pipe").read_text("utf-8")
    assert (process.returncode, shown.count("\n")) == (0, 2)
    assert (skills / "pipe").is_fifo()
    run = subprocess.run([*command, "/dev/stdout"], cwd=skills, capture_output=True, text=True, check=True)
    assert (run.stdout, run.stderr) == (shown, "")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="there are no paths of open files here")
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"])
def test_what_is_open_is_written_where_it_stands_and_nothing_of_it_is_lost(skills: Path, name: str) -> None:
    if not Path(name).exists() and name != "link":
        pytest.skip(f"there is no {name} here")
    (skills / "link").symlink_to("/dev/stdout")
    log = skills / "app.log"
    log.write_text("precious\n", "utf-8")
    command = [sys.executable, "-m", "skilltool", "lint", "clean", "-o", name]
    with log.open("a", encoding="utf-8") as stream:
        subprocess.run(command, cwd=skills, stdout=stream, check=True)
    assert log.read_text("utf-8") == "precious\n1 skill checked against `portable`, no findings\n"
    with log.open("w", encoding="utf-8") as stream:  # `{ echo before; skilltool ...; echo after; } > app.log`
        stream.write("before\n")
        stream.flush()
        subprocess.run(command, cwd=skills, stdout=stream, check=True)
        subprocess.run([sys.executable, "-c", "print('after')"], stdout=stream, check=True)
    assert log.read_text("utf-8") == "before\n1 skill checked against `portable`, no findings\nafter\n"


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="there is no such path here")
def test_what_another_process_has_open_is_written_behind_its_end(skilltool: Skilltool, skills: Path) -> None:
    log = skills / "app.log"
    log.write_text("precious\n", "utf-8")
    with log.open("a", encoding="utf-8") as stream:
        run = skilltool("lint", "clean", "-o", f"/proc/{os.getpid()}/fd/{stream.fileno()}")
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    assert log.read_text("utf-8") == "precious\n1 skill checked against `portable`, no findings\n"


@pytest.mark.parametrize(
    ("file", "reason"),
    [("no/such/file", "No such file or directory"), ("warned", "Is a directory"), ("", "Is a directory")],
)
def test_a_file_that_cannot_be_written_is_said(
    skilltool: Skilltool, skills: Path, file: str, reason: str
) -> None:
    run = skilltool("lint", "warned", "-o", file)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == f"skilltool: {file or '.'}: {reason}\n"
    assert sorted(os.listdir(skills)) == [".git", "clean", "warned", "wrong"]


def test_a_link_to_a_file_is_kept(skilltool: Skilltool, skills: Path) -> None:
    (skills / "report").write_text("old", "utf-8")
    (skills / "report").chmod(0o640)
    (skills / "link").symlink_to("report")
    skilltool("lint", "warned", "--output-format", "concise", "-o", "link")
    assert (skills / "link").is_symlink()
    assert (skills / "report").read_text("utf-8").startswith("warned/")
    assert (skills / "report").stat().st_mode & 0o777 == 0o640


def test_a_run_that_checks_nothing_leaves_the_old_report(skilltool: Skilltool, skills: Path) -> None:
    report = skills / "report.json"
    options = ("--output-format", "gitlab", "-o", report.name)
    assert skilltool("lint", "wrong", *options).returncode == 1
    before = report.read_bytes()
    run = skilltool("lint", "gone", *options)
    assert (run.returncode, report.read_bytes()) == (2, before)
    assert run.stderr == (
        "skilltool: gone: No such file or directory\n"
        "skilltool: report.json was not written: nothing was checked\n"
    )
    assert skilltool("lint", "warned", "gone", *options).returncode == 2
    assert report.read_bytes() != before  # what could be checked is reported all the same


@pytest.mark.slow
def test_whatever_is_printed_in_place_of_a_report_goes_to_the_file(
    skilltool: Skilltool, skills: Path
) -> None:
    for options in (["--diff", "--unsafe-fixes", "wrong"], ["--show-settings"], ["--statistics", "wrong"]):
        printed = skilltool("lint", *options)
        written = skilltool("lint", *options, "-o", "report")
        assert (written.returncode, written.stdout) == (printed.returncode, "")
        assert (skills / "report").read_text("utf-8") == printed.stdout != ""


@pytest.mark.slow
@pytest.mark.parametrize("output_format", FORMATS)
def test_statistics_are_text_or_json_and_nothing_else_is_said_to_be_one(
    skilltool: Skilltool, skills: Path, output_format: str
) -> None:
    run = skilltool("lint", "warned", "--statistics", "--output-format", output_format)
    if output_format in (*FOR_PEOPLE, "json"):
        assert (run.returncode, run.stderr) == (0, "")
    else:
        assert (run.returncode, run.stdout) == (2, "")
        assert f"--statistics prints text or JSON, not `{output_format}`" in run.stderr
