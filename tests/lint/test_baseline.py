"""A baseline hides the findings of yesterday, wherever they have moved, and no others."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from skilltool import runtimes
from tests.conftest import MakeSkill, Skilltool, slowest

FILE = "skilltool-baseline.json"
BODY = "---\nname: a\ndescription: Fills in forms. Use when asked.\n---\n\n[x](gone.md)\n\n[y](lost.md)\n"


@pytest.fixture
def accepted(skilltool: Skilltool, repo: Path, make_skill: MakeSkill) -> Path:
    """A skill whose two findings are in the baseline."""
    skill = make_skill(repo / "a", BODY)
    run = skilltool("baseline")
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith(f"{FILE}: 2 findings accepted;")
    return skill / "SKILL.md"


def test_accepted_findings_are_hidden_and_counted(skilltool: Skilltool, accepted: Path) -> None:
    run = skilltool("lint", "--baseline", FILE, "--fail-on", "info")
    assert (run.returncode, run.stdout) == (
        0,
        "1 skill checked against `portable`, no findings (2 in the baseline)\n",
    )
    assert skilltool("lint", "--fail-on", "warning").returncode == 1
    report = json.loads(skilltool("lint", "--baseline", FILE, "--output-format", "json").stdout)
    assert report["summary"]["suppressed"] == 2


def test_a_finding_that_moves_is_still_known_and_one_more_is_new(
    skilltool: Skilltool, accepted: Path
) -> None:
    accepted.write_text(BODY.replace("\n[x]", "\nA new line.\n\n[x]"), "utf-8")
    assert "no findings" in skilltool("lint", "--baseline", FILE).stdout
    accepted.write_text(BODY + "\n[x](gone.md)\n", "utf-8")
    run = skilltool("lint", "--baseline", FILE, "--output-format", "concise")
    assert run.stdout.splitlines()[0].startswith("a/SKILL.md:10:5: warning[broken-link]")
    assert len(run.stdout.splitlines()) == 2


def test_a_baseline_is_sorted_has_no_line_numbers_and_no_text_of_a_skill(
    skilltool: Skilltool, repo: Path, accepted: Path
) -> None:
    data = json.loads((repo / FILE).read_text("utf-8"))
    assert data["schema_version"] == 2
    assert [set(entry) for entry in data["findings"]] == [{"skill", "rule", "fingerprint", "count"}] * 2
    assert data["findings"] == sorted(data["findings"], key=lambda entry: entry["fingerprint"])
    before = (repo / FILE).read_bytes()
    skilltool("baseline")
    assert (repo / FILE).read_bytes() == before
    assert sorted(path.name for path in repo.iterdir()) == [".git", "a", FILE]


def test_the_configuration_names_a_baseline_beside_it(
    skilltool: Skilltool, repo: Path, accepted: Path
) -> None:
    (repo / "skilltool.toml").write_text(f'baseline = "{FILE}"\n', "utf-8")
    assert "(2 in the baseline)" in skilltool("lint", cwd=accepted.parent).stdout
    assert "2 findings accepted" in skilltool("baseline", "-o", "again.json").stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"schema_version": 1}',
        '{"schema_version": 3}',
        '{"schema_version": 2, "findings": [{"fingerprint": "", "count": 1e400}]}',
        "\x00",
    ],
)
def test_what_is_no_baseline_is_refused(skilltool: Skilltool, repo: Path, accepted: Path, text: str) -> None:
    (repo / FILE).write_text(text, "utf-8")
    run = skilltool("lint", "--baseline", FILE)
    assert run.returncode == 2
    assert run.stderr.startswith(f"skilltool: {FILE}:")
    assert "baseline" in run.stderr


def test_an_entry_that_is_not_a_number_is_named(skilltool: Skilltool, repo: Path, accepted: Path) -> None:
    entries = '{"fingerprint": "a", "count": 1}, {"fingerprint": "b", "count": 1e400}'
    (repo / FILE).write_text(f'{{"schema_version": 2, "findings": [{entries}]}}', "utf-8")
    run = skilltool("lint", "--baseline", FILE)
    way_out = "create one with `skilltool baseline`"
    message = f"skilltool: {FILE}: `count` of entry 2 in `findings` is not an integer; {way_out}\n"
    assert (run.returncode, run.stderr) == (2, message)


def test_a_baseline_without_an_end_is_refused(skilltool: Skilltool, repo: Path, accepted: Path) -> None:
    (repo / FILE).unlink()
    (repo / FILE).symlink_to("/dev/zero")
    run = skilltool("lint", "--baseline", FILE)
    way_out = "create one with `skilltool baseline`"
    assert (run.returncode, run.stderr) == (2, f"skilltool: {FILE}: not a regular file; {way_out}\n")


def test_a_baseline_that_is_not_there_is_said_with_the_way_to_one(
    skilltool: Skilltool, accepted: Path
) -> None:
    run = skilltool("lint", "--baseline", "no.json")
    assert (run.returncode, run.stdout) == (2, "")
    assert "create one with `skilltool baseline`" in run.stderr


def test_a_place_that_cannot_be_written_is_said(skilltool: Skilltool, accepted: Path) -> None:
    run = skilltool("baseline", "-o", "no/such/directory.json")
    assert (run.returncode, run.stderr) == (
        2,
        "skilltool: no/such/directory.json: No such file or directory\n",
    )


def test_statistics_count_rules_in_place_of_findings(skilltool: Skilltool, accepted: Path) -> None:
    run = skilltool("lint", "--statistics", "--fail-on", "warning")
    assert (run.returncode, run.stdout) == (
        1,
        "2  warning  broken-link\n\n2 warnings in 1 of 1 skill, checked against `portable`\n",
    )
    data = json.loads(skilltool("lint", "--statistics", "--output-format", "json").stdout)
    assert data["statistics"] == [{"rule": "broken-link", "severity": "warning", "count": 2}]


def test_statistics_tell_a_rule_s_severities_apart(skilltool: Skilltool, repo: Path) -> None:
    (repo / "package.json").touch()
    directory = repo / "skills" / "forms"
    directory.mkdir(parents=True)
    head = "---\nname: forms\ndescription: Fills in forms. Use when asked.\n---\n\n"
    (directory / "SKILL.md").write_text(f"{head}[a](gone.md) [b](package.json) [c](also.md)\n", "utf-8")
    rows = skilltool("lint", "--statistics").stdout.splitlines()
    assert rows[:2] == ["2  warning  broken-link", "1  info     broken-link"]


def test_exit_zero_hides_findings_from_the_status_and_no_failure(
    skilltool: Skilltool, accepted: Path
) -> None:
    assert skilltool("lint", "--fail-on", "info", "--exit-zero").returncode == 0
    assert skilltool("lint", "no-such-path", "--exit-zero").returncode == 2


@slowest
@pytest.mark.parametrize("targets", [("portable",), runtimes.IDS])
def test_a_report_and_a_baseline_are_the_same_wherever_the_skills_lie(
    skilltool: Skilltool, tmp_path: Path, targets: tuple[str, ...]
) -> None:
    fixtures = Path(__file__).parents[1] / "goldens" / "fixtures"
    places = [tmp_path / "here" / "repo", tmp_path / "quite" / "elsewhere" / "repo"]
    for place in places:
        for name in ("dirX", "badregex"):
            shutil.copytree(fixtures / name, place / name, symlinks=True)
        (place / "dirX" / "lower").mkdir()
        (place / "dirX" / "lower" / "skill.md").write_text(BODY, "utf-8")
        (place / ".git").mkdir()
    options = ("--no-cache", *(f"--runtime={target}" for target in targets))
    for output_format in ("json", "sarif", "gitlab"):
        first, second = (
            skilltool("lint", *options, "--output-format", output_format, cwd=place) for place in places
        )
        assert first.stdout == second.stdout
        assert str(tmp_path) not in first.stdout
    assert skilltool("baseline", *options, cwd=places[0]).returncode == 0
    (places[0] / FILE).rename(places[1] / FILE)
    run = skilltool("lint", *options, "--baseline", FILE, "--fail-on", "info", cwd=places[1])
    assert (run.returncode, "no findings" in run.stdout) == (0, True)


@pytest.mark.slow
def test_a_baseline_of_version_1_is_recognised_with_one_sentence_how_to_renew_it(
    skilltool: Skilltool, repo: Path, accepted: Path
) -> None:
    entry = {"skill": "a", "rule": "broken-link", "fingerprint": "0123456789abcdef", "count": 2}
    (repo / FILE).write_text(json.dumps({"schema_version": 1, "findings": [entry]}), "utf-8")
    run = skilltool("lint", "--baseline", FILE)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == (
        f"skilltool: {FILE}: this baseline has format version 1, which is no longer supported; "
        f"renew it with `skilltool baseline -o {FILE}`\n"
    )
    assert skilltool("baseline", "-o", FILE).returncode == 0
    assert "(2 in the baseline)" in skilltool("lint", "--baseline", FILE).stdout


def test_equal_findings_in_copies_of_a_skill_are_counted(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    for plugin in ("one", "two"):
        make_skill(repo / plugin / "a", BODY)
    assert "4 findings accepted" in skilltool("baseline").stdout
    assert "(4 in the baseline)" in skilltool("lint", "--baseline", FILE).stdout
    make_skill(repo / "three" / "a", BODY)
    run = skilltool("lint", "--baseline", FILE, "--output-format", "json")
    report = json.loads(run.stdout)
    assert (len(report["diagnostics"]), report["summary"]["suppressed"]) == (2, 4)
