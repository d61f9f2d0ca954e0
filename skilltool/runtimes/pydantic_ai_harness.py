"""The harness of Pydantic AI: libraries that the developer names, skills as deferred capabilities.

Source: `pydantic_ai_harness/skills/_loader.py` of pydantic-ai-harness 0.62.0, and runs of it;
`pydantic_ai_harness/skills/_loader.py` and `_capability.py` of pydantic-ai-harness 0.62.0, and runs of
them; requests of pydantic-ai-harness 0.62.0 (chat completions); `pydantic_ai/_framing.py`; requests of
pydantic-ai-harness 0.62.0 after scripted calls; `pydantic_ai_harness/skills/_loader.py`.
"""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Any, NamedTuple
from unicodedata import normalize

from skilltool.emulation.jiter import JsonError, loads
from skilltool.emulation.pydantic import Check, Checked, Problem, error_text, model_of, optional, text
from skilltool.emulation.pyyaml import PyYamlError, base_load
from skilltool.findings.finding import Severity
from skilltool.runtimes import loading, values
from skilltool.runtimes.base import ARGUMENTS, Runtime, Session, Setting
from skilltool.runtimes.loading import first_wins, is_directory_here, read_bytes
from skilltool.runtimes.values import (
    LoadedSkill,
    LoadingEnded,
    Log,
    Refusal,
    Refused,
    ResolvedRoot,
    Result,
    Sent,
    not_read,
    without_skill_file,
)
from skilltool.skill import schema
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.frontmatter.nodes import BoundError
from skilltool.text.lazy_pattern import lazy_pattern

_FENCE = "---"
_PYDANTIC = "2.14"
_LONGEST_NAME: int = schema.load("pydantic-ai-harness")["properties"]["name"]["maxLength"]
_HIDDEN, _FOR_PEOPLE = "disable-model-invocation", "user-invocable"
# Fields of other clients that this one does not act on: it warns.
_IGNORED = frozenset(
    {
        *("agent", "allowed-tools", "argument-hint", "arguments", "context", "dependencies"),
        *("disallowed-tools", "effort", "hooks", "model", "paths", "shell", "tools", "when_to_use"),
    }
)


class Manifest(NamedTuple):
    """One file: name, description, body, the fields that are ignored with a warning, and who may call it."""

    name: str
    description: str
    body: str
    ignored: tuple[str, ...]
    for_model: bool
    for_people: bool


def parse(raw: bytes, directory: str | None) -> values.Manifest:
    """Return name, description and body of a SKILL.md, and what is special; raises `Refusal`."""
    manifest = read(raw, Path(directory or "skill") / FILE_NAME)
    return values.Manifest(manifest.name, manifest.description, manifest.body, specials(manifest))


def specials(manifest: Manifest) -> dict[str, Any]:
    """Return what is unlike most skills: fields that are ignored, and who may not call it."""
    special: dict[str, Any] = (
        {"ignored_behavioral_fields": list(manifest.ignored)} if manifest.ignored else {}
    )
    special |= {} if manifest.for_model else {"model_invocable": False}
    return special | ({} if manifest.for_people else {"user_invocable": False})


def read(raw: bytes, file: Path) -> Manifest:
    """Return what a file says; raises `Refusal` with the harness' own words, which name the `file`."""
    try:
        lines = raw.decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        message = f"{file} is not valid UTF-8: {error}"
        raise Refusal(message, f"it is not UTF-8: {error}", "ValueError", str(error)) from None
    if lines[:1] != [_FENCE]:
        words = f"{file} must start with YAML frontmatter delimited by `---`."
        raise Refusal(words, "the first line is not `---`", "ValueError")
    if _FENCE not in lines[1:]:
        words = "no line `---` closes the frontmatter"
        raise Refusal(f"{file} has unclosed YAML frontmatter.", words, "ValueError")
    end = lines.index(_FENCE, 1)
    fields = _fields("\n".join(lines[1:end]), file)
    given: str | None = fields["name"]
    name = _name(file.parent.name if given is None else given, file)
    if given is not None and name != normal(file.parent.name):
        words = f"must match its parent directory {file.parent.name!r}."
        raise Refusal(f"Skill name {given!r} in {file} {words}", kind="ValueError")
    hidden, for_people = fields[_HIDDEN], fields[_FOR_PEOPLE]
    ignored = tuple(sorted(_IGNORED & fields.keys()))
    return Manifest(name, fields["description"], _body(lines[end + 1 :]), ignored, not hidden, for_people)


