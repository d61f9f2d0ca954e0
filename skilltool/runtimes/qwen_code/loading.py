"""Where does qwen-code look for skills, which copy of a name wins, and what does it skip?

Source: `packages/core/src/skills/skill-manager.ts` of 0.24.4, and records of it;
`packages/core/src/utils/yaml-parser.ts` of 0.24.4. A value is the text after the first colon, without
double quotes around it. Below a key without a value may be a list, each line ` - value`, or a mapping, each
line ` key: value`. Anything deeper, and block scalars, are not understood; the last of repeated keys wins;
`skill-manager.ts`, `types.ts` and `skill-load.ts` in `packages/core/src/skills` of 0.24.4; records. The
YAML is that of the npm package `yaml`. What it refuses, or takes for no mapping, is read line by line.
"""

from __future__ import annotations

import json
import os
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from skilltool.emulation import npm_yaml
from skilltool.emulation.icu_collation import collation_key
from skilltool.emulation.javascript import Foreign, finite_number, node_words, text_of, trim
from skilltool.runtimes import values
from skilltool.runtimes.base import Session
from skilltool.runtimes.loading import (
    TOO_LARGE,
    bytes_beside_skills,
    bytes_of,
    children,
    first_wins,
    is_directory_entry,
    is_here,
)
from skilltool.runtimes.values import (
    SILENTLY,
    LoadedSkill,
    Log,
    Refusal,
    Refused,
    ResolvedRoot,
    not_read,
    without_skill_file,
)
from skilltool.skill.skill_file import FILE_NAME, MAX_BYTES
from skilltool.text.frontmatter.nodes import BoundError
from skilltool.text.lazy_pattern import lazy_pattern

_ITEM, _INDENT = "  - ", "  "
_WORDS = {"true": True, "false": False, "null": None, "": ""}


def read_lines(text: str) -> dict[str, Any]:
    """Return the data of frontmatter, whatever it is."""
    lines = [line for line in text.split("\n") if (bare := trim(line)) and not bare.startswith("#")]
    return _Reader(lines).result


class _Reader:
    """Reads all lines; `key` is the last one without a value, `below` what the lines under it add up to."""

    def __init__(self, lines: list[str]) -> None:
        self.result: dict[str, Any] = {}
        self._key = ""
        self._items: list[Any] | None = None
        self._mapping: dict[str, Any] | None = None
        for line, following in zip(lines, [*lines[1:], ""], strict=False):
            self._line(line, following)
        self._end_of_list()
        self._end_of_mapping()

    def _line(self, line: str, following: str) -> None:
        if line.startswith(_ITEM):
            self._items = [] if self._items is None else self._items
            self._items.append(_value(trim(line[len(_ITEM) :])))
            return
        self._end_of_list()
        if self._mapping is not None and line.startswith(_INDENT):
            key, _, value = trim(line).partition(":")
            self._mapping[trim(key)] = _value(trim(value))
            return
        self._end_of_mapping()
        key, colon, value = line.partition(":")
        if not colon:
            return
        if trim(value):
            self.result[trim(key)] = _value(trim(value))
            return
        self._key = trim(key)
        if following.startswith(_INDENT) and not following.startswith(_ITEM):
            self._mapping = {}

    def _end_of_list(self) -> None:
        if self._items is not None:
            self.result[self._key] = self._items
            self._items, self._key = None, ""

    def _end_of_mapping(self) -> None:
        if self._mapping is not None:
            self.result[self._key] = self._mapping
            self._mapping, self._key = None, ""


