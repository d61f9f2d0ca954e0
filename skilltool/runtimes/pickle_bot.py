"""pickle-bot: a Python assistant. Skills in `~/.pickle-bot/skills`, listed in the description of one tool.

Source: document 003; `skill_loader.py` and `def_loader.py` of czl9707/pickle-bot at the commits named in
the profile; document 003; `skill_loader.py`, `def_loader.py` and `config.py` of czl9707/pickle-bot at the
commits named in the profile; document 003, "Tool Factory"; `core/agent.py`, `tools/registry.py` and
`tools/skill_tool.py` of czl9707/pickle-bot at the commits named in the profile.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from skilltool.emulation import python_call_errors
from skilltool.emulation.pydantic import Problem, error_text, string
from skilltool.emulation.pyyaml import PyYamlError, check_printable, safe_load
from skilltool.runtimes.base import Root, Runtime, Session, Setting
from skilltool.runtimes.config_files import apply, ignore, text_of
from skilltool.runtimes.loading import TOO_LARGE, bytes_of, children, decoded, exists, is_directory, names
from skilltool.runtimes.values import (
    NOT_READ,
    LoadedSkill,
    Log,
    Manifest,
    Refusal,
    Refused,
    ResolvedRoot,
    Result,
)
from skilltool.skill.skill_file import FILE_NAME, MAX_BYTES
from skilltool.text.frontmatter.nodes import BoundError

SKILL_LOADER = "picklebot.core.skill_loader"
DEF_LOADER = "picklebot.utils.def_loader"
_NOT_STRINGS = "`name` or `description` is not a string"
_PYDANTIC = "2.14"
_FIELDS = ("name", "description")


@dataclass(frozen=True, slots=True)
class Parsed:
    """Name, description and body (stripped) of a SKILL.md."""

    name: str
    description: str
    body: str


class Unfit(Refusal):
    """A refusal of a SKILL.md; `logger` is the one that logs it."""

    def __init__(
        self, message: str | None, why: str, logger: str = SKILL_LOADER, library: str | None = None
    ) -> None:
        """Take the log line (None if skilltool refuses the file, and not the runtime) and our sentence."""
        super().__init__(message, why, library=library)
        self.logger = logger


# A reader takes the bytes of the file, or the error in their place, the directory name and the path of the
# file.
Reader = Callable[[bytes | OSError, str, str], Parsed]


def read_2026_02(raw: bytes | OSError, folder: str, file: str) -> Parsed:
    """Read as the first implementation: text that begins with `---`, split at the first two `---`."""
    return _read_split(raw, file, "Failed to parse skill {file}: {error}")


def read_plain(raw: bytes | OSError, folder: str, file: str) -> Parsed:
    """Read as the first implementation, but with the bare error as the message."""
    return _read_split(raw, file, "{error}")


def read_document(raw: bytes | OSError, folder: str, file: str) -> Parsed:
    """Read as document 003, whose only log line is `Invalid skill <folder>: <error>`."""
    try:
        return read_plain(raw, folder, file)
    except Unfit as unfit:
        message = None if unfit.message is None else f"Invalid skill {folder}: {unfit.message}"
        raise Unfit(message, unfit.why, unfit.logger, unfit.library) from None


def _read_split(raw: bytes | OSError, file: str, message: str) -> Parsed:
    try:
        text = decoded(raw)
        if not text.startswith("---"):
            raise Unfit(f"No frontmatter in {file}", "it does not start with `---`")
        parts = text.split("---", 2)
        if len(parts) < 3:
            raise Unfit(f"Invalid frontmatter format in {file}", "the frontmatter is not closed by `---`")
        block = parts[1].strip()
        values = safe_load(block, _FIELDS)
        if "name" not in values or "description" not in values:
            raise Unfit(f"Missing required fields in {file}", "`name` or `description` is missing")
        fields = [string((key,), values[key]) for key in _FIELDS]
        problems = [field for field in fields if isinstance(field, Problem)]
        if problems:
            check_printable(block)
            words = error_text("SkillMetadata", problems, _PYDANTIC)
            raise Unfit(message.format(file=file, error=words), _NOT_STRINGS, library=words)
        return Parsed(str(fields[0]), str(fields[1]), parts[2].strip())
    except Unfit:
        raise
    except BoundError as error:
        raise _not_read(error) from None
    except Exception as error:
        text = message.format(file=file, error=error)
        raise Unfit(text, _cannot_be_read(error), library=str(error)) from None


def read_2026_05(raw: bytes | OSError, folder: str, file: str) -> Parsed:
    """Read as in 2026-05: frontmatter is between a first line `---` and the next such line."""
    try:
        text = decoded(raw)
        end = text.find("\n---\n", 4) if text.startswith("---\n") else -1
        block = text[4:end] if end >= 0 else ""
        values: Any = safe_load(block, _FIELDS) or {}
        body = text[end + 5 :] if end >= 0 else text
        fields = [string((key,), values[key]) for key in _FIELDS]
        problems = [field for field in fields if isinstance(field, Problem)]
        if problems:
            check_printable(block)
    except BoundError as error:
        raise _not_read(error, DEF_LOADER) from None
    except KeyError as error:
        message, why = f"Failed to parse {folder}: {error}", f"the frontmatter is missing or has no {error}"
        raise Unfit(message, why, DEF_LOADER) from None
    except Exception as error:
        message = f"Failed to parse {folder}: {error}"
        raise Unfit(message, _cannot_be_read(error), DEF_LOADER, str(error)) from None
    if problems:
        words = error_text("SkillDef", problems, _PYDANTIC)
        raise Unfit(f"Invalid skill '{folder}': {words}", _NOT_STRINGS, library=words)
    return Parsed(str(fields[0]), str(fields[1]), body.strip())


def _cannot_be_read(error: Exception) -> str:
    return f"it cannot be read: {str(error).partition(chr(10))[0]}"


def _not_read(error: Exception, logger: str = SKILL_LOADER) -> Unfit:
    return Unfit(None, f"{NOT_READ}: {error}", logger)


DEFAULT_PATH = "skills"


@dataclass(frozen=True, slots=True)
class Dialect:
    """What differs between the editions in looking for skills.

    `absent` is the log line for a missing root; `logger` logs it, and directories without a SKILL.md.
    `relative_only`: an absolute `skills_path` is an error. `expands_paths`: variables such as
    `{{workspace}}` in a body are replaced. `empty_tool`: the library makes a tool even without skills.
    `config_files` are read in the workspace; later ones override earlier ones.
    """

    reader: Reader
    absent: str = "Skills directory not found: {path}"
    logger: str = SKILL_LOADER
    relative_only: bool = False
    expands_paths: bool = False
    empty_tool: bool = True
    config_files: tuple[str, ...] = ("config.system.yaml", "config.user.yaml")


@dataclass(slots=True)
class Found:
    """The result of one scan of the root."""

    skills: list[LoadedSkill] = field(default_factory=list)
    skipped: list[Refused] = field(default_factory=list)
    logs: list[Log] = field(default_factory=list)


def scan(session: Session, dialect: Dialect) -> None:
    """Fill a session; an error in the configuration, or in listing the root, ends loading as a whole."""
    path, failure = skills_path(session, dialect)
    session.memory["path"] = path
    session.roots = tuple(
        ResolvedRoot(root.role, path, str(path)) if root.role == "user" else root for root in session.roots
    )
    try:
        found = Found() if failure else scan_root(session, dialect)
    except OSError as error:
        found, failure = Found(), str(error)
    session.failure = failure
    if not session.settings["allow_skills"]:
        why = "skills are disabled: the setting `allow_skills` is not true"
        off = [Refused(skill.directory, None, why, skill.role, key=skill.key) for skill in found.skills]
        found = Found(skipped=[*off, *found.skipped])
    session.skills, session.skipped = found.skills, found.skipped
    session.logs += found.logs
    empty = dialect.empty_tool and session.level == "class"
    session.memory["registered"] = bool(found.skills) or (empty and not failure)


def scan_root(session: Session, dialect: Dialect) -> Found:
    """Scan the root as it is now; raises OSError where the runtime does."""
    path: Path = session.memory["path"]
    found = Found()
    if not exists(path):
        found.logs.append(Log("WARNING", dialect.logger, dialect.absent.format(path=path)))
        return found
    expand = path_expander(session) if dialect.expands_paths else str
    for directory in children(path):
        if is_directory(directory):
            _add(found, directory, dialect, expand)
    return found


def _add(found: Found, directory: Path, dialect: Dialect, expand: Callable[[str], str]) -> None:
    outcome, logger = load_directory(directory, dialect, expand)
    if isinstance(outcome, LoadedSkill):
        found.skills.append(outcome)
        return
    found.skipped.append(outcome)
    if outcome.message is not None:
        found.logs.append(Log("WARNING", logger, outcome.message))


def load_directory(
    directory: Path, dialect: Dialect, expand: Callable[[str], str] = str
) -> tuple[LoadedSkill | Refused, str]:
    """Return what becomes of one directory, and the logger that logs it.

    Raises OSError where the runtime does.
    """
    file = directory / FILE_NAME
    if not exists(file):
        message = f"No {FILE_NAME} found in {directory.name}"
        return Refused(directory, message, f"it has no {FILE_NAME}", "user"), dialect.logger
    try:
        parsed = dialect.reader(bytes_of(file), directory.name, str(file))
    except Refusal as refusal:
        refused = refusal.refused(directory, "user")
        return refused, refusal.logger if isinstance(refusal, Unfit) else dialect.logger
    return _skill(directory, replace(parsed, body=expand(parsed.body))), dialect.logger


def _skill(directory: Path, parsed: Parsed) -> LoadedSkill:
    return LoadedSkill(
        directory.name, parsed.name, parsed.description, directory, parsed.body, "user", str(directory)
    )


def load(directory: Path, dialect: Dialect) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory; its body keeps variables such as `{{workspace}}`."""
    try:
        return load_directory(directory, dialect)[0]
    except OSError as error:
        return Refused(directory, None, f"it stops all skills from loading: {error}", "user")


