"""Which skills does Codex have when a thread starts, which are switched off, and which does it refuse?

Source: `skills/list` and the log of codex 0.169.0; the second try of the records of codex 0.169.0, and
`skills/src/parser.rs` of openai/codex; `skills/list` of codex 0.169.0 for files of ours; `skills/list` and
listings of codex 0.169.0 for files of ours, `core-skills/src/loader.rs` of openai/codex. A file that cannot
be read or is of other types than expected says nothing; the skill roots in requests of codex 0.169.0;
`skills/list` of codex 0.169.0 for trees of ours, `core-skills/src/loader/discovery.rs` of openai/codex.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from skilltool.emulation import rust
from skilltool.emulation.serde_yaml import (
    SWITCH,
    TEXT,
    SerdeYamlError,
    Struct,
    choice,
    is_value,
    items,
    optional,
    read,
)
from skilltool.runtimes import values
from skilltool.runtimes.base import Session
from skilltool.runtimes.fixed_text import fixed_text
from skilltool.runtimes.home import user_home_or_none
from skilltool.runtimes.loading import (
    TOO_LARGE,
    display_path,
    is_directory_here,
    is_file_here,
    is_here,
    is_link_here,
    names,
    read_bytes,
)
from skilltool.runtimes.values import (
    SILENTLY,
    LoadedSkill,
    Log,
    Refusal,
    Refused,
    ResolvedRoot,
    beyond_bound,
    not_read,
)
from skilltool.skill import schema
from skilltool.skill.skill_file import FILE_NAME, MAX_BYTES
from skilltool.text.frontmatter.nodes import BoundError
from skilltool.text.lazy_pattern import lazy_pattern


@cache
def facts() -> dict[str, Any]:
    """Return the content of `facts.json`."""
    found: dict[str, Any] = json.loads((Path(__file__).parent / "facts.json").read_text("utf-8"))
    return found


_BLANK = f"[{rust.BLANKS}]"
_LINE = lazy_pattern(rf"(?P<key>[^:]*):(?P<gap>{_BLANK}+)(?P<rest>.*)", re.DOTALL)
_COMMENT = lazy_pattern(rf"(?:(?<={_BLANK})|(?<!.))#", re.DOTALL)
_COLON = lazy_pattern(rf":{_BLANK}")


def repaired(yaml: str) -> str | None:
    """Return YAML with single quotes around values that are prose; None if there is no such value.

    That is a value after `key: ` that holds a colon and a space, or that begins with a bracket, `@` or a
    backtick and is not valid YAML; not one in quotes, and nothing in a block scalar. Raises `BoundError`.
    """
    lines: list[str] = []
    block: int | None = None  # the indent of the key of an open block scalar
    changed = False
    for line in rust.lines(yaml):
        indent = len(line) - len(line.lstrip(" "))
        if block is not None and (not rust.trim(line) or indent > block):
            lines.append(line)
            continue
        block = None
        match = _LINE.fullmatch(line)
        if match is not None and rust.trim(match["key"]):
            value, comment = _without_comment(match["rest"])
            if value[:1] in ("|", ">"):
                block = indent
            elif _is_prose(value):
                quoted = value.replace("'", "''")
                line, changed = f"{match['key']}:{match['gap']}'{quoted}'{comment}", True
        lines.append(line)
    return "\n".join(lines) if changed else None


def _without_comment(text: str) -> tuple[str, str]:
    """Return a value, and the comment after it with the spaces before it."""
    match = _COMMENT.search(text)
    value = (text if match is None else text[: match.start()]).rstrip(rust.BLANKS)
    return value, "" if match is None else text[len(value) :]


def _is_prose(value: str) -> bool:
    if not value or value[0] in "'\"":
        return False
    return bool(_COLON.search(value)) or (value[0] in "[{@`" and not is_value(value))


LONGEST_NAME: int = schema.load("codex")["properties"]["name"]["maxLength"]
_NO_NAME = "skill"
_METADATA = Struct("SkillFrontmatterMetadata", {"short-description": TEXT})
_FIELDS = Struct("SkillFrontmatter", {"name": TEXT, "description": TEXT, "metadata": _METADATA})


class Manifest(NamedTuple):
    """What Codex reads of one file; `short` is `metadata.short-description`, None if it has none."""

    name: str
    description: str
    short: str | None
    body: str


def decoded(raw: bytes) -> str:
    """Return the text of a file; raises `Refusal` for what is not UTF-8."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        words = rust.utf8_error(error)
        why = f"the file is not UTF-8 at byte {error.start}"
        raise Refusal(f"failed to read file: {words}", why, library=words) from None


