"""A snapshot of a skill's directory differs exactly where a check could find something else."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from skilltool.lint.cache.snapshots import Snapshot, content_digest, existence_unchanged, snapshot
from skilltool.skill.skill_file import MAX_BYTES
from tests.conftest import MakeSkill


def taken(directory: Path) -> Snapshot:
    found = snapshot(directory)
    assert found is not None
    return found


@pytest.fixture
def skill(tmp_path: Path, make_skill: MakeSkill) -> Path:
    directory = make_skill(tmp_path / "forms")
    (directory / "scripts").mkdir()
    (directory / "scripts" / "run.sh").write_text("echo\n", "utf-8")
    return directory


def older(path: Path) -> None:
    """Make a file look written long ago."""
    os.utime(path, ns=(10**18, 10**18))


@pytest.mark.parametrize(
    "change",
    [
        lambda top: (top / "scripts" / "run.sh").write_text("echo 1\n", "utf-8"),
        lambda top: (top / "scripts" / "run.sh").chmod(0o755),
        lambda top: (top / "scripts" / "run.sh").rename(top / "scripts" / "ran.sh"),
        lambda top: (top / "scripts" / "more").mkdir(),
        lambda top: (top / "empty").touch(),
        lambda top: older(top / "SKILL.md"),
        lambda top: (top / "SKILL.md").unlink(),
    ],
)
def test_each_change_makes_a_difference(skill: Path, change: Callable[[Path], object]) -> None:
    before = taken(skill)
    assert not before.differs_from(taken(skill))
    change(skill)
    assert before.differs_from(taken(skill))


def test_names_are_those_of_all_entries_and_after_them_of_what_may_be_executed(skill: Path) -> None:
    (skill / "node_modules").mkdir()
    (skill / "node_modules" / "unread.js").touch()
    plain = b"SKILL.md\0node_modules/\0scripts/\0scripts/run.sh"
    assert taken(skill).names == plain
    for name in ("scripts/run.sh", "SKILL.md"):
        (skill / name).chmod(0o744)
    assert taken(skill).names == plain + b"\0\0SKILL.md\0\0scripts/run.sh"


def test_what_is_gone_or_cannot_be_read_differs(skill: Path, tmp_path: Path) -> None:
    assert taken(skill).differs_from(None)
    assert snapshot(tmp_path / "nowhere") is None
    os.mkfifo(skill / "pipe")
    assert snapshot(skill) is None


def test_a_long_signature_is_stored_as_a_digest(skill: Path) -> None:
    assert len(taken(skill).signature) < 2_048
    assert b"SKILL.md" in taken(skill).signature
    for number in range(60):
        (skill / f"{number:02}-{'x' * 30}").touch()
    before = taken(skill)
    assert len(before.signature) == 64
    (skill / "more").touch()
    assert before.differs_from(taken(skill))


def test_a_directory_that_is_too_deep_is_not_cached(skill: Path) -> None:
    deepest = skill.joinpath(*"d" * 32)
    deepest.mkdir(parents=True)
    assert snapshot(skill) is not None
    (deepest / "d").mkdir()
    assert snapshot(skill) is None


@pytest.mark.slow
def test_a_skill_with_very_many_files_is_not_cached(skill: Path) -> None:
    for number in range(2_000 - 3):
        (skill / str(number)).touch()
    assert snapshot(skill) is not None
    (skill / "one-more").touch()
    assert snapshot(skill) is None


def test_of_a_large_file_the_begin_and_the_size_count(tmp_path: Path) -> None:
    digests = []
    for size, last in ((MAX_BYTES, b""), (MAX_BYTES + 1, b""), (MAX_BYTES + 2, b""), (MAX_BYTES + 1, b"x")):
        (tmp_path / "a").write_bytes(b"." * size + last)
        digests.append(content_digest(tmp_path, b"a", ["a"]))
    assert digests[2] == digests.pop()  # what comes after the bound is not read
    assert len({*digests, None}) == 4


def test_the_digest_is_that_of_names_and_contents(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"1")
    (tmp_path / "b").write_bytes(b"2")
    whole = content_digest(tmp_path, b"a\0b", ["a", "b"])
    assert whole == content_digest(tmp_path, b"a\0b", ["b", "a"])
    assert whole is not None
    others = {content_digest(tmp_path, b"a\0c", ["a", "b"]), content_digest(tmp_path, b"a\0b", ["a"])}
    (tmp_path / "b").write_bytes(b"3")
    others.add(content_digest(tmp_path, b"a\0b", ["a", "b"]))
    assert len({whole, *others}) == 4
    assert content_digest(tmp_path, b"a", ["gone"]) is None


def test_paths_outside_are_asked_whether_they_exist(tmp_path: Path) -> None:
    here, gone = str(tmp_path), str(tmp_path / "gone")
    assert existence_unchanged({here: True, gone: False})
    assert not existence_unchanged({here: False})
    assert not existence_unchanged({here: True, gone: True})
