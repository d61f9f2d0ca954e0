"""Which skills does OpenHands load when a conversation starts, and which copy of a name wins?

`**/` stands for any directories, `**` for anything, `*` and `?` for anything within a name; there is nothing
else, no brackets and no braces. A pattern without `/` is one for any directory. All states are followed at
once, so that no pattern takes time that grows faster than its length times that of the path.

Source: `load_user_skills` and `load_project_skills` in `openhands/sdk/skills/skill.py` of openhands-sdk
1.58.0, and runs of it; `path_matches_glob` in `openhands/sdk/skills/skill.py` of openhands-sdk 1.58.0;
`load_mcp_config` in `openhands/sdk/skills/utils.py` of openhands-sdk 1.58.0. The library that checks the
servers, fastmcp, has more conditions; checked here is that each one is an object with a command or a URL.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from skilltool.emulation import python_frontmatter
from skilltool.emulation.pydantic import Check, Problem, error_text, flag, list_of, model_of, text
from skilltool.emulation.pyyaml import PyYamlError
from skilltool.runtimes.base import Session
from skilltool.runtimes.loading import (
    TooManyError,
    bytes_beside_skills,
    children,
    decoded,
    first_wins,
    is_directory_here,
    is_file_here,
    is_here,
    last_wins,
    read_bytes,
)
from skilltool.runtimes.values import (
    SILENTLY,
    LoadedSkill,
    Log,
    Manifest,
    Refusal,
    Refused,
    ResolvedRoot,
    beyond_bound,
    not_read,
    unlistable_root,
)
from skilltool.skill import schema
from skilltool.skill.skill_file import FILE_NAME, SERVERS_FILE
from skilltool.text.frontmatter.nodes import BoundError
from skilltool.text.lazy_pattern import lazy_pattern

NOTICE = (
    "<response clipped><NOTE>Due to the max output limit, only part of the full response has been shown to "
    "you.</NOTE>"
)

_NONE: Mapping[str, Any] = MappingProxyType({})
KEYWORD, TASK, PATH = "keyword", "task", "path"
# The names under which files of other clients are skills, by their own names in lower case.
THIRD_PARTY = {
    ".cursorrules": "cursorrules",
    "agents.md": "agents",
    "agent.md": "agents",
    "claude.md": "claude",
    "gemini.md": "gemini",
}


class Trigger(NamedTuple):
    """What brings a skill into the conversation by itself: words of a message, or a touched file.

    `kind` is `keyword`, `task` or `path`; `words` are keywords, or patterns of paths.
    """

    kind: str
    words: tuple[str, ...]


class Entry(NamedTuple):
    """A skill.

    `description` is the frontmatter's, as the program keeps it: over its limit, cut in the middle; `written`
    is the whole. `package` tells a directory with a SKILL.md from a single file, `hidden` a skill that the
    model cannot call. `fields` are those of the specification that are set. `role` is that of the root.
    """

    name: str
    file: Path
    body: str
    description: str | None = None
    written: str | None = None
    trigger: Trigger | None = None
    package: bool = False
    hidden: bool = False
    fields: Mapping[str, Any] = _NONE
    role: str = ""

    @property
    def kind(self) -> str:
        """The program's word: `agentskills`, `knowledge` if something triggers a single file, else `repo`."""
        return "agentskills" if self.package else "repo" if self.trigger is None else "knowledge"

    @property
    def always(self) -> bool:
        """Whether its whole text is in the prompt from the start."""
        return not self.package and self.trigger is None


def skill_of(entry: Entry, description: str) -> LoadedSkill:
    """Return an entry as a skill of a session; `description` stands in where the author wrote none."""
    return LoadedSkill(
        entry.name,
        entry.name,
        entry.written or description,
        entry.file.parent,
        entry.body,
        entry.role,
        str(entry.file),
        file=entry.file,
        details=entry,
    )


def entry_of(skill: LoadedSkill) -> Entry:
    """Return what OpenHands knows of a skill of a session."""
    return skill.known_as(Entry)