def parse(raw: bytes, directory: str | None, dialect: Dialect) -> Manifest:
    """Return name, description and body of a SKILL.md in a directory with this name; raises `Refusal`."""
    folder = directory or ""
    if len(raw) > MAX_BYTES:
        raise Refusal(None, TOO_LARGE)
    try:
        parsed = dialect.reader(raw, folder, f"{folder}/{FILE_NAME}" if folder else FILE_NAME)
    except Unfit as unfit:
        raise Refusal(unfit.message, unfit.why, library=unfit.library) from None
    return Manifest(parsed.name, parsed.description, parsed.body)


def workspace(session: Session) -> Path:
    """Return the directory in which pickle-bot keeps its configuration and everything else."""
    return session.home / ".pickle-bot"


def skills_path(session: Session, dialect: Dialect) -> tuple[Path, str | None]:
    """Return the root that `skills_path` names, relative to the workspace, and the error if it is invalid."""
    root = session.root("user")
    usual = root.path if root else workspace(session) / DEFAULT_PATH
    given = session.settings["skills_path"]
    if usual == workspace(session) / DEFAULT_PATH and "skills_path" not in session.chosen:
        given = _configured_path(session, dialect, given)
    if not isinstance(given, str):
        problem = Problem(("skills_path",), "path_type", "Input is not a valid path", given)
        return usual, error_text("Config", [problem], _PYDANTIC)
    path = Path(given)
    if dialect.relative_only and path.is_absolute():
        message = f"Value error, skills_path must be relative, got: {path}"
        config = {"workspace": workspace(session), "skills_path": given}
        return usual, error_text("Config", [Problem((), "value_error", message, config)], _PYDANTIC)
    return (usual if given == DEFAULT_PATH else workspace(session) / path), None