def split(text: str) -> tuple[str, str] | None:
    """Return the frontmatter, without line ends but `\\n`, and the body; None if there is no frontmatter.

    A fence is a line of `---` and spaces around it; with nothing between two of them there is none.
    """
    first, _, rest = text.partition("\n")
    if rust.trim(first) != "---":
        return None
    start = 0
    while start < len(rest):
        end = rest.find("\n", start)
        end = len(rest) if end < 0 else end
        if rust.trim(rest[start:end]) == "---":
            return ("\n".join(rust.lines(rest[:start])), rest[end + 1 :]) if start else None
        start = end + 1
    return None


def manifest(text: str, directory: str) -> Manifest:
    """Return what a text says, in a directory of this name; raises `Refusal`."""
    found = split(text)
    if found is None:
        raise Refusal("missing YAML frontmatter delimited by ---")
    fields = _fields(found[0])
    name = rust.single_line(fields.get("name") or "") or rust.single_line(directory) or _NO_NAME
    if len(name) > LONGEST_NAME:
        raise Refusal(f"invalid name: exceeds maximum length of {LONGEST_NAME} characters")
    description = rust.single_line(fields.get("description") or "")
    if not description:
        raise Refusal("missing field `description`", "the description is missing or empty")
    short = rust.single_line((fields.get("metadata") or {}).get("short-description") or "") or None
    return Manifest(name, description, short, found[1])


def _fields(yaml: str) -> dict[str, Any]:
    """Return the fields of frontmatter, of its repaired form if need be; raises the first error."""
    try:
        return _read_fields(yaml)
    except BoundError as error:
        raise not_read(error) from None
    except SerdeYamlError as error:
        words = str(error)
        raise Refusal(f"invalid YAML: {words}", f"invalid YAML: {words}", library=words) from None


def _read_fields(yaml: str) -> dict[str, Any]:
    try:
        return read(yaml, _FIELDS)
    except SerdeYamlError:
        second = repaired(yaml)
        if second is None:
            raise
        try:
            return read(second, _FIELDS)
        except SerdeYamlError:
            pass
        raise


def parse(raw: bytes, directory: str | None) -> values.Manifest:
    """Return name, description, `short-description` and body of a SKILL.md; raises `Refusal`."""
    if len(raw) > MAX_BYTES:
        raise Refusal(None, TOO_LARGE)
    found = manifest(decoded(raw), directory or "")
    short = {"short-description": found.short} if found.short else {}
    return values.Manifest(found.name, found.description, found.body, short)


FILE = "agents/openai.yaml"
_OURS = "codex"
_LONGEST, _LONGEST_NAME = 1024, 64
_COLOR = lazy_pattern(r"#[0-9A-Fa-f]{6}")

# As named in the file and in `skills/list`; the longest in code points, None for an icon or a color.
_INTERFACE = {
    "display_name": ("displayName", _LONGEST_NAME),
    "short_description": ("shortDescription", _LONGEST),
    "icon_small": ("iconSmall", None),
    "icon_large": ("iconLarge", None),
    "brand_color": ("brandColor", None),
    "default_prompt": ("defaultPrompt", _LONGEST),
}
_TOOL = {
    "type": _LONGEST_NAME,
    "value": _LONGEST,
    "description": _LONGEST,
    "transport": _LONGEST_NAME,
    "command": _LONGEST,
    "url": _LONGEST,
}
_POLICY = Struct(
    "Policy",
    {"allow_implicit_invocation": SWITCH, "products": items(choice("chatgpt", _OURS, "atlas"))},
)
_DEPENDENCIES = Struct("Dependencies", {"tools": items(Struct("DependencyTool", dict.fromkeys(_TOOL, TEXT)))})
_FILE = Struct(
    "SkillMetadataFile",
    {
        "interface": optional(Struct("Interface", dict.fromkeys(_INTERFACE, TEXT))),
        "dependencies": optional(_DEPENDENCIES),
        "policy": optional(_POLICY),
    },
)