_README = "README.md"
_SUFFIX = ".md"
# Of a root, and of the project when it is searched for files with instructions of other clients.
_MOST_ENTRIES, _DEEPEST = 10_000, 32


def packages(root: Path) -> Iterator[tuple[Path, Path | None]]:
    """Yield each directory of a root, or link, with its SKILL.md in any case, or None; raises OSError."""
    for path in children(root):
        if is_directory_here(path):
            yield path, skill_file(path)
        elif path.is_symlink() and not is_here(path):
            yield path, None


def skill_file(directory: Path) -> Path | None:
    """Return the file of a package: of several that differ in case, the first in byte order."""
    wanted = FILE_NAME.lower()
    return next(
        (path for path in children(directory) if path.name.lower() == wanted and is_file_here(path)), None
    )


def single_files(root: Path, without: Collection[Path]) -> list[Path]:
    """Return every other Markdown file at any depth, sorted by the parts of its path.

    Directories in `without` are not entered, nor are links; what is named as a file may be a directory.
    Raises `TooManyError` beyond 10,000 entries.
    """
    paths: list[Path] = []
    count = 0
    waiting = [root]
    while waiting:  # a loop: a tree may be deeper than Python's recursion limit
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    count += 1
                    if count > _MOST_ENTRIES:
                        raise TooManyError(_MOST_ENTRIES)
                    path = Path(entry.path)
                    if entry.is_dir(follow_symlinks=False) and path not in without:
                        waiting.append(path)
                    if _is_single(entry.name) and path not in without:
                        paths.append(path)
        except OSError:
            continue
    return sorted(paths, key=lambda path: path.parts)


def _is_single(name: str) -> bool:
    return name.endswith(_SUFFIX) and name != _README and name.lower() != FILE_NAME.lower()


def third_party(directory: Path) -> Iterator[Path]:
    """Yield the files with instructions of other clients in a directory, each real file once."""
    seen: set[object] = set()
    try:
        paths = children(directory)
    except OSError:
        return
    for path in paths:
        name = path.name.lower()
        if name in THIRD_PARTY and is_file_here(path) and not {name, real := path.resolve()} & seen:
            seen |= {name, real}
            yield path


def nested_third_party(project: Path) -> list[Path]:
    """Return such files under a project, not in it, sorted by directory; hidden directories are left out.

    Within bounds of ours: 10,000 entries and 32 levels.
    """
    paths: list[Path] = []
    seen: set[Path] = set()
    count = 0
    for top, directories, names in os.walk(project):
        here = Path(top)
        below = len(here.relative_to(project).parts)
        kept = [name for name in directories if not name.startswith(".") and name != "node_modules"]
        directories[:] = sorted(kept) if below < _DEEPEST else []
        count += len(names) + len(directories)
        if count > _MOST_ENTRIES:
            break
        for name in sorted(names) if below else ():
            path = here / name
            if name.lower() in THIRD_PARTY and is_file_here(path) and path.resolve() not in seen:
                seen.add(path.resolve())
                paths.append(path)
    return sorted(paths, key=lambda path: path.parent.as_posix())


_TOKEN = lazy_pattern(r"\*\*/|\*\*|[\s\S]")
_DIRECTORIES, _ANYTHING = "**/", "**"


def matches(pattern: str, path: str) -> bool:
    """Return whether a file, as a path with `/` under the working directory, matches a pattern."""
    if not pattern:
        return False
    tokens = _TOKEN.findall(pattern if "/" in pattern else f"**/{pattern}")
    states = _with_empty(tokens, {(0, False)})
    for character in path:
        states = _with_empty(tokens, {after for state in states for after in _step(tokens, state, character)})
    return (len(tokens), False) in states


def _with_empty(tokens: list[str], states: set[tuple[int, bool]]) -> set[tuple[int, bool]]:
    """Add the states that follow where a token stands for nothing.

    A state is the number of tokens matched, and whether it is inside the directories of a `**/`.
    """
    found = set(states)
    for at, inside in states:
        while not inside and at < len(tokens) and tokens[at] in (_DIRECTORIES, _ANYTHING, "*"):
            at += 1
            found.add((at, False))
    return found


