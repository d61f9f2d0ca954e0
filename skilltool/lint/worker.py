"""Check one skill of a run, and prepare what the cache may keep of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from skilltool import runtimes
from skilltool.bounds.budget import Budget, OverBudgetError, out_of_memory
from skilltool.lint.audience import cache_key
from skilltool.lint.check import check_skill
from skilltool.lint.settings import AUTO, Settings
from skilltool.rules import RULES
from skilltool.rules.records import CheckedSkill
from skilltool.skill import schema
from skilltool.skill.model import load_skill

if TYPE_CHECKING:
    from skilltool.lint.cache.rows import Row
    from skilltool.skill.model import Skill

# What was found, why the skill was given up, or why it could not be checked.
Outcome = CheckedSkill | OverBudgetError | str


def prepare(settings: Settings) -> None:
    """Import what a run over many skills needs: the rules, the runtimes, and their schemas."""
    for rule in settings.rules:
        RULES.get(rule)
    for target in map(runtimes.get, (name for name in settings.runtimes if name != AUTO)):
        for name in target.ground:
            runtimes.get(name)
        schema.load(target.schema)


def attempt(directory: Path, settings: Settings) -> tuple[Outcome, Row | None]:
    """Check one skill; return what was found, or why it could not be checked, and a row for the cache."""
    if settings.cache is None:
        outcome, _skill = _checked(directory, settings)
        return outcome, None
    from skilltool.lint import cache

    before = cache.snapshot(directory)
    outcome, skill = _checked(directory, settings)
    if skill is None or before is None or not isinstance(outcome, CheckedSkill):
        return outcome, None
    return outcome, cache.make_row(directory, skill, outcome, before, cache_key(settings, directory))


def _checked(directory: Path, settings: Settings) -> tuple[Outcome, Skill | None]:
    try:
        skill = load_skill(directory)
        return check_skill(skill, directory, settings), skill
    except MemoryError:
        return OverBudgetError(out_of_memory(Budget())), None
    except OverBudgetError as error:
        return error, None
    except Exception as error:  # a defect of ours in one skill must not hide the others
        return f"internal error, please report it: {error!r}", None


def attempt_all(directories: Sequence[str], settings: Settings) -> Iterator[tuple[Outcome, Row | None]]:
    """Check skills one after the other; see `attempt`."""
    for directory in directories:
        yield attempt(Path(directory), settings)
