"""Where does Gemini CLI look for skills, which does it load, and which copy of a name wins?

Source: skills/skillManager.js and skillLoader.js of @google/gemini-cli-core 0.61.0, and its results;
skills/skillLoader.js of @google/gemini-cli-core 0.61.0, and its results.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from skilltool.emulation import js_yaml
from skilltool.emulation.javascript import WHITE_SPACE, trim
from skilltool.runtimes.base import Session
from skilltool.runtimes.loading import (
    TOO_LARGE,
    bytes_beside_skills,
    bytes_of,
    is_directory_entry,
    is_directory_here,
    is_file_here,
    last_wins,
    names,
)
from skilltool.runtimes.values import (
    SILENTLY,
    LoadedSkill,
    Log,
    Manifest,
    Refusal,
    Refused,
    ResolvedRoot,
    not_read,
    unlistable_root,
)
from skilltool.skill.skill_file import FILE_NAME, MAX_BYTES
from skilltool.text.frontmatter.nodes import BoundError
from skilltool.text.lazy_pattern import lazy_pattern

# Stands for the folder of the skills inside the program, and for what one of its own commands shows.
BUILTIN = "{builtin}"


@cache
def facts() -> dict[str, Any]:
    """Return the content of `facts.json`."""
    found: dict[str, Any] = json.loads(Path(__file__).with_name("facts.json").read_text("utf-8"))
    return found


def builtin_skills() -> list[LoadedSkill]:
    """Return the program's own skills; their bodies are not stored."""
    return [
        LoadedSkill(
            name, name, text, Path(f"{BUILTIN}/{name}"), "", role="builtin", display_path=f"{BUILTIN}/{name}"
        )
        for name, text in facts()["builtin_skills"].items()
    ]


_OPENING = lazy_pattern(r"---\r?\n")
_AFTER_CLOSING = lazy_pattern(r"\r?\n")
_NOT_IN_NAME = lazy_pattern(r'[:\\/<>*?"|]')
_BLANK = f"[{re.escape(WHITE_SPACE)}]"
# JavaScript's `.` stops at these, so a field that holds one is none.
_REST = "[^\n\r\u2028\u2029]*"
_FIELD = lazy_pattern(rf"{_BLANK}*+(?P<key>name|description):{_BLANK}*+(?P<value>{_REST})")
_CONTINUED = lazy_pattern(rf"[ \t]++[^{re.escape(WHITE_SPACE)}]")


def parse(raw: bytes, directory: str | None) -> Manifest:
    """Return what a SKILL.md says, the name as it is shown and called; raises `Refusal`.

    Invalid UTF-8 is read as U+FFFD. The name of the directory plays no part.
    """
    if len(raw) > MAX_BYTES:
        raise Refusal(None, TOO_LARGE)
    text = raw.decode("utf-8", "replace")
    opening = _OPENING.match(text)
    end = text.find("\n---", opening.end()) if opening else -1
    if opening is None or end < 0:
        raise Refusal(None, f"{_unfenced(text, opening is not None)} {SILENTLY}")
    start = opening.end()
    after = _AFTER_CLOSING.match(text, end + 4)
    fields, by_lines = _fields(text[start : end - (end > start and text[end - 1] == "\r")])
    name = _NOT_IN_NAME.sub("-", fields["name"])
    body = trim(text[after.end() :]) if after else ""
    return Manifest(name, fields["description"], body, by_lines=by_lines)


def _unfenced(text: str, opened: bool) -> str:
    if opened:
        return "the frontmatter is empty or is not closed by a line that begins with `---`"
    if text.startswith("\ufeff"):
        return "a byte order mark stands before the opening `---`"
    return "the first line is not exactly `---`"


def _fields(block: str) -> tuple[dict[str, str], bool]:
    """Return both fields: of the YAML if both are strings there, else of the lines; raises `Refusal`.

    Also whether it is the lines because the block is not YAML.
    """
    invalid = False
    try:
        data = js_yaml.load(block, 4)
    except BoundError as error:
        raise not_read(error) from None
    except js_yaml.JsYamlError:
        data, invalid = None, True
    if isinstance(data, dict) and all(isinstance(data.get(key), str) for key in ("name", "description")):
        return {"name": data["name"], "description": data["description"]}, False
    found = by_lines(block)
    for key in ("name", "description"):
        if key not in found:
            raise Refusal(None, f"no line begins with `{key}:` {SILENTLY}")
    return found, invalid