def _step(tokens: list[str], state: tuple[int, bool], character: str) -> Iterable[tuple[int, bool]]:
    at, inside = state
    token = tokens[at] if at < len(tokens) else ""
    if token == _DIRECTORIES:
        yield at, True
        if character == "/":
            yield at + 1, False
    elif token == _ANYTHING or (token == "*" and character != "/"):
        yield at, inside
    elif token == character or (token == "?" and character != "/"):
        yield at + 1, False


INSTALLED = "user-installed"
_KINDS = {
    "": (".agents", "skills"),
    "-openhands": (".openhands", "skills"),
    "-microagents": (".openhands", "microagents"),
}


def search_roots(project: Path) -> tuple[Path, ...]:
    """Return the working directory, and the root of its repository if that is another one."""
    for directory in (project, *project.parents):
        if is_here(directory / ".git"):
            return (project,) if directory == project else (project, directory)
    return (project,)


def project_roots(session: Session) -> Iterator[ResolvedRoot]:
    """Yield the roots of the project: those of the session, then those of the repository above."""
    yield from (root for root in session.roots if root.role.startswith("project"))
    for above in search_roots(session.project)[1:]:
        for kind, parts in _KINDS.items():
            path = above.joinpath(*parts)
            if is_here(path):
                yield ResolvedRoot(f"repository{kind}", path, str(path))


def user_roots(session: Session) -> Iterator[ResolvedRoot]:
    """Yield the roots of the user, without that of installed skills."""
    yield from (root for root in session.roots if root.role.startswith("user") and root.role != INSTALLED)


_KIND = "SkillValidationError"


def check_servers(directory: Path) -> None:
    """Raise `Refusal` if the skill in `directory` has a file of servers that is refused."""
    file = directory / SERVERS_FILE
    if not is_file_here(file):
        return
    try:
        config = json.loads(decoded(bytes_beside_skills(file)))
    except json.JSONDecodeError as error:
        raise Refusal(f"Invalid JSON in {file}: {error}", kind=_KIND, library=str(error)) from None
    except RecursionError:
        raise not_read(f"{SERVERS_FILE} is nested too deeply") from None
    except OSError as error:
        raise Refusal(f"Cannot read {file}: {error}", kind=_KIND, library=str(error)) from None
    except ValueError as error:  # not UTF-8, or a number of thousands of digits
        raise Refusal(str(error), kind=type(error).__name__, library=str(error)) from None
    if not isinstance(config, dict):
        got = type(config).__name__
        raise Refusal(f"Invalid {SERVERS_FILE} format: expected object, got {got}", kind=_KIND)
    if fault := _fault(config.get("mcpServers", {})):
        raise Refusal(f"Invalid MCP configuration: {fault}", kind=_KIND, library=fault)


def _fault(servers: Any) -> str | None:
    """Return what is wrong with the servers, in words of ours."""
    if not isinstance(servers, dict):
        return "`mcpServers` is not an object"
    for name, server in servers.items():
        if not isinstance(server, dict):
            return f"server `{name}` is not an object"
        if not isinstance(server.get("command"), str) and not isinstance(server.get("url"), str):
            return f"server `{name}` has no `command` and no `url`"
    return None


_LIMITS = schema.load("openhands")["properties"]
LONGEST_NAME: int = _LIMITS["name"]["maxLength"]
LONGEST_DESCRIPTION: int = _LIMITS["description"]["maxLength"]
PYDANTIC = "2.14"
_INVALID = "SkillValidationError"
_NAME = lazy_pattern(r"[a-z0-9]+(-[a-z0-9]+)*\n?")  # Python's `$` also matches before a final line end
_VARIABLE = lazy_pattern(r"\$\{[a-zA-Z_][a-zA-Z0-9_]*\}")
_ASK = (
    "\n\nIf the user didn't provide any of these variables, ask the user to provide them first before the "
    "agent can proceed with the task."
)
_CLIPPED = (
    "<response clipped><NOTE>Due to the max output limit, only part of the full description is shown. You "
    "can view the complete skill content at {source}.</NOTE>"
)
_BOTH = (
    "Skill '{name}' declares 'paths:' together with {ignored}; 'paths:' takes precedence (path-triggered "
    "rule) and {ignored} will be ignored. A skill can be either path-triggered OR model-invocable, not both."
)


