"""What does Claude Code load when a session starts, which copy of a key wins, and what does it skip?

Plugins come from `--plugin-dir`, from marketplaces (`enabledPlugins` of the settings, and the lists that the
program keeps in `plugins/` of the personal directory), and from personal skills that hold a manifest.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from skilltool.bounds import current_skill
from skilltool.bounds.budget import clause_about_reading
from skilltool.emulation.icu_collation import collation_key
from skilltool.emulation.picomatch import expanded
from skilltool.files.paths import path_once
from skilltool.runtimes.base import Session
from skilltool.runtimes.claude_code import settings
from skilltool.runtimes.claude_code.characters import is_directory_name
from skilltool.runtimes.claude_code.manifest import decoded, text_field
from skilltool.runtimes.claude_code.settings import Flags, config_directory, read_json
from skilltool.runtimes.claude_code.skills import (
    RESERVED,
    Entry,
    State,
    made,
    remember,
    too_long,
    with_aliases,
)
from skilltool.runtimes.home import user_home_or_none
from skilltool.runtimes.loading import (
    TooManyError,
    first_wins,
    is_directory_entry,
    is_directory_here,
    is_file_here,
    is_link_here,
)
from skilltool.runtimes.values import (
    NOT_READ,
    LoadedSkill,
    Log,
    Refusal,
    Refused,
    ResolvedRoot,
    beyond_bound,
    without_skill_file,
)
from skilltool.skill import schema
from skilltool.skill.discovery.wildmatch import Pattern, compile_line
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.unsaved import open_buffer_or_file


def matches(patterns: Sequence[str], path: str) -> bool:
    """Return whether a file (relative, with `/`) or a directory above it matches; the last pattern wins."""
    compiled = _compiled(tuple(patterns))
    file = PurePosixPath(path)
    for each in (*reversed(file.parents[:-1]), file):
        name, whole = each.name.encode(), each.as_posix().encode()
        pattern = next((p for p in reversed(compiled) if p.matches(whole, name, each != file)), None)
        if pattern is not None:
            return pattern.include
    return False


@lru_cache(maxsize=256)
def _compiled(patterns: tuple[str, ...]) -> tuple[Pattern, ...]:
    lines = [line for pattern in patterns for line in expanded(pattern)]
    return tuple(found for line in lines if (found := compile_line(line.encode())) is not None)


_ABOVE = "parent-"


class Place(NamedTuple):
    """A directory of skills or of commands: our role for it, and the program's word for where it comes from.

    `group` is the word in its count of skills: `user`, `project`, `additional` or `legacy commands`.
    """

    path: Path
    role: str
    source: str
    group: str
    commands: bool = False
    scope: str | None = None


def places(session: Session, flags: Flags) -> list[Place]:
    """Return every place in the order of the listing; command files come after all skills."""
    if flags.bare:
        return []
    user, project = _allowed(flags, "user"), _allowed(flags, "project")
    config = config_directory(flags, session.home)
    above = list(parents(session.project, session.home))
    added = [session.project / directory for directory in flags.add_dirs] if project else []
    found = (
        [Place(_given(session, "user", config / "skills"), "user", "userSettings", "user")] if user else []
    )
    if project:
        for number, directory in enumerate(above):
            role = "project" if number == 0 else f"parent-{number}"
            path = directory / ".claude" / "skills"
            path = _given(session, "project", path) if number == 0 else path
            found.append(Place(path, role, "projectSettings", "project"))
    for number, directory in enumerate(added, start=1):
        path = Path(os.path.abspath(directory)) / ".claude" / "skills"
        scope = path.parents[1].name
        found.append(Place(path, f"add-dir-{number}", "projectSettings", "additional", scope=scope))
    return [*found, *_commands(session, config, above, added, user, project)]


def _commands(
    session: Session, config: Path, above: list[Path], added: list[Path], user: bool, project: bool
) -> Iterator[Place]:
    group = "legacy commands"
    if user:
        path = _given(session, "user-commands", config / "commands")
        yield Place(path, "user-commands", "userSettings", group, True)
    if not project:
        return
    for number, directory in enumerate(above):
        path, role = directory / ".claude" / "commands", f"parent-commands-{number}"
        if number == 0:
            path, role = _given(session, "project-commands", path), "project-commands"
        yield Place(path, role, "projectSettings", group, True)
    for number, directory in enumerate(added, start=1):
        path = Path(os.path.abspath(directory)) / ".claude" / "commands"
        yield Place(path, f"add-dir-commands-{number}", "projectSettings", group, True)


def _given(session: Session, role: str, usual: Path) -> Path:
    """Return the directory that `--root` names for a role, else the usual one."""
    template = next(root.path_template for root in session.runtime.roots if root.role == role) or ""
    root = session.root(role)
    default = path_once(template.format(project=session.project, home=session.home))
    return usual if root is None or root.path == default else root.path


def _allowed(flags: Flags, source: str) -> bool:
    return flags.sources is None or source in flags.sources


def parents(project: Path, home: Path) -> Iterator[Path]:
    """Yield the working directory and those above it, up to the root of its repository.

    Without a repository up to the root of the file system; what is above a home directory that contains it
    is not read, and neither is the home directory itself, whose skills are the personal ones.
    """
    repository = next((top for top in (project, *project.parents) if (top / ".git").exists()), None)
    # Lint reads no home directory: the one that it names does not exist.
    homes = {home} if is_directory_here(home) else {home, user_home_or_none() or home}
    for directory in (project, *project.parents):
        if directory in homes:
            return
        yield directory
        if directory == repository:
            return


def roots_of(found: list[Place]) -> tuple[ResolvedRoot, ...]:
    """Return the places as roots of a session, without directories above that have none."""
    return tuple(
        ResolvedRoot(place.role, place.path, str(place.path))
        for place in found
        if not place.role.startswith(_ABOVE) or place.path.exists()
    )


LARGEST: int = schema.load("claude-code")["x-max-bytes"]


class Found(NamedTuple):
    """A file that is a skill or a command: its key before any prefix, its path, its bytes, its inode."""

    key: str
    file: Path
    raw: bytes
    inode: tuple[int, int]


class Missed(NamedTuple):
    """A directory that is not loaded, and what is logged about it."""

    refused: Refused
    logs: tuple[Log, ...] = ()


def in_order(directory: Path) -> list[str]:
    """Return the names in a directory as JavaScript's `localeCompare` sorts them; none if it has none."""
    try:
        return sorted(sorted(os.listdir(directory), key=os.fsencode), key=collation_key)
    except (OSError, ValueError):  # a manifest may list a path that no file can have
        return []


