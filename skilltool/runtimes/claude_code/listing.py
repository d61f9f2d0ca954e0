"""What does Claude Code tell the model about skills: the text of each entry, and who loses it over budget?"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from math import inf
from pathlib import Path
from typing import NamedTuple

from skilltool.emulation import javascript
from skilltool.emulation.javascript import length, text_of, trim
from skilltool.runtimes.base import Session, Share, Shares
from skilltool.runtimes.claude_code import loading
from skilltool.runtimes.claude_code.characters import clean
from skilltool.runtimes.claude_code.loading import Place, matches
from skilltool.runtimes.claude_code.manifest import sent_units
from skilltool.runtimes.claude_code.settings import BUILTIN, facts, read_json
from skilltool.runtimes.claude_code.skills import (
    Entry,
    State,
    listing_chars,
    model_of,
    skill_tool_denied,
    state_of,
    with_aliases,
)
from skilltool.runtimes.loading import is_directory_here
from skilltool.runtimes.values import Refused, ResolvedRoot
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.printable import columns, display_width

HEADING = "The following skills are available for use with the Skill tool:\n\n"
MOST_CHARS = 1536
UNIT = "terminal columns"


class Line(NamedTuple):
    """One line of the listing: `- head: text`; `bundled` text is the program's, and never dropped.

    `chars` is the length of `text` in UTF-16 units, which is not stored for a bundled one.
    """

    key: str
    head: str
    text: str | None
    chars: int
    bundled: bool = False

    @property
    def shown(self) -> str:
        """The line as it is sent."""
        return self.head if self.text is None else f"{self.head}: {self.text}"

    @property
    def head_columns(self) -> int:
        """What the line takes of the budget without its text, as `columns`."""
        return display_width(self.head)

    @property
    def columns(self) -> int:
        """What the line takes of the budget, which the program counts in terminal columns: two for `安`.

        Source: captures of 2.1.329 with 21 kinds of characters, combined ones and flags among them.
        """
        if self.text is None:
            return self.head_columns
        return self.head_columns + 2 + (self.chars if self.text == BUILTIN else display_width(self.text))


def entry_text(entry: Entry, most: int = MOST_CHARS) -> str:
    """Return the text of an entry, cut to `most` UTF-16 units: its description, then `when_to_use`."""
    text = clean(entry.description)
    if entry.when_to_use:
        text = f"{text} - {clean(entry.when_to_use)}"
    text += entry.tail
    if length(text) <= most:
        return text
    return f"{sent_units(text, most - 1)}…"


def lines(session: Session, entries: Iterable[Entry]) -> list[Line]:
    """Return a line for each entry that the model is told of."""
    state = state_of(session)
    most = int(state.settings.get("skillListingMaxDescChars", MOST_CHARS))
    found = []
    for entry in entries:
        if not entry.listed or not state.offered(entry):
            continue
        label = f" ({entry.label})" if entry.label else ""
        text = None if state.override(entry) == "name-only" else entry_text(entry, most)
        found.append(Line(entry.key, f"- {entry.key}{label}", text, length(text or "")))
    return found


def _own_lines(state: State) -> list[Line]:
    """Return the lines of the program's own skills and commands, which those of the same name replace."""
    bundled = facts()["bundled"]
    if state.settings.get("disableBundledSkills") is True:
        return []
    off = {
        name
        for key, name in bundled["plugin"].items()
        if state.settings.get("enabledPlugins", {}).get(key) is False
    }
    names = [*bundled["skills"], *bundled["commands"]]
    commands = bundled["commands"]
    known = sum(len(name) + 4 + chars for name, chars in commands.items())
    left = bundled["chars"] - known - sum(len(name) + 4 for name in bundled["skills"])
    taken = {entry.key for entry in state.entries} | off
    found = []
    for number, name in enumerate(names):
        chars = commands.get(name, left if number == 0 else 0)
        if name not in taken:
            found.append(Line(name, f"- {name}", BUILTIN, chars, name not in commands))
    return found