class Read(NamedTuple):
    """What becomes of a file that is not refused: the entry, and the warnings that are logged about it."""

    entry: Entry
    warnings: tuple[str, ...] = ()


def parse(raw: bytes, directory: str | None) -> Manifest:
    """Return name, description and body of a SKILL.md; raises `Refusal` with the program's own message.

    It sees no field where there is no frontmatter, or where that is something else.
    """
    content = _text(raw)
    entry = read_package(Path(directory or "") / FILE_NAME, content).entry
    lost = not python_frontmatter.read(content).fields
    return Manifest(entry.name, entry.description, entry.body, entry.fields, fields_lost=lost)


def read_file(file: Path, raw: bytes, role: str, base: Path | None = None) -> Read:
    """Return what becomes of a file by its name; `base` is the root, from which other files get their names.

    Raises `Refusal` with the program's own message.
    """
    content = _text(raw)
    if file.name.lower() == FILE_NAME.lower():
        read = read_package(file, content)
    else:
        read = _read_single(file, content, base)
    return read._replace(entry=read.entry._replace(role=role))


def _text(raw: bytes) -> str:
    try:
        return decoded(raw)
    except UnicodeDecodeError as error:
        raise Refusal(str(error), kind="UnicodeDecodeError", library=str(error)) from None


def read_package(file: Path, content: str) -> Read:
    """Return the skill of a SKILL.md with this text; raises `Refusal`."""
    fields, body = _document(content)
    directory = file.parent.name
    name = _str(fields.get("name", directory))
    if errors := list(name_errors(name, directory)):
        raise Refusal(f"Invalid skill name '{name}': {'; '.join(errors)}", kind=_INVALID)
    check_servers(file.parent)
    return _made(name, file, body, fields, package=True)


def name_errors(name: str, directory: str) -> Iterator[str]:
    """Yield what the program says against a name."""
    if not name:
        yield "Name cannot be empty"
        return
    if len(name) > LONGEST_NAME:
        yield f"Name exceeds {LONGEST_NAME} characters: {len(name)}"
    if _NAME.fullmatch(name) is None:
        yield "Name must be lowercase alphanumeric with single hyphens (e.g., 'my-skill', 'pdf-tools')"
    if directory and name != directory:
        yield f"Name '{name}' does not match directory '{directory}'"


def _read_single(file: Path, content: str, base: Path | None) -> Read:
    if known := THIRD_PARTY.get(file.name.lower()):
        return Read(Entry(known, file, content))
    own = file.stem if base is None else file.relative_to(base).with_suffix("").as_posix()
    fields, body = _document(content)
    if not isinstance(fields.get("mcp_tools"), dict | None):
        raise Refusal("mcp_tools must be a dictionary or None", kind=_INVALID)
    return _made(_str(fields.get("name", own)), file, body, fields, package=False)


def _document(content: str) -> python_frontmatter.Document:
    try:
        return python_frontmatter.read(content)
    except BoundError as error:
        raise not_read(error) from None
    except PyYamlError as error:
        raise Refusal(error.text, kind=error.kind, library=error.text) from None
    except (ValueError, TypeError) as error:
        raise Refusal(str(error), kind=type(error).__name__, library=str(error)) from None


def _str(value: Any) -> str:
    """Return a value as text; raises `Refusal` as Python does for an integer of more than 4,300 digits."""
    try:
        return str(value)
    except ValueError as error:
        raise Refusal(str(error), kind="ValueError", library=str(error)) from None


