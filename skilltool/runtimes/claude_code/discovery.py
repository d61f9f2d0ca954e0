"""What does Claude Code load when a session starts, which copy of a key wins, and what does it skip?"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from skilltool.emulation.icu_collation import collation_key
from skilltool.runtimes.base import Session
from skilltool.runtimes.claude_code import files, flags, plugins, settings_files
from skilltool.runtimes.claude_code.entry import RESERVED, Entry, made, too_long
from skilltool.runtimes.claude_code.files import Found, Missed
from skilltool.runtimes.claude_code.manifest import decoded
from skilltool.runtimes.claude_code.names import with_aliases
from skilltool.runtimes.claude_code.places import Place, places, roots_of
from skilltool.runtimes.claude_code.state import State, remember
from skilltool.runtimes.loading import first_wins
from skilltool.runtimes.values import LoadedSkill, Log, Refusal, Refused, ResolvedRoot

_GROUPS = ("user", "project", "additional", "legacy commands")
_REDUCED = Log("DEBUG", "", "[reduced mode] Skipping skill dir discovery")


def scan(session: Session) -> None:
    """Fill a session as the program does at its start."""
    given = flags.parsed(session.settings["flags"], session.settings["env"] or {})
    config = flags.config_directory(given, session.home)
    read = config if session.settings["user_settings"] else None
    state = State(given, settings_files.merged(given, read, session.project), config)
    remember(session, state)
    found = places(session, given)
    session.roots = roots_of(found)
    if given.bare:
        session.logs += [_REDUCED, _REDUCED]
        return
    entries = _unique(session, found)
    personal = next((place.path for place in found if place.role == "user"), None)
    for plugin in plugins.loaded(state, session.project, personal, session.settings["plugins"]):
        session.roots += (ResolvedRoot(f"plugin-{plugin.name}", plugin.top, str(plugin.top)),)
        entries += plugins.entries(plugin)
    _settle(session, state, entries)


def _unique(session: Session, found: list[Place]) -> list[Entry]:
    """Return the entries of all places, each real file once, and log how many there are."""
    counts = dict.fromkeys(_GROUPS, 0)
    first: dict[tuple[int, int], Entry] = {}
    entries: list[Entry] = []
    for place, entry, inode in _in_places(session, found):
        counts[place.group] += 1
        known = first.setdefault(inode, entry)
        if known is not entry and os.path.realpath(known.file) == os.path.realpath(entry.file):
            message = (
                f"Skipping duplicate skill '{entry.key}' from {entry.source} "
                f"(same file already loaded from {known.source})"
            )
            session.logs.append(Log("DEBUG", "", message))
            why = f"it is the same file as `{known.key}`"
            session.skipped.append(Refused(entry.file.parent, message, why, entry.role, key=entry.key))
            continue
        entries.append(entry)
    waiting = sum(bool(entry.paths) for entry in entries)
    groups = ", ".join(f"{name}: {number}" for name, number in counts.items())
    session.logs.append(
        Log(
            "INFO",
            "",
            f"Loaded {len(entries)} unique skills ({len(entries) - waiting} unconditional, {waiting} "
            f"conditional, managed: 0, {groups})",
        )
    )
    return entries


def _in_places(session: Session, found: list[Place]) -> Iterator[tuple[Place, Entry, tuple[int, int]]]:
    """Yield what is read in each place: skills in the order of the places, then all commands by key."""
    for place in found:
        for each in () if place.commands else files.skills(place):
            if (read_entry := _entry(session, place, each)) is not None:
                yield place, *read_entry
    rows = [(place, each) for place in found if place.commands for each in files.commands(place.path)]
    for place, each in sorted(rows, key=lambda row: collation_key(row[1].key)):
        if (read_entry := _entry(session, place, each)) is not None:
            yield place, *read_entry


def _entry(session: Session, place: Place, found: Found | Missed) -> tuple[Entry, tuple[int, int]] | None:
    """Return the entry and the inode of a file; what is not loaded is noted in the session."""
    if isinstance(found, Missed):
        session.skipped.append(found.refused)
        session.logs += found.logs
        return None
    outcome = read(found, place.source, place.role, place.commands)
    if isinstance(outcome, Refused):
        session.skipped.append(outcome)
        if outcome.message is not None:
            session.logs.append(Log("WARNING", "skills", outcome.message))
        return None
    session.logs += problems(outcome)
    return (outcome if place.scope is None else outcome._replace(scope=place.scope)), found.inode


def read(found: Found, source: str, role: str, command: bool = False) -> Entry | Refused:
    """Return the entry for a file, or why it is not loaded: a reserved name, or a bound of ours."""
    directory = found.file.parent
    try:
        entry = made(found.key, found.file, decoded(found.raw), source, role, command)
    except Refusal as refusal:
        return Refused(directory, refusal.message, refusal.why, role)
    for name, place, advice in (
        (entry.key, directory, "rename it"),
        (entry.name or "", found.file, "change its name: line"),
    ):
        if name == RESERVED or name.startswith(f"{RESERVED}:"):
            message = (
                f'[skills] not loading "{name}" ({place}): that name uses "{RESERVED}", a name reserved for '
                f"the skills synced from your claude.ai account; {advice}"
            )
            return Refused(directory, message, f"`{RESERVED}` is a reserved name", role)
    return entry


def problems(entry: Entry) -> Iterator[Log]:
    """Yield what is logged about a file that is loaded."""
    if problem := entry.read_as.problem:
        yield Log("WARNING", "", f"Failed to parse YAML frontmatter in {entry.file}: {problem}")
        text = f"[skills] YAML frontmatter in {entry.file} failed to parse and was ignored: {problem}"
        yield Log("ERROR", "", text)
    if too_long(entry):
        text = f'Frontmatter "name" of skill {entry.key} is over 256 characters - ignoring it'
        yield Log("WARNING", "", text)


def _settle(session: Session, state: State, entries: Iterable[Entry]) -> None:
    """Decide which copy of each key wins, and which of the winners are offered."""
    winners: dict[str, Entry] = {}
    for entry in entries:
        if entry.key not in winners:
            winners[entry.key] = entry
        elif entry.scope is not None:
            scoped = with_scope(entry, entry.scope)
            winners[scoped.key] = scoped
            state.scoped.setdefault(entry.key, []).append(scoped)
        else:
            winner, loser = skill_of(winners[entry.key]), skill_of(entry)
            session.shadowed.append(first_wins(session, winner, loser))
    found = with_aliases(winners.values())
    state.entries = [entry for entry in found if not entry.paths]
    state.waiting = [entry for entry in found if entry.paths]
    if state.flags.no_commands:
        _hide(session, state.entries, "the flag `--disable-slash-commands` turns skills off")
        state.entries, state.waiting = [], []
    _offer(session, state)


def _offer(session: Session, state: State) -> None:
    off = [entry for entry in state.entries if state.override(entry) == "off"]
    hidden = {entry.key for entry in off}
    _hide(session, off, "`skillOverrides` in the settings turns it off")
    for entry in state.waiting:
        patterns = ", ".join(f"`{pattern}`" for pattern in entry.paths)
        _hide(
            session, [entry], f"it is offered once a file that matches `paths` is read or written: {patterns}"
        )
    session.skills += [skill_of(entry) for entry in state.entries if entry.key not in hidden]


def _hide(session: Session, entries: Iterable[Entry], why: str) -> None:
    session.skipped += [
        Refused(entry.file.parent, None, why, entry.role, key=entry.key, hidden=True) for entry in entries
    ]


def with_scope(entry: Entry, scope: str) -> Entry:
    """Return a skill whose key is taken, as the variant for a directory."""
    return entry._replace(
        key=f"{scope}:{entry.key}",
        scope=scope,
        tail=f' (scoped to {scope}/ — use this instead of the unscoped "{entry.key}" skill when the files '
        f"being changed are under {scope}/)",
    )


def skill_of(entry: Entry) -> LoadedSkill:
    """Return an entry as a skill of a session."""
    directory = entry.file.parent
    return LoadedSkill(
        entry.key,
        entry.label or entry.alias or entry.key,
        entry.description,
        directory,
        entry.body,
        entry.role,
        str(entry.directory or entry.file),
        extra={"entry": entry},
    )


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory in a root, whatever the settings."""
    found = files.skill(directory, "")
    if isinstance(found, Missed):
        return found.refused
    outcome = read(found, "projectSettings", "")
    return outcome if isinstance(outcome, Refused) else skill_of(outcome)
