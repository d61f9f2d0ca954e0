"""A skill that takes for ever beside a good one: every command ends, says so, and still does the rest."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from skilltool import runtimes
from skilltool.report import FORMATS
from tests.conftest import MakeSkill, Skilltool, slow, slowest
from tests.support import hanging
from tests.support.roots import own_root

REASON = "took more than 2 seconds, skilltool's limit for one skill"
FIXABLE = (
    "---\r\nname: good\r\ndescription: Fills in forms. Use for a form.\r\n---\r\n\r\nRead the fields.\r\n"
)


@pytest.fixture
def hangs(tmp_path: Path) -> dict[str, str]:
    return hanging.environment(tmp_path / "hook")


@pytest.fixture
def skills(repo: Path, make_skill: MakeSkill) -> Path:
    """A project of kodelet with `good`, whose line ends can be fixed, and `hang` and `hang-too`."""
    root = repo / ".kodelet" / "skills"
    make_skill(root / "good", FIXABLE)
    make_skill(root / "hang", FIXABLE.replace("good", "hang"))
    return root


@slow
@pytest.mark.parametrize("output_format", FORMATS)
def test_lint_says_in_every_format_that_it_was_not_checked(
    skills: Path, skilltool: Skilltool, hangs: dict[str, str], output_format: str
) -> None:
    done = skilltool("lint", "--output-format", output_format, **hangs)
    assert done.returncode == 1, done.stderr
    assert "over-bound" in done.stdout
    assert REASON in done.stdout
    assert "carriage-return" in done.stdout or output_format == "github"  # which shows no notes
    assert "no findings" not in done.stdout


@slow
def test_a_skill_is_checked_though_one_beside_it_takes_for_ever(
    repo: Path, skilltool: Skilltool, make_skill: MakeSkill, hangs: dict[str, str]
) -> None:
    """The rules about names look at the skills in the same directory."""
    make_skill(repo / "skills" / "my_forms", FIXABLE.replace("good", "My Forms"))
    make_skill(repo / "skills" / "hang", FIXABLE.replace("good", "hang"))
    done = skilltool("lint", "--select", "invalid-name", "skills/my_forms", **hangs)
    assert "invalid-name" in done.stdout
    assert "over-bound" not in done.stdout
    assert f"skilltool: skills/hang: check {REASON}\n" in done.stderr
    both = skilltool("lint", "--select", "invalid-name", "--output-format", "concise", **hangs)
    assert f"skills/hang/SKILL.md:1:1: error[over-bound]: check {REASON}\n" in both.stdout
    assert "skills/my_forms/SKILL.md:2:7: error[invalid-name]" in both.stdout


@slowest
@pytest.mark.parametrize(
    "options",
    [
        ["--select", "body"],
        ["--ignore", "file"],
        ["--config", "over-bound.toml"],
        ["--statistics"],
        ["--jobs", "2"],
        ["--runtime", "all"],
    ],
    ids=" ".join,
)
def test_no_option_hides_that_it_was_not_checked(
    repo: Path, skills: Path, skilltool: Skilltool, hangs: dict[str, str], options: list[str]
) -> None:
    (repo / "over-bound.toml").write_text(
        'ignore = ["over-bound"]\n[severity]\nover-bound = "info"\n[per-file-ignores]\n"*" = ["over-bound"]\n'
    )
    done = skilltool("lint", *options, **hangs)
    assert done.returncode == 1, done.stderr
    assert "over-bound" in done.stdout
    assert "error" in done.stdout


@pytest.mark.slow
@pytest.mark.usefixtures("skills")
def test_the_advice_is_to_give_it_more_seconds(skilltool: Skilltool, hangs: dict[str, str]) -> None:
    done = skilltool("lint", "--output-format", "json", **{**hangs, "SKILLTOOL_TIMEOUT": "0.5"})
    [found] = [each for each in json.loads(done.stdout)["diagnostics"] if each["rule"] == "over-bound"]
    more = "allow more with --time-limit (or SKILLTOOL_TIMEOUT)"
    assert found["help"] == f"make the skill smaller, or {more}"


@pytest.mark.slow
def test_nothing_of_it_is_cached(skills: Path, skilltool: Skilltool, hangs: dict[str, str]) -> None:
    cache = {"SKILLTOOL_CACHE_DIR": str(skills.parent / "cache")}
    for _ in range(2):
        assert REASON in skilltool("lint", **hangs, **cache).stdout
    after = skilltool("lint", "--output-format", "json", **cache)
    assert "over-bound" not in after.stdout
    assert {each["skill"] for each in json.loads(after.stdout)["diagnostics"]} == {"good", "hang"}


@pytest.mark.slow
def test_it_is_not_accepted_in_a_baseline(skills: Path, skilltool: Skilltool, hangs: dict[str, str]) -> None:
    done = skilltool("baseline", "-o", "known.json", **hangs)
    assert done.returncode == 1
    way_out = "make the skill smaller, or allow more with --time-limit (or SKILLTOOL_TIMEOUT)"
    assert f"{REASON}; this cannot be accepted: {way_out}" in done.stderr
    accepted = json.loads((skills.parents[1] / "known.json").read_text("utf-8"))["findings"]
    assert accepted
    assert {each["skill"] for each in accepted} == {"good"}
    assert skilltool("lint", "--baseline", "known.json", **hangs).returncode == 1


@pytest.mark.slow
def test_fix_changes_nothing_of_it(skills: Path, skilltool: Skilltool, hangs: dict[str, str]) -> None:
    before = (skills / "hang" / "SKILL.md").read_bytes()
    done = skilltool("lint", "--fix", **hangs)
    assert done.returncode == 1
    assert done.stdout.count(REASON) == 1
    assert (skills / "hang" / "SKILL.md").read_bytes() == before
    assert b"\r" not in (skills / "good" / "SKILL.md").read_bytes()


@pytest.mark.slow
def test_diff_has_the_others_and_an_error(skills: Path, skilltool: Skilltool, hangs: dict[str, str]) -> None:
    done = skilltool("lint", "--diff", **hangs)
    assert done.returncode == 1
    assert "good/SKILL.md" in done.stdout
    assert "hang" not in done.stdout
    assert f"hang/SKILL.md:1:1: error[over-bound]: check {REASON}" in done.stderr


@pytest.mark.slow
def test_lint_of_standard_input(skills: Path, hangs: dict[str, str], make_skill: MakeSkill) -> None:
    make_skill(skills / "list-hang")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "skilltool",
            "lint",
            "-",
            "--stdin-filename",
            skills / "list-hang" / "SKILL.md",
        ],
        input=FIXABLE,
        env={**os.environ, **hangs},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert REASON in done.stdout


def test_standard_input_without_an_end_is_too_large(skills: Path) -> None:
    with Path("/dev/zero").open("rb") as endless:
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "skilltool",
                "lint",
                "-",
                "--stdin-filename",
                skills / "good" / "SKILL.md",
            ],
            stdin=endless,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 1
    assert "error[over-bound]: check was stopped: more than 1 MiB in SKILL.md" in done.stdout


@pytest.mark.slow
def test_resolve_lists_it_as_skipped(skills: Path, skilltool: Skilltool, hangs: dict[str, str]) -> None:
    done = skilltool("resolve", "--runtime", "kodelet", "--output-format", "json", **hangs)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert [each["key"] for each in found["skills"]] == ["good"]
    (skipped,) = found["skipped"]
    assert skipped["message"] is None
    assert skipped["why"] == f"skilltool does not read it: reading it {REASON}"
    named = skilltool("resolve", "hang", "--runtime", "kodelet", **hangs)
    assert (named.returncode, named.stdout.count(REASON)) == (1, 1)


@slow
def test_render_fails_for_that_skill_only(skills: Path, skilltool: Skilltool, hangs: dict[str, str]) -> None:
    other = skilltool("render", "good", "--runtime", "kodelet", **hangs)
    assert other.returncode == 0, other.stderr
    assert other.stdout == skilltool("render", "good", "--runtime", "kodelet").stdout
    for arguments in (["hang"], ["--part", "catalog"]):
        done = skilltool("render", *arguments, "--runtime", "kodelet", **hangs)
        assert (done.returncode, done.stdout) == (2, "")
        assert REASON in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("runtime", [each for each in runtimes.BARE if runtimes.get(each).catalog])
def test_no_runtime_renders_without_what_was_not_read(
    skills: Path, skilltool: Skilltool, hangs: dict[str, str], runtime: str
) -> None:
    root = own_root(runtimes.get(runtime))
    if root is None:
        pytest.skip("the user names the roots")
    role = root.role
    options = ["--runtime", runtime, "--root", f"{role}={skills}", "--no-user-settings"]
    done = skilltool("render", "hang", *options, **{**hangs, "SKILLTOOL_TIMEOUT": "1"})
    assert (done.returncode, done.stdout) == (2, "")
    assert "skilltool does not read it: reading it took more than 1 second" in done.stderr


@pytest.mark.slow
def test_notes_are_written_once(skills: Path, skilltool: Skilltool, hangs: dict[str, str]) -> None:
    done = skilltool("resolve", **hangs)
    (note,) = done.stderr.splitlines()
    assert note.endswith("runtimes have no skills directory here (`--runtime all` shows them)")


@pytest.mark.slow
def test_pack_fails_and_writes_nothing(skills: Path, skilltool: Skilltool, hangs: dict[str, str]) -> None:
    done = skilltool("pack", skills / "hang", **hangs)
    assert (done.returncode, done.stdout) == (2, "")
    assert f".kodelet/skills/hang: check {REASON}" in done.stderr
    assert not list(skills.parents[1].glob("*.skill"))


@pytest.mark.slow
def test_new_fails_and_leaves_nothing(repo: Path, skilltool: Skilltool, hangs: dict[str, str]) -> None:
    done = skilltool("new", "list-hang", "--no-input", "--output", "made", **hangs)
    assert done.returncode == 2
    assert f"list-hang was not created: checking it {REASON}" in done.stderr
    assert not list(repo.glob("made/*"))


MORE = "allow more with --time-limit (or SKILLTOOL_TIMEOUT)"


@pytest.mark.slow
@pytest.mark.usefixtures("skills")
def test_the_option_says_how_long_a_skill_may_take_and_wins_over_the_variable(
    skilltool: Skilltool, hangs: dict[str, str]
) -> None:
    done = skilltool("lint", "--time-limit", "0.5", **{**hangs, "SKILLTOOL_TIMEOUT": "3600"})
    assert "check took more than 0.5 seconds, skilltool's limit for one skill" in done.stdout
    wrong = skilltool("lint", "--time-limit", "0")
    assert wrong.returncode == 2
    assert "Invalid value for '--time-limit': 0.0 is not in the range 0.1<=x<=3600.0." in wrong.stderr
    wrong = skilltool("lint", SKILLTOOL_TIMEOUT="soon")
    assert wrong.returncode == 2
    assert wrong.stderr.endswith("'SKILLTOOL_TIMEOUT': 'soon' is not a valid number of seconds.\n")


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["resolve"], ["cost"], ["preview", "--export", "out.html"]], ids=str)
@pytest.mark.usefixtures("skills")
def test_who_gives_up_names_the_way_to_allow_more(
    repo: Path, skilltool: Skilltool, arguments: list[str]
) -> None:
    """Work about no skill that takes too long: here the directory of the client's skills does."""
    folder = repo / "site"
    folder.mkdir()
    hook = (
        "import sys, time\n"
        "def work(seconds):\n    until = time.process_time() + seconds\n"
        "    while time.process_time() < until:\n        pass\n    return True\n"
        "sys.addaudithook(lambda event, found: event in ('os.listdir', 'os.scandir') and found\n"
        "    and str(found[0]).endswith('.kodelet/skills') and work(60))\n"
    )
    (folder / "sitecustomize.py").write_text(hook, "utf-8")
    done = skilltool(*arguments, "--runtime", "kodelet", "--time-limit", "0.5", PYTHONPATH=str(folder))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1] == (
        f"skilltool: gave up: reading the skills took more than 1 second; {MORE}"
    )