def _made(name: str, file: Path, body: str, fields: dict[str, Any], package: bool) -> Read:
    trigger, asks, warnings = _trigger(name, fields)
    found, hidden = _specified(fields)
    written = found.pop("description", None)
    description = written
    if written is not None and len(written) > LONGEST_DESCRIPTION:
        description = shortened(written, LONGEST_DESCRIPTION, _CLIPPED.format(source=file.as_posix()))
        change = f"truncated from {len(written)} to {LONGEST_DESCRIPTION} characters"
        warnings.append(f"Skill '{name}' description {change}")
    if trigger is not None and trigger.kind == TASK and (asks or _VARIABLE.search(body)):
        body += _ASK if body and _ASK not in body else ""
    hidden = hidden or (trigger is not None and trigger.kind == PATH)
    return Read(
        Entry(name, file, body, description, written, trigger, package, hidden, found), tuple(warnings)
    )


def _trigger(name: str, fields: dict[str, Any]) -> tuple[Trigger | None, bool, list[str]]:
    """Return what triggers a skill, whether it asks for inputs, and warnings; raises `Refusal`."""
    keywords = fields.get("triggers", [])
    if not isinstance(keywords, list):
        raise Refusal("Triggers must be a list of strings", kind=_INVALID)
    if paths := _paths(fields.get("paths")):
        ignored = [f"'triggers': {_str(keywords)}"] if keywords else []
        ignored += ["'inputs'"] if "inputs" in fields else []
        warning = _BOTH.format(name=name, ignored=" and ".join(ignored))
        return Trigger(PATH, paths), False, [warning] if ignored else []
    if "inputs" in fields:
        words = [*keywords] if f"/{name}" in keywords else [*keywords, f"/{name}"]
        inputs = _inputs(fields["inputs"])
        return Trigger(TASK, _strings(words, "triggers", "TaskTrigger")), inputs, []
    if keywords:
        return Trigger(KEYWORD, _strings(keywords, "keywords", "KeywordTrigger")), False, []
    return None, False, []


def _paths(value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, list):
        raise Refusal("paths must be a string or list", kind=_INVALID)
    return tuple(filter(None, (_str(part).strip() for part in parts)))


def _inputs(value: Any) -> bool:
    """Return whether there are inputs; raises `Refusal` for any that is not a name and a description."""
    if not isinstance(value, list):
        raise Refusal("inputs must be a list", kind=_INVALID)
    check = model_of("InputMetadata", {"name": (text, ...), "description": (text, ...)})
    for item in value:
        _, problems = check((), item)
        _raise("InputMetadata", problems)
    return bool(value)


def _strings(words: list[Any], field: str, model: str) -> tuple[str, ...]:
    found, problems = list_of(text)((field,), words)
    _raise(model, problems)
    return tuple(found)


def _specified(fields: dict[str, Any]) -> tuple[dict[str, Any], bool]:
    """Return the fields of the specification, and whether the model is kept from calling the skill."""
    tools = fields.get("allowed-tools", fields.get("allowed_tools"))
    hidden = fields.get("disable-model-invocation", fields.get("disable_model_invocation"))
    checks: tuple[tuple[str, Any, Check], ...] = (
        *((name, fields.get(name), text) for name in ("description", "license", "compatibility")),
        ("metadata", fields.get("metadata"), _metadata),
        ("allowed_tools", tools, _tools),
        ("disable_model_invocation", hidden, flag),
    )
    found: dict[str, Any] = {}
    problems: list[Problem] = []
    for name, value, check in checks:
        if value is not None:
            found[name], new = check((name,), value)
            problems += new
    _raise("Skill", problems)
    return found, bool(found.pop("disable_model_invocation", False))


def _metadata(path: Any, value: Any) -> tuple[Any, list[Problem]]:
    if not isinstance(value, dict):
        raise Refusal("metadata must be a dictionary", kind=_INVALID)
    return {_str(key): _str(item) for key, item in value.items()}, []


def _tools(path: Any, value: Any) -> tuple[Any, list[Problem]]:
    if isinstance(value, str):
        return value.split(), []
    if isinstance(value, list):
        return [_str(item) for item in value], []
    raise Refusal("allowed-tools must be a string or list", kind=_INVALID)


def _raise(model: str, problems: list[Problem]) -> None:
    if problems:
        words = error_text(model, problems, PYDANTIC)
        raise Refusal(words, kind="ValidationError", library=words)