def _configured_path(session: Session, dialect: Dialect, default: Any) -> Any:
    """Return the `skills_path` of the configuration files, of any type, else the default."""
    path = default
    for name in dialect.config_files if session.settings["user_settings"] else ():
        file = workspace(session) / name
        text = text_of(session, file)
        try:
            values = (text and safe_load(text, {"skills_path"})) or {}
        except (PyYamlError, BoundError):
            ignore(session, file, "it is not valid YAML")
            continue
        if not isinstance(values, Mapping):
            ignore(session, file, "it is not a mapping")
        elif "skills_path" in values and not _can_be_path(values["skills_path"]):
            ignore(session, file, "`skills_path` is not a path")
        else:
            path = values.get("skills_path", path)
    if isinstance(path, str):
        apply(session, {"skills_path": path})
    return path


def _can_be_path(value: Any) -> bool:
    """Return whether the operating system takes a text for a path; pydantic rejects what is not a text."""
    try:
        return not isinstance(value, str) or b"\0" not in os.fsencode(value)
    except UnicodeEncodeError:
        return False


def path_expander(session: Session) -> Callable[[str], str]:
    """Return a function that replaces the variables in a body with the paths they stand for."""
    home, skills = workspace(session), session.memory["path"]
    values = {
        "workspace": home,
        "agents_path": home / "agents",
        "skills_path": skills,
        "crons_path": home / "crons",
        "memories_path": home / "memories",
        "history_path": home / ".history",
    }

    def expand(text: str) -> str:
        for name, path in values.items():
            text = text.replace(f"{{{{{name}}}}}", str(path))
        return text

    return expand


