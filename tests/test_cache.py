"""A kept result is the same as a fresh one, and everything that can change a result is noticed."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import skilltool as package
from skilltool.cache import row, rows, snapshots, store
from skilltool.check import check_skill
from skilltool.config import Config
from skilltool.diagnostic import Diagnostic, Edit, Excerpt, Fix, Place, Severity
from skilltool.landmarks import shown
from skilltool.lint import run
from skilltool.report import render
from skilltool.rules.records import Checked, Ignore, Record
from skilltool.settings import resolve
from skilltool.skill import load
from skilltool.source import Position
from tests.conftest import MakeSkill, Skilltool
from tests.rule_examples import examples

HERE = Path(__file__).parent
COMMAND = [sys.executable, "-m", "skilltool", "lint", "--isolated", "--cache-dir"]


Lint = Callable[..., str]


def report_of(cache: Path | None, *paths: str, runtime: str = "portable", ignore: str = "") -> str:
    """Lint paths from the working directory and return the JSON report."""
    options = {"cache": cache, "runtimes": [runtime], "ignore": [ignore] if ignore else ()}
    result = run([Path(path) for path in paths or (".",)], resolve(Config(), options))
    assert result.problems == ()
    return render(result.report, "json")


@pytest.fixture
def lint(repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lint:
    """A function that lints with a cache, as `report_of` does."""
    monkeypatch.chdir(repo)
    return partial(report_of, tmp_path / "cache")


fresh = partial(report_of, None)


@pytest.mark.parametrize("target", ["portable", "agentskills", "all"])
def test_kept_results_are_the_same_as_fresh_ones(
    repo: Path, skilltool: Skilltool, lint: Lint, target: str
) -> None:
    for number, example in enumerate(examples()):
        (repo / f"{number:03d}").mkdir()
        example.lay(repo / f"{number:03d}")
    expected = fresh(runtime=target)
    assert json.loads(expected)["summary"]["errors"] > 10
    for _ in range(2):
        assert lint(runtime=target) == expected
    time.sleep(2.1)  # now the stat data of the files is old enough to stand for them
    for _ in range(2):
        assert lint(runtime=target) == expected


BODY = """---
name: pdf-tools
description: Fills in forms. Use when the user mentions a form.
toolsets: [toolsets/index:Forms]
scripts: [fill.py]
---

# Forms

