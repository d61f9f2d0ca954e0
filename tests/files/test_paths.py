"""Tests of what paths are made of, and of what is remembered of them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from skilltool.files.one_run import one_run
from skilltool.files.paths import absolute, cached_realpath, path_once


@pytest.mark.together
@pytest.mark.parametrize(
    "path", ["", ".", "a", "a/..", "/", "//a", "///a", "/a/./b/", "/a/../b", "/..", "a//b"]
)
def test_an_absolute_path_is_what_the_system_makes_of_it(path: str) -> None:
    assert absolute(path) == absolute(Path(path)) == Path(os.path.abspath(path))


def test_a_real_path_is_remembered_for_one_run(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    link = tmp_path / "link"
    link.symlink_to("one")
    with one_run():
        assert cached_realpath(str(link)) == str(tmp_path / "one")
        link.unlink()
        assert cached_realpath(str(link)) == str(tmp_path / "one")
        assert path_once("/a") is path_once("/a")
    assert cached_realpath(str(link)) == str(link)
