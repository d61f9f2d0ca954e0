"""A defect of ours in one skill beside a good one: every command says so, ends with 2, and does the rest."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from skilltool.bounds.budget import InternalError, InternalReason
from skilltool.bounds.pool import WorkerPool
from skilltool.errors import ConfigError, SkilltoolError
from skilltool.report import FORMATS
from tests.conftest import MakeSkill, Skilltool
from tests.support import failing

SAID = "(please report it): ValueError: made up"
IN_RULE = f"internal error in rule `empty-body` for `kodelet` {SAID} (lint/check.py:"
# Line ends that can be fixed.
TEXT = (
    "---\r\nname: {name}\r\ndescription: Fills in forms. Use for a form.\r\n---\r\n\r\nRead the fields.\r\n"
)
Defect = Callable[[str], dict[str, str]]


@pytest.fixture
def defect(tmp_path: Path) -> Defect:
    """The environment of a skilltool with a defect, by the program that makes it."""
    return lambda program: failing.environment(tmp_path / "hook", program)


@pytest.fixture
def skills(repo: Path, make_skill: MakeSkill) -> Path:
    """A project of kodelet with three skills, of which only `breaks` meets a defect."""
    root = repo / ".kodelet" / "skills"
    for name in ("a", "breaks", "c"):
        make_skill(root / name, TEXT.format(name=name))
    return root


def findings(done: subprocess.CompletedProcess[str]) -> list[tuple[str, str]]:
    return [(each["skill"], each["rule"]) for each in json.loads(done.stdout)["diagnostics"]]


BEFORE = [(name, "carriage-return") for name in ("a", "breaks", "c")]


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_other_rules_find_stays(skills: Path, skilltool: Skilltool, defect: Defect, jobs: str) -> None:
    asked = ["--no-cache", "--output-format", "json", "--jobs", jobs]
    whole = skilltool("lint", *asked)
    assert (whole.returncode, findings(whole)) == (0, BEFORE)
    done = skilltool("lint", *asked, **defect(failing.RULE))
    assert done.returncode == 2
    assert done.stderr == ""
    assert findings(done) == [BEFORE[0], ("breaks", "internal-error"), *BEFORE[1:]]
    [found] = [each for each in json.loads(done.stdout)["diagnostics"] if each["rule"] == "internal-error"]
    assert found["severity"] == "error"
    assert found["message"].startswith(IN_RULE)


@pytest.mark.slow
@pytest.mark.usefixtures("skills")
@pytest.mark.parametrize("output_format", FORMATS)
def test_every_format_tells_it(skilltool: Skilltool, defect: Defect, output_format: str) -> None:
    done = skilltool("lint", "--output-format", output_format, **defect(failing.RULE))
    assert done.returncode == 2
    assert "internal-error" in done.stdout
    assert "carriage-return" in done.stdout or output_format == "github"  # which shows no notes


@pytest.mark.slow
@pytest.mark.parametrize("options", ["--select body", "--ignore file", "--config c.toml", "--exit-zero"])
def test_nothing_hides_it(
    repo: Path, skills: Path, skilltool: Skilltool, defect: Defect, options: str
) -> None:
    (repo / "c.toml").write_text(
        'ignore = ["internal-error"]\n[severity]\ninternal-error = "info"\n'
        '[per-file-ignores]\n"*" = ["internal-error"]\n'
    )
    ignoring = TEXT.format(name="breaks\r\n# skilltool: ignore[internal-error] it is not mine")
    (skills / "breaks" / "SKILL.md").write_bytes(ignoring.encode())
    done = skilltool("lint", *options.split(), "--output-format", "json", **defect(failing.RULE))
    assert done.returncode == 2
    [found] = [each for each in json.loads(done.stdout)["diagnostics"] if each["rule"] == "internal-error"]
    assert found["severity"] == "error"


@pytest.mark.slow
def test_it_is_not_cached(skills: Path, skilltool: Skilltool, defect: Defect) -> None:
    cache = {"SKILLTOOL_CACHE_DIR": str(skills.parent / "cache")}
    for _ in range(2):
        assert SAID in skilltool("lint", **defect(failing.RULE), **cache).stdout
    after = skilltool("lint", "--output-format", "json", **cache)
    assert findings(after) == BEFORE


@pytest.mark.slow
def test_it_is_not_accepted_in_a_baseline(skills: Path, skilltool: Skilltool, defect: Defect) -> None:
    environment = defect(failing.RULE)
    done = skilltool("baseline", "-o", "known.json", **environment)
    assert done.returncode == 2
    assert done.stderr.count("this cannot be accepted") == 1
    accepted = json.loads((skills.parents[1] / "known.json").read_text("utf-8"))["findings"]
    assert [(each["skill"], each["rule"]) for each in accepted] == BEFORE
    again = skilltool("lint", "--baseline", "known.json", "--output-format", "json", **environment)
    assert (again.returncode, findings(again)) == (2, [("breaks", "internal-error")])


@pytest.mark.slow
@pytest.mark.parametrize("program", [failing.RULE, failing.PLANNER], ids=["a rule", "the planner"])
def test_all_other_skills_are_fixed(skills: Path, skilltool: Skilltool, defect: Defect, program: str) -> None:
    before = {path.parent.name: path.read_bytes() for path in skills.glob("*/SKILL.md")}
    environment = defect(program)
    diff = skilltool("lint", "--diff", **environment)
    assert diff.returncode == 2
    assert diff.stderr.count(SAID) == 1
    assert {name for name in before if f"/{name}/SKILL.md" in diff.stdout} == {"a", "c"}
    done = skilltool("lint", "--fix", "--unsafe-fixes", **environment)
    assert done.returncode == 2
    assert (done.stdout + done.stderr).count(SAID) == 1
    after = {path.parent.name: path.read_bytes() for path in skills.glob("*/SKILL.md")}
    assert {name for name in before if before[name] != after[name]} == {"a", "c"}


@pytest.mark.slow
@pytest.mark.usefixtures("skills")
@pytest.mark.parametrize(
    ("program", "where"),
    [
        (failing.PREFILTER, "in the prefilters for `kodelet`"),
        (failing.READER, "for `kodelet`"),
        (failing.CACHE, "internal error (please"),
    ],
    ids=["a prefilter", "a runtime", "the cache"],
)
def test_whatever_fails_the_skill_has_one_finding(
    tmp_path: Path, skilltool: Skilltool, defect: Defect, program: str, where: str
) -> None:
    cache = {"SKILLTOOL_CACHE_DIR": str(tmp_path / "cache")}
    done = skilltool(
        "lint", "--runtime", "kodelet,codex", "--output-format", "json", **defect(program), **cache
    )
    assert done.returncode == 2, done.stderr
    told = [each for each in json.loads(done.stdout)["diagnostics"] if each["rule"] == "internal-error"]
    assert [each["skill"] for each in told] == ["breaks"]
    assert where in told[0]["message"]
    assert SAID in told[0]["message"]
    assert {("a", "carriage-return"), ("c", "carriage-return")} <= set(findings(done))


def test_lint_of_standard_input(repo: Path, skills: Path, defect: Defect, make_skill: MakeSkill) -> None:
    import os

    file = skills / "breaks" / "SKILL.md"
    done = subprocess.run(
        [sys.executable, "-m", "skilltool", "lint", "-", "--stdin-filename", file],
        cwd=repo,
        env={**os.environ, **defect(failing.RULE)},
        input=file.read_text("utf-8"),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout.count(SAID) == 1


@pytest.mark.slow
@pytest.mark.usefixtures("skills")
def test_a_rule_about_many_skills_is_told_once_and_hides_no_other(
    repo: Path, skilltool: Skilltool, defect: Defect, make_skill: MakeSkill
) -> None:
    make_skill(repo / ".agents" / "skills" / "a")  # a copy that differs
    command = ("lint", "--no-cache", "--output-format", "json", "--runtime", "kodelet,codex")
    whole = skilltool(*command)
    done = skilltool(*command, **defect(failing.TOGETHER))
    assert done.returncode == 2
    assert done.stderr.count("internal error") == 1
    assert f"internal error in rule `duplicate-name` for `kodelet` {SAID}" in done.stderr
    assert findings(done) == [each for each in findings(whole) if each[1] != "duplicate-name"]


def test_a_rule_about_manifests(
    repo: Path, skilltool: Skilltool, defect: Defect, make_skill: MakeSkill
) -> None:
    for name in ("one", "two"):
        make_skill(repo / name / "skills" / name)
        (repo / name / ".claude-plugin").mkdir()
        (repo / name / ".claude-plugin" / "plugin.json").write_text(json.dumps({"name": name}), "utf-8")
    done = skilltool("lint", "--output-format", "json", **defect(failing.MANIFEST))
    assert done.returncode == 2
    assert [rule for _, rule in findings(done)] == ["internal-error", "internal-error"]


@pytest.mark.slow
@pytest.mark.usefixtures("skills")
@pytest.mark.parametrize("command", [["resolve"], ["cost"], ["render", "a"]], ids=" ".join)
def test_commands_that_open_sessions_skip_it(
    skilltool: Skilltool, defect: Defect, command: list[str]
) -> None:
    done = skilltool(*command, "--runtime", "kodelet", **defect(failing.READER))
    assert done.returncode == 2
    assert ".kodelet/skills/breaks: internal error (please report it): ValueError: made up" in done.stderr
    assert {"a", "a:", "2"} & set(done.stdout.split()) or "Read the fields." in done.stdout


@pytest.mark.slow
@pytest.mark.usefixtures("skills")
def test_preview_shows_the_others(tmp_path: Path, skilltool: Skilltool, defect: Defect) -> None:
    out = tmp_path / "skills.html"
    done = skilltool("preview", "--runtime", "kodelet", "--export", out, **defect(failing.READER))
    assert done.returncode == 2, done.stderr
    page = out.read_text("utf-8")
    assert all(f">{name}<" in page for name in ("a", "breaks", "c"))
    assert f"internal error {SAID}" in page


class EvilError(Exception):
    """An exception that must not be unpickled, with a text that must not be printed."""

    def __init__(self) -> None:
        super().__init__("\x1b]0;x\x07\n" + "y" * 10_000)

    def __reduce__(self) -> tuple[object, ...]:
        return exec, ("raise SystemExit('unpickled')",)


class WordlessError(Exception):
    """An exception without a text: Python refuses to print a number of so many digits."""

    def __str__(self) -> str:
        return str(10**5000)


def fail(kind: str) -> None:
    if kind == "evil":
        raise EvilError
    if kind == "wordless":
        raise WordlessError
    if kind == "told":
        raise ConfigError("skilltool.toml: no")
    Path("/nowhere/at/all").read_bytes()


@pytest.mark.parametrize("watched", [False, True])
def test_an_exception_comes_from_another_process_in_words(tmp_path: Path, watched: bool) -> None:
    def call(kind: str) -> None:
        with WorkerPool() as pool:
            pool.call_watched(5.0, fail, kind) if watched else pool.call(tmp_path, fail, kind)

    with pytest.raises(InternalError) as evil:
        call("evil")
    told = evil.value.reason
    assert isinstance(told, InternalReason)
    assert told.isprintable()
    assert told.startswith("internal error (please report it): EvilError: \\x1b]0;x\\x07 yyy")
    assert len(told) < 300
    with pytest.raises(InternalError, match=r"\(please report it\): WordlessError "):
        call("wordless")
    with pytest.raises(SkilltoolError, match=r"^skilltool\.toml: no$"):
        call("told")
    with pytest.raises(FileNotFoundError) as missing:
        call("system")
    assert missing.value.filename == "/nowhere/at/all"
