"""The prefilters of the collection rules, over all the records of a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from skilltool.rules.records import Record

if TYPE_CHECKING:
    from skilltool.runtimes.base import Runtime


def repeat_a_name(records: Sequence[Record], target: Runtime) -> bool:
    """Return whether two skills share a name or a directory name, with `_` as `-` and case ignored.

    For a runtime that was measured, also whether a name is the directory's name of another skill.
    """
    for names in ([record.name for record in records if record.name], [record.skill for record in records]):
        if len({name.casefold().replace("_", "-") for name in names}) < len(names):
            return True
    if target.reading is None:
        return False
    others = {record.name for record in records if record.name != record.skill}
    return any(record.skill in others for record in records)


def share_keywords(records: Sequence[Record], target: Runtime) -> bool:
    """Return whether more than one skill has keywords."""
    return sum(bool(record.keywords) for record in records) > 1


def catalog_is_limited(records: Sequence[Record], target: Runtime) -> bool:
    """Return whether the runtime limits the length of its skill listing."""
    return target.budget is not None


def are_several(records: Sequence[Record], target: Runtime) -> bool:
    """Return whether there is more than one skill."""
    return len(records) > 1


def runtime_has_roots(records: Sequence[Record], target: Runtime) -> bool:
    """Return whether the runtime looks for skills in directories of its own."""
    return bool(target.project_roots)


PREFILTERS: dict[str, Callable[[Sequence[Record], Runtime], bool]] = {
    "case-collision": repeat_a_name,
    "crowded-catalog": catalog_is_limited,
    "drifted-copy": repeat_a_name,
    "duplicate-name": repeat_a_name,
    "shadowed-skill": runtime_has_roots,
    "shared-trigger": share_keywords,
    "similar-description": are_several,
    "undiscovered-skill": runtime_has_roots,
}

# What a runtime is asked that only reads a place of another: not whether it finds a skill, which is no
# objection; and whether a copy is shadowed only where two of the checked skills have a name in common.
PREFILTERS_OF_READERS: dict[str, Callable[[Sequence[Record], Runtime], bool]] = {
    **{name: prefilter for name, prefilter in PREFILTERS.items() if name != "undiscovered-skill"},
    "shadowed-skill": repeat_a_name,
}

# Rules that compare skills for different runtimes: they see every skill of a run, for each target.
ACROSS_AUDIENCES = frozenset({"drifted-copy", "similar-description"})