def normal(name: str) -> str:
    """Return a name in the form in which names are compared."""
    return normalize("NFKC", name)


def _body(lines: list[str]) -> str:
    """Return lines as text, without blank ones at both ends."""
    kept = [number for number, line in enumerate(lines) if line.strip()]
    return "\n".join(lines[kept[0] : kept[-1] + 1]) if kept else ""


def _fields(yaml: str, file: Path) -> dict[str, Any]:
    try:
        found = base_load(yaml)
    except BoundError as error:
        raise not_read(error) from None
    except PyYamlError as error:
        begin = f"Invalid YAML frontmatter in {file}: " if error.is_yaml else ""
        why = f"the YAML is invalid: {error.text}"
        raise Refusal(begin + error.text, why, "ValueError", error.text) from None
    if not isinstance(found, dict):
        words = "the frontmatter is not a mapping"
        raise Refusal(f"YAML frontmatter in {file} must be a mapping.", words, "ValueError")
    checked, problems = _FRONTMATTER((), found)
    if problems:
        words = error_text("_SkillFrontmatter", problems, _PYDANTIC)
        raise Refusal(f"Invalid Agent Skill frontmatter in {file}: {words}", words, "ValueError", words)
    return {**found, **checked}


def _name(name: str, file: Path) -> str:
    found = normal(name)
    sound = found and len(found) <= _LONGEST_NAME and found == found.lower() and "--" not in found
    if not sound or "-" in (found[0], found[-1]) or not all(sign.isalnum() or sign == "-" for sign in found):
        words = (
            f"expected at most {_LONGEST_NAME} lowercase Unicode letters or numbers and single hyphens, "
            "without a leading or trailing hyphen."
        )
        raise Refusal(f"Invalid skill name {name!r} in {file}; {words}", kind="ValueError")
    return found


def _flag(path: Any, value: Any) -> Checked:
    """Check a field that must be the word `true` or `false`, in any case."""
    if isinstance(value, str) and value.lower() in ("true", "false"):
        return value.lower() == "true", []
    words = f"Value error, must be `true` or `false`, not {value!r}"
    return None, [Problem(path, "value_error", words, value)]


def _description(path: Any, value: Any) -> Checked:
    found, problems = text(path, value)
    if problems or found.strip():
        return found.strip() if not problems else found, problems
    return None, [Problem(path, "value_error", "Value error, must not be empty", value)]


_KNOWN: dict[str, tuple[Check, Any]] = {
    "name": (optional(text), None),
    "description": (_description, ...),
    _HIDDEN: (_flag, False),
    _FOR_PEOPLE: (_flag, True),
}
_FRONTMATTER = model_of("_SkillFrontmatter", _KNOWN)


_LOGGER = "skills"
_ADVISED: int = schema.load("pydantic-ai-harness")["properties"]["description"]["maxLength"]
_ERROR = "ValueError"
_NO_HOME = (
    "Workspace paths do not expand `~`: {path}. Use an absolute path inside the sandbox or a path relative "
    "to its working directory."
)


def scan(session: Session) -> None:
    """Fill a session: libraries are looked at in their order, and directories by name."""
    libraries = list(_libraries(session))
    found = [path for root in libraries for path in _in_library(session, root)]
    for path, role in _selected(session, found):
        _add(session, path, role)
    session.logs += [Log("WARNING", _LOGGER, advice) for advice in _advice(session)]
    session.failure = next(filter(None, map(unsendable, session.skills)), None)


def unsendable(skill: LoadedSkill) -> str | None:
    """Return why no request is sent that lists a skill, None if one is."""
    texts = (skill.name, skill.description) if skill.known_as(Manifest).for_model else ()
    return loading.unsendable(skill, texts)


def _ended(refused: Refused) -> LoadingEnded:
    return LoadingEnded(refused.message, refused)