class Listing(NamedTuple):
    """The lines as they are sent, and the keys of those that lose their text over budget."""

    shown: list[Line]
    dropped: tuple[str, ...]
    budget: float
    chars: int


def fitted(state: State, found: Sequence[Line], first: frozenset[str] = frozenset()) -> Listing:
    """Return the lines within the budget: what is over loses its whole text, in the order of the listing.

    Names and bundled texts stay; each other text that still fits is kept, those of `first` before the rest.
    """
    budget = budget_of(state)
    chars = sum(line.columns for line in found) + max(len(found) - 1, 0)
    if chars <= budget:
        return Listing(list(found), (), budget, chars)
    room = budget - max(len(found) - 1, 0)
    room -= sum(line.columns if line.bundled else line.head_columns for line in found)
    kept: set[str] = set()
    for line in sorted(found, key=lambda line: line.key not in first):
        needed = line.columns - line.head_columns
        if not line.bundled and line.text is not None and needed <= room:
            room -= needed
            kept.add(line.key)
    shown = [line if line.bundled or line.key in kept else line._replace(text=None) for line in found]
    dropped = tuple(
        line.key for line in found if line.text is not None and not (line.bundled or line.key in kept)
    )
    return Listing(shown, dropped, budget, chars)


def budget_of(state: State) -> float:
    """Return the budget in terminal columns: by the environment, else by the settings and the model.

    The environment has a number as JavaScript reads it, or whole digits in groups; no number and 0 set none.
    """
    given = {**state.settings.get("env", {}), **state.flags.env}.get("SLASH_COMMAND_TOOL_CHAR_BUDGET", "")
    text = trim(str(given))
    found = javascript.number(re.sub("[_,]", "", text) if _GROUPS.fullmatch(text) else text)
    if found != found or not found:
        return listing_chars(model_of(state), state.settings.get("skillListingBudgetFraction"))
    return int(found) if found == found // 1 and abs(found) != inf else found


_GROUPS = lazy_pattern(r"[+-]?[0-9]+(?:[_,][0-9]+)*")


def whole_listing(session: Session) -> Listing:
    """Return the listing at the start of a session."""
    state = state_of(session)
    return fitted(state, [*lines(session, state.entries), *_own(state)], _used_before(session))


def _own(state: State) -> list[Line]:
    return [] if state.flags.bare or state.flags.no_commands else _own_lines(state)


def _used_before(session: Session) -> frozenset[str]:
    """Return the keys of skills that the program has counted a use of, in `~/.claude.json`."""
    if not session.settings["user_settings"]:
        return frozenset()
    used = read_json(session.home / ".claude.json").get("skillUsage", {})
    return frozenset(used) if isinstance(used, dict) else frozenset()


def text_of_listing(listing: Listing) -> str | None:
    """Return the listing with its heading, None without entries."""
    return HEADING + "\n".join(line.shown for line in listing.shown) if listing.shown else None


def catalog(session: Session) -> str | None:
    """Return the listing at the start of a session; None if there is no skill, or no tool to call one."""
    if skill_tool_denied(state_of(session)):
        return None
    return text_of_listing(whole_listing(session))


def budget(session: Session) -> tuple[int, tuple[str, ...]]:
    """Return the budget in terminal columns, and the keys of the skills that lose their text."""
    listing = whole_listing(session)
    return int(max(-_MOST, min(listing.budget, _MOST))), listing.dropped


_MOST = 2**53  # stands for no bound


def shares(session: Session) -> Shares:
    """Return how the listing is shared in terminal columns; skills that were used before get room first."""
    state, used = state_of(session), _used_before(session)
    if skill_tool_denied(state):
        return Shares(0, Share(0, 0), {}, UNIT)
    asked = [*lines(session, state.entries), *_own(state)]
    sent = whole_listing(session).shown
    last = len(asked) - 1  # the only line without an end
    sizes = {
        line.key: Share(line.columns + (number < last), shown.columns + (number < last))
        for number, (line, shown) in enumerate(zip(asked, sent, strict=True))
    }
    own = [sizes.pop(line.key) for line in _own(state)]
    size = Share(sum(share.asked for share in own), sum(share.sent for share in own))
    skills = {key: sizes[key] for key in sorted(sizes, key=lambda key: key not in used)}
    return Shares(columns(HEADING), size, skills, UNIT, own_count=len(own))