_MODULE = "picklebot.tools.registry"
_REGISTRY = "ToolRegistry.execute_tool"
_TOOL = "create_skill_tool.<locals>.skill_tool"

Loading = Callable[[Session, Any], Result]


def call(
    session: Session,
    arguments: Mapping[str, Any] | str,
    tool: str | None,
    loading: Loading,
    handed: tuple[str, ...] = (),
) -> Result:
    """Answer a call; `loading` is the tool itself, `handed` are keywords that the runtime passes."""
    if session.failure is not None:
        return Result(None, True, flow_error=session.failure)
    try:
        values = _decoded(arguments)
        problem = _problem(session, tool or session.settings["tool"], values, handed)
        if problem is not None:
            return Result(f"Error executing tool: {problem}", True, library=problem)
        return loading(session, values["skill_name"])
    except (RecursionError, ValueError) as error:
        # An integer with too many digits, or nesting that is too deep, is not a JSONDecodeError: it ends
        # the turn.
        return Result(None, True, flow_error=str(error), library=str(error))


def _decoded(arguments: Mapping[str, Any] | str) -> Any:
    if not isinstance(arguments, str):
        return arguments
    try:
        return json.loads(arguments)
    except json.JSONDecodeError:
        return {}


def _problem(session: Session, tool: str, values: Any, handed: tuple[str, ...]) -> str | None:
    """Return the error of Python or of the registry for a call, in the order of their checks, or None."""
    if not isinstance(values, Mapping):
        return python_call_errors.not_a_mapping(f"{_MODULE}.{_REGISTRY}", values)
    # `execute_tool(name, session=session, **arguments)`: keyword arguments are merged before the call.
    twice = python_call_errors.repeated_keyword(f"{_MODULE}.{_REGISTRY}", handed, values)
    twice = twice or python_call_errors.repeated(_REGISTRY, ("self", "name"), values)
    if twice is not None:
        return twice
    if tool != "skill" or not session.memory["registered"]:
        return f"Tool not found: {tool}"
    return python_call_errors.mismatch(_TOOL, ("skill_name", *handed), handed, values)


def _not_found(name: Any) -> Result:
    text = f"Error: Skill '{name}' not found. It may have been removed or is unavailable."
    return Result(text, True)