def by_lines(block: str) -> dict[str, str]:
    """Return what the last lines `name:` and `description:` have, at any indentation.

    Quotes and comments stay. The indented lines after a description belong to it, joined by spaces.
    """
    found: dict[str, str] = {}
    lines = re.split(r"\r?\n", block)
    at = 0
    while at < len(lines):
        match = _FIELD.fullmatch(lines[at])
        at += 1
        if match is None:
            continue
        parts = [trim(match["value"])]
        while match["key"] == "description" and at < len(lines) and _CONTINUED.match(lines[at]):
            parts.append(trim(lines[at]))
            at += 1
        found[match["key"]] = " ".join(part for part in parts if part)
    return found


_KEY = "gemini-cli"
TOOL = "activate_skill"
# Begins the role of the root of an extension; its name follows.
EXTENSION = "extension-"


class Entry(NamedTuple):
    """A skill in the program's list: its own (`builtin`), or a file; `extension` names the one it is from."""

    skill: LoadedSkill
    builtin: bool = False
    disabled: bool = False
    extension: str | None = None

    @property
    def location(self) -> str:
        """The path of its file, as the listing shows it."""
        return f"{self.skill.display_path}/SKILL.md"


@dataclass
class State:
    """All skills in the order of the program's list, disabled ones included."""

    entries: list[Entry] = field(default_factory=list)

    @property
    def enabled(self) -> list[Entry]:
        """Those that are listed, and that the tool takes."""
        return [entry for entry in self.entries if not entry.disabled]

    def find(self, name: str) -> Entry | None:
        """Return the first skill with this name in any case, disabled ones included."""
        lower = name.lower()
        return next((entry for entry in self.entries if entry.skill.key.lower() == lower), None)


def remember(session: Session, state: State) -> None:
    """Keep the state of a session."""
    session.memory[_KEY] = state


def state_of(session: Session) -> State:
    """Return the state that the scan of a session left."""
    state: State = session.memory[_KEY]
    return state


def offered(session: Session) -> list[Entry]:
    """Return the skills of the listing, by `session.skills`: costs are found with other lists there."""
    entries = state_of(session).enabled
    if [entry.skill for entry in entries if not entry.builtin] == session.skills:
        return entries
    return [*(entry for entry in entries if entry.builtin), *map(Entry, session.skills)]


def has_tool(session: Session) -> bool:
    """Return whether the model is offered the tool.

    Without a terminal the policy denies it, except with the approval mode `yolo`; `tools.exclude` and
    `tools.core` leave it out, too.
    """
    settings = session.settings
    core = settings["tools.core"]
    if TOOL in settings["tools.exclude"] or (core and TOOL not in core):
        return False
    return bool(settings["view"] == "interactive" or settings["approval_mode"] == "yolo")


_IGNORED = "node_modules"
_CHANCE = "both are in one skills directory, which is read in no fixed order: the one read last wins"


class _Place(NamedTuple):
    root: ResolvedRoot
    extension: str | None = None


def scan(session: Session) -> None:
    """Fill a session as the program does at its start: the last copy of a name wins, in the first's place."""
    builtins = [Entry(skill, builtin=True) for skill in builtin_skills()]
    found = {entry.skill.key: entry for entry in builtins}
    losers: list[tuple[Entry, Entry]] = []
    for place in _places(session):
        for outcome in _in_root(place.root):
            if isinstance(outcome, Refused):
                session.skipped.append(outcome)
                continue
            entry = Entry(outcome, extension=place.extension)
            before = found.get(outcome.key)
            if before is not None and before.skill.directory == outcome.directory:
                continue  # the working directory is the home directory: both roots are read twice
            if before is not None and not before.builtin:
                losers.append((before, entry))
            found[outcome.key] = entry
    for loser, next_one in losers:
        _shadow(session, loser.skill, next_one.skill, found[loser.skill.key].skill)
    state = State([_with_settings(session, entry) for entry in found.values()])
    if not session.settings["skills.enabled"]:
        _hide(session, state.entries, "the setting `skills.enabled` turns skills off")
        state = State()
    _hide(
        session,
        [entry for entry in state.entries if entry.disabled],
        "it is disabled by the setting `skills.disabled`",
    )
    session.skills += [entry.skill for entry in state.enabled if not entry.builtin]
    remember(session, state)