def skills(place: Place) -> Iterator[Found | Missed]:
    """Yield what becomes of each directory, or link, directly in a place of skills."""
    try:
        with os.scandir(place.path) as entries:
            names = [entry.name for entry in entries if entry.is_symlink() or entry.is_dir()]
    except OSError:
        return
    for name in sorted(sorted(names, key=os.fsencode), key=collation_key):
        yield skill(place.path / name, place.role, name)


def skill(directory: Path, role: str, key: str | None = None) -> Found | Missed:
    """Return what becomes of one directory: its SKILL.md, in this spelling."""
    file = directory / FILE_NAME
    try:
        status = file.stat()
    except OSError as error:
        return _unread(directory, file, error, role)
    if not stat.S_ISREG(status.st_mode):
        message = f"[skills] skipping {file}: not a regular file, or refused for where it leads"
        return Missed(
            Refused(directory, message, f"{FILE_NAME} is not a regular file", role), _warning(message)
        )
    if not is_directory_name(directory.name):
        why = "its name has characters that are not displayed as they are; such directories are ignored"
        return Missed(Refused(directory, None, why, role))
    if status.st_size > LARGEST:
        message = f"[skills] skipping {file}: {status.st_size} bytes exceeds {LARGEST} byte limit"
        return Missed(
            Refused(directory, message, f"{FILE_NAME} is larger than 1,000,000 bytes", role),
            _warning(message),
        )
    try:
        return Found(key or directory.name, file, content(file), (status.st_dev, status.st_ino))
    except OSError as error:
        return _unread(directory, file, error, role)


