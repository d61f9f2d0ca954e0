"""Four times as many of anything take about four times as many calls: see `benchmarks/steps.py`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks import steps
from skilltool.lint.check import check_skill
from skilltool.lint.config import Config
from skilltool.lint.settings import resolve
from skilltool.pack.contents import collect
from skilltool.skill.model import load_skill

IN_PROPORTION = [
    *(("skills", "lint"), ("skills that are equal", "lint"), ("copies in two places", "render all")),
    *(("copies in packages", "resolve"), ("plugins of a marketplace", "lint"), ("siblings", "lint")),
    *(("files", "lint all"), ("files", "pack"), ("links", "pack"), ("findings", "lint --fix")),
    *(("mentions", "lint"), ("commands", "server"), ("frontmatter keys", "lint"), ("sections", "lint")),
]


def _growth(write: Callable[[Path, int], object], n: int, run: Callable[[Path], object], top: Path) -> float:
    counts = []
    for many in (1, n, 4 * n):
        project = top / str(many) / "project"
        project.mkdir(parents=True)
        write(project, many)
        counts.append(steps.count(run, project).calls)
    return steps.ratio(n, *counts)


def _check(project: Path) -> None:
    directory = project.absolute() / ".claude" / "skills" / steps.NAME
    check_skill(load_skill(directory), directory, resolve(Config(), {"runtimes": ["portable"]}))


def _pack(project: Path) -> None:
    collect(project / ".claude" / "skills" / steps.NAME)


def test_mentions_of_files_are_looked_up_one_by_one(tmp_path: Path) -> None:
    assert _growth(steps.SUBJECTS["mentions"].write, 80, _check, tmp_path) < steps.MOST


def test_files_are_packed_one_by_one(tmp_path: Path) -> None:
    assert _growth(steps.SUBJECTS["files"].write, 60, _pack, tmp_path) < steps.MOST


def test_a_ratio_tells_what_is_quadratic_from_what_is_not() -> None:
    assert steps.ratio(10, 100, 190, 490) == 1
    assert steps.ratio(10, 100, 199, 1_699) == pytest.approx(3.73, abs=0.01)
    assert steps.ratio(10, 1_000, 1_001, 1_090) == 0


@pytest.mark.slow
def test_steps_of_commands_are_in_proportion() -> None:
    steps.warm({command for _subject, command in IN_PROPORTION})
    assert not [
        (subject, command, cell.ratio)
        for subject, command in IN_PROPORTION
        if (cell := steps.measured(subject, command)).ratio > steps.MOST
    ]
