"""Check one skill of a run, and prepare what the cache may keep of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from skilltool import runtimes
from skilltool.bounds.budget import Budget, GivenUpError, out_of_memory
from skilltool.bounds.raised import InternalReason
from skilltool.lint.audience import cache_key
from skilltool.lint.check import check_skill
from skilltool.lint.settings import AUTO, Settings
from skilltool.rules import RULES
from skilltool.rules.records import CheckedSkill
from skilltool.skill import schema
from skilltool.skill.model import load_skill

if TYPE_CHECKING:
    from skilltool.lint.cache.rows import Row

# What was found, or the reason why the skill was given up, as in a `GivenUpError`.
Outcome = CheckedSkill | str


def prepare(settings: Settings) -> None:
    """Import what a run over many skills needs: the rules, the runtimes, and their schemas."""
    for rule in settings.rules:
        RULES.get(rule)
    for target in map(runtimes.get, (name for name in settings.runtimes if name != AUTO)):
        for name in target.ground:
            runtimes.get(name)
        schema.load(target.schema)


def attempt(directory: Path, settings: Settings) -> tuple[Outcome, Row | None]:
    """Check one skill; return what was found, or why it was given up, and a row for the cache."""
    try:
        return _checked(directory, settings)
    except MemoryError:
        return out_of_memory(Budget()), None
    except GivenUpError as error:
        return error.reason, None
    except Exception as error:  # a defect of ours in one skill must not hide the others
        return InternalReason.of(error), None


def _checked(directory: Path, settings: Settings) -> tuple[CheckedSkill, Row | None]:
    if settings.cache is None:
        return check_skill(load_skill(directory), directory, settings), None
    from skilltool.lint import cache

    before = cache.snapshot(directory)
    skill = load_skill(directory)
    checked = check_skill(skill, directory, settings)
    if before is None or checked.defect is not None:
        return checked, None
    return checked, cache.make_row(directory, skill, checked, before, cache_key(settings, directory))


def attempt_all(directories: Sequence[str], settings: Settings) -> Iterator[tuple[Outcome, Row | None]]:
    """Check skills one after the other; see `attempt`."""
    for directory in directories:
        yield attempt(Path(directory), settings)