def _unread(directory: Path, file: Path, error: OSError, role: str) -> Missed:
    if error.errno == errno.ELOOP:
        loop = "ELOOP: too many symbolic links encountered"
        text = f"[skills] failed to read {file}: Error: {loop}, lstat '{file}'"
        watcher = f"[skills] watcher error: {loop}, stat '{directory}'"
        refused = Refused(directory, text, "it is a link to itself", role)
        return Missed(refused, (*_warning(text), *_warning(watcher)))
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return Missed(without_skill_file(directory, role))
    what = NOT_READ if error.errno == errno.ETIMEDOUT else f"{FILE_NAME} cannot be read"
    return Missed(Refused(directory, None, f"{what}: {error.strerror}", role))


def _warning(message: str) -> tuple[Log, ...]:
    return (Log("WARNING", "skills", message),)


def content(file: Path) -> bytes:
    """Return the bytes of a skill's or a command's file; raises OSError, also where reading was ended."""
    if reason := current_skill.enter(file.parent):
        raise OSError(errno.ETIMEDOUT, clause_about_reading(reason))
    if not stat.S_ISREG(file.stat().st_mode):  # a pipe would be waited for
        raise OSError(errno.EINVAL, "it is not a regular file")
    with open_buffer_or_file(file) as opened:
        raw: bytes = opened.read(LARGEST + 1)
        return raw


_MOST_ENTRIES = 20_000


def commands(top: Path) -> list[Found]:
    """Return the commands under a directory, sorted by key: every `.md` file, at any depth.

    A directory with a SKILL.md is one command, and its other files are none. Raises `TooManyError` beyond
    20,000 entries: the directory may be a link to the whole disk.
    """
    found: list[Found] = []
    entries = 0
    waiting = [(top, "")]
    while waiting:  # a loop: a tree may be deeper than Python's recursion limit
        directory, prefix = waiting.pop()
        names = in_order(directory)
        entries += len(names)
        if entries > _MOST_ENTRIES:
            raise TooManyError(_MOST_ENTRIES)
        has_skill = FILE_NAME in names and is_file_here(directory / FILE_NAME)
        for name in names:
            path = directory / name
            if is_directory_here(path):
                waiting += [] if is_link_here(path) else [(path, f"{prefix}{name}:")]
            elif name == FILE_NAME:
                found += _command(prefix.removesuffix(":") or top.name, path)
            elif name.endswith(".md") and not has_skill:
                found += _command(prefix + name.removesuffix(".md"), path)
    return sorted(found, key=lambda each: collation_key(each.key))


def _command(key: str, file: Path) -> list[Found]:
    try:
        status = file.stat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST:
            return []
        return [Found(key, file, content(file), (status.st_dev, status.st_ino))]
    except OSError:
        return []


MANIFEST = Path(".claude-plugin", "plugin.json")


class Plugin(NamedTuple):
    """A plugin: its name, the prefix of its keys, its directory, and its manifest.

    `is_whole` says that the list of skills in the manifest is all that the plugin has. `market` is the name
    of its marketplace, `inline` without one.
    """

    name: str
    top: Path
    manifest: dict[str, Any]
    is_whole: bool = False
    market: str = "inline"

    @property
    def data(self) -> str:
        """The name of its directory for data."""
        return f"{self.name}-{self.market}"


def plugin_at(top: Path, market: str = "inline") -> Plugin:
    """Return the plugin in a directory; without a manifest, the directory's name is its name."""
    manifest = read_json(top / MANIFEST)
    name = manifest.get("name")
    return Plugin(name if isinstance(name, str) and name else top.name, top, manifest, market=market)


