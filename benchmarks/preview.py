"""What does the preview do after a save, in milliseconds of processor time for each step?"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import TypeVar

from benchmarks.corpus import write_skills
from skilltool.bounds.pool import WorkerPool
from skilltool.cli.preview import CommandSource
from skilltool.cli.sessions import SessionOptions
from skilltool.preview.edits import edited
from skilltool.preview.html import Addresses, overview_page, skill_page
from skilltool.preview.live import PAUSE
from skilltool.preview.overview import overview
from skilltool.preview.page import page

_PATIENCE = 3_600.0  # seconds
_STEPS = ("the skill", "its page", "as HTML", "sum", "all skills", "overview as HTML")
Answer = TypeVar("Answer")


def report(runs: int, many: int, corpus: Path | None = None) -> str:
    """Return a table: medians of `runs` saves in a project of `many` skills, shown for all clients."""
    with tempfile.TemporaryDirectory() as folder, _project(Path(folder), many, corpus) as top:
        files = sorted(top.glob(".*/skills/*/SKILL.md"))
        with WorkerPool() as pool:  # in a process of the kind that reads the skills there
            times = pool.call_watched(_PATIENCE, _times, files[:: max(len(files) // runs, 1)][:runs])
    head = f"{f'preview, a save, {many:,} skills':<32}{'median ms':>10}{'longest':>10}\n"
    rows = "".join(f"{name:<32}{median(each):>10.1f}{max(each):>10.1f}\n" for name, each in times.items())
    return f"{head}{rows}(before: {PAUSE} ms in which further changes belong to the same save)\n"


@contextmanager
def _project(folder: Path, many: int, corpus: Path | None) -> Iterator[Path]:
    """Make a project in the places of several clients, and work in it, with a home directory of its own."""
    top, here, home = folder / "project", Path.cwd(), os.environ.get("HOME", "")
    (top / ".git").mkdir(parents=True)
    (folder / "home").mkdir()
    if corpus is None:
        write_skills(folder / "made", many)
    found = sorted(each.parent for each in (corpus or folder / "made").rglob("SKILL.md"))
    for number, skill in enumerate(found[:: max(len(found) // many, 1)][:many]):
        place = (".claude", ".claude", ".agents", ".codex")[number % 4]
        target = top / place / "skills" / skill.name
        if not target.exists():
            shutil.copytree(skill, target, symlinks=True)
    os.chdir(top)
    os.environ["HOME"] = str(folder / "home")
    try:
        yield top
    finally:
        os.chdir(here)
        os.environ["HOME"] = home


def _times(files: list[Path]) -> dict[str, list[float]]:
    source, to = CommandSource(Path(), ("clients",), SessionOptions(), None), Addresses()
    state = overview(source)
    times: dict[str, list[float]] = {name: [] for name in _STEPS}
    for number, file in enumerate(files):
        row = next(each for each in state.project.rows if Path(each.directory) == file.parent)
        with file.open("a", encoding="utf-8") as text:
            text.write(f"\nEdit {number} for $ARGUMENTS.\n")
        steps: dict[str, float] = {}
        now = _timed(steps, "the skill", edited, source, state, [file])
        assert now is not None
        one = _timed(steps, "its page", page, source, now, row.id)
        assert one is not None
        _timed(steps, "as HTML", skill_page, one, to, one.given[:1])
        steps["sum"] = sum(steps.values())
        _timed(steps, "overview as HTML", overview_page, now.project, to)
        state = _timed(steps, "all skills", overview, source)
        for name, each in steps.items():
            times[name].append(each)
    return times


def _timed(steps: dict[str, float], name: str, work: Callable[..., Answer], *arguments: object) -> Answer:
    began = time.process_time()
    answer = work(*arguments)
    steps[name] = 1000 * (time.process_time() - began)
    return answer
