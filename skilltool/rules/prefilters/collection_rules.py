"""Cheap questions about all the records of a run, for the rules about many skills."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from skilltool.rules.records import Record

if TYPE_CHECKING:
    from skilltool.runtimes.base import Runtime


def repeat_a_name(records: Sequence[Record], target: Runtime) -> bool:
    """Whether a name, or a directory's, stands for several skills when case and `_` do not count."""
    for names in ([record.name for record in records if record.name], [record.skill for record in records]):
        if len({name.casefold().replace("_", "-") for name in names}) < len(names):
            return True
    return False


def share_keywords(records: Sequence[Record], target: Runtime) -> bool:
    """Whether more than one skill has keywords."""
    return sum(bool(record.keywords) for record in records) > 1


def have_a_budget(records: Sequence[Record], target: Runtime) -> bool:
    """Whether the target's listing has a limit."""
    return target.budget is not None


def have_a_place(records: Sequence[Record], target: Runtime) -> bool:
    """Whether the target looks for skills in places of its own."""
    return bool(target.project_roots)


QUESTIONS: dict[str, Callable[[Sequence[Record], Runtime], bool]] = {
    "case-collision": repeat_a_name,
    "crowded-catalog": have_a_budget,
    "drifted-copy": repeat_a_name,
    "duplicate-name": repeat_a_name,
    "shadowed-skill": have_a_place,
    "shared-trigger": share_keywords,
    "undiscovered-skill": have_a_place,
}