def loaded_plugins(
    state: State, project: Path, personal: Path | None, told: Sequence[Any] = ()
) -> list[Plugin]:
    """Return the plugins of a session.

    `personal` is the directory of personal skills, `told` the setting `plugins`.
    """
    if state.flags.bare:
        return []
    given = [plugin_at(project / top) for top in state.flags.plugin_dirs if is_directory_here(project / top)]
    plugins = [*given, *_named_plugins(told), *_installed(state)]
    names = in_order(personal) if personal is not None else []
    tops = [personal / name for name in names if personal is not None]
    plugins += [plugin_at(top) for top in tops if is_file_here(top / MANIFEST)]
    named = [plugin for plugin in plugins if " " not in plugin.name]  # the manifest is invalid
    return list({plugin.name: plugin for plugin in reversed(named)}.values())[::-1]


def _named_plugins(entries: Sequence[Any]) -> Iterator[Plugin]:
    """Yield the plugins that entries of a marketplace describe in full, with no manifest of their own."""
    for entry in entries:
        if isinstance(entry, dict) and isinstance(entry.get("name"), str):
            top = Path(str(entry.get("directory", "")))
            yield Plugin(
                entry["name"], top, {"skills": entry.get("skills", [])}, bool(entry.get("only_listed"))
            )


def _installed(state: State) -> Iterator[Plugin]:
    """Yield the enabled plugins of marketplaces: in a local one at their place, else where they are kept."""
    known = read_json(state.config / "plugins" / "known_marketplaces.json")
    installed = read_json(state.config / "plugins" / "installed_plugins.json").get("plugins", {})
    for key, enabled in state.settings.get("enabledPlugins", {}).items():
        name, _, market = str(key).partition("@")
        if enabled is not True:
            continue
        place = _in_marketplace(known.get(market), name) or _kept(installed, key)
        if place is not None and is_directory_here(place):
            yield plugin_at(place, market)


def _in_marketplace(market: Any, name: str) -> Path | None:
    """Return where a marketplace in a local directory has a plugin, None if it is not local."""
    if not isinstance(market, dict) or not isinstance(source := market.get("source"), dict):
        return None
    if source.get("source") not in ("directory", "file") or not isinstance(source.get("path"), str):
        return None
    top = Path(source["path"])
    plugins = read_json(top / ".claude-plugin" / "marketplace.json").get("plugins")
    for plugin in plugins if isinstance(plugins, list) else []:
        place = plugin.get("source") if isinstance(plugin, dict) and plugin.get("name") == name else None
        if isinstance(place, str):
            return top / place
    return None


def _kept(installed: Any, key: str) -> Path | None:
    entries = installed.get(key) if isinstance(installed, dict) else None
    entry = entries[-1] if isinstance(entries, list) and entries else entries
    path = entry.get("installPath") if isinstance(entry, dict) else None
    return Path(path) if isinstance(path, str) else None


def entries_of_plugin(plugin: Plugin) -> Iterator[Entry]:
    """Yield the commands of a plugin, then its skills."""
    with suppress(TooManyError):
        for found in commands(plugin.top / "commands"):
            yield _entry_of_plugin(plugin, found, f"{plugin.name}:{found.key}", True)
    for found in _skills(plugin):
        yield _entry_of_plugin(plugin, found, f"{plugin.name}:{found.key}", False)


def _entry_of_plugin(plugin: Plugin, found: Found, key: str, command: bool) -> Entry:
    return made(
        key,
        found.file,
        decoded(found.raw),
        "plugin",
        f"plugin-{plugin.name}",
        command,
        plugin=plugin.name,
        plugin_root=plugin.top,
        plugin_data=plugin.data,
    )


def _skills(plugin: Plugin) -> Iterator[Found]:
    """Yield the skills in `skills/`, those that the manifest lists, or the one at the plugin's root."""
    usual = plugin.top / "skills"
    if not plugin.is_whole:
        yield from _of_directory(usual, own_name=True)
    listed = plugin.manifest.get("skills", [])
    for path in [listed] if isinstance(listed, str) else listed if isinstance(listed, list) else []:
        if isinstance(path, str):
            yield from _of_directory(plugin.top / path, own_name=False)
    only = skill(plugin.top, "")
    if isinstance(only, Found) and not is_directory_here(usual) and not _is_personal_skill(plugin.top):
        yield only._replace(key=_own_name(only) or plugin.top.name)