LOGGER = "openhands.sdk.skills.skill"
# The role of files of other clients, which lie in no root.
_INSTRUCTIONS = "instructions"


def scan(session: Session) -> None:
    """Fill a session: the project's skills, then those of the user whose names are free.

    The user's are loaded twice, as the program does, so what is logged about them stands twice.
    """
    user, project = _Loading(session), _Loading(session)
    if session.settings["load_user"]:
        user.roots("user skills", user_roots(session))
        user.installed()
        session.logs *= 2
    if session.settings["load_project"]:
        project.project()
    scanned = (*project.scanned, *user.scanned)
    session.roots = (*scanned, *(root for root in session.roots if root not in scanned))
    disabled = set(session.settings["disabled_skills"])
    for skill in (*project.found.values(), *user.found.values()):
        winner = project.found.get(skill.key, skill)
        if winner is not skill:
            session.shadowed.append(first_wins(session, winner, skill))
        elif skill.key in disabled:
            why = "it is disabled by the setting `disabled_skills`"
            session.skipped.append(
                Refused(skill.directory, None, why, skill.role, key=skill.key, hidden=True)
            )
        else:
            session.skills.append(skill)


class _Loading:
    """The skills of the user, or those of a project, while they are collected: the first copy wins."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.found: dict[str, LoadedSkill] = {}
        self.scanned: list[ResolvedRoot] = []

    def warn(self, message: str) -> None:
        self.session.logs.append(Log("WARNING", LOGGER, message))

    def project(self) -> None:
        """Collect the skills of the project: files of other clients first, then the roots."""
        session = self.session
        try:
            for directory in search_roots(session.project):
                for file in third_party(directory):
                    self.take(skill_at(file, _INSTRUCTIONS))
            if session.settings["nested_rules"]:
                for file in nested_third_party(session.project):
                    self.take(_rule(session, file))
        except Refusal as refusal:  # a file that is not UTF-8 ends the loading of the project's skills
            self.warn(f"Failed to load project skills: {refusal.message}")
            self.found.clear()
            return
        self.roots("project skills", project_roots(session))

    def roots(self, label: str, roots: Iterable[ResolvedRoot]) -> None:
        """Collect the skills of each root that exists."""
        for root in roots:
            self.scanned.append(root)
            if not is_here(root.path):
                continue
            try:
                skills = self.in_root(root)
            except OSError as error:
                self.session.skipped.append(unlistable_root(root, error))
                self.warn(f"Failed to load {label} from {root.path}: {error}")
                continue
            for skill in skills:
                self.take(skill, f"Skipping duplicate skill '{skill.key}' from {root.path}")

    def take(self, skill: LoadedSkill, warning: str | None = None) -> None:
        """Add a skill if its name is free."""
        winner = self.found.setdefault(skill.key, skill)
        if winner is not skill:
            self.session.shadowed.append(first_wins(self.session, winner, skill))
            if warning is not None:
                self.warn(warning)

    def installed(self) -> None:
        """Collect the packages that were installed; what is wrong with one is not logged."""
        root = self.session.root(INSTALLED)
        if root is None or not is_directory_here(root.path):
            return
        self.scanned.append(root)
        for directory, file in packages(root.path):
            try:
                if file is not None:
                    self.take(skill_at(file, root.role))
            except (Refusal, OSError) as error:
                self.session.skipped.append(_refused(directory, error, root.role, None))

    def in_root(self, root: ResolvedRoot) -> list[LoadedSkill]:
        """Return the skills of one root: those always on, those with triggers, packages; raises OSError.

        Of two single files of the same kind and name the last one counts, at the position of the first.
        """
        folders = list(packages(root.path))
        without = {directory for directory, file in folders if file is not None}
        installed = self.session.root(INSTALLED)
        try:
            singles = single_files(root.path, {*without, *([installed.path] if installed else [])})
        except TooManyError as error:
            self.session.skipped.append(beyond_bound(root.path, error.most, "entries", root.role))
            singles = []
        kinds: dict[str, dict[str, LoadedSkill]] = {"repo": {}, "knowledge": {}, "agentskills": {}}
        with_singles = {parent for path in singles for parent in path.parents}
        listed = [
            (directory, file)
            for directory, file in folders
            if directory not in with_singles or os.path.lexists(directory / FILE_NAME)
        ]
        for directory, file in [*listed, *((path.parent, path) for path in singles)]:
            skill = self.read(directory, file, root)
            if skill is None:
                continue
            same = kinds[entry_of(skill).kind]
            if skill.key in same:
                self.session.shadowed.append(last_wins(self.session, skill, same[skill.key]))
            same[skill.key] = skill
        return [skill for same in kinds.values() for skill in same.values()]

    def read(self, directory: Path, file: Path | None, root: ResolvedRoot) -> LoadedSkill | None:
        """Return the skill of a file; what is not loaded is noted in the session."""
        if file is None:
            self.session.skipped.append(_without_file(directory, root.role))
            return None
        try:
            read = read_file(file, read_bytes(file), root.role, root.path)
        except (Refusal, OSError) as error:
            message = f"Failed to load skill from {file}: {_words(error)}"
            refused = _refused(directory, error, root.role, message)
            if refused.message is not None:
                self.warn(message)
            if file.name.lower() == FILE_NAME.lower() or refused.not_read:
                self.session.skipped.append(refused)
            return None
        for warning in read.warnings:
            self.warn(warning)
        return _skill(read)


def skill_at(file: Path, role: str) -> LoadedSkill:
    """Return the skill of one file; raises `Refusal` and OSError."""
    return _skill(read_file(file, read_bytes(file), role))


def _skill(read: Read) -> LoadedSkill:
    return skill_of(read.entry, first_line(read.entry.body))


def _rule(session: Session, file: Path) -> LoadedSkill:
    """Return the rule that a file of another client is for the files of its directory."""
    entry = entry_of(skill_at(file, _INSTRUCTIONS))
    below = file.parent.relative_to(session.project).as_posix()
    trigger = Trigger(PATH, (f"{below}/**",))
    rule: Entry = entry._replace(name=f"{entry.name}:{below}", trigger=trigger, hidden=True)
    return skill_of(rule, "")


def _words(error: Refusal | OSError) -> str | None:
    return error.message if isinstance(error, Refusal) else str(error)


def _refused(directory: Path, error: Refusal | OSError, role: str, message: str | None) -> Refused:
    if isinstance(error, OSError):
        return Refused(directory, message, f"{FILE_NAME} cannot be read: {error.strerror}", role)
    told = None if error.message is None else message
    return Refused(directory, told, error.why, role, error.kind, error.library)


def _without_file(directory: Path, role: str) -> Refused:
    what = f"it has no {FILE_NAME}" if is_directory_here(directory) else "it is a broken link"
    if is_here(directory / FILE_NAME):
        what = f"{FILE_NAME} is not a regular file"
    return Refused(directory, None, f"{what} {SILENTLY}", role)


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory, whatever the settings."""
    try:
        file = skill_file(directory)
        if file is None:
            return _without_file(directory, "")
        return skill_at(file, "")
    except (Refusal, OSError) as error:
        return _refused(
            directory, error, "", f"Failed to load skill from {directory / FILE_NAME}: {_words(error)}"
        )


def first_line(body: str) -> str:
    """Return what stands in for a description: the first line that is neither empty nor a heading."""
    return _first_line(body)[0]


def _first_line(body: str) -> tuple[str, int]:
    """Return that line, and the number of code points after it."""
    position = 0
    for line in body.split("\n"):
        stripped = line.strip()
        if stripped and not stripped.startswith("#"):
            return stripped, max(0, len(body) - position - len(line))
        position += len(line) + 1
    return "", 0


def shortened(text: str, most: int, notice: str = NOTICE) -> str:
    """Return a text of at most `most` code points, the notice included; the begin gets the odd one."""
    if len(text) <= most:
        return text
    if len(notice) >= most:
        return notice[:most]
    room = most - len(notice)
    tail = room // 2
    return text[: room - tail] + notice + (text[-tail:] if tail else "")
