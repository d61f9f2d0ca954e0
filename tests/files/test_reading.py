"""What others wrote is read only if it is a regular file, and only up to a limit."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from skilltool.files.reading import MEBIBYTE, read_bounded


def test_a_file_of_just_the_limit_is_read(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"a" * MEBIBYTE)
    assert read_bounded(file, MEBIBYTE) == b"a" * MEBIBYTE
    file.write_bytes(b"a" * (MEBIBYTE + 1))
    with pytest.raises(OSError, match="larger than 1 MiB"):
        read_bounded(file, MEBIBYTE)


def test_a_sparse_file_of_gigabytes_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "file"
    with file.open("wb") as opened:
        opened.truncate(1 << 40)
    with pytest.raises(OSError, match="larger than 2 MiB"):
        read_bounded(file, 2 * MEBIBYTE)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with names")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="not a regular file"):
        read_bounded(tmp_path / "pipe", MEBIBYTE)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs a device without an end")
def test_a_device_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/dev/zero")
    with pytest.raises(OSError, match="not a regular file"):
        read_bounded(tmp_path / "link", MEBIBYTE)


def test_what_is_missing_or_a_directory_is_said_by_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_bounded(tmp_path / "gone", MEBIBYTE)
    with pytest.raises(OSError, match=r"(?i)directory|denied"):
        read_bounded(tmp_path, MEBIBYTE)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc, which lists open files")
def test_a_directory_leaves_no_descriptor_open(tmp_path: Path) -> None:
    before = len([*Path("/proc/self/fd").iterdir()])
    for _ in range(3):
        with pytest.raises(IsADirectoryError):
            read_bounded(tmp_path, MEBIBYTE)
    assert len([*Path("/proc/self/fd").iterdir()]) == before