class Extras(NamedTuple):
    """What the file says: is the skill for Codex, may the model use it unasked, and what users see of it."""

    for_codex: bool = True
    implicit: bool = True
    shown: Mapping[str, Any] = {}


def extras(directory: Path) -> Extras:
    """Return what the file of a skill directory says."""
    try:
        fields = read(read_bytes(directory / FILE).decode("utf-8"), _FILE)
    except (OSError, UnicodeDecodeError, Refusal, SerdeYamlError, BoundError):
        return Extras()
    policy = fields.get("policy") or {}
    products = policy.get("products") or [_OURS]
    shown = {
        "interface": _interface(fields.get("interface") or {}, directory),
        "dependencies": _dependencies(fields.get("dependencies") or {}),
    }
    return Extras(
        _OURS in products,
        policy.get("allow_implicit_invocation") is not False,
        {name: value for name, value in shown.items() if value},
    )


def _interface(fields: Mapping[str, str | None], directory: Path) -> dict[str, str]:
    found: dict[str, str | None] = {}
    for name, (shown, longest) in _INTERFACE.items():
        value = fields.get(name)
        if value is not None and longest is not None:
            found[shown] = _line(value, longest)
        elif value is not None and name == "brand_color":
            found[shown] = rust.trim(value) if _COLOR.fullmatch(rust.trim(value)) else None
        elif value is not None:
            found[shown] = _icon(value, directory)
    return {name: value for name, value in found.items() if value is not None}


def _line(value: str, longest: int) -> str | None:
    line = rust.single_line(value)
    return line if line and len(line) <= longest else None


def _icon(value: str, directory: Path) -> str | None:
    """Return the path of an icon, which must lie in `assets`."""
    parts = [part for part in value.split("/") if part not in ("", ".")]
    inside = parts[:1] == ["assets"] and ".." not in parts and not value.startswith("/")
    return os.fspath(PurePosixPath(directory, *parts)) if inside else None


def _dependencies(fields: Mapping[str, Any]) -> dict[str, Any]:
    tools = []
    for tool in fields.get("tools") or ():
        lines = {name: _line(tool.get(name) or "", longest) for name, longest in _TOOL.items()}
        if lines["type"] and lines["value"]:
            tools.append({name: line for name, line in lines.items() if line})
    return {"tools": tools} if tools else {}


REPO, USER, SYSTEM, ADMIN = "repo", "user", "system", "admin"
_SCOPES = {
    "project-codex": REPO,
    "codex-home": USER,
    "user": USER,
    "system": SYSTEM,
    "admin": ADMIN,
    "project": REPO,
}


class Place(NamedTuple):
    """A directory of skills: our role for it, its path, and Codex's word for whose skills it has."""

    role: str
    path: Path
    scope: str


def places(session: Session) -> list[Place]:
    """Return every root that exists or could, in the order of the aliases, each path once."""
    above = list(_ancestors(session))
    found: list[Place] = []
    for role, scope in _SCOPES.items():
        root = session.root(role)
        if root is None:
            continue
        own = Place(role, root.path, scope)
        if role == "project-codex":
            found += [own, *_upwards(role, ".codex", _levels(above, _codex_top(above)))]
        elif role == "project":
            found += reversed([own, *_upwards(role, ".agents", _levels(above, _top(above)))])
        else:
            found.append(own)
    return list({place.path: place for place in reversed(found)}.values())[::-1]


