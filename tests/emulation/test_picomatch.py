"""Globs of paths, by a table measured with picomatch 4 and `dot: true`."""

from __future__ import annotations

import pytest

from skilltool.emulation.picomatch import matches_path


@pytest.mark.together
@pytest.mark.parametrize(
    ("glob", "path", "matches"),
    [
        *(("*.ts", "a.ts", True), ("*.ts", "src/a.ts", False), ("**/*.ts", "a.ts", True)),
        *(("**/*.ts", "a/b/.c.ts", True), ("src/**", "src/a/b", True), ("src/**/x", "src/x", True)),
        *(("src/*.{ts,tsx}", "src/a.tsx", True), ("src/*.{ts,tsx}", "src/a.js", False)),
        *(("a?c", "abc", True), ("a?c", "a/c", False), ("[ab].md", "b.md", True), ("./x.md", "x.md", True)),
        *(("x.md", "x.md/y", False), ("é*", "état", True)),
    ],
)
def test_a_glob_matches_the_whole_path(glob: str, path: str, matches: bool) -> None:
    assert matches_path([glob], path) is matches


def test_any_of_several_globs_is_enough() -> None:
    assert matches_path(["a", "b/*"], "b/c")
    assert not matches_path([], "b/c")


@pytest.mark.slow
def test_braces_without_end_are_not_expanded_without_end() -> None:
    assert not matches_path(["{a,b}" * 40], "x")