def load_2026_02(session: Session, name: Any) -> Result:
    """Load as the first implementation: any name is joined to the path of the root."""
    if not isinstance(name, str):
        return _not_found(name)
    directory = session.memory["path"] / name
    file = directory / FILE_NAME
    try:
        if not is_directory(directory) or not exists(file):
            return _not_found(name)
        return Result(read_plain(bytes_of(file), name, str(file)).body)
    except (OSError, Refusal):
        return _not_found(name)


def load_document(session: Session, name: Any) -> Result:
    """Load as document 003: the id is a directory in the root; a broken file has an error of its own."""
    root = session.memory["path"]
    try:
        if not exists(root) or name not in names(root) or not is_directory(root / name):
            return _not_found(name)
        file = root / name / FILE_NAME
        if not exists(file):
            return _not_found(name)
        return Result(read_plain(bytes_of(file), name, str(file)).body)
    except OSError as error:
        return Result(f"Error loading skill '{name}': {error}", True, library=str(error))
    except Refusal as refusal:
        reason = refusal.why if refusal.message is None else refusal.message
        return Result(f"Error loading skill '{name}': {reason}", True, library=refusal.library)


def load_2026_05(session: Session, name: Any, dialect: Dialect) -> Result:
    """Load as in 2026-05: scan the whole root again, and compare the ids."""
    try:
        found = scan_root(session, dialect)
    except OSError:
        return _not_found(name)
    for skill in found.skills:
        if skill.key == name:
            return Result(skill.body, logs=tuple(found.logs))
    return Result(_not_found(name).text, True, logs=tuple(found.logs))


def content(session: Session, skill: LoadedSkill) -> str:
    """Return the body as the tool would return it."""
    return skill.body


def catalog(session: Session) -> str | None:
    """Return the description of the tool, which lists the skills unescaped; None if it is not registered."""
    if not session.memory["registered"]:
        return None
    items = (f'  <skill name="{skill.name}">{skill.description}</skill>\n' for skill in session.skills)
    return f"Load and invoke a specialized skill. <skills>\n{''.join(items)}</skills>"


def tool(session: Session) -> dict[str, Any] | None:
    """Return the tool `skill`, whose enum lists the directory names; None without skills."""
    description = catalog(session)
    if description is None:
        return None
    skill_name = {
        "type": "string",
        "enum": [skill.key for skill in session.skills],
        "description": "The name of the skill to load",
    }
    parameters = {"type": "object", "properties": {"skill_name": skill_name}, "required": ["skill_name"]}
    return {
        "type": "function",
        "function": {"name": "skill", "description": description, "parameters": parameters},
    }


_SETTINGS = {
    "skills_path": Setting(
        default=DEFAULT_PATH, about="path of the skills directory, relative to `~/.pickle-bot` or absolute"
    ),
    "allow_skills": Setting(
        default=True,
        about="enable skills; in pickle-bot itself, the default is false",
        differs_from_runtime=True,
    ),
    "tool": Setting(default="skill", about="name of the tool that the model calls"),
    "user_settings": Setting(
        default=True, about="read the configuration files in `~/.pickle-bot`", in_lint=False
    ),
}
_FACTS = {
    "key": "the directory's name; `name` in the frontmatter is only a display name and need not be unique",
    "duplicates": "none, because there is only one skills directory and directory names are unique",
    "parser": "PyYAML, from `---` at the first byte to the next `---`; name and description must be strings",
    "arguments": "none; the body is returned without leading or trailing whitespace",
    "tool": "`skill` with `skill_name`; registered only if there is at least one skill",
    "loading": "each call reads the file again; the listing does not change after the agent has started",
    "settings": "`skills_path` in `~/.pickle-bot/config.system.yaml`, overridden by `config.user.yaml`",
}

_SOURCES = {
    **dict.fromkeys(("roots", "key", "duplicates", "parser", "limits"), "core/skill_loader.py"),
    **dict.fromkeys(("arguments", "tool", "loading"), "tools/skill_tool.py"),
    "settings": "utils/config.py",
}