def trusted_top(session: Session) -> Path:
    """Return the directory that a user trusts: the top of the project, as for `.codex`."""
    return _codex_top(list(_ancestors(session))) or session.project


def _upwards(role: str, folder: str, directories: list[Path]) -> Iterator[Place]:
    """Yield the roots above the working directory, innermost first; `--root` names only that in it."""
    for number, directory in enumerate(directories[1:], start=1):
        yield Place(f"{role}-above-{number}", directory / folder / "skills", REPO)


def _ancestors(session: Session) -> Iterator[Path]:
    """Yield the working directory and those above it; lint, which names no home that exists, reads none."""
    for directory in (session.project, *session.project.parents):
        if directory == user_home_or_none() and not is_directory_here(session.home):
            return
        yield directory


def _levels(above: list[Path], top: Path | None) -> list[Path]:
    return above[:1] if top is None else above[: above.index(top) + 1]


def _top(above: list[Path]) -> Path | None:
    """Return the nearest directory with anything named `.git`."""
    return next((path for path in above if os.path.lexists(path / ".git")), None)


def _codex_top(above: list[Path]) -> Path | None:
    """Return the nearest directory whose `.git` is a file, or a folder with a `HEAD`."""
    return next((path for path in above if _is_repository(path / ".git")), None)


def _is_repository(git: Path) -> bool:
    return is_file_here(git) or is_here(git / "HEAD")


MOST_LEVELS = 6
_MOST_DIRECTORIES, _MOST_ENTRIES = 2_000, 20_000


class Found(NamedTuple):
    """A SKILL.md: the directory by the path of the walk, and its real path."""

    directory: Path
    real: Path


class PassedOver(NamedTuple):
    """A directory that could have been meant as a skill, and why it is none."""

    directory: Path
    why: str


class Walk(NamedTuple):
    """What is under one root, in the order of the walk: level by level, in the byte order of names.

    `is_whole` is False where a bound of ours, 20,000 entries, ended the walk at some level.
    """

    found: list[Found]
    passed_over: list[PassedOver]
    is_whole: bool = True


def walk(root: Path, follow_links: bool = True) -> Walk:
    """Walk a root (a real path) as Codex does: each real directory once, by the path that comes first.

    Nothing at all if the root cannot be listed.
    """
    done = Walk([], [])
    visited = {os.path.realpath(root)}
    level = [root]
    entries = 0
    for depth in range(MOST_LEVELS + 1):
        below: list[Path] = []
        for directory in level:
            try:
                listed = names(directory)
            except OSError:
                continue
            entries += len(listed)
            if (why := _problem(directory, listed)) is not None:
                done.passed_over.append(PassedOver(directory, why))
            elif FILE_NAME in listed:
                done.found.append(Found(directory, Path(os.path.realpath(directory))))
            if entries > _MOST_ENTRIES:  # the others of this level are skills, too, and may be beside a link
                continue
            for child, hidden in _children(directory, listed, follow_links):
                if hidden is not None:
                    done.passed_over.append(PassedOver(child, hidden))
                elif depth == MOST_LEVELS:
                    done.passed_over.extend(_too_deep(child))
                elif (real := os.path.realpath(child)) not in visited and len(visited) < _MOST_DIRECTORIES:
                    visited.add(real)
                    below.append(child)
        level = below
    return done._replace(is_whole=entries <= _MOST_ENTRIES)


def _problem(directory: Path, listed: list[str]) -> str | None:
    """Return why a directory with a file named like a SKILL.md is passed over, else None."""
    like = [name for name in listed if name.lower() == FILE_NAME.lower()]
    if not like:
        return None
    if FILE_NAME not in like:
        return f"`{like[0]}` is not named {FILE_NAME} {SILENTLY}"
    file = directory / FILE_NAME
    if is_link_here(file):
        return f"its {FILE_NAME} is a link, not a regular file {SILENTLY}"
    return None if is_file_here(file) else f"its {FILE_NAME} is not a regular file {SILENTLY}"


