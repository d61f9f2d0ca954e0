"""What changed in the cost of skills, as lines for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skilltool.inspect.cost.changes import ClientChange, SkillChange
from skilltool.report.grid import Cell, Word, cell, hanging
from skilltool.report.style import BOLD, DIM, GREEN, RED, YELLOW, Style

_MARKS = {"+": GREEN, "-": RED, "~": YELLOW}


def lines(found: Sequence[ClientChange], style: Style) -> Iterator[str]:
    """Yield a line for each client, and below it one for each skill that changed."""
    for change in found:
        yield from hanging(_client(change), (), 0, style)
        skills = list(change.skills())
        width = max((len(skill.key) for skill in skills), default=0) + 4
        for skill in skills:
            yield from hanging(_key(skill), cell(_sizes(skill)), 2, style, min(width, 24))


def _client(change: ClientChange) -> Cell:
    cost = change.either
    before = 0 if change.before is None else change.before.asked
    after = 0 if change.after is None else change.after.asked
    limit = f" of {cost.budget:,}" if cost.is_limited else ""
    size = f"{before:,} -> {after:,}" if before != after else f"{after:,}"
    color = "" if before == after else RED if change.newly_cut else YELLOW if after > before else GREEN
    words = [Word("listing of "), Word(cost.runtime, BOLD), Word(": "), Word(size, color)]
    words.append(Word(f"{limit} {cost.unit}"))
    if before == after:
        words.append(Word(", unchanged", DIM))
    outcomes = [f"`{key}` {cost.loss()}" for key in change.newly_cut]
    outcomes += [f"`{key}` is listed whole again" for key in change.restored]
    return [*words, Word(f": {', '.join(outcomes)}")] if outcomes else words


def _key(skill: SkillChange) -> Cell:
    mark = "+" if skill.before is None else "-" if skill.after is None else "~"
    return [Word(f"{mark} ", _MARKS[mark]), Word(f"{skill.key} ")]


def _sizes(skill: SkillChange) -> str:
    before, after = skill.sizes(skill.before), skill.sizes(skill.after)
    parts = []
    for kind in ("listing", "body", "files"):
        old, new = before.get(kind), after.get(kind)
        if old != new and (old or new):
            both = f"{old:,} -> {new:,}" if old is not None and new is not None else f"{old or new or 0:,}"
            parts.append(f"{kind} {both}")
    return ", ".join(parts)