def over_budget(listing: Listing) -> str | None:
    """Return what is logged if the listing is over its budget, else None."""
    if listing.chars <= listing.budget:
        return None
    return (
        f"Skill listing over budget: {len(listing.shown)} skills, "
        f"{listing.chars} chars > {text_of(listing.budget)} budget "
        "— descriptions will be truncated. Run /skills to disable some, or raise skillListingBudgetFraction "
        "in settings."
    )


def touch(session: Session, file: Path) -> str | None:
    """Load what a touched file makes available, and return what the model is told; None for nothing."""
    state = state_of(session)
    if state.flags.bare or state.flags.no_commands:
        return None
    path = Path(os.path.abspath(session.project / file))
    places = list(_nested(session, state, path))
    entries = [entry for place in places for entry in _entries(session, state, place)]
    activated = [entry for entry in state.waiting if _matches(session, entry, path)]
    active = {entry.key for entry in activated}
    state.waiting = [entry for entry in state.waiting if entry.key not in active]
    new = [*with_aliases(entries, [entry.key for entry in state.entries]), *activated]
    state.entries += new
    session.skipped = [lost for lost in session.skipped if lost.key not in active or not lost.hidden]
    session.skills += [loading.skill_of(entry) for entry in new]
    return _announcement(session, new, [place for place in places if entries])


def _announcement(session: Session, new: list[Entry], places: list[Place]) -> str | None:
    shown = lines(session, new)
    if not shown:
        return None
    listing = HEADING + "\n".join(line.shown for line in shown)
    if not places:
        return listing
    where = ", ".join(_below(session, place.path) for place in places)
    nested = "\n".join(f"- {line.key}" for line in shown)
    return f"New skills discovered in {where}, now available via the Skill tool:\n{nested}\n\n{listing}"


def _nested(session: Session, state: State, file: Path) -> Iterator[Place]:
    """Yield each `.claude/skills` between the file and the working directory that is new, deepest first."""
    for directory in file.parents:
        if directory == session.project or not directory.is_relative_to(session.project):
            return
        path = directory / ".claude" / "skills"
        if path not in state.visited and is_directory_here(path):
            state.visited.add(path)
            session.roots += (ResolvedRoot(f"nested-{len(state.visited)}", path, str(path)),)
            scope = _below(session, directory)
            yield Place(path, f"nested-{len(state.visited)}", "projectSettings", "project", scope=scope)


def _below(session: Session, path: Path) -> str:
    return path.relative_to(session.project).as_posix()


def _entries(session: Session, state: State, place: Place) -> Iterator[Entry]:
    """Yield the skills of a nested place: under their own key if it is free, else under the directory's."""
    taken = {entry.key for entry in state.entries}
    scope = place.scope or ""
    for skill in loading.skills(place):
        if not isinstance(skill, loading.Found):
            continue
        entry = loading.read(skill, place.source, place.role)
        if isinstance(entry, Refused):
            session.skipped.append(entry)
        elif entry.key in taken:
            scoped = loading.with_scope(entry, scope)
            state.scoped.setdefault(entry.key, []).append(scoped)
            yield scoped
        else:
            applies = f" (from {scope}/.claude/skills — applies when working on files under {scope}/)"
            yield entry._replace(scope=scope, tail=applies)


def _matches(session: Session, entry: Entry, file: Path) -> bool:
    """Return whether a file under the working directory matches a pattern of `paths`."""
    if not file.is_relative_to(session.project):
        return False
    return matches(entry.paths, _below(session, file))
