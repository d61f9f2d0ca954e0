"""The command as a user runs it: exit statuses, streams, and what is said when something is wrong."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from skilltool import __version__
from skilltool.report import FORMATS
from skilltool.rules import NAMES
from skilltool.skill import schema
from tests.conftest import MakeSkill, Skilltool

BAD = "---\nname: Bad_Name\ndescription: Fills in forms.\n---\n\n[x](gone.md)\n"


@pytest.mark.slow
def test_the_version_and_the_module_agree(skilltool: Skilltool) -> None:
    assert skilltool("--version").stdout == f"skilltool {__version__}\n"
    assert skilltool("-V").stdout == f"skilltool {__version__}\n"


def test_a_clean_skill_is_0_and_a_bad_one_1(skilltool: Skilltool, repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / "forms")
    assert skilltool("lint").returncode == 0
    make_skill(repo / "bad", BAD)
    run = skilltool("lint", "--output-format", "concise")
    assert run.returncode == 1
    assert run.stderr == ""
    assert "bad/SKILL.md:2:7: error[invalid-name]" in run.stdout


@pytest.mark.parametrize(("fail_on", "status"), [("error", 0), ("warning", 1), ("info", 1), ("never", 0)])
def test_the_lowest_severity_that_fails_is_chosen(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill, fail_on: str, status: int
) -> None:
    make_skill(repo / "forms", BAD.replace("Bad_Name", "forms"))
    assert skilltool("lint", "--fail-on", fail_on).returncode == status


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["lint", "nothing"], ["nothing: No such file or directory"]),
        (["lint", "."], ["no skills found", "--allow-empty"]),
        (["lint", "--runtime", "agentskils"], ["did you mean `agentskills`?"]),
        (["lint", "--select", "brokenlink"], ["did you mean `broken-link`?"]),
        (["lint", "--output-format", "jsn"], ["did you mean 'json'?"]),
        (["lint", "--isolated", "--config", "x.toml"], ["cannot be used together"]),
        (["lint", "--config", "x.toml"], ["x.toml: No such file"]),
        (["lnt"], ["Did you mean 'skilltool lint'?"]),
        (["rule", "broken-lnk"], ["did you mean `broken-link`?"]),
        (["rule", "broken-link", "--all"], ["cannot be used together"]),
        (["schema", "confg"], ["did you mean `config`?"]),
    ],
)
def test_what_cannot_be_done_is_2_with_a_way_out(
    skilltool: Skilltool, arguments: list[str], words: list[str]
) -> None:
    run = skilltool(*arguments)
    assert run.returncode == 2
    assert "Traceback" not in run.stderr
    for word in words:
        assert word in run.stderr


@pytest.mark.parametrize("option", ["--allow-empty", "--force-exclude"])
def test_an_empty_run_that_is_allowed_is_a_note(skilltool: Skilltool, option: str) -> None:
    run = skilltool("lint", option)
    assert run.returncode == 0
    assert run.stderr == "skilltool: no skills found; nothing was checked\n"


def test_what_cannot_be_read_is_2_and_the_rest_is_reported(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / "bad", BAD)
    run = skilltool("lint", "bad", "nothing", "--output-format", "json")
    assert run.returncode == 2
    assert json.loads(run.stdout)["summary"]["skills"] == 1


def test_equal_findings_for_several_targets_are_one(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / "bad", BAD)
    both = ["--runtime", "agentskills", "--runtime", "portable", "--runtime", "agentskills"]
    run = skilltool("lint", *both, "--output-format", "json")
    for entry in json.loads(run.stdout)["diagnostics"]:
        assert entry["runtimes"] == ["agentskills", "portable"]
    assert run.stdout == skilltool("lint", *both, "--output-format", "json").stdout


def test_shown_settings_are_a_configuration(skilltool: Skilltool, repo: Path) -> None:
    shown = skilltool("lint", "--exclude", 'a"\\\x1b', "--fail-on", "info", "--show-settings").stdout
    assert tomllib.loads(shown)["fail-on"] == "info"
    (repo / "skilltool.toml").write_text(shown, "utf-8")
    again = skilltool("lint", "--show-settings").stdout
    assert tomllib.loads(shown) == tomllib.loads(again)


def test_the_manual_is_offline_and_whole(skilltool: Skilltool) -> None:
    page = skilltool("rule", "broken-link").stdout
    assert page.startswith("# broken-link\n")
    assert "## Bad" in page
    assert len(skilltool("rule").stdout.splitlines()) == len(NAMES)
    data = json.loads(skilltool("rule", "--all", "--output-format", "json").stdout)
    assert [entry["id"] for entry in data["rules"]] == list(NAMES)


@pytest.mark.slow
def test_every_schema_is_printed(skilltool: Skilltool) -> None:
    assert json.loads(skilltool("schema").stdout) == schema.load("skill")
    assert [line.split()[0] for line in skilltool("schema", "--list").stdout.splitlines()] == schema.names()
    for name in schema.names():
        assert json.loads(skilltool("schema", name).stdout) == schema.load(name)


def test_names_of_files_do_not_reach_the_terminal_raw(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / "\x1b[31mred\n::error::x", BAD)
    make_skill(repo / os.fsdecode(b"bytes\xff"), BAD)
    for name in ("full", "concise", "github", "json"):
        run = skilltool("lint", "--output-format", name)
        assert run.returncode == 1
        assert "\x1b" not in run.stdout
        assert "\n::error::x" not in run.stdout


@pytest.mark.slow
def test_output_that_is_not_utf8_is_no_failure(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / "bad", BAD.replace("forms", "日本語"))
    run = skilltool("lint", PYTHONIOENCODING="ascii", LC_ALL="C")
    assert run.returncode == 1
    assert "Traceback" not in run.stderr


@pytest.mark.slow
def test_a_reader_that_goes_away_is_no_failure(repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / "bad", BAD)
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "skilltool", "lint"]
    run = subprocess.run(command, cwd=repo, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (run.returncode, run.stderr) == (1, b"")


@pytest.mark.slow
def test_an_interrupt_ends_it_without_a_traceback(repo: Path, make_skill: MakeSkill) -> None:
    for number in range(600):  # more than a pipe holds: the command waits for its reader
        make_skill(repo / f"bad-{number}", BAD)
    command = [sys.executable, "-m", "skilltool", "lint"]
    with subprocess.Popen(command, cwd=repo, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.read(1)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in errors


@pytest.mark.parametrize(
    "begun", [["-m", "skilltool"], ["-c", "from skilltool.__main__ import main; main()"]]
)
def test_an_interrupt_while_it_starts_is_no_traceback(tmp_path: Path, begun: list[str]) -> None:
    (tmp_path / "click").mkdir()
    (tmp_path / "click" / "__init__.py").write_text("import signal; signal.raise_signal(signal.SIGINT)\n")
    run = subprocess.run(
        [sys.executable, *begun, "lint"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stdout, run.stderr) == (130, "", "")


# Whatever prints a result; each exits with 0 where it can be written.
PRINTING = [
    *(f"lint bad --fail-on never --output-format {name}" for name in FORMATS),
    "lint forms --statistics",
    "lint bad --diff --exit-zero",
    "lint --show-settings",
    *(f"resolve --runtime kodelet --output-format {name}" for name in ("text", "json")),
    *(f"render forms --runtime kodelet --output-format {name}" for name in ("text", "json")),
    "render forms --runtime kodelet,nfa",
    *(f"cost --runtime kodelet --output-format {name}" for name in ("text", "json")),
    *(f"runtimes --output-format {name}" for name in ("text", "json")),
    *(f"rule --output-format {name}" for name in ("text", "json")),
    "rule broken-link",
    "schema",
    "schema --list",
    "new --list",
    "new other --dry-run --no-input",
    "pack .kodelet/skills/forms -o packed.skill",
    "baseline",
    "clean",
    "completion bash",
    "--version",
    "--help",
    "lint --help",
]


@pytest.mark.slow
@pytest.mark.parametrize("arguments", PRINTING)
def test_a_result_that_cannot_be_written_is_2_and_says_so(
    repo: Path, make_skill: MakeSkill, arguments: str
) -> None:
    make_skill(repo / ".kodelet/skills/forms")
    make_skill(repo / "forms")
    make_skill(repo / "bad", "---\r\nname: bad\ndescription: Says x: y. Use when asked.\r\n---\r\n\nText.\n")
    environment = {**os.environ, "SKILLTOOL_CACHE_DIR": str(repo / "cache")}

    def status(redirection: str) -> tuple[int, str]:
        command = f"{sys.executable} -m skilltool {arguments} {redirection}"
        run = subprocess.run(
            ["bash", "-c", command], cwd=repo, env=environment, capture_output=True, text=True, check=False
        )
        return run.returncode, run.stderr

    assert status("")[0] == 0
    code, said = status(">&-")
    assert (code, said.splitlines()[-1]) == (2, "skilltool: standard output is closed")
    assert status(">&- 2>&-") == (2, "")
    if Path("/dev/full").exists():  # a disk that is always full
        code, said = status(">/dev/full")
        assert (code, said.splitlines()[-1]) == (2, "skilltool: standard output: No space left on device")
    assert status("2>&-")[0] == status("<&-")[0] == 0


@pytest.mark.slow
def test_where_nothing_is_printed_a_closed_output_is_no_failure(repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / "forms")
    for arguments in ("lint --quiet", "lint -o report", "lint --diff"):
        command = f"{sys.executable} -m skilltool {arguments} >&-"
        run = subprocess.run(["bash", "-c", command], cwd=repo, capture_output=True, text=True, check=False)
        assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.slow
def test_an_input_that_cannot_be_read_is_2_and_says_so(repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / "forms")
    for arguments, said in (
        ("lint - --stdin-filename forms/SKILL.md", "standard input: Bad file descriptor"),
        ("server", "standard input is closed; an editor must start the server and keep it open"),
    ):
        command = f"{sys.executable} -m skilltool {arguments} <&-"
        run = subprocess.run(["bash", "-c", command], cwd=repo, capture_output=True, text=True, check=False)
        assert (run.returncode, run.stdout, run.stderr) == (2, "", f"skilltool: {said}\n")


@pytest.mark.slow
@pytest.mark.parametrize("closed", ["2>&-", "<&- 2>&-"])
def test_with_its_notes_closed_the_report_is_made(repo: Path, make_skill: MakeSkill, closed: str) -> None:
    make_skill(repo / "bad", BAD)
    command = f"{sys.executable} -m skilltool lint bad gone --output-format concise {closed}"
    run = subprocess.run(["bash", "-c", command], cwd=repo, capture_output=True, text=True, check=False)
    assert (run.returncode, "bad/SKILL.md:" in run.stdout) == (2, True)  # 2 for the path that is gone


def on_a_terminal(arguments: list[str], cwd: Path, **environment: str) -> str:
    """What the command writes to a real terminal."""
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "skilltool", *arguments]
    scrubbed = {**os.environ, "TERM": "xterm", **environment}
    subprocess.run(command, cwd=cwd, env=scrubbed, stdout=follower, stderr=subprocess.DEVNULL, check=False)
    os.close(follower)
    written = b""
    while True:
        try:
            piece = os.read(leader, 4096)
        except OSError:
            break
        if not piece:
            break
        written += piece
    os.close(leader)
    return written.decode()


@pytest.mark.slow
def test_colour_is_for_terminals_unless_it_is_asked_for(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / "bad", BAD)
    assert "\x1b[" in on_a_terminal(["lint"], repo)
    assert "\x1b[" not in on_a_terminal(["lint"], repo, NO_COLOR="1")
    assert "\x1b[" not in on_a_terminal(["lint", "--color", "never"], repo)
    assert "\x1b[" not in skilltool("lint").stdout
    assert "\x1b[" in skilltool("lint", FORCE_COLOR="1").stdout
    assert "\x1b[" in skilltool("lint", "--color", "always", NO_COLOR="1").stdout