def _children(directory: Path, listed: list[str], follow: bool) -> Iterator[tuple[Path, str | None]]:
    """Yield the directories in a directory, each with why it is passed over if it could hold a skill."""
    for name in listed:
        path = directory / name
        if is_link_here(path) and (not follow or not is_directory_here(path)):
            continue
        if not is_directory_here(path):
            continue
        if not name.startswith("."):
            yield path, None
        elif is_here(path / FILE_NAME):
            yield path, f"its name begins with a dot {SILENTLY}"


def _too_deep(directory: Path) -> list[PassedOver]:
    if not is_here(directory / FILE_NAME):
        return []
    return [PassedOver(directory, f"it is more than {MOST_LEVELS} levels under the root {SILENTLY}")]


def refusal(directory: Path) -> str | None:
    """Return why a directory would not be found as a skill, None if it would be."""
    if directory.name.startswith("."):
        return f"its name begins with a dot {SILENTLY}"
    try:
        listed = names(directory)
    except OSError as error:
        return f"it cannot be listed: {error.strerror}"
    problem = _problem(directory, listed)
    return problem if problem or FILE_NAME in listed else f"it has no {FILE_NAME} {SILENTLY}"


KEY = "codex"
_RANKS = ("repo", "user", "system", "admin")
_BUNDLED_OFF = "the setting `bundled` switches off the built-in skills of Codex"
_ELSEWHERE = f"`products` in `{FILE}` does not name codex {SILENTLY}"
_SWITCHED_OFF = "an entry of `skills.config` in the settings switches it off"
_ZERO = "invalid value: integer `0`, expected a nonzero usize"


class Entry(NamedTuple):
    """A skill as `skills/list` has it: with the root it was found in, and whether it is switched on.

    `listed` tells that the model is told of it. `path` is its file without links.
    """

    skill: LoadedSkill
    place: Place
    path: str
    listed: bool = True
    enabled: bool = True


def scan(session: Session) -> None:
    """Fill a session as the program does when a thread starts."""
    found = places(session)
    above = {place.role for place in found if "-above-" in place.role and not is_directory_here(place.path)}
    session.roots = tuple(
        ResolvedRoot(place.role, place.path, str(place.path)) for place in found if place.role not in above
    )
    unique: dict[str, Entry] = {}
    for place in found:
        for entry in _entries(session, place):
            unique.setdefault(entry.path, entry)
    ordered = sorted(
        unique.values(), key=lambda each: (_RANKS.index(each.place.scope), each.skill.name, each.path)
    )
    entries = _keyed(session, [_switched(entry, session.settings["config"] or ()) for entry in ordered])
    session.memory[KEY] = entries
    session.skills += [entry.skill for entry in entries if entry.enabled and entry.place.scope != SYSTEM]
    session.skipped += [
        Refused(
            entry.skill.directory, None, _SWITCHED_OFF, entry.place.role, key=entry.skill.key, hidden=True
        )
        for entry in entries
        if not entry.enabled and entry.place.scope != SYSTEM
    ]
    if session.settings["max_context_tokens"] == 0:
        session.failure = _ZERO
    if not session.settings["trust"]:
        session.logs += _distrust(session, found)


def entries_of(session: Session) -> list[Entry]:
    """Return all skills of a session that has been scanned, in the order of `skills/list`."""
    entries: list[Entry] = session.memory[KEY]
    return entries


def _entries(session: Session, place: Place) -> Iterator[Entry]:
    """Yield the skills in a place; what is refused or passed over there is noted in the session."""
    bundled = session.settings["bundled"]
    if place.scope == SYSTEM and bundled:
        yield from _bundled(place)
        return
    if not is_directory_here(place.path):
        return
    walked = walk(place.path)
    if place.scope == SYSTEM:
        for found in walked.found:
            session.skipped.append(Refused(found.directory, None, _BUNDLED_OFF, place.role, hidden=True))
        return
    if not walked.is_whole:
        session.skipped.append(beyond_bound(place.path, _MOST_ENTRIES, "entries", place.role))
    session.skipped += [
        Refused(passed_over.directory, None, passed_over.why, place.role)
        for passed_over in walked.passed_over
    ]
    for found in walked.found:
        outcome = _read_entry(found, place)
        if isinstance(outcome, Refused):
            session.skipped.append(outcome)
            if outcome.message is not None:
                text = f"failed to load skill {outcome.directory / FILE_NAME}: {outcome.message}"
                session.logs.append(Log("ERROR", KEY, text))
        else:
            yield outcome