def _places(session: Session) -> Iterator[_Place]:
    """Yield the roots in the order of reading; a folder that is not trusted has none of its own."""
    kept: list[ResolvedRoot] = []
    for root in session.roots:
        if root.role == "extension":
            extensions = list(_extensions(root))
            kept += [root, *(place.root for place in extensions)]
            yield from extensions
        elif root.role.startswith("project") and not session.settings["trusted"]:
            kept.append(root._replace(unscanned="the folder is not trusted"))
        else:
            kept.append(root)
            yield _Place(root)
    session.roots = tuple(kept)


def _extensions(root: ResolvedRoot) -> Iterator[_Place]:
    """Yield the `skills` of each installed extension that has a manifest with a name."""
    try:
        found = names(root.path)
    except OSError:
        return
    for name in found:
        manifest = _manifest(root.path / name / "gemini-extension.json")
        title = manifest.get("name") if isinstance(manifest, dict) else None
        path = root.path / name / "skills"
        if isinstance(title, str) and is_directory_here(path):
            yield _Place(ResolvedRoot(f"{EXTENSION}{title}", path, str(path)), title)


def _manifest(file: Path) -> Any:
    try:
        return json.loads(bytes_beside_skills(file))
    except (OSError, ValueError, RecursionError, Refusal):
        return None


def _in_root(root: ResolvedRoot) -> Iterator[LoadedSkill | Refused]:
    """Yield what becomes of the root's own SKILL.md and of each folder in it.

    The program reads them in no fixed order. Most often that was the reverse of the file system's own, for
    which the order of the bytes of the names stands here.
    """
    if not root.exists:
        return
    if is_file_here(root.path / FILE_NAME):
        yield _loaded(root.path, root.display_path, root.role)
    try:
        found = names(root.path)
    except OSError as error:
        yield unlistable_root(root, error)
        return
    for name in reversed(found):
        directory = root.path / name
        if not is_directory_entry(directory):
            continue
        yield _child(directory, f"{root.display_path}/{name}", root.role)


def _child(directory: Path, display_path: str, role: str) -> LoadedSkill | Refused:
    if directory.name.startswith("."):
        return Refused(directory, None, f"its name begins with a dot {SILENTLY}", role)
    if directory.name == _IGNORED:
        return Refused(directory, None, f"`{_IGNORED}` is left out {SILENTLY}", role)
    return _loaded(directory, display_path, role)


def _loaded(directory: Path, display_path: str, role: str) -> LoadedSkill | Refused:
    file = directory / FILE_NAME
    try:
        raw = bytes_of(file)
        if isinstance(raw, OSError):
            missing = not os.path.lexists(file)
            why = f"it has no {FILE_NAME}" if missing else f"{FILE_NAME} cannot be read: {raw.strerror}"
            return Refused(directory, None, f"{why} {SILENTLY}", role)
        manifest = parse(raw, directory.name)
    except Refusal as refusal:
        return refusal.refused(directory, role)
    name, description, body = manifest.name, manifest.description, manifest.body
    return LoadedSkill(name, name, description, directory, body, role, display_path)


def _shadow(session: Session, loser: LoadedSkill, next_one: LoadedSkill, winner: LoadedSkill) -> None:
    """Note a copy that is lost; the program names the next one that it read, which may be lost in turn."""
    message = (
        f'Skill conflict detected: "{loser.key}" from "{next_one.display_path}/{FILE_NAME}" is overriding '
        f'the same skill from "{loser.display_path}/{FILE_NAME}".'
    )
    session.logs.append(Log("WARNING", "coreEvents", message))
    shadowed = last_wins(session, winner, loser._replace(details=message))
    if winner.role == loser.role:
        shadowed = shadowed._replace(why=_CHANCE, undetermined=True)
    session.shadowed.append(shadowed)


def _with_settings(session: Session, entry: Entry) -> Entry:
    disabled = {str(name).lower() for name in session.settings["skills.disabled"]}
    return entry._replace(disabled=entry.skill.key.lower() in disabled)


def _hide(session: Session, entries: list[Entry], why: str) -> None:
    session.skipped += [
        Refused(entry.skill.directory, None, why, entry.skill.role, key=entry.skill.key, hidden=True)
        for entry in entries
        if not entry.builtin
    ]


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory in a root, whatever the settings."""
    return _child(directory, str(directory), "")