Read [the guide](references/guide.md#fields), then run `scripts/fill.py` and read references/more.md.
"""


def laid(repo: Path) -> Path:
    """Write the skill whose every file the rules look at, in a repository of its own."""
    directory = repo / "skills" / "pdf-tools"
    (repo / ".git").mkdir(parents=True, exist_ok=True)
    for name, text in {
        "SKILL.md": BODY,
        "references/guide.md": "# Guide\n\n## Fields\n",
        "references/more.md": "# More\n",
        "scripts/fill.py": "",
        "toolsets/index.ts": "export class Forms {}\n",
    }.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(text, "utf-8")
    return directory


@pytest.fixture
def skill(repo: Path) -> Path:
    return laid(repo)


@pytest.fixture(scope="module")
def old_skills(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the skill for each change, whose stat data is old enough to stand for the content."""
    top = tmp_path_factory.mktemp("old")
    for name in CHANGES:
        laid(top / name.replace(" ", "-"))
    time.sleep(2.1)
    return top


def edit(path: Path, old: str, new: str) -> None:
    """Change a file and give it back its old time; only its `ctime` tells."""
    before = path.stat()
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


CHANGES: dict[str, Callable[[Path], object]] = {
    "the text of the file": lambda skill: edit(
        skill / "SKILL.md", "Read [the", "Run `scripts/gone.py`, read [the"
    ),
    "a letter of the name": lambda skill: edit(skill / "SKILL.md", "name: pdf-tools", "name: pdf-toolz"),
    "a heading of a linked page": lambda skill: edit(skill / "references/guide.md", "## Fields", "## Fieldz"),
    "a linked page is removed": lambda skill: (skill / "references/guide.md").unlink(),
    "a mentioned page is removed": lambda skill: (skill / "references/more.md").unlink(),
    "a script is removed": lambda skill: (skill / "scripts/fill.py").unlink(),
    "the case of a page": lambda skill: (skill / "references/guide.md").rename(skill / "references/Guide.md"),
    "an export of a toolset": lambda skill: edit(skill / "toolsets/index.ts", "Forms", "Formz"),
    "a toolset becomes a directory": lambda skill: (
        (skill / "toolsets/index.ts").unlink(),
        (skill / "toolsets/index.ts").mkdir(),
    ),
    "a link out of the skill is added": lambda skill: (skill / "etc").symlink_to("/etc"),
    "a page becomes a link": lambda skill: (
        (skill / "references/more.md").unlink(),
        (skill / "references/more.md").symlink_to("/etc/hostname"),
    ),
    "the file is renamed": lambda skill: (skill / "SKILL.md").rename(skill / "skill.md"),
    "the directory is renamed": lambda skill: skill.rename(skill.with_name("forms")),
    "another skill of that name": lambda skill: shutil.copytree(skill, skill.with_name("pdf-tools-2")),
}


def changed(name: str, skill: Path, lint: Lint) -> None:
    path = str(skill.parents[1])
    before = lint(path, runtime="agent")
    assert before == lint(path, runtime="agent") == fresh(path, runtime="agent")
    CHANGES[name](skill)
    after = fresh(path, runtime="agent")
    assert after != before
    assert lint(path, runtime="agent") == lint(path, runtime="agent") == after


@pytest.mark.parametrize("name", CHANGES)
def test_each_change_of_a_new_file_is_noticed(
    name: str, skill: Path, skilltool: Skilltool, lint: Lint
) -> None:
    changed(name, skill, lint)


@pytest.mark.parametrize("name", CHANGES)
def test_each_change_of_an_old_file_is_noticed(
    name: str, old_skills: Path, skilltool: Skilltool, lint: Lint
) -> None:
    changed(name, old_skills / name.replace(" ", "-") / "skills" / "pdf-tools", lint)


def test_a_file_that_appears_above_the_skill_is_noticed(
    skill: Path, skilltool: Skilltool, lint: Lint
) -> None:
    (skill / "references/more.md").unlink()
    before = lint()
    assert "missing-file-mention" in before
    above = skill.parents[1] / "references"
    above.mkdir()
    (above / "more.md").touch()
    assert lint() == fresh() != before


def test_a_repository_that_begins_below_the_file_above_is_noticed(
    skill: Path, skilltool: Skilltool, lint: Lint
) -> None:
    (skill / "references/more.md").unlink()
    above = skill.parents[1] / "references"
    above.mkdir()
    (above / "more.md").touch()
    before = lint("skills")
    assert "missing-file-mention" not in before
    (skill.parent / ".git").mkdir()
    assert lint("skills") == fresh("skills") != before


def test_settings_are_noticed(skill: Path, lint: Lint) -> None:
    (skill / "references/guide.md").unlink()
    assert "broken-link" in lint()
    assert "broken-link" not in lint(ignore="broken-link")
    assert '"runtimes": [\n        "agentskills"\n      ]' in lint(runtime="agentskills")
    assert "broken-link" in lint()


def test_reports_show_paths_from_where_a_run_is_started(
    skill: Path, lint: Lint, monkeypatch: pytest.MonkeyPatch
) -> None:
    (skill / "references/guide.md").unlink()
    assert '"path": "skills/pdf-tools/SKILL.md"' in lint()
    monkeypatch.chdir(skill)
    assert '"path": "SKILL.md"' in lint()


def test_a_changed_rule_is_noticed(skill: Path, tmp_path: Path) -> None:
    (skill / "references/guide.md").unlink()
    ours = Path(package.__file__).parent
    copied = tmp_path / "program" / "skilltool"
    shutil.copytree(ours, copied, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ours.parent / "schemas", copied.parent / "schemas")
    command = [*COMMAND, str(tmp_path / "c"), "."]

    def report() -> str:
        environment = {**os.environ, "PYTHONPATH": str(copied.parent)}
        return subprocess.run(
            command, cwd=skill, env=environment, capture_output=True, text=True, check=False
        ).stdout

    assert "the odd link" not in report()
    rule = copied / "rules" / "broken_link.py"
    text = rule.read_text("utf-8")
    assert "the link" in text
    rule.write_text(text.replace("the link", "the odd link"), "utf-8")
    assert "the odd link" in report()


def test_nothing_is_kept_where_a_link_lies_in_the_skill(skill: Path, tmp_path: Path) -> None:
    assert snapshots.snapshot(skill) is not None
    (skill / "more").symlink_to("references")
    assert snapshots.snapshot(skill) is None


def test_what_has_just_been_written_is_not_trusted_by_its_times(skill: Path) -> None:
    now = snapshots.snapshot(skill)
    assert now is not None
    assert now.fresh
    time.sleep(2.1)
    later = snapshots.snapshot(skill)
    assert later is not None
    assert not later.fresh
    assert later.names == now.names


def test_a_skill_that_is_changed_while_it_is_checked_is_not_kept(skill: Path) -> None:
    before = snapshots.snapshot(skill)
    assert before is not None
    read = load(skill)
    checked = check_skill(read, skill, resolve(Config(), {}))
    assert row(skill, read, checked, before) is not None
    edit(skill / "SKILL.md", "Forms", "Formz")
    assert row(skill, read, checked, before) is None


DAMAGE: dict[str, Callable[[Path], object]] = {
    "not a database": lambda file: file.write_bytes(b"nothing of the kind" * 100),
    "empty": lambda file: file.write_bytes(b""),
    "cut": lambda file: file.write_bytes(file.read_bytes()[:5000]),
    "overwritten inside": lambda file: file.write_bytes(
        file.read_bytes()[:4096] + b"\xff" * 8192 + file.read_bytes()[12288:]
    ),
    "other tables": lambda file: (file.unlink(), sqlite3.connect(file).execute("CREATE TABLE results (x)")),
    "a directory": lambda file: (file.unlink(), file.mkdir()),
    "other JSON": lambda file: sqlite3.connect(file, isolation_level=None).execute(
        "UPDATE results SET result = '[1, 2]'"
    ),
    "no JSON": lambda file: sqlite3.connect(file, isolation_level=None).execute(
        "UPDATE results SET looked = '{'"
    ),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_cache_is_no_matter_of_the_run(
    damage: Callable[[Path], object],
    repo: Path,
    make_skill: MakeSkill,
    skilltool: Skilltool,
    lint: Lint,
    tmp_path: Path,
) -> None:
    for number in range(30):
        make_skill(repo / f"s{number}", "no frontmatter\n" if number % 3 else None)
    expected = fresh()
    assert lint() == expected
    damage(tmp_path / "cache" / store.FILE)
    for _ in range(2):
        assert lint() == expected


def test_a_cache_that_another_run_has_locked_is_no_matter_of_the_run(
    skill: Path, skilltool: Skilltool, lint: Lint, tmp_path: Path
) -> None:
    expected = lint()
    other = sqlite3.connect(tmp_path / "cache" / store.FILE, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    assert lint() == expected
    (skill / "references/guide.md").unlink()
    assert lint() == fresh() != expected
    other.close()


def test_a_cache_that_cannot_be_made_is_no_matter_of_the_run(skill: Path, skilltool: Skilltool) -> None:
    done = skilltool("lint", "--isolated", "--cache-dir", "/dev/null/x")
    assert done.returncode == 0
    assert done.stderr == ""


def test_concurrent_runs_agree(repo: Path, make_skill: MakeSkill, lint: Lint, tmp_path: Path) -> None:
    for number in range(120):
        make_skill(repo / f"s{number:03d}", "no frontmatter\n" if number % 3 else None)
    expected = fresh()
    command = [*COMMAND, str(tmp_path / "cache"), "--output-format", "json"]
    runs = [subprocess.Popen(command, cwd=repo, stdout=subprocess.PIPE, text=True) for _ in range(6)]
    assert [run.communicate(timeout=60)[0] for run in runs] == [expected] * 6


def test_a_killed_run_leaves_a_cache_that_is_right(
    repo: Path, make_skill: MakeSkill, skilltool: Skilltool, lint: Lint, tmp_path: Path
) -> None:
    for number in range(200):
        make_skill(repo / f"s{number:03d}", "no frontmatter\n" if number % 3 else None)
    expected = fresh()
    command = [*COMMAND, str(tmp_path / "cache")]
    chance = random.Random(1)
    for _ in range(6):
        run = subprocess.Popen(command, cwd=repo, stdout=subprocess.DEVNULL, start_new_session=True)
        time.sleep(chance.uniform(0.1, 0.6))
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
        assert lint() == expected
        edit(repo / "s000" / "SKILL.md", "Fills", "Fillz")
        edit(repo / "s000" / "SKILL.md", "Fillz", "Fills")


def test_clean_deletes_what_was_kept_and_nothing_else(
    skill: Path, skilltool: Skilltool, lint: Lint, tmp_path: Path
) -> None:
    lint()
    folder = tmp_path / "cache"
    (folder / "mine.txt").touch()
    done = skilltool("clean", "--cache-dir", str(folder))
    assert done.returncode == 0
    assert "bytes deleted" in done.stdout
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]
    assert "nothing to delete" in skilltool("clean", SKILLTOOL_CACHE_DIR=str(folder)).stdout


def test_without_a_cache_nothing_is_written(skill: Path, skilltool: Skilltool, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    assert skilltool("lint", "--no-cache", HOME=str(home)).returncode == 0
    assert list(home.iterdir()) == []
    assert skilltool("lint", HOME=str(home)).returncode == 0
    assert list(home.rglob(store.FILE))


TEXTS = st.text(st.characters(codec=None), max_size=20)
NUMBERS = st.integers(1, 9999)
PLACES = st.builds(
    Place,
    st.builds(Position, NUMBERS, NUMBERS),
    st.builds(Position, NUMBERS, NUMBERS),
    st.builds(Excerpt, TEXTS, NUMBERS, NUMBERS),
)
EDITS = st.lists(st.builds(Edit, NUMBERS, NUMBERS, TEXTS)).map(tuple)
FIXES = st.builds(Fix, st.booleans(), EDITS, st.none() | st.tuples(TEXTS, TEXTS))
RULES = st.lists(TEXTS, max_size=3).map(tuple)


@given(data=st.data())
def test_a_row_gives_back_what_was_put_in(data: st.DataObject) -> None:
    directory = HERE / "a"
    path = shown(directory / "SKILL.md")
    diagnostics = st.builds(
        Diagnostic,
        st.just(path),
        PLACES,
        TEXTS,
        st.sampled_from(Severity),
        TEXTS,
        st.none() | TEXTS,
        TEXTS,
        RULES,
        st.none() | FIXES,
    )
    comments = st.builds(Ignore, st.just(path), TEXTS, RULES, TEXTS, PLACES, NUMBERS, st.none() | NUMBERS)
    name = data.draw(st.none() | TEXTS)
    record = Record(path, str(directory), "a", name, data.draw(PLACES), data.draw(RULES))
    checked = Checked(
        record,
        tuple(data.draw(st.lists(diagnostics, max_size=3))),
        tuple(data.draw(st.lists(comments, max_size=2))),
    )
    text = rows.dumps(checked, "SKILL.md")
    assert text.isascii()
    assert rows.loads(text, directory) == checked


FOREIGN = ('["SKILL.md", [1, 2, 3, 4], [], []]', "[[], [], [], []]", "{}", "null")


@given(text=st.text() | st.sampled_from(FOREIGN))
def test_a_row_of_somebody_else_is_refused(text: str) -> None:
    try:
        rows.loads(text, HERE)
    except ValueError:
        pass
    else:
        pytest.fail("taken")