def _read_entry(found: Found, place: Place) -> Entry | Refused:
    directory, path = found.directory, str(found.real / FILE_NAME)
    try:
        text = decoded(read_bytes(directory / FILE_NAME))
        read = manifest(text, directory.name)
    except OSError as error:
        words = rust.io_error(error)
        message = f"failed to read file: {words}"
        return Refused(directory, message, f"it cannot be read: {words}", place.role)
    except Refusal as refusal:
        return refusal.refused(directory, place.role)
    more = extras(directory)
    if not more.for_codex:
        return Refused(directory, None, _ELSEWHERE, place.role)
    extra = dict(more.shown) | ({"shortDescription": read.short} if read.short else {})
    skill = LoadedSkill(read.name, read.name, read.description, directory, read.body, place.role, path, extra)
    return Entry(skill, place, path, more.implicit)


def _bundled(place: Place) -> Iterator[Entry]:
    """Yield the skills of the program, which it writes into their place; others there are removed."""
    for name, row in facts()["bundled"]["skills"].items():
        directory = place.path / name
        text, path = fixed_text(row["chars"], row["sha256"]), str(directory / FILE_NAME)
        skill = LoadedSkill(name, name, text, directory, "", place.role, path)
        yield Entry(skill, place, path, row.get("listed", True))


def _switched(entry: Entry, rules: Sequence[Any]) -> Entry:
    """Return an entry as the last rule says that names it, by its path or by its name."""
    enabled = True
    for rule in rules:
        if isinstance(rule, Mapping) and ("path" in rule) != ("name" in rule):
            named = rule.get("name") == entry.skill.name
            if named or os.path.realpath(str(rule.get("path", os.devnull))) == entry.path:
                enabled = rule.get("enabled", True) is not False
    return entry._replace(enabled=enabled)


def _keyed(session: Session, entries: list[Entry]) -> list[Entry]:
    """Return entries of which those that share a name have the path of their file for a key."""
    counts = Counter(entry.skill.name for entry in entries if entry.enabled)
    found = []
    for entry in entries:
        if counts[entry.skill.name] > 1:
            key = display_path(session, entry.skill.directory / FILE_NAME)
            entry = entry._replace(skill=entry.skill._replace(key=key))
        found.append(entry)
    return found


def _distrust(session: Session, found: list[Place]) -> Iterator[Log]:
    """Yield the warning about folders whose settings are not read while nobody trusts the project."""
    folders = [
        place.path.parent
        for place in found
        if place.scope == REPO and place.path.parent.name == ".codex" and is_directory_here(place.path.parent)
    ]
    if not folders:
        return
    top, config = trusted_top(session), session.home / ".codex" / "config.toml"
    rows = "".join(
        f"    {number}. {folder}\n       To load project-local config, hooks, and exec policies, add {top} "
        f"as a trusted project in {config}.\n"
        for number, folder in enumerate(reversed(folders), start=1)
    )
    told = "Project-local config, hooks, and exec policies are disabled in the following folders until the "
    yield Log("WARNING", KEY, f"{told}project is trusted, but skills still load.\n{rows}")


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory in a root, whatever the settings."""
    if (why := refusal(directory)) is not None:
        return Refused(directory, None, why)
    real = Path(os.path.realpath(directory))
    outcome = _read_entry(Found(directory, real), Place("", directory.parent, REPO))
    return outcome if isinstance(outcome, Refused) else outcome.skill
