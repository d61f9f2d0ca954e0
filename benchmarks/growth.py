"""How does the time for a skill grow with its length? Ratios of processor time for twice the length.

`python -m benchmarks.growth [SUBJECT/COMMAND]` counts the steps of each command instead, see `steps.py`.

A ratio of 2 is linear, one of 4 quadratic. Times too short to compare count as linear. The Markdown parser is
timed by itself, and its time is in no other column.
"""

from __future__ import annotations

import gc
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from benchmarks.constructs import NAME, Construct, constructs
from skilltool import runtimes
from skilltool.fix.choose import fix_skill
from skilltool.lint.check import check_skill
from skilltool.lint.config import Config
from skilltool.lint.settings import resolve
from skilltool.runtimes.base import Session
from skilltool.skill.model import Skill, load_skill

Step = Callable[[Skill, Path], object]
_TOO_SHORT = 0.02  # seconds at the larger size
_LIMIT = 30.0  # seconds for one measurement


class Growth(NamedTuple):
    """Seconds of one step for one construct, at a size and at twice that size; infinite if it was ended."""

    construct: Construct
    step: str
    small: float
    large: float

    @property
    def ratio(self) -> float:
        """How many times as long the larger size takes."""
        if self.large == float("inf"):
            return self.large
        return 2.0 if self.large < _TOO_SHORT else self.large / max(self.small, _TOO_SHORT / 4)


def report(sizes: Sequence[int], only: str, runs: int, most: float = 3.0) -> Iterator[str]:
    """Measure each construct whose name contains `only`; yield its worst ratio as a line of a table.

    Every size of `sizes`, in characters, is compared with twice that size.
    """
    yield f"{'':<48}{'parser':>7}{'worst':>8}  {'step':<22}{'n s':>8}{'2n s':>8}"
    slow = []
    for construct in (each for each in constructs() if only in each.name):
        found = [each for size in sizes for each in _measured(construct, size, runs)]
        parser = max((each for each in found if each.step == "parser"), key=lambda each: each.ratio)
        worst = max((each for each in found if each.step != "parser"), key=lambda each: each.ratio)
        slow += [construct.name] if worst.ratio > most else []
        yield (
            f"{construct.place:<12}{construct.name:<36}{parser.ratio:>7.1f}{worst.ratio:>8.1f}  "
            f"{worst.step:<22}{worst.small:>8.3f}{worst.large:>8.3f}"
        )
    yield f"above {most} x: {', '.join(slow) or 'none'}"


def _measured(construct: Construct, size: int, runs: int) -> Iterator[Growth]:
    small, large = (_times(construct, each, runs) for each in (size, 2 * size))
    for step, spent in small.items():
        yield Growth(construct, step, spent, large[step])


def _times(construct: Construct, size: int, runs: int) -> dict[str, float]:
    """Return the least seconds of each step over some runs, each on a fresh directory."""
    least: dict[str, float] = {}
    for run in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            directory = Path(folder) / "skills" / NAME
            directory.mkdir(parents=True)
            text = construct.skill(size).replace("PDF", f"PDF{run}", 1)  # no cache knows this text
            (directory / "SKILL.md").write_text(text, "utf-8", newline="")
            parsed = load_skill(directory)
            for name, step in {"parser": _parse, **STEPS}.items():
                skill = load_skill(directory)
                if "markdown" in vars(parsed):  # the parser is in no other step
                    vars(skill)["markdown"] = parsed.markdown
                spent = _time(step, parsed if name == "parser" else skill, directory)
                least[name] = min(spent, least.get(name, spent))
    return least


def _time(step: Step, skill: Skill, directory: Path) -> float:
    gc.collect()
    try:
        with _limited():
            start = time.process_time()
            step(skill, directory)
            return time.process_time() - start
    except _OutOfTimeError:
        return float("inf")


def _parse(skill: Skill, _directory: Path) -> object:
    return skill.markdown


def _lint(name: str) -> Step:
    settings = resolve(Config(), {"runtimes": (name,), "select": ("all",)})
    return lambda skill, directory: check_skill(skill, directory, settings)


def _fix(skill: Skill, directory: Path) -> object:
    """Plan the fixes of one round; a run of `--fix` has a fixed number of rounds at most."""
    settings = resolve(Config(), {"runtimes": ("portable",)})
    checked = check_skill(skill, directory, settings, every_fix=True)
    found = [(each.rule, each.fix) for each in checked.diagnostics if each.fix is not None]
    return fix_skill(skill, lambda now: found if now is skill else [], unsafe=True)


def _session(name: str) -> Step:
    return lambda _skill, directory: ask(name, directory)


def ask(name: str, directory: Path) -> object:
    """Open a session of a runtime with the skill in `directory`, and ask for all that it would show of it."""
    runtime = runtimes.get(name)
    session = _open(name, directory)
    answers: list[object] = [session.catalog(), session.prompt(), session.tool()]
    for skill in session.skills:
        if runtime.call is not None:
            arguments = {runtime.parameter or "name": skill.key}
            answers.append(session.call(arguments | ({runtime.argument: "a b"} if runtime.argument else {})))
        if runtime.content is not None:
            answers.append(runtime.content(session, skill))
    if runtime.context is not None:
        answers.append(session.context("fill in the form with pdf-tools, please"))
    return answers


def _open(name: str, directory: Path) -> Session:
    runtime = runtimes.get(name)
    home = directory.parent / ".home"
    if runtime.settings_for is not None:
        return runtime.open(directory.parent, home, runtime.settings_for([directory]))
    roles = [root.role for root in runtime.roots]
    return runtime.open(directory.parent.parent, home, roots={roles[0] if roles else "1": directory.parent})


STEPS: dict[str, Step] = {
    **{f"lint {name}": _lint(name) for name in ("portable", "all")},
    "fix": _fix,
    **{name: _session(name) for name in runtimes.IDS if name != "portable"},
}


class _OutOfTimeError(BaseException):
    """A measurement took longer than `_LIMIT`."""


@contextmanager
def _limited() -> Iterator[None]:
    before = signal.signal(signal.SIGVTALRM, _raise)
    signal.setitimer(signal.ITIMER_VIRTUAL, _LIMIT)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _raise(_signal: int, _frame: FrameType | None) -> None:
    raise _OutOfTimeError


if __name__ == "__main__":
    from benchmarks import steps

    for row in steps.report(*sys.argv[1:]):
        print(row, flush=True)