def _libraries(session: Session) -> Iterator[ResolvedRoot]:
    """Yield the libraries, each directory once."""
    lenient = session.settings["missing_directories"] == "skip"
    seen: set[Path] = set()
    for root in session.roots:
        if root.display_path.startswith("~"):
            raise _ended(_ending(root.path, _NO_HOME.format(path=root.display_path), "UserError"))
        if root.path in seen:
            continue
        seen.add(root.path)
        mode = _mode(root.path)
        is_directory = mode is not None and stat.S_ISDIR(mode)
        if is_directory and not _is_file(root.path / FILE_NAME):
            yield root
        elif not lenient:
            raise _ended(_ending(root.path, _root_error(root, mode), _ERROR)._replace(role=root.role))
        elif mode is not None:
            what = "it is a skill package, not a library" if is_directory else "it is not a directory"
            words = f"Skipping {root.path}: {what}."
            session.skipped.append(Refused(root.path, words, what, root.role))
            session.logs.append(Log("WARNING", _LOGGER, words))


def _root_error(root: ResolvedRoot, mode: int | None) -> str:
    if mode is None:
        return f"Skill library directory does not exist in the workspace: {root.display_path}"
    if not stat.S_ISDIR(mode):
        return f"Skill library path is not a directory: {root.display_path}"
    advice = "Pass its parent directory instead."
    return f"Skill library path points to a skill package: {root.display_path}. {advice}"


def _in_library(session: Session, root: ResolvedRoot) -> Iterator[tuple[Path, str]]:
    try:
        names = sorted(os.listdir(root.path))
    except OSError as error:
        raise _ended(_ending(root.path, str(error), type(error).__name__)) from None
    for name in names:
        directory = root.path / name
        if not is_directory_here(directory):
            continue
        if _is_file(directory / FILE_NAME):
            yield directory, root.role
        else:
            session.skipped.append(without_skill_file(directory, root.role))


def _selected(session: Session, found: list[tuple[Path, str]]) -> list[tuple[Path, str]]:
    """Return the directories that the settings leave; raises `LoadingEnded` for names that no library has."""
    available = {normal(path.name) for path, _ in found}
    include, exclude = (
        None if session.settings[name] is None else {normal(each) for each in session.settings[name]}
        for name in ("include", "exclude")
    )
    if include is not None and exclude is not None:
        raise _ended(_of_settings(session, "include and exclude cannot be used together."))
    for name, given in (("include", include), ("exclude", exclude)):
        unknown = sorted((given or set()) - available)
        if unknown and session.settings["unknown_names"] != "skip":
            known = ", ".join(sorted(available)) or "(none)"
            noun = "skill" if len(unknown) == 1 else "skills"
            words = f"Unknown {noun} in {name}: {', '.join(unknown)}. Available skills: {known}."
            raise _ended(_of_settings(session, words))
    kept = include if include is not None else available - (exclude or set())
    why = "the settings `include` and `exclude` leave it out"
    for path, role in found:
        if normal(path.name) not in kept:
            session.skipped.append(Refused(path, None, why, role, hidden=True))
    return [(path, role) for path, role in found if normal(path.name) in kept]


def _of_settings(session: Session, words: str) -> Refused:
    return _ending(session.project, words, _ERROR)


def _add(session: Session, directory: Path, role: str) -> None:
    outcome = load(directory)
    outcome = outcome._replace(role=role)
    if isinstance(outcome, Refused):
        if outcome.ends_loading:
            raise _ended(outcome)
        session.skipped.append(outcome)
        if outcome.message is not None:
            session.logs.append(Log("WARNING", _LOGGER, outcome.message))
        return
    first = session.find(outcome.key)
    if first is None:
        session.skills.append(outcome)
    elif _is_same(first.directory / FILE_NAME, directory / FILE_NAME):
        session.shadowed.append(first_wins(session, first, outcome)._replace(why="it is an identical copy"))
    else:
        _lose(session, first, outcome)