def _of_directory(top: Path, own_name: bool) -> Iterator[Found]:
    """Yield the skill that a directory is, else the skills directly in it."""
    if is_file_here(top / FILE_NAME):
        if isinstance(found := skill(top, ""), Found):
            yield found._replace(key=(_own_name(found) if own_name else None) or top.name)
        return
    for name in in_order(top):
        if is_directory_entry(top / name) and isinstance(found := skill(top / name, ""), Found):
            yield found


def _own_name(found: Found) -> str | None:
    return made("", found.file, decoded(found.raw), "", "").name


def _is_personal_skill(top: Path) -> bool:
    """Whether a plugin's directory is itself a skill of the personal directory, which loads it as such."""
    return top.parent.name == "skills" and top.parent.parent.name == ".claude"


_GROUPS = ("user", "project", "additional", "legacy commands")
_REDUCED = Log("DEBUG", "", "[reduced mode] Skipping skill dir discovery")


def scan(session: Session) -> None:
    """Fill a session as the program does at its start."""
    given = settings.parsed(session.settings["flags"], session.settings["env"] or {})
    config = settings.config_directory(given, session.home)
    read = config if session.settings["user_settings"] else None
    state = State(given, settings.merged(given, read, session.project), config)
    remember(session, state)
    found = places(session, given)
    session.roots = roots_of(found)
    if given.bare:
        session.logs += [_REDUCED, _REDUCED]
        return
    entries = _unique(session, found)
    personal = next((place.path for place in found if place.role == "user"), None)
    for plugin in loaded_plugins(state, session.project, personal, session.settings["plugins"]):
        session.roots += (ResolvedRoot(f"plugin-{plugin.name}", plugin.top, str(plugin.top)),)
        entries += entries_of_plugin(plugin)
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
        for each in () if place.commands else skills(place):
            if (read_entry := _read_entry(session, place, each)) is not None:
                yield place, *read_entry
    rows: list[tuple[Place, Found]] = []
    for place in found:
        try:
            rows += [(place, command) for command in commands(place.path)] if place.commands else []
        except TooManyError as error:
            session.skipped.append(beyond_bound(place.path, error.most, "entries", place.role))
    for place, each in sorted(rows, key=lambda row: collation_key(row[1].key)):
        if (read_entry := _read_entry(session, place, each)) is not None:
            yield place, *read_entry


def _read_entry(
    session: Session, place: Place, missed: Found | Missed
) -> tuple[Entry, tuple[int, int]] | None:
    """Return the entry and the inode of a file; what is not loaded is noted in the session."""
    if isinstance(missed, Missed):
        session.skipped.append(missed.refused)
        session.logs += missed.logs
        return None
    outcome = read(missed, place.source, place.role, place.commands)
    if isinstance(outcome, Refused):
        session.skipped.append(outcome)
        if outcome.message is not None:
            session.logs.append(Log("WARNING", "skills", outcome.message))
        return None
    session.logs += problems(outcome)
    return (outcome if place.scope is None else outcome._replace(scope=place.scope)), missed.inode


def read(found: Found, source: str, role: str, command: bool = False) -> Entry | Refused:
    """Return the entry for a file, or why it is not loaded: a reserved name, or a bound of ours."""
    directory = found.file.parent
    try:
        entry = made(found.key, found.file, decoded(found.raw), source, role, command)
    except Refusal as refusal:
        return refusal.refused(directory, role)
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
    shell, known = text_field(entry.read_as.fields, "shell"), settings.facts()["shells"]
    if shell is not None and shell.strip().lower() not in known:
        text = f"Frontmatter 'shell: {shell}' in {entry.key} is not recognized."
        advice = f"Valid values: {', '.join(known)}. Falling back to {known[0]}."
        yield Log("WARNING", "", f"{text} {advice}")


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
        details=entry,
    )


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory in a root, whatever the settings."""
    missed = skill(directory, "")
    if isinstance(missed, Missed):
        return missed.refused
    outcome = read(missed, "projectSettings", "")
    return outcome if isinstance(outcome, Refused) else skill_of(outcome)
