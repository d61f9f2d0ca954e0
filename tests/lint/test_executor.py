"""Skills are checked by one process or by several, and no skill can end a run or hide another."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from tests.conftest import MakeSkill, Skilltool, slow
from tests.support import hanging

LINT = [sys.executable, "-m", "skilltool", "lint", "--isolated", "--no-cache", "--output-format", "json"]


@pytest.fixture
def many(repo: Path, make_skill: MakeSkill) -> Path:
    """A repository with 250 skills, every third of them broken."""
    for number in range(250):
        make_skill(repo / f"s{number:03d}", "no frontmatter\n" if number % 3 == 0 else None)
    return repo


def report(
    repo: Path, *arguments: str, program: str = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    """Lint with a program that is run first, and return what was printed."""
    command = [*LINT, *arguments]
    if program:
        main = "from skilltool.cli import main\nmain()\n"
        command = [sys.executable, "-c", textwrap.dedent(program) + main, *command[3:]]
    return subprocess.run(
        command,
        cwd=repo,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["0", "2", "5"])
def test_several_processes_say_what_one_says(many: Path, jobs: str) -> None:
    alone = report(many, "--jobs", "1")
    assert alone.returncode == 1
    together = report(many, "--jobs", jobs)
    assert together.stdout == alone.stdout
    assert together.returncode == 1


@pytest.mark.slow
def test_several_processes_say_of_all_skills_together_what_one_says(
    repo: Path, make_skill: MakeSkill
) -> None:
    for number in range(6):
        for top in (".claude/skills", "skills", "skills/MORE"):
            make_skill(
                repo / top / f"s{number}", f"---\nname: s{number}\ndescription: {top}\n---\n{'a ' * 300}\n"
            )
    alone = report(repo, "--jobs", "1", "--runtime", "all")
    assert report(repo, "--jobs", "3", "--runtime", "all").stdout == alone.stdout
    assert "drifted-copy" in alone.stdout
    assert "shadowed-skill" in alone.stdout


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are found in /proc")
def test_a_process_that_is_killed_from_outside_costs_nothing(many: Path, make_skill: MakeSkill) -> None:
    for number in range(1200):
        make_skill(many / "more" / f"t{number:04d}")
    alone = report(many, "--jobs", "1").stdout
    run = subprocess.Popen([*LINT, "--jobs", "2"], cwd=many, stdout=subprocess.PIPE, text=True)
    children = Path(f"/proc/{run.pid}/task/{run.pid}/children")
    deadline = time.monotonic() + 20
    while not children.read_text("ascii").split() and time.monotonic() < deadline:
        time.sleep(0.005)
    os.kill(int(children.read_text("ascii").split()[0]), signal.SIGKILL)
    assert run.communicate(timeout=60)[0] == alone
    assert run.returncode == 1


def runs(process: str) -> bool:
    """Whether a process is there, and not only waits for somebody to ask how it ended."""
    try:
        return Path("/proc", process, "stat").read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are found in /proc")
def test_no_process_outlives_a_run_that_is_killed(many: Path, make_skill: MakeSkill) -> None:
    for number in range(1200):
        make_skill(many / "more" / f"t{number:04d}")
    run = subprocess.Popen([*LINT, "--jobs", "2"], cwd=many, stdout=subprocess.DEVNULL)
    children = Path(f"/proc/{run.pid}/task/{run.pid}/children")
    deadline = time.monotonic() + 20
    while not (found := children.read_text("ascii").split()) and time.monotonic() < deadline:
        time.sleep(0.005)
    run.kill()
    run.wait()
    assert found
    while time.monotonic() < deadline and any(map(runs, found)):
        time.sleep(0.05)
    assert not any(map(runs, found))


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are found in /proc")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_no_process_that_hangs_outlives_a_run_that_is_ended(
    repo: Path, make_skill: MakeSkill, tmp_path: Path, number: int
) -> None:
    make_skill(repo / "hang")
    slow = hanging.environment(tmp_path / "hook", 600)
    run = subprocess.Popen(LINT, cwd=repo, stdout=subprocess.DEVNULL, env={**os.environ, **slow})
    children = Path(f"/proc/{run.pid}/task/{run.pid}/children")
    deadline = time.monotonic() + 30
    while not (found := children.read_text("ascii").split()) and time.monotonic() < deadline:
        time.sleep(0.005)
    time.sleep(0.5)  # it has begun with the skill by then; if not, it ends as well
    run.send_signal(number)
    run.wait()
    assert found
    while time.monotonic() < deadline and any(map(runs, found)):
        time.sleep(0.05)
    assert not any(map(runs, found))


# What really happens to a process that a bug of a library or the system ends: it is gone at once.
DIES = """
import os, sys
def watch(event, arguments):
    if event == "open" and "s118" in str(arguments[0]):
        os._exit(9)