def _value(text: str) -> Any:
    if text in _WORDS:
        return _WORDS[text]
    if len(text) > 1 and text.startswith('"') and text.endswith('"'):
        return text[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    number = finite_number(text)
    return text if number is None else number


PARSE_ERROR = "PARSE_ERROR"
_FRONTMATTER = lazy_pattern(r"---\n(?P<yaml>[\s\S]*?)\n---(?:\n|\Z)")
_NAME_WORDS = r'"name" must match /^[\p{L}\p{N}_:.-]+$/u (letters, digits, _, :, ., -); got '
_DRIVE = lazy_pattern(r"[A-Za-z]:")


class Manifest(NamedTuple):
    """What one file says, as far as it counts.

    `for_model` is False for `disable-model-invocation`, `for_user` for `user-invocable: false`; None means
    that the field says nothing. `by_lines` tells that the YAML was refused, and lines were read instead.
    """

    name: str
    description: str
    body: str
    when_to_use: str | None = None
    argument_hint: str | None = None
    model: str | None = None
    allowed_tools: tuple[str, ...] | None = None
    paths: tuple[str, ...] = ()
    priority: float | None = None
    for_model: bool = True
    for_user: bool | None = None
    hooks: dict[str, Any] | None = None
    by_lines: bool = False


def decoded(raw: bytes) -> str:
    """Return the text of a file: no byte order mark at its start, every line end as `\\n`."""
    text = raw.decode("utf-8", "replace").removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n")


@lru_cache(maxsize=2)
def read(raw: bytes) -> Manifest:
    """Return what a SKILL.md says; raises `Refusal`, with the program's words, if it does not load."""
    if len(raw) > MAX_BYTES:
        raise Refusal(None, TOO_LARGE)
    text = decoded(raw)
    match = _FRONTMATTER.match(text)
    if match is None:
        why = "the file does not begin with a line `---`, or no later line is `---` and nothing else"
        raise _refusal("Invalid format: missing YAML frontmatter", why)
    fields, by_lines = _fields(match["yaml"])
    return _manifest(fields, trim(text[match.end() :]), by_lines)


def _fields(yaml: str) -> tuple[dict[str, Any], bool]:
    """Return the fields without nulls, and whether they were read line by line."""
    try:
        data = npm_yaml.load(yaml)
    except BoundError as error:
        raise not_read(error) from None
    except npm_yaml.NotParsedError:
        data = None
    if data and isinstance(data, dict):
        return _without_nulls(data), False
    return _without_nulls(read_lines(yaml)), True


def _without_nulls(value: Any) -> Any:
    """Return data without nulls; a `!!binary` is the text of its bytes, a `!!timestamp` its ISO form."""
    if isinstance(value, dict):
        return {key: _without_nulls(each) for key, each in value.items() if each is not None}
    if isinstance(value, list):
        return [_without_nulls(each) for each in value if each is not None]
    return value.text if isinstance(value, Foreign) and value.text is not None else value


def _manifest(fields: dict[str, Any], body: str, by_lines: bool) -> Manifest:
    for required in ("name", "description"):
        if fields.get(required) in (None, ""):
            raise _refusal(f'Missing "{required}" in frontmatter', f"`{required}` is missing, null or empty")
    name = _named(_text(fields["name"], "name"))
    description = _text(fields["description"], "description")
    tools = _texts(fields, "allowedTools", '"allowedTools" must be an array')
    model, paths = _model(fields.get("model")), _paths(fields)
    if not trim(description):
        raise _refusal('Validation failed: "description" cannot be empty', "`description` is blank")
    return Manifest(
        name,
        description,
        body,
        when_to_use=_if_text(fields.get("when_to_use")),
        argument_hint=_if_text(fields.get("argument-hint")),
        model=model,
        allowed_tools=tools,
        paths=paths,
        priority=_number(fields.get("priority")),
        for_model=_switch(fields.get("disable-model-invocation")) is not True,
        for_user=_switch(fields.get("user-invocable")),
        hooks=_hooks(fields.get("hooks")),
        by_lines=by_lines,
    )


def _text(value: Any, field: str) -> str:
    try:
        return text_of(value)
    except TypeError as error:
        raise _refusal(str(error), f"`{field}` is a mapping") from None


def _named(name: str) -> str:
    """Return a name that has only letters, digits and `_:.-`, of any script."""
    if name and all(each in "_:.-" or unicodedata.category(each)[0] in "LN" for each in name):
        return name
    raise _refusal(
        f'{_NAME_WORDS}"{name}"', "`name` has another character than letters, digits, `_`, `:`, `.` and `-`"
    )


def _model(value: Any) -> str | None:
    if value is not None and not isinstance(value, str):
        raise _refusal('"model" must be a string', "`model` is not a string")
    found = trim(value or "")
    return None if found in ("", "inherit") else found


def _paths(fields: dict[str, Any]) -> tuple[str, ...]:
    """Return the globs of `paths`, which stay within the project."""
    given = _texts(fields, "paths", '"paths" must be an array of glob patterns') or ()
    globs = tuple(filter(None, map(trim, given)))
    for glob in globs:
        path = glob.replace("\\", "/")
        if path.startswith("/") or _DRIVE.match(path):
            words = (
                "looks absolute; patterns are project-root-relative — drop the leading slash / drive letter"
            )
            raise _refusal(f'"paths" entry "{glob}" {words}', f"`{glob}` in `paths` is absolute")
        if ".." in path.split("/"):
            words = (
                'contains a ".." segment that escapes the project root; patterns must stay within the project'
            )
            raise _refusal(f'"paths" entry "{glob}" {words}', f"`{glob}` in `paths` leaves the project")
    return globs


def _texts(fields: dict[str, Any], field: str, words: str) -> tuple[str, ...] | None:
    if field not in fields:
        return None
    if not isinstance(fields[field], list):
        raise _refusal(words, f"`{field}` is not a list")
    return tuple(_text(each, field) for each in fields[field])


def _switch(value: Any) -> bool | None:
    """Return what a field says: `true` and `false`, also as text; None for anything else."""
    if isinstance(value, bool):
        return value
    return {"true": True, "false": False}.get(value) if isinstance(value, str) else None


def _if_text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _number(value: Any) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number and value - value == 0 else None


def _hooks(value: Any) -> dict[str, Any] | None:
    """Return the events that have hooks; those that do not exist are not told apart."""
    return {key: each for key, each in value.items() if each} if isinstance(value, dict) else None


def _refusal(words: str, why: str) -> Refusal:
    return Refusal(f"Failed to parse skill file: {words}", why, PARSE_ERROR)


def named_fields(manifest: Manifest) -> dict[str, Any]:
    """Return the optional fields that have a value, by the program's names."""
    named = {
        "argumentHint": manifest.argument_hint,
        "whenToUse": manifest.when_to_use,
        "model": manifest.model,
        "allowedTools": None if manifest.allowed_tools is None else list(manifest.allowed_tools),
        "disableModelInvocation": None if manifest.for_model else True,
        "userInvocable": manifest.for_user,
        "paths": list(manifest.paths) or None,
        "priority": manifest.priority,
        "hooks": manifest.hooks,
    }
    return {name: value for name, value in named.items() if value is not None}


def parse(raw: bytes, directory: str | None) -> values.Manifest:
    """Return the fields of a SKILL.md that have a value; raises `Refusal`."""
    manifest = read(raw)
    own = named_fields(manifest)
    return values.Manifest(
        manifest.name, manifest.description, manifest.body, own, by_lines=manifest.by_lines
    )


_KEY = "qwen-code"


@dataclass
class State:
    """What one session knows.

    `found` are the skills of all levels, each name once, in the order of the listing; `at_levels` are those
    that one level has under a name of its own. `active` are the names of skills with `paths` of which a file
    was touched, `sent` the names of those whose body the model has.
    """

    found: list[LoadedSkill] = field(default_factory=list)
    active: set[str] = field(default_factory=set)
    sent: set[str] = field(default_factory=set)
    off: frozenset[str] = frozenset()

    def is_on(self, skill: LoadedSkill) -> bool:
        """Whether no setting turns a skill off; names are compared without case."""
        names = {skill.name.strip().lower(), skill.known_as(Details).manifest.name.strip().lower()}
        return not names & self.off

    def waits(self, skill: LoadedSkill) -> bool:
        """Whether a skill is offered only once a file is touched."""
        return bool(manifest_of(skill).paths) and skill.name not in self.active

    def offered(self) -> Iterable[LoadedSkill]:
        """Yield what the model is told of and can call."""
        for skill in self.found:
            if self.is_on(skill) and manifest_of(skill).for_model and not self.waits(skill):
                yield skill


def manifest_of(skill: LoadedSkill) -> Manifest:
    """Return what the file of a skill says."""
    return skill.known_as(Details).manifest


def state_of(session: Session) -> State:
    """Return the state of a session that has been scanned."""
    state: State = session.memory[_KEY]
    return state


def remember(session: Session, state: State) -> None:
    """Keep the state of a session."""
    session.memory[_KEY] = state


class Own(NamedTuple):
    """A skill of the program, as the listing shows it; one without a description is not listed."""

    name: str
    description: str | None = None
    when_to_use: str | None = None


@cache
def facts() -> dict[str, Any]:
    """Return the content of `facts.json`."""
    found: dict[str, Any] = json.loads((Path(__file__).parent / "facts.json").read_text("utf-8"))
    return found


def own_skills(session: Session) -> list[Own]:
    """Return the program's own skills that no setting turns off and no other skill replaces."""
    if "bundled" in (session.settings["skills.disabledLevels"] or ()):
        return []
    if "--bare" in session.settings["flags"]:
        return []
    state = state_of(session)
    taken = {skill.name for skill in state.found}
    every = (Own(row["name"], row.get("description"), row.get("when_to_use")) for row in facts()["bundled"])
    return [own for own in every if own.name not in taken and own.name not in state.off]


EXTENSIONS = "extensions"
EXTENSION_FILE = "qwen-extension.json"
LEVELS = {
    "project": "project",
    "project-agents": "project",
    "user": "user",
    "user-agents": "user",
    "custom": "user",
    "extension": "extension",
}
FILE_ERROR = "FILE_ERROR"
# What a crashed installation leaves behind: the number of a process and the time.
_LEFT_BEHIND = lazy_pattern(r"\.(?:backup|installing)-\d+-\d+\Z")


class Details(NamedTuple):
    """What qwen-code alone knows of a skill: its manifest, and the level at which it is installed."""

    manifest: Manifest
    level: str


def scan(session: Session) -> None:
    """Fill a session: of one name the first copy counts, level by level."""
    state = State(off=_switched_off(session.settings))
    remember(session, state)
    extensions = dict(_extensions(session))
    session.roots = tuple(_roots(session, extensions))
    if "--bare" in session.settings["flags"]:
        return
    winners: dict[str, LoadedSkill] = {}
    for root in session.roots:
        for skill in () if root.unscanned else _in_root(session, root, extensions.get(root.path)):
            if skill.key in winners:
                session.shadowed.append(first_wins(session, winners[skill.key], skill))
            else:
                winners[skill.key] = skill
    state.found = sorted(winners.values(), key=lambda skill: collation_key(skill.name))
    offer(session)


def offer(session: Session) -> None:
    """Divide what was found into the skills that are offered, to the model or the user, and the others."""
    state: State = session.memory["qwen-code"]
    session.skipped = [refused for refused in session.skipped if not refused.hidden]
    session.skills = []
    for skill in state.found:
        if (why := _hidden(state, skill)) is None:
            session.skills.append(skill)
        else:
            session.skipped.append(
                Refused(skill.directory, None, why, skill.role, key=skill.key, hidden=True)
            )


def _hidden(state: State, skill: LoadedSkill) -> str | None:
    if not state.is_on(skill):
        return "the settings of `skills` turn it off"
    if state.waits(skill):
        globs = ", ".join(f"`{glob}`" for glob in manifest_of(skill).paths)
        return f"it is offered once a file that matches `paths` is touched: {globs}"
    return None


def _switched_off(settings: dict[str, Any]) -> frozenset[str]:
    """Return the names that the settings turn off, in lower case."""
    named = {
        name: {str(each).strip().lower() for each in settings[f"skills.{name}"] or ()}
        for name in ("disabled", "defaultDisabled", "enabled")
    }
    return frozenset(named["disabled"] | (named["defaultDisabled"] - named["enabled"]))


def _roots(session: Session, extensions: dict[Path, str]) -> Iterator[ResolvedRoot]:
    """Yield all roots in the order in which they count, with those of settings and of extensions."""
    off = session.settings["skills.disabledLevels"] or ()
    known: set[str] = set()
    for root in session.roots:
        more = _custom(session) if root.role == EXTENSIONS else []
        for resolved_root in (*more, root):
            level = LEVELS.get(resolved_root.role)
            if level == "user" and str(resolved_root.path) in known:
                continue
            known.add(str(resolved_root.path))
            why = resolved_root.unscanned
            if level in off:
                why = "the setting `skills.disabledLevels` turns the level off"
            elif level == "project" and session.project == session.home:
                known.discard(str(resolved_root.path))
                why = "the project is the home directory"
            yield resolved_root._replace(unscanned=why)
    for path in extensions:
        why = "the setting `skills.disabledLevels` turns the level off" if "extension" in off else None
        yield ResolvedRoot("extension", path, str(path), why)


def _custom(session: Session) -> list[ResolvedRoot]:
    """Return the directories that the setting `skills.directories` names."""
    resolved_roots = []
    for given in session.settings["skills.directories"] or ():
        path = str(session.home) + given[1:] if given == "~" or given.startswith("~/") else str(given)
        absolute = Path(os.path.normpath(session.project / path))
        resolved_roots.append(ResolvedRoot("custom", absolute, str(given)))
    return resolved_roots


def _extensions(session: Session) -> Iterator[tuple[Path, str]]:
    """Yield the directory of skills and the name of each extension that has a manifest."""
    top = session.root(EXTENSIONS)
    try:
        directories = [] if top is None else children(top.path)
    except OSError:
        return
    for directory in directories:
        try:
            found = json.loads(bytes_beside_skills(directory / EXTENSION_FILE))
            name = found["name"]
        except (OSError, ValueError, LookupError, TypeError, Refusal, RecursionError):
            continue
        if isinstance(name, str) and name:
            yield directory / "skills", name


def _in_root(session: Session, root: ResolvedRoot, extension: str | None) -> Iterator[LoadedSkill]:
    """Yield what one root has; what is not loaded is noted in the session."""
    try:
        entries = children(root.path)
    except OSError:
        return
    for directory in filter(is_directory_entry, entries):
        outcome = load(directory)
        if isinstance(outcome, LoadedSkill):
            yield _placed(outcome, root.role, extension)
            continue
        session.skipped.append(outcome._replace(role=root.role))
        if outcome.message is not None:
            words = f"Failed to parse skill at {directory}: {outcome.message}"
            session.logs.append(Log("ERROR", "SKILL_MANAGER", words))


def _placed(skill: LoadedSkill, role: str, extension: str | None) -> LoadedSkill:
    name = skill.name if extension is None else f"{extension}:{skill.name}"
    details = skill.known_as(Details)._replace(level=LEVELS[role])
    return skill._replace(key=name, name=name, role=role, details=details)


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory, whatever the settings."""
    file = directory / FILE_NAME
    if _LEFT_BEHIND.search(directory.name):
        why = f"its name is that of a backup or of an unfinished installation {SILENTLY}"
        return Refused(directory, None, why)
    try:
        raw = bytes_of(file)
        if isinstance(raw, OSError):
            return _unread(directory, file, raw)
        manifest = read(raw)
    except Refusal as refusal:
        return refusal.refused(directory)
    details = Details(manifest, "project")
    return LoadedSkill(
        manifest.name,
        manifest.name,
        manifest.description,
        directory,
        manifest.body,
        "",
        str(directory),
        details=details,
    )


def _unread(directory: Path, file: Path, error: OSError) -> Refused:
    if not is_here(Path(file)):
        return without_skill_file(directory)
    words = f"Failed to read skill file: {node_words(error, 'open', file)}"
    return Refused(directory, words, f"{FILE_NAME} cannot be read: {error.strerror}", kind=FILE_ERROR)
