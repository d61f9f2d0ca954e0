"""What changed in the cost of skills, as lines for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skilltool.inspect.cost import unit_text
from skilltool.inspect.cost.changes import ClientChange, SkillChange
from skilltool.report.costs import named
from skilltool.report.grid import Cell, Word, cell, hanging
from skilltool.report.style import BOLD, DIM, GREEN, RED, YELLOW, Style

_MARKS = {"+": GREEN, "-": RED, "~": YELLOW}


def lines(found: Sequence[ClientChange], built_in: bool, style: Style) -> Iterator[str]:
    """Yield a line for each client that changed, below it one for each such skill, and one for the others.

    The skills that a client itself has are counted only if `built_in`.
    """
    unchanged = [change for change in found if not change.is_any]
    for change in found:
        if not change.is_any:
            continue
        yield from hanging(_client(change, built_in), (), 0, style)
        skills = list(change.skills())
        width = max((len(skill.key) for skill in skills), default=0) + 4
        for skill in skills:
            yield from hanging(_key(skill), cell(_sizes(skill)), 2, style, min(width, 24))
    if unchanged:
        names = ", ".join(change.either.runtime for change in unchanged)
        yield from hanging(cell("unchanged: ", DIM), cell(names), 0, style)


def _client(change: ClientChange, built_in: bool) -> Cell:
    cost = change.either
    before, after = (
        0 if state is None else state.share(built_in).asked for state in (change.before, change.after)
    )
    limit = f" / {cost.budget:,}" if cost.is_limited else ""
    size = f"{before:,} -> {after:,}" if before != after else f"{after:,}"
    color = "" if before == after else RED if change.newly_cut else YELLOW if after > before else GREEN
    words = [Word(cost.runtime, BOLD), Word(": listing "), Word(size, color)]
    words.append(Word(f"{limit} {unit_text(cost.unit)}"))
    if before == after:
        words.append(Word(", unchanged", DIM))
    outcomes = [f"{named(keys)} {loss}" for keys, loss in cost.losses(change.newly_cut)]
    if change.restored:
        outcomes.append(
            f"{named(change.restored)} {'is' if len(change.restored) == 1 else 'are'} listed in full again"
        )
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
