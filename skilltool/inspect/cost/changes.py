"""What changed in the cost of skills between two states of a project?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from skilltool.inspect.cost import ClientCost, SkillCost


class SkillChange(NamedTuple):
    """One skill before and after; None where it is not loaded."""

    key: str
    before: SkillCost | None
    after: SkillCost | None

    def sizes(self, state: SkillCost | None) -> dict[str, int]:
        """Return the sizes of a state: `listing`, `body` and `files`; empty where it is not loaded."""
        if state is None:
            return {}
        return {
            "listing": 0 if state.listing is None else state.listing.asked,
            "body": state.body,
            "files": 0 if state.files is None else state.files.size,
        }


class ClientChange(NamedTuple):
    """One client before and after; None where no directory exists that it looks in."""

    before: ClientCost | None
    after: ClientCost | None

    @property
    def either(self) -> ClientCost:
        """The state after, else that before."""
        found = self.after or self.before
        if found is None:
            raise ValueError("a change has a state")
        return found

    @property
    def newly_cut(self) -> list[str]:
        """The keys of skills that are cut, and were not."""
        return [key for key in _cut(self.after) if key not in _cut(self.before)]

    @property
    def restored(self) -> list[str]:
        """The keys of skills that were cut, and are listed whole now."""
        loaded = {skill.key for skill in self.after.skills} if self.after else set()
        return [key for key in _cut(self.before) if key in loaded and key not in _cut(self.after)]

    @property
    def is_any(self) -> bool:
        """Whether a size differs, or what is cut."""
        return bool(self.newly_cut or self.restored or next(self.skills(), None))

    def skills(self) -> Iterator[SkillChange]:
        """Yield the skills that differ in size, are new or are gone, by key."""
        before, after = _by_key(self.before), _by_key(self.after)
        for key in sorted(before.keys() | after.keys()):
            change = SkillChange(key, before.get(key), after.get(key))
            if change.sizes(change.before) != change.sizes(change.after):
                yield change


def _cut(cost: ClientCost | None) -> tuple[str, ...]:
    return cost.cut if cost is not None else ()


def _by_key(cost: ClientCost | None) -> dict[str, SkillCost]:
    return {skill.key: skill for skill in cost.skills} if cost is not None else {}


def changes(before: Sequence[ClientCost], after: Sequence[ClientCost]) -> list[ClientChange]:
    """Return one change per client that is in either state, in the order of the state after."""
    old = {cost.runtime: cost for cost in before}
    found = [ClientChange(old.pop(cost.runtime, None), cost) for cost in after]
    return [*found, *(ClientChange(cost, None) for cost in old.values())]


def data(revision: str, found: Sequence[ClientChange]) -> dict[str, Any]:
    """Return the part of `cost --output-format json` that compares with a revision."""
    return {"revision": revision, "runtimes": [_client_data(change) for change in found]}


def _client_data(change: ClientChange) -> dict[str, Any]:
    before, after = change.before, change.after
    return {
        "runtime": change.either.runtime,
        "before": None if before is None else before.asked,
        "after": None if after is None else after.asked,
        "newly_cut": change.newly_cut,
        "restored": change.restored,
        "skills": [
            {
                "key": skill.key,
                "before": skill.sizes(skill.before) or None,
                "after": skill.sizes(skill.after) or None,
            }
            for skill in change.skills()
        ],
    }