sys.addaudithook(watch)
"""


@pytest.mark.slow
def test_a_skill_that_ends_its_process_is_reported_and_hides_no_other(many: Path) -> None:
    alone = report(many, "--jobs", "1").stdout
    broken = report(many, "--jobs", "2", program=DIES)
    assert (broken.returncode, broken.stderr) == (1, "")
    expected, found = (json.loads(text)["diagnostics"] for text in (alone, broken.stdout))
    (lost,) = [each for each in found if each["skill"] == "s118"]
    assert (lost["rule"], lost["severity"]) == ("over-bound", "error")
    assert lost["message"] == "check was stopped: its process was killed"
    assert [each for each in found if each is not lost] == [
        each for each in expected if each["skill"] != "s118"
    ]


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_skill_that_takes_too_long_is_reported_and_hides_no_other(
    repo: Path, make_skill: MakeSkill, tmp_path: Path, jobs: str
) -> None:
    for name in ("a", "b", "c", "hang", "z"):
        make_skill(repo / name, "no frontmatter\n")
    done = report(repo, "--jobs", jobs, **hanging.environment(tmp_path / "hook"))
    assert (done.returncode, done.stderr) == (1, "")
    found = [(each["skill"], each["rule"]) for each in json.loads(done.stdout)["diagnostics"]]
    assert [each for each in found if each[0] == "hang"] == [("hang", "over-bound")]
    assert {skill for skill, rule in found if rule == "missing-frontmatter"} == {"a", "b", "c", "z"}


@slow
def test_many_slow_skills_cost_little_more_than_a_few(
    repo: Path, make_skill: MakeSkill, tmp_path: Path
) -> None:
    for number in range(12):
        make_skill(repo / f"hang-{number:02}")
    make_skill(repo / "z", "no frontmatter\n")
    done = report(repo, "--jobs", "1", **hanging.environment(tmp_path / "hook"))
    found = json.loads(done.stdout)["diagnostics"]
    messages = [each["message"] for each in found if each["rule"] == "over-bound"]
    assert len(messages) == 12
    assert "took more than 2 seconds, skilltool's limit" in messages[0]
    assert "after other skills had used up the 4 seconds for slow skills" in messages[-1]
    assert "missing-frontmatter" in {each["rule"] for each in found if each["skill"] == "z"}


@pytest.mark.slow
def test_a_defect_of_ours_in_one_skill_is_said_and_hides_no_other(many: Path) -> None:
    program = """
    import sys
    def watch(event, arguments):
        if event == "open" and "s118" in str(arguments[0]):
            raise ZeroDivisionError("made up")
    sys.addaudithook(watch)
    """
    done = report(many, "--jobs", "2", program=program)
    assert done.returncode == 2
    assert '"skills": 250' in done.stdout
    [told] = [each for each in json.loads(done.stdout)["diagnostics"] if each["rule"] == "internal-error"]
    assert told["path"] == "s118/SKILL.md"
    assert told["message"].startswith("internal error (please report it): ZeroDivisionError: made up (")


def on_a_terminal(command: list[str], cwd: Path) -> str:
    """Run a command whose standard error is a terminal; return what that shows."""
    ours, theirs = pty.openpty()
    run = subprocess.Popen(
        command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=theirs, env={**os.environ, "TERM": "xterm"}
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:
            break
        if not part:
            break
        shown += part
    os.close(ours)
    run.wait()
    return shown.decode("utf-8", "replace")


@slow
def test_a_long_run_shows_its_progress_on_a_terminal_only(many: Path, skilltool: Skilltool) -> None:
    program = "from skilltool.cli import progress\nprogress._PATIENCE = 0.0\n"
    program += "from skilltool.cli import main\nmain()\n"
    command = [sys.executable, "-c", program, *LINT[3:], "--jobs", "1"]
    assert "250" in on_a_terminal(command, many)
    for others in (["baseline", "--no-cache", "-o", "known.json"], ["lint", "--diff"], ["lint", "--fix"]):
        shown = on_a_terminal([*command[:3], *others], many)
        assert ("checking" if others[0] == "baseline" else "fixing") in shown
        assert "250" in shown
    assert on_a_terminal([*LINT, "--jobs", "1", "s001"], many) == ""
    assert skilltool("lint", "--no-cache", cwd=many).stderr == ""


@pytest.mark.slow
def test_a_system_that_starts_no_more_processes_slows_the_run_and_no_more(many: Path) -> None:
    alone = report(many, "--jobs", "1").stdout
    program = "import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (24, 24))\n"
    done = report(many, "--jobs", "999", program=program)
    assert (done.stdout, done.stderr) == (alone, "")