def _lose(session: Session, first: LoadedSkill, second: LoadedSkill) -> None:
    """Leave out a skill whose name is taken; raises `LoadingEnded` unless the settings keep the first."""
    kept, lost = first.directory / FILE_NAME, second.directory / FILE_NAME
    if session.settings["duplicate_names"] != "keep_first":
        words = f"Duplicate skill name {second.name!r}: {kept} and {lost}."
        raise _ended(_ending(second.directory, words, _ERROR)._replace(role=second.role))
    words = f"Skipping {lost}: skill name {second.name!r} is already taken by {kept}."
    session.logs.append(Log("WARNING", _LOGGER, words))
    session.shadowed.append(first_wins(session, first, second))


def _is_same(first: Path, second: Path) -> bool:
    """Return whether two files are one, or have the same bytes."""
    try:
        return os.path.realpath(first) == os.path.realpath(second) or read_bytes(first) == read_bytes(second)
    except OSError as error:
        raise _ended(_ending(second.parent, str(error), type(error).__name__)) from None


def _advice(session: Session) -> Iterator[str]:
    """Yield what is said about skills that are loaded: long descriptions, and fields that do nothing here."""
    long = [(s.name, len(s.description)) for s in session.skills if len(s.description) > _ADVISED]
    if long:
        skills = "; ".join(f"{name} ({length:,} characters)" for name, length in long)
        yield f"Agent Skill descriptions exceed the {_ADVISED:,}-character limit: {skills}"
    ignored = [(skill.name, skill.known_as(Manifest).ignored) for skill in session.skills]
    if skills := "; ".join(f"{name}: {', '.join(fields)}" for name, fields in ignored if fields):
        yield f"Ignoring unsupported Agent Skill behavioral frontmatter fields: {skills}"


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory, whatever the settings."""
    file = directory / FILE_NAME
    try:
        if not _is_file(file):
            return without_skill_file(directory)
        manifest = read(read_bytes(file), file)
    except LoadingEnded as error:
        return (error.refused or _ending(directory, str(error), _ERROR))._replace(directory=directory)
    except OSError as error:
        return _ending(directory, str(error), type(error).__name__)
    except Refusal as refusal:
        message = None if refusal.message is None else f"Skipping {file}: {refusal.message}"
        return Refused(directory, message, refusal.why, "", refusal.kind, refusal.library)
    return LoadedSkill(
        manifest.name,
        manifest.name,
        manifest.description,
        directory,
        manifest.body,
        "",
        str(directory),
        details=manifest,
    )


def _mode(path: Path) -> int | None:
    """Return the mode of what is at a path, None if nothing is; any other error ends the run."""
    try:
        return path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise _ended(_ending(path, str(error), type(error).__name__)) from None


def _is_file(path: Path) -> bool:
    mode = _mode(path)
    return mode is not None and not stat.S_ISDIR(mode)


def _ending(directory: Path, words: str, kind: str) -> Refused:
    return Refused(directory, words, words, kind=kind, ends_loading=True)


LOAD = "load_capability"
_BEGIN = (
    "The following capabilities are deferred and can be loaded using the `load_capability` tool. "
    "A capability's tools stay hidden until it is loaded:"
)
_AFTER = (
    "A later <context> element with the same id replaces the earlier one and stays in effect until replaced "
    "again."
)
_ABOUT = (
    "Load a listed capability whenever it is plausibly relevant to the task. Loading makes the capability "
    "instructions and any tools it provides available."
)
# The tags of the framework itself, in any spelling: their first sign is escaped in what they frame.
_TAGS = "system|tool_result|assistant_thinking|context|context_diff|validation_errors|retry_feedback"
_OWN_TAG = lazy_pattern(
    rf"<(?=\s*+(?>(?:/\s*+)?)(?:{_TAGS}|conversation_summary)(?:[\s/>]|\Z|\n\Z))", re.IGNORECASE
)


def framed(name: str, text: str) -> str:
    """Return the element that names a capability, with its text, stripped at both ends."""
    body = _OWN_TAG.sub("&lt;", f"\n{text.strip()}\n")
    return f'<context id="{escape(f"capability:{name}")}">{body}</context>'


def offered(session: Session) -> list[LoadedSkill]:
    """Return the skills that the model may load."""
    return [skill for skill in session.skills if skill.known_as(Manifest).for_model]


def catalog(session: Session) -> str | None:
    """Return the listing, None without a skill that the model may load."""
    if session.failure is not None or not offered(session):
        return None
    entries = "\n".join(f"- {skill.key}: {summary(skill)}" for skill in offered(session))
    return framed("deferred_capabilities", f"{_BEGIN}\n{entries}")


def summary(skill: LoadedSkill) -> str | None:
    """Return what the listing shows of a skill: further lines are indented; nothing if it is for people."""
    return skill.description.replace("\n", "\n  ") if skill.known_as(Manifest).for_model else None


def prompt(session: Session) -> str | None:
    """Return the system message that skills add: the listing and one sentence."""
    listing = catalog(session)
    return None if listing is None else f"{listing}\n{_AFTER}"


def tool(session: Session) -> dict[str, Any] | None:
    """Return the definition of `load_capability`, None without a skill that the model may load."""
    if catalog(session) is None:
        return None
    parameters = {
        "description": "Typed arguments for a `load_capability` tool call.",
        "properties": {"id": {"description": "The id of the capability to load.", "type": "string"}},
        "required": ["id"],
        "type": "object",
        "additionalProperties": False,
    }
    function = {"name": LOAD, "description": _ABOUT, "parameters": parameters, "strict": True}
    return {"type": "function", "function": function}


_LOADED = "loaded capabilities"
_PLACEHOLDER = lazy_pattern(r"\$ARGUMENTS(?![\[\w])")
_ARGUMENTS = "$ARGUMENTS"


def call(session: Session, arguments: Mapping[str, Any] | str, tool_name: str | None = None) -> Result:
    """Answer a call by its arguments, or by their text as the model wrote it."""
    if session.failure is not None:
        return Result(None, is_error=True, flow_error=session.failure)
    name = tool_name or LOAD
    has_tool = tool(session) is not None
    if name != LOAD or not has_tool:
        known = f"Available tools: {LOAD!r}" if has_tool else "No tools available."
        return _error(f"Unknown tool name: {name!r}. {known}")
    try:
        given = loads(arguments or "{}") if isinstance(arguments, str) else arguments
    except JsonError as error:
        return _invalid("json_invalid", (), f"Invalid JSON: {error}", arguments)
    if not isinstance(given, Mapping):
        return _invalid("dict_type", (), "Input should be an object", given)
    if "id" not in given:
        return _invalid("missing", ("id",), "Field required", given)
    if not isinstance(given["id"], str):
        return _invalid("string_type", ("id",), "Input should be a valid string", given["id"])
    return _loaded(session, given["id"])


def _loaded(session: Session, name: str) -> Result:
    skill = next((loaded for loaded in offered(session) if loaded.key == name), None)
    if skill is None:
        return _error(f"No capability found with id {name!r}.")
    loaded: set[str] = session.memory.setdefault(_LOADED, set())
    if name in loaded:
        use = "Use its existing instructions and any tools it provides"
        return _error(
            f"Capability {name!r} is already active. {use}; do not call `load_capability` for it again."
        )
    loaded.add(name)
    answer = _json({"message": f"Capability {name!r} loaded. Its instructions, if any, follow."})
    after = framed(name, rendered(session, skill))
    return Result(f"{answer}\n{after}", messages=(_message("tool", answer), _message("system", after)))


def _message(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "content": [{"type": "text", "text": text}]}


def _invalid(kind: str, path: tuple[str, ...], words: str, value: Any) -> Result:
    return _error([{"type": kind, "loc": path, "msg": words, "input": value}])


def _error(words: Any) -> Result:
    return Result(_json({"error": words}), is_error=True)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def rendered(session: Session, skill: LoadedSkill, arguments: str | None = None) -> str:
    """Return the instructions of a skill: a heading, its directory, and the body with the arguments."""
    body = skill.body
    if arguments is not None and _PLACEHOLDER.search(body):
        body = _PLACEHOLDER.sub(lambda _: arguments, body)
    elif arguments:
        body = "\n\n".join(part for part in (body, f"ARGUMENTS: {arguments}") if part)
    parts = [f"# Skill: {skill.name}"]
    if not session.settings["own_workspace"]:
        note = "Relative paths in this skill resolve against it."
        parts.append(f"Skill directory: `{skill.directory}`. {note}")
    return "\n\n".join([*parts, body] if body else parts)


def content(session: Session, skill: LoadedSkill) -> str | None:
    """Return the instructions of a skill, without the element around them."""
    return rendered(session, skill)


def user(session: Session, text: str) -> Sent:
    """Return what an application sends for `/name arguments` that uses `SkillDefinition.render` for it."""
    if session.failure is not None:
        return Sent((), shown=session.failure)
    command, blank, arguments = text.partition(" ")
    skill = session.find(command.removeprefix("/"))
    if not command.startswith("/") or skill is None or not skill.known_as(Manifest).for_people:
        return Sent((_message("user", text),))
    found = rendered(session, skill, arguments if blank else None)
    return Sent((_message("user", found),), found)


def typed(skill: LoadedSkill) -> str:
    """Return what a user types to call a skill."""
    return f"/{skill.key}"


_SETTINGS = {
    "include": Setting(default=None, about="names of the only skills to offer"),
    "exclude": Setting(default=None, about="names of skills to omit; cannot be combined with `include`"),
    "missing_directories": Setting(
        default="error",
        about="with `skip`, a directory that does not exist or is not a library does not abort the run",
    ),
    "duplicate_names": Setting(
        default="error", about="with `keep_first`, a duplicate name does not abort the run"
    ),
    "unknown_names": Setting(
        default="error", about="with `skip`, `include` and `exclude` may name skills that do not exist"
    ),
    "own_workspace": Setting(
        default=False,
        about="whether the libraries are in a separate workspace, whose paths the model cannot use",
    ),
}
_FACTS = {
    "key": "the name in the frontmatter, which must match the directory's name; if it is missing, the "
    "directory's name is used",
    "duplicates": "two skills with the same name abort the run, unless their files are identical; with "
    "`keep_first`, the first wins",
    "parser": "PyYAML between two lines that are exactly `---`. Every scalar is a string, tags are"
    " ignored, and a duplicate key prevents the skill from loading. U+2028 and similar "
    "characters also end a line",
    "arguments": "`$ARGUMENTS` is replaced if an application calls `render(arguments)`; without a "
    "placeholder, the arguments are appended. The model cannot pass arguments",
    "tool": "`load_capability`; the body follows in a separate message, inside a `<context>` element",
    "loading": "names and descriptions are in a system message; the message is omitted if there is no skill "
    "that the model may use",
    "limits": "a description longer than 1,024 characters only causes a warning",
    "people": "`disable-model-invocation: true` hides a skill from the model; `user-invocable` has an effect "
    "only in applications that read it",
    "failure": "the run is aborted if a skills directory does not exist, is not a directory or is itself a "
    "skill, if two different skills have the same name, or if a file is unreadable",
}

PYDANTIC_AI_HARNESS_0_62_0 = Runtime(
    id="pydantic-ai-harness@0.62.0",
    title="Pydantic AI harness 0.62.0",
    docs="requests from pydantic-ai-harness 0.62.0 (PyPI) to a loopback model server; the "
    "package's functions and source code",
    verified="2026-11-21, wire: 203 recorded cases",
    evidence="wire",
    schema="pydantic-ai-harness",
    any_roots=True,
    settings=_SETTINGS,
    facts=_FACTS,
    sources={
        **dict.fromkeys(
            ("roots", "key", "duplicates", "parser", "arguments", "limits", "people", "failure"),
            "pydantic_ai_harness/skills/_loader.py, confirmed by running it",
        ),
        **dict.fromkeys(("tool", "loading"), "recorded requests"),
    },
    parameter="id",
    expands=frozenset({ARGUMENTS}),
    severities={"name-directory-mismatch": Severity.ERROR},
    scan=scan,
    load=load,
    unsendable=unsendable,
    parse=parse,
    catalog=catalog,
    prompt=prompt,
    summary=summary,
    tool=tool,
    call=call,
    content=content,
    user=user,
    typed=typed,
)

PYDANTIC_AI_HARNESS = PYDANTIC_AI_HARNESS_0_62_0._replace(
    id="pydantic-ai-harness", title="Pydantic AI harness"
)
