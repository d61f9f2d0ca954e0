"""Which skills does opencode load? Every SKILL.md at any depth; which copy of a name wins is chance.

A folder that several paths reach is found once, by the shortest one without a link if there is one; opencode
reads it by all of them, and which one stays is chance. A link may lead to the whole disk, so the walk ends
after so many folders.

Source: the results of opencode 1.18.33, whose rules for permissions are in its module Permission; the
results of opencode 1.18.33, and of gray-matter 4.0.3, which it has.
"""

from __future__ import annotations

import json
import os
import re
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from skilltool.emulation.gray_matter import NotParsedError, ScriptError, split
from skilltool.emulation.icu_collation import collation_key
from skilltool.emulation.javascript import WHITE_SPACE, trim
from skilltool.runtimes.base import Session
from skilltool.runtimes.home import user_home_or_none
from skilltool.runtimes.loading import (
    TOO_LARGE,
    TooManyError,
    bytes_of,
    identity,
    is_directory_here,
    is_here,
    skills_directly_in,
)
from skilltool.runtimes.values import (
    SILENTLY,
    LoadedSkill,
    Log,
    Manifest,
    Refusal,
    Refused,
    ResolvedRoot,
    Shadowed,
    beyond_bound,
    not_read,
    without_skill_file,
)
from skilltool.skill.skill_file import FILE_NAME, MAX_BYTES
from skilltool.text.frontmatter.nodes import BoundError
from skilltool.text.lazy_pattern import lazy_pattern

TOOL = "skill"
_ALLOW_ALL = {"permission": "*", "action": "allow", "pattern": "*"}
_EXTERNAL = "OPENCODE_DISABLE_EXTERNAL_SKILLS"
_CLAUDE = ("OPENCODE_DISABLE_CLAUDE_CODE", "OPENCODE_DISABLE_CLAUDE_CODE_SKILLS")


class Settings(NamedTuple):
    """What concerns skills: more directories, rules in their order, commands with their templates.

    `external_off` and `claude_off` say which variable turns the places of other clients off.
    """

    paths: tuple[str, ...]
    rules: tuple[Mapping[str, str], ...]
    commands: Mapping[str, str]
    external_off: str | None
    claude_off: str | None

    def action(self, name: str) -> str:
        """Return what the last rule says that matches a skill: `allow`, `ask` or `deny`."""
        matching = (rule for rule in reversed(self.relevant) if matches(name, rule["pattern"]))
        return next((rule["action"] for rule in matching), "ask")

    @property
    def relevant(self) -> list[Mapping[str, str]]:
        """The rules that can concern a skill."""
        return [rule for rule in self.rules if matches(TOOL, rule["permission"])]

    @property
    def no_tool(self) -> bool:
        """Whether the last rule for skills denies all of them, so that there is no tool and no listing."""
        last = self.relevant[-1]
        return last["pattern"] == "*" and last["action"] == "deny"


def settings_of(session: Session) -> Settings:
    """Return the settings of a session: `opencode.json` as an object or as its text."""
    config = session.settings["opencode.json"]
    if isinstance(config, str):
        config = _parsed(config)
    config = config if isinstance(config, dict) else {}
    environment = session.settings["env"] or {}
    paths = _mapping(config.get("skills")).get("paths", ())
    commands = {
        name: str(_mapping(command).get("template", ""))
        for name, command in _mapping(config.get("command")).items()
    }
    return Settings(
        tuple(path for path in paths if isinstance(path, str)) if isinstance(paths, list) else (),
        (_ALLOW_ALL, *_rules(config)),
        commands,
        _EXTERNAL if _is_on(environment, _EXTERNAL) else None,
        next((name for name in _CLAUDE if _is_on(environment, name)), None),
    )


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _is_on(environment: Mapping[str, Any], name: str) -> bool:
    return str(environment.get(name, "")).lower() in ("true", "1")


