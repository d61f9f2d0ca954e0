"""What does each reading, prefilter and rule cost on given skills? Processor time, the largest first.

What several rules ask for (the frontmatter, the Markdown, what a runtime loads) is read before they run, so
that no rule pays for the others; the Markdown only of a skill for which `lint` also reads it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from skilltool import runtimes
from skilltool.lint.check import check_skill
from skilltool.lint.config import Config
from skilltool.lint.memo import Memo
from skilltool.lint.settings import Settings, resolve
from skilltool.lint.targets import audience_of
from skilltool.rules import RULES
from skilltool.rules.may_apply import MAY_APPLY as PREFILTERS
from skilltool.rules.shared.plain_frontmatter import is_plain
from skilltool.runtimes.base import Runtime
from skilltool.skill.discovery import discover
from skilltool.skill.model import Skill, load_skill

_Value = TypeVar("_Value")
_ROWS = 32


class _Costs:
    """Seconds and calls by what they were spent on."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.calls: dict[str, int] = {}

    def of(self, name: str, step: Callable[[], _Value]) -> _Value:
        """Return the result of a step, and add what it took."""
        start = time.process_time_ns()
        value = step()
        self.seconds[name] = self.seconds.get(name, 0.0) + (time.process_time_ns() - start) / 1e9
        self.calls[name] = self.calls.get(name, 0) + 1
        return value


def table(paths: Sequence[Path], ids: Sequence[str] = ()) -> str:
    """Return the costs of checking the skills under `paths` for the runtimes `ids`, by default `lint`'s own.

    All skills are checked once before, so that imports and compiled expressions are in no row.
    """
    directories = discover(tuple(paths)).skills
    settings = resolve(Config(), {"runtimes": tuple(ids)} if ids else {})
    uses_markdown = {directory for directory in directories if _reads_markdown(directory, settings)}
    costs = _Costs()
    for directory in directories:
        _add(costs, directory, settings, directory in uses_markdown)
    return _rows(costs, max(len(directories), 1), ", ".join(settings.runtimes))


def _reads_markdown(directory: Path, settings: Settings) -> bool:
    skill = load_skill(directory)
    check_skill(skill, directory, settings)
    return "markdown" in vars(skill)


def _add(costs: _Costs, directory: Path, settings: Settings, with_markdown: bool) -> None:
    skill = costs.of("read: file", lambda: load_skill(directory))
    costs.of("read: frontmatter", lambda: skill.frontmatter)
    costs.of("read: directory", lambda: skill.tree)
    if with_markdown:
        costs.of("read: Markdown", lambda: skill.markdown)
    memo = Memo(skill)
    audience = audience_of(settings, directory)
    for target in map(runtimes.get, audience.owners if is_plain(skill) else audience.runtimes):
        for name in () if is_plain(skill) else target.ground or (target.id,):
            _load(costs, skill, runtimes.get(name))
        _add_rules(costs, memo, target, settings.rules)


def _load(costs: _Costs, skill: Skill, runtime: Runtime) -> None:
    load = runtime.load
    if load is not None:
        costs.of(f"load: {runtime.id}", lambda: skill.ask(load))


def _add_rules(costs: _Costs, memo: Memo, target: Runtime, names: Sequence[str]) -> None:
    asked: dict[object, bool] = {}
    for name in names:
        if name not in RULES:
            continue
        prefilter = PREFILTERS.get(name)
        if prefilter is not None and prefilter not in asked:
            title = f"prefilter: {prefilter.__name__.replace('_', ' ')}"
            asked[prefilter] = costs.of(title, partial(memo.ask, prefilter, target))
        if prefilter is None or asked[prefilter]:
            costs.of(name, partial(memo.findings, RULES[name].check, target))


def _rows(costs: _Costs, many: int, targets: str) -> str:
    whole = sum(costs.seconds.values())
    rows = sorted(costs.seconds.items(), key=lambda row: -row[1])
    lines = [f"{many:,} skills, for {targets}", f"{'':<48}{'ms/skill':>9}{'share':>8}{'calls':>9}"]
    lines += [
        f"{name:<48}{1000 * spent / many:>9.3f}{spent / whole:>8.1%}{costs.calls[name]:>9,}"
        for name, spent in rows[:_ROWS]
    ]
    rest = sum(spent for _name, spent in rows[_ROWS:])
    if rest:
        lines.append(f"{f'{len(rows) - _ROWS} more':<48}{1000 * rest / many:>9.3f}{rest / whole:>8.1%}")
    return "\n".join([*lines, f"{'in all':<48}{1000 * whole / many:>9.3f}{1:>8.1%}"]) + "\n"