_FIRST = Dialect(read_2026_02)
PICKLE_BOT_2026_02 = Runtime(
    id="pickle-bot@2026-02",
    title="pickle-bot, first implementation",
    docs="czl9707/pickle-bot at 66a1daa (2026-02-15): core/skill_loader.py, tools/skill_tool.py",
    verified="2026-11-20, recordings of the running code",
    evidence="run",
    schema="pickle-bot",
    roots=(Root(role="user", path_template="{home}/.pickle-bot/skills", scope="user"),),
    settings=_SETTINGS,
    facts=_FACTS,
    sources=_SOURCES,
    parameter="skill_name",
    free_name=True,
    scan=partial(scan, dialect=_FIRST),
    parse=partial(parse, dialect=_FIRST),
    load=partial(load, dialect=_FIRST),
    catalog=catalog,
    content=content,
    tool=tool,
    call=partial(call, loading=load_2026_02),
)

_MAY_2026 = Dialect(
    read_2026_05,
    absent="Definitions directory not found: {path}",
    logger=DEF_LOADER,
    relative_only=True,
    expands_paths=True,
    empty_tool=False,
    config_files=("config.user.yaml", "config.runtime.yaml"),
)
PICKLE_BOT_2026_05 = PICKLE_BOT_2026_02._replace(
    id="pickle-bot@2026-05",
    title="pickle-bot, May 2026",
    docs="czl9707/pickle-bot at 99a8b7b (2026-05-04): core/skill_loader.py, utils/def_loader.py, config.py",
    settings={
        **_SETTINGS,
        "skills_path": Setting(
            default=DEFAULT_PATH, about="path of the skills directory, relative to `~/.pickle-bot`"
        ),
    },
    facts={
        **_FACTS,
        "parser": "PyYAML, from an initial `---` line to the next one; name and description must be strings",
        "arguments": "none, but variables such as {{workspace}} and {{skills_path}} in the body are replaced",
        "loading": "each call scans the skills directory again; the listing does not change after the "
        "agent has started",
        "settings": "`skills_path` in `~/.pickle-bot/config.user.yaml`, then in `config.runtime.yaml`",
    },
    sources={
        **_SOURCES,
        "roots": "utils/config.py",
        "parser": "utils/def_loader.py",
        "limits": "utils/def_loader.py",
        "arguments": "utils/def_loader.py",
    },
    scan=partial(scan, dialect=_MAY_2026),
    parse=partial(parse, dialect=_MAY_2026),
    load=partial(load, dialect=_MAY_2026),
    call=partial(call, loading=partial(load_2026_05, dialect=_MAY_2026), handed=("session",)),
)

# Where document 003 differs from the first implementation: the log line of a refused skill; in a call, the
# id is compared with the directory names, and a file that is broken has an error of its own.
_DOCUMENT = Dialect(read_document)
PICKLE_BOT = PICKLE_BOT_2026_02._replace(
    id="pickle-bot",
    title="pickle-bot (design document)",
    docs="document 003 (Skill System Design), and pickle-bot@2026-02 where the document is silent",
    verified="2026-11-21, test cases written from the document",
    evidence="document",
    sources={
        "roots": "document 003, Configuration",
        "key": "document 003, Pydantic Models",
        "duplicates": "document 003, File Structure",
        "parser": "document 003, SKILL.md Format; how it is read: pickle-bot@2026-02",
        "limits": "document 003, Validation Rules",
        "arguments": "document 003, Tool Factory",
        "tool": "document 003, Tool Factory",
        "loading": "document 003, Design Points",
        "settings": "document 003, User Override Example; document 003, Default Directory Structure",
    },
    scan=partial(scan, dialect=_DOCUMENT),
    parse=partial(parse, dialect=_DOCUMENT),
    load=partial(load, dialect=_DOCUMENT),
    call=partial(call, loading=load_document),
)
