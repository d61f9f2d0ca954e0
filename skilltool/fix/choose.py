"""Which fixes of one skill are applied, and can their result be trusted?

Fixes that overlap are applied one after the other. A text is only accepted if it parses and if every runtime
that loaded the file before still loads it; after safe fixes with the same name, description and lines of the
body. Otherwise the text stays as it was, and the reason is reported. Editions of a runtime that nobody checks
for count, too, unless unsafe fixes are wanted.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from skilltool import runtimes
from skilltool.findings.finding import Edit, Fix, applied
from skilltool.runtimes.edit_effects import reason_not_to_apply
from skilltool.skill.model import Skill
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Source

_ROUNDS = 200
_ENTRY = lazy_pattern(r" +[^\r\n]+(?:\r\n|\n|\r)")  # a whole line below a key: several can be inserted
_ENDLESS = f"its fixes still changed each other after {_ROUNDS} rounds"
Candidate = tuple[str, Fix]  # the rule's id and its fix


@dataclass(slots=True)
class FixedText:
    """The text of a skill after its fixes.

    `applied` counts fixes by rule, `refused` has the reason by rule, `renames` from and to by rule; these are
    not among the `applied`.
    """

    text: str
    applied: dict[str, int] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    renames: dict[str, tuple[str, str]] = field(default_factory=dict)


def fix_skill(
    skill: Skill,
    find: Callable[[Skill], Iterable[Candidate]],
    unsafe: bool = False,
    targets: Iterable[str] = (),
) -> FixedText:
    """Apply the fixes that `find` returns for a skill, in rounds, until none is left; nothing is written.

    Only safe fixes, unless `unsafe`. Of fixes that overlap the first by position is applied; the others
    follow in the next round. `targets` are the ids of the runtimes that the skill is checked against.
    """
    asked = frozenset({*targets, *(name for name in runtimes.BARE if name in runtimes.ALWAYS_ASKED)})
    done = FixedText(skill.source.text)
    if not skill.source.is_lossless:
        return _renamed_only(done, [each for each in find(skill) if unsafe or each[1].safe])
    tried: set[tuple[str, Fix]] = set()
    settled = done.text
    for _ in range(_ROUNDS):
        now = _with_text(skill, done.text)
        offered = [each for each in find(now) if each not in tried and (unsafe or each[1].safe)]
        done.renames = {rule: fix.rename for rule, fix in offered if fix.rename}
        chosen = non_overlapping(each for each in offered if each[1].edits)
        if not chosen and (not tried or done.text == settled):
            return done
        if not chosen:  # a fix that was refused before the text changed may be accepted now
            settled = done.text
            tried.clear()
            done.refused.clear()
            continue
        while not _accept(skill, done, chosen, asked, unsafe):
            if len(chosen) == 1:
                tried.update(chosen)
                break
            chosen = chosen[: len(chosen) // 2]
    return FixedText(skill.source.text, refused=dict.fromkeys(done.applied, _ENDLESS))


def fix_alone(
    skill: Skill, candidate: Candidate, unsafe: bool = True, targets: Iterable[str] = ()
) -> FixedText:
    """Apply one fix and no other, if its result can be trusted; nothing is written."""
    return fix_skill(skill, lambda now: [candidate] if now is skill else [], unsafe, targets)


def _renamed_only(done: FixedText, offered: Sequence[Candidate]) -> FixedText:
    """Refuse edits of a file that cannot be written back without loss; a new name loses nothing."""
    done.refused = dict.fromkeys((rule for rule, fix in offered if fix.edits), "the file is not UTF-8")
    done.renames = {rule: fix.rename for rule, fix in offered if fix.rename}
    return done


def non_overlapping(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Return candidates that do not overlap, preferring the first by position."""
    chosen: list[Candidate] = []
    taken: list[Edit] = []
    for rule, fix in sorted(set(candidates), key=lambda each: (each[1].edits, each[0])):
        if not any(_touches_any(edit, taken) for edit in fix.edits):
            chosen.append((rule, fix))
            for edit in fix.edits:
                insort(taken, edit)
    return chosen


def _touches_any(edit: Edit, taken: Sequence[Edit]) -> bool:
    """Return whether an edit touches one of the sorted edits, which do not touch each other."""
    first = bisect_left(taken, (edit.start,))
    after = bisect_left(taken, (edit.start + 1,))
    # What is before the one before ends earlier, and what starts where the first starts is like the first.
    near = {max(first - 1, 0), first, after}
    return any(_touch(edit, taken[index]) for index in near if index < len(taken))


def _touch(one: Edit, other: Edit) -> bool:
    """Return whether two edits change the same characters, or insert conflicting text at one offset."""
    if one.start == other.start:
        return not all(edit.start == edit.end and _ENTRY.fullmatch(edit.text) for edit in (one, other))
    return one.start < other.end and other.start < one.end


def _accept(
    skill: Skill, done: FixedText, chosen: Sequence[Candidate], asked: frozenset[str], unsafe: bool
) -> bool:
    """Apply fixes together if the result can be trusted; else record why not, and keep the text."""
    text = applied(done.text, (edit for _, fix in chosen for edit in fix.edits))
    why = _reason_not_to_accept(
        skill.name, done.text, text, all(fix.safe for _, fix in chosen), asked, unsafe
    )
    if why is None:
        done.text = text
        _count(done, [rule for rule, _ in chosen])
    elif len(chosen) == 1:
        done.refused[chosen[0][0]] = why
    return why is None


def _reason_not_to_accept(
    directory: str, before: str, after: str, safe: bool, asked: frozenset[str], unsafe: bool
) -> str | None:
    """Ask the runtimes of the run, and where only safe fixes are wanted all other editions, too."""
    why = reason_not_to_apply(directory, before, after, safe, asked)
    if why is None and not unsafe:
        others = [each for each in runtimes.ALWAYS_ASKED if each not in asked]
        why = reason_not_to_apply(directory, before, after, safe, others)
        why = why and f"{why}; use `--unsafe-fixes` if that does not matter"
    return why


def _count(done: FixedText, rules: Iterable[str]) -> None:
    for rule in rules:
        done.applied[rule] = done.applied.get(rule, 0) + 1


def _with_text(skill: Skill, text: str) -> Skill:
    return skill if text == skill.source.text else skill.with_text(Source(text))
