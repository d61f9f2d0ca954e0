"""A file is replaced only if it is what was read, by the call that exchanges two files and without it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from skilltool.files.writing import (
    Exchange,
    exchange,
    exchange_in_steps,
    move_without_replacing,
    replace_if_unchanged,
)

OLD, NEW = b"old\n", b"new\n"


@pytest.fixture(params=[exchange, exchange_in_steps])
def exchanged(request: pytest.FixtureRequest) -> Exchange:
    """The two ways to exchange files."""
    way: Exchange = request.param
    return way


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "SKILL.md").write_bytes(OLD)
    return tmp_path / "SKILL.md"


def test_what_was_read_is_replaced_and_nothing_is_left_beside_it(file: Path, exchanged: Exchange) -> None:
    file.chmod(0o640)
    replace_if_unchanged(file, OLD, NEW, exchanged)
    assert (file.read_bytes(), os.listdir(file.parent)) == (NEW, ["SKILL.md"])
    assert os.name == "nt" or file.stat().st_mode & 0o777 == 0o640


def test_a_link_stays_a_link(file: Path, exchanged: Exchange) -> None:
    link = file.with_name("link")
    link.symlink_to("SKILL.md")
    replace_if_unchanged(link, OLD, NEW, exchanged)
    assert (link.is_symlink(), file.read_bytes()) == (True, NEW)


def _other_content(file: Path) -> None:
    file.write_bytes(b"edit\n")


def _other_file(file: Path) -> None:
    file.with_name("draft").write_bytes(b"edit\n")
    file.with_name("draft").replace(file)


def _a_pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def _a_dangling_link(file: Path) -> None:
    file.unlink()
    file.symlink_to("gone")


def _nothing(file: Path) -> None:
    file.unlink()


def _at_the_swap(way: Exchange, change: Callable[[Path], None]) -> Exchange:
    """Return `way`, with somebody who changes the file immediately before it is taken."""

    def exchanged(one: Path, other: Path) -> None:
        if changes:
            changes.pop()(other)
        way(one, other)

    changes = [change]
    return exchanged


@pytest.mark.skipif(os.name == "nt", reason="pipes and links")
@pytest.mark.parametrize(
    "change",
    [_other_content, _other_file, _a_pipe, _a_dangling_link, _nothing],
    ids=lambda each: each.__name__,
)
def test_what_changed_at_the_swap_is_put_back(
    file: Path, exchanged: Exchange, change: Callable[[Path], None]
) -> None:
    with pytest.raises(OSError, match="it has changed since it was read"):
        replace_if_unchanged(file, OLD, NEW, _at_the_swap(exchanged, change))
    if change in {_other_content, _other_file}:
        assert file.read_bytes() == b"edit\n"
    assert file.is_fifo() == (change is _a_pipe)
    assert file.is_symlink() == (change is _a_dangling_link)
    assert os.listdir(file.parent) == ([] if change is _nothing else ["SKILL.md"])


@pytest.mark.parametrize("saves", [2, 3, 4, 7])
def test_of_several_edits_at_the_swap_the_last_is_left(file: Path, exchanged: Exchange, saves: int) -> None:
    waiting = [f"edit {number}".encode() for number in range(1, saves + 1)]

    def busy(one: Path, other: Path) -> None:
        if waiting:
            file.with_name("draft").write_bytes(waiting.pop(0))
            file.with_name("draft").replace(file)
        exchanged(one, other)

    with pytest.raises(OSError, match="it has changed since it was read"):
        replace_if_unchanged(file, OLD, NEW, busy)
    assert (file.read_bytes(), os.listdir(file.parent)) == (f"edit {saves}".encode(), ["SKILL.md"])


def test_where_edits_never_end_both_files_are_kept_and_named(file: Path, exchanged: Exchange) -> None:
    count = iter(range(1000))

    def busy(one: Path, other: Path) -> None:
        file.with_name("draft").write_text(f"edit {next(count)}")
        file.with_name("draft").replace(file)
        exchanged(one, other)

    with pytest.raises(OSError, match=f"`.skilltool-{os.getpid()}-SKILL.md~` contains a version of it"):
        replace_if_unchanged(file, OLD, NEW, busy)
    left = {path.name: path.read_text() for path in file.parent.iterdir()}
    assert sorted(left) == [f".skilltool-{os.getpid()}-SKILL.md~", "SKILL.md"]
    last = next(count) - 1
    assert set(left.values()) == {f"edit {last - 1}", f"edit {last}"}


@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="only Linux says so")
def test_a_file_that_is_open_for_writing_is_left(file: Path, exchanged: Exchange) -> None:
    with file.open("r+b") as opened:
        with pytest.raises(OSError, match="a program has it open for writing"):
            replace_if_unchanged(file, OLD, NEW, exchanged)
        opened.write(b"edit")
    assert (file.read_bytes(), os.listdir(file.parent)) == (b"edit", ["SKILL.md"])


def test_a_name_that_is_taken_is_not_taken_again(file: Path) -> None:
    with pytest.raises(FileExistsError):
        move_without_replacing(_written(file.with_name("new"), NEW), file)
    assert (file.read_bytes(), file.with_name("new").read_bytes()) == (OLD, NEW)


def _written(file: Path, raw: bytes) -> Path:
    file.write_bytes(raw)
    return file


def test_a_link_is_moved_as_a_link(file: Path) -> None:
    link = file.with_name("skill.md~")
    link.symlink_to("SKILL.md")
    move_without_replacing(link, file.with_name("moved"))
    assert file.with_name("moved").is_symlink()
    with pytest.raises(FileExistsError):
        move_without_replacing(file.with_name("moved"), file)