def _rules(config: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """Yield the rules in their order; `tools` come before `permission`, which overrides them."""
    given = config.get("permission", {})
    permissions: dict[str, Any] = {
        name: "allow" if on else "deny" for name, on in _mapping(config.get("tools")).items()
    }
    permissions |= {"*": given} if isinstance(given, str) else _mapping(given)
    for permission, value in permissions.items():
        if isinstance(value, str):
            yield {"permission": permission, "action": value, "pattern": "*"}
        for pattern, action in _mapping(value).items():
            yield {"permission": permission, "pattern": pattern, "action": str(action)}


def matches(text: str, pattern: str) -> bool:
    """Return whether a text matches a pattern of `*` and `?`; ` *` at its end is optional."""
    return _matches(text, pattern) or (pattern.endswith(" *") and _matches(text, pattern[:-2]))


def _matches(text: str, pattern: str) -> bool:
    at, star, resume = 0, -1, 0
    position = 0
    while position < len(text):
        if at < len(pattern) and pattern[at] == "*":
            star, resume = at, position
            at += 1
        elif at < len(pattern) and pattern[at] in ("?", text[position]):
            at += 1
            position += 1
        elif star >= 0:  # let the last star take one character more
            at, resume = star + 1, resume + 1
            position = resume
        else:
            return False
    return not re.sub(r"\*", "", pattern[at:])


_KEY = "opencode"
# Its own skill, and the path that stands for that of a file.
BUILTIN, BUILTIN_LOCATION = "customize-opencode", "<built-in>"


@dataclass(frozen=True)
class State:
    """The settings that the session started with."""

    settings: Settings


def remember(session: Session, state: State) -> None:
    """Keep the state of a session."""
    session.memory[_KEY] = state


def state_of(session: Session) -> State:
    """Return the state that the scan of a session left."""
    state: State = session.memory[_KEY]
    return state


_OWN = (("", "skills"), ("-skill", "skill"))


class Place(NamedTuple):
    """A root; `dotted` says that folders whose name begins with a dot count, `off` why it is not read."""

    root: ResolvedRoot
    dotted: bool = False
    off: str | None = None


def places(session: Session, settings: Settings) -> list[Place]:
    """Return every place in the order in which they are found."""
    above = list(upwards(session.project, session.home))
    found = [
        _foreign(session, settings, session.home, ".claude", "home-claude"),
        _foreign(session, settings, session.home, ".agents", "user"),
    ]
    for number, directory in enumerate(above):
        tail = f"-{number}" if number else ""
        found.append(_foreign(session, settings, directory, ".claude", f"project-claude{tail}"))
        found.append(_foreign(session, settings, directory, ".agents", f"project{tail}"))
    own = [(session.home / ".config" / "opencode", "config")]
    own += [(path / ".opencode", f"opencode{f'-{n}' if n else ''}") for n, path in enumerate(above)]
    own.append((session.home / ".opencode", "home-opencode"))
    for directory, role in own:
        for more, name in _OWN:
            found.append(Place(_root(session, f"{role}{more}", directory / name)))
    for number, path in enumerate(settings.paths, start=1):
        given = session.home / path[2:] if path.startswith("~/") else session.project / path
        place = Path(os.path.normpath(given))
        found.append(Place(ResolvedRoot(f"paths-{number}", place, str(place))))
    usual = {root.role for root in session.runtime.roots}
    return [place for place in found if place.root.role in usual or place.root.exists]


def _foreign(session: Session, settings: Settings, directory: Path, name: str, role: str) -> Place:
    """Return the place of another client, which environment variables turn off."""
    off = settings.external_off or (settings.claude_off if name == ".claude" else None)
    return Place(_root(session, role, directory / name / "skills"), dotted=True, off=off)


def _root(session: Session, role: str, usual: Path) -> ResolvedRoot:
    """Return the directory that `--root` names for a role, else the usual one."""
    template = next((root.path_template for root in session.runtime.roots if root.role == role), None)
    root = session.root(role)
    if root is None or template is None:
        return ResolvedRoot(role, usual, str(usual))
    is_default = str(root.path) == template.format(project=session.project, home=session.home)
    return ResolvedRoot(role, usual, str(usual)) if is_default else root


def upwards(project: Path, home: Path) -> Iterator[Path]:
    """Yield the working directory and those above it, up to the root of its repository, else of the disk.

    The home directory is left out: its places count as the user's.
    """
    # Lint reads no home directory: the one that it names does not exist.
    homes = {home} if is_directory_here(home) else {home, user_home_or_none() or home}
    repository = next((top for top in (project, *project.parents) if is_here(top / ".git")), None)
    for directory in (project, *project.parents):
        if directory not in homes or directory == project:
            yield directory
        if directory == repository:
            return


_MOST_FOLDERS = 10_000


class Found(NamedTuple):
    """A folder with a SKILL.md; `why` says why it is not offered after all."""

    directory: Path
    why: str | None = None


class _Folder(NamedTuple):
    path: str
    top: str
    dotted: str | None = None  # the first folder on its path whose name begins with a dot


def walk(root: Path, dotted: bool) -> Iterator[Found]:
    """Yield the folders in a root, `dotted` with those under a folder whose name begins with a dot.

    Raises `TooManyError` beyond 10,000 folders.
    """
    tops: dict[str, bool] = {}
    seen: set[tuple[int, int] | str] = set()
    waiting, links = deque([_Folder(str(root), "")]), deque[_Folder]()
    while waiting or links:
        folder = waiting.popleft() if waiting else links.popleft()
        try:
            with os.scandir(folder.path) as entries:
                children = sorted(entries, key=lambda entry: os.fsencode(entry.name))
        except OSError:
            continue
        real = identity(folder.path)
        if real in seen:
            tops[folder.top] = True
            continue
        seen.add(real)
        if len(seen) > _MOST_FOLDERS:
            raise TooManyError(_MOST_FOLDERS)
        for child in children:
            if child.name.lower() == FILE_NAME.lower() and (found := _file(folder, child, dotted)):
                tops[folder.top] = True
                yield found
            is_link = child.is_symlink()
            if not is_link and not child.is_dir():
                continue
            top = folder.top or child.name
            tops.setdefault(top, False)
            first = folder.dotted or (child.name if child.name.startswith(".") else None)
            (links if is_link else waiting).append(_Folder(child.path, top, first))
    for top, has_file in tops.items():
        if top and top != FILE_NAME and not has_file:
            yield Found(root / top, f"it has no {FILE_NAME} at any depth")


def _file(folder: _Folder, file: os.DirEntry[str], dotted: bool) -> Found | None:
    """Return what a file is that is named like a SKILL.md."""
    directory = Path(folder.path)
    if file.name != FILE_NAME:
        has_both = os.path.lexists(f"{folder.path}/{FILE_NAME}")
        return None if has_both else Found(directory, f"its file is named {file.name}, not {FILE_NAME}")
    if is_directory_here(Path(file.path)):  # a loop of links is none
        return Found(directory, f"{FILE_NAME} is a directory")
    if folder.dotted is not None and not dotted:
        return Found(directory, f"the name of `{folder.dotted}` begins with a dot")
    return Found(directory)


_MARK = "---"
_BLANK = f"[{re.escape(WHITE_SPACE)}]"
_OPENING = lazy_pattern(r"---\r?\n")
_BLANK_START = lazy_pattern(_BLANK)
_ENTRY = lazy_pattern(
    rf"(?P<key>[a-zA-Z_][a-zA-Z0-9_]*+){_BLANK}*+:{_BLANK}*+(?P<value>[^\n\r\u2028\u2029]*)"
)


def parse(raw: bytes, directory: str | None) -> Manifest:
    """Return `name`, `description` (None if there is none) and `body`; raises `Refusal`.

    Invalid UTF-8 is read as U+FFFD. The name of the directory plays no part.
    """
    if len(raw) > MAX_BYTES:
        raise Refusal(None, TOO_LARGE)
    text = raw.decode("utf-8", "replace").removeprefix("\ufeff")
    try:
        data, body = _read(text)
    except (BoundError, ScriptError) as error:
        raise not_read(error) from None
    if not isinstance(data, dict) or not isinstance(data.get("name"), str):
        raise Refusal(None, f"`name` is missing or not a string {SILENTLY}")
    if not isinstance(data.get("description", ""), str):
        raise Refusal(None, f"`description` is not a string {SILENTLY}")
    return Manifest(data["name"], data.get("description"), body)


def _read(text: str) -> tuple[Any, str]:
    """Return the data and the body of a text, or of what the repair makes of it; raises `Refusal`."""
    try:
        return split(text)
    except NotParsedError as error:
        repaired = _repaired(text)
        if repaired == text:
            raise Refusal(None, f"the frontmatter is not valid YAML: {error} {SILENTLY}") from None
    try:
        return split(repaired)
    except NotParsedError as error:
        raise Refusal(None, f"the frontmatter is not valid YAML: {error} {SILENTLY}") from None


def _repaired(text: str) -> str:
    """Return a text with each unquoted value that has a colon, at the left edge, as a block scalar."""
    opening = _OPENING.match(text)
    end = text.find(f"\n{_MARK}", opening.end()) if opening else -1
    if opening is None or end < 0:
        return text
    start = opening.end()
    block = text[start : end - (end > start and text[end - 1] == "\r")]
    lines = [line for each in re.split(r"\r?\n", block) for line in _repaired_line(each)]
    return text.replace(block, "\n".join(lines), 1)


def _repaired_line(line: str) -> list[str]:
    entry = _ENTRY.fullmatch(line)
    if entry is None or _BLANK_START.match(line) or trim(line).startswith("#"):
        return [line]
    value = trim(entry["value"])
    if value in ("", ">", "|") or value.startswith(('"', "'")) or ":" not in value:
        return [line]
    return [f"{entry['key']}: |-", f"  {value}"]


_CHANCE = "all copies are read concurrently, and the one read last wins"
_FAILED = "failed to load skill"


def scan(session: Session) -> None:
    """Fill a session; of several copies the last one in the order of the places stands for the winner."""
    settings = settings_of(session)
    found = places(session, settings)
    session.roots = tuple(_shown(place) for place in found)
    winners: dict[str, LoadedSkill] = {}
    losers: list[LoadedSkill] = []
    read: set[str] = set()
    for place in found:
        for each in _folders(session, place):
            outcome = _outcome(session, place, each, read)
            if isinstance(outcome, Refused):
                session.skipped.append(outcome)
            elif outcome is not None:
                if (before := winners.get(outcome.key)) is not None:
                    losers.append(before)
                    session.logs.append(_duplicate(before, outcome))
                winners[outcome.key] = outcome
    offered = sorted(winners.values(), key=lambda skill: collation_key(skill.key))
    session.skills += offered
    session.shadowed += [Shadowed(loser, winners[loser.key], _CHANCE, undetermined=True) for loser in losers]
    remember(session, State(settings))


def _duplicate(before: LoadedSkill, after: LoadedSkill) -> Log:
    existing, duplicate = (f"{loaded.display_path}/{FILE_NAME}" for loaded in (before, after))
    message = f"duplicate skill name name={after.key} existing={existing} duplicate={duplicate}"
    return Log("WARNING", "", message)


def _shown(place: Place) -> ResolvedRoot:
    return place.root if place.off is None else place.root._replace(unscanned=f"`{place.off}` turns it off")


def _folders(session: Session, place: Place) -> list[Found]:
    """Return the folders of a place; of one beyond the bound, which is noted, those directly in it."""
    try:
        return list(walk(place.root.path, place.dotted))
    except TooManyError as error:
        session.skipped.append(beyond_bound(place.root.path, error.most, "folders", place.root.role))
    directly = skills_directly_in(place.root.path)
    return [Found(folder) for folder in directly if place.dotted or not folder.name.startswith(".")]


def _outcome(session: Session, place: Place, found: Found, read: set[str]) -> LoadedSkill | Refused | None:
    """Return what becomes of a folder; None for a file that was read before, by another path."""
    role = place.root.role
    if found.why is not None:
        return Refused(found.directory, None, f"{found.why} {SILENTLY}", role)
    if place.off is not None:
        return Refused(
            found.directory, None, f"`{place.off}` disables this skills directory", role, hidden=True
        )
    real = os.path.realpath(found.directory / FILE_NAME)
    if real in read:
        return None
    read.add(real)
    outcome = _loaded(found.directory, role)
    if isinstance(outcome, Refused) and outcome.message:
        session.logs.append(Log("ERROR", "", outcome.message))
    return outcome


def _loaded(directory: Path, role: str) -> LoadedSkill | Refused:
    file = directory / FILE_NAME
    try:
        raw = bytes_of(file)
        if isinstance(raw, OSError):
            return _unread(directory, raw, role)
        manifest = parse(raw, directory.name)
    except Refusal as refusal:
        return refusal.refused(directory, role)
    name, description, body = manifest.name, manifest.description or "", manifest.body
    return LoadedSkill(name, name, description, directory, body, role, str(directory), details=manifest)


def _unread(directory: Path, error: OSError, role: str) -> Refused:
    file = directory / FILE_NAME
    if not os.path.lexists(file):
        return without_skill_file(directory, role)
    if is_directory_here(file):
        return Refused(directory, None, f"{FILE_NAME} is a directory {SILENTLY}", role)
    return Refused(directory, _FAILED, f"{FILE_NAME} cannot be read: {error.strerror}", role)


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory, wherever it is."""
    return _loaded(directory, "")


def is_described(skill: LoadedSkill) -> bool:
    """Return whether a skill has a description, be it an empty one."""
    return skill.known_as(Manifest).description is not None
