"""A cache that is damaged, locked, shared, killed or disabled never changes the result of a run."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from skilltool.lint.cache import store
from tests.conftest import MakeSkill, Skilltool
from tests.lint.cache.conftest import COMMAND, Lint, edit, fresh


def swap(file: Path, old: bytes, new: bytes) -> None:
    raw = file.read_bytes()
    assert old in raw
    file.write_bytes(raw.replace(old, new))


def execute(file: Path, statement: str) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute(statement)


DAMAGE: dict[str, Callable[[Path], object]] = {
    "not a database": lambda file: file.write_bytes(b"nothing of the kind" * 100),
    "empty": lambda file: file.write_bytes(b""),
    "cut": lambda file: file.write_bytes(file.read_bytes()[:5000]),
    "overwritten inside": lambda file: file.write_bytes(
        file.read_bytes()[:4096] + b"\xff" * 8192 + file.read_bytes()[12288:]
    ),
    "other tables": lambda file: (file.unlink(), execute(file, "CREATE TABLE results (x)")),
    "a table's definition": lambda file: swap(file, b"digest BLOB", b"digest \xff\xfe\xff\xff"),
    "a letter of a result": lambda file: swap(file, b"missing-frontmatter", b"missing-frontmattes"),
    "a directory": lambda file: (file.unlink(), file.mkdir()),
    "other JSON": lambda file: execute(file, "UPDATE results SET result = '[1, 2]'"),
    "no JSON": lambda file: execute(file, "UPDATE results SET dependencies = '{'"),
}


@pytest.mark.slow
@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_cache_does_not_change_the_result(
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


@pytest.mark.slow
def test_a_locked_cache_does_not_change_the_result(
    skill: Path, skilltool: Skilltool, lint: Lint, tmp_path: Path
) -> None:
    expected = lint()
    other = sqlite3.connect(tmp_path / "cache" / store.FILE, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    assert lint() == expected
    (skill / "references/guide.md").unlink()
    assert lint() == fresh() != expected
    other.close()


def test_a_cache_that_cannot_be_created_does_not_change_the_result(skill: Path, skilltool: Skilltool) -> None:
    done = skilltool("lint", "--isolated", "--cache-dir", "/dev/null/x")
    assert done.returncode == 0
    assert done.stderr == ""


@pytest.mark.slow
def test_concurrent_runs_agree(repo: Path, make_skill: MakeSkill, lint: Lint, tmp_path: Path) -> None:
    for number in range(120):
        make_skill(repo / f"s{number:03d}", "no frontmatter\n" if number % 3 else None)
    expected = fresh()
    command = [*COMMAND, str(tmp_path / "cache"), "--output-format", "json"]
    runs = [subprocess.Popen(command, cwd=repo, stdout=subprocess.PIPE, text=True) for _ in range(6)]
    assert [run.communicate(timeout=60)[0] for run in runs] == [expected] * 6


@pytest.mark.slow
def test_a_killed_run_leaves_a_correct_cache(
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


def test_clean_deletes_the_cache_and_nothing_else(
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


def test_no_cache_writes_nothing(skill: Path, skilltool: Skilltool, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    assert skilltool("lint", "--no-cache", HOME=str(home)).returncode == 0
    assert list(home.iterdir()) == []
    assert skilltool("lint", HOME=str(home)).returncode == 0
    assert list(home.rglob(store.FILE))


def test_pending_rows_are_written_for_their_own_settings(repo: Path, tmp_path: Path) -> None:
    one, other = (store.Store(tmp_path / "cache", [name]) for name in ("one", "other"))
    row = store.Row(b"", b"c", "[]", "{}")
    other.put(repo, row)
    one.close()
    other._rebuild()  # as where a page is damaged
    other.close()
    again = store.Store(tmp_path / "cache", ["one"])
    assert again.get(repo) is None
    again.close()
    again = store.Store(tmp_path / "cache", ["other"])
    assert again.get(repo) == row
    again.close()


def test_clean_says_what_it_cannot_delete(skilltool: Skilltool, tmp_path: Path) -> None:
    (tmp_path / store.FILE).mkdir()
    (tmp_path / "results-1.sqlite3").write_bytes(b"old")
    done = skilltool("clean", "--cache-dir", str(tmp_path))
    assert (done.returncode, done.stderr) == (2, f"skilltool: {tmp_path / store.FILE}: Is a directory\n")
    (tmp_path / store.FILE).rmdir()
    assert not (tmp_path / "results-1.sqlite3").exists()


def test_what_a_run_of_fixes_had_no_time_for_is_known_to_the_next_one(tmp_path: Path) -> None:
    a, b, c = skills = [tmp_path / name for name in "abc"]

    def opened() -> store.Store:
        return store.Store(tmp_path / "cache", ["settings"])

    with closing(opened()) as first:
        assert first.left_over(skills) == []
        first.leave_over(skills, [c, a])
    execute(tmp_path / "cache" / store.FILE, "DELETE FROM results")
    with closing(opened()) as second:
        assert (second.left_over(skills), second.left_over([b])) == ([c, a], [])
        second.leave_over([a, b], [b])
    with closing(opened()) as third:
        assert third.left_over(skills) == [b, c]
    execute(tmp_path / "cache" / store.FILE, "DROP TABLE left_over")  # a file that an older version made
    with closing(opened()) as fourth:
        fourth.leave_over(skills, [a])
        assert fourth.left_over(skills) == [a]
