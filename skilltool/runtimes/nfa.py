"""nfa: an investment advisor in Go. Skills in `~/.nfa/skills`, listed in the prompt, loaded by `Skill`.

It looks at one level of directories, whose names are the keys.

Source: document 000; `pkg/skills` of nfa at the commits named in the profile; recordings of it; document
000; `pkg/skills/skill_tool.go` of yhlooo/nfa at the commits named in the profile; recordings.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from skilltool.emulation import go_yaml_v3
from skilltool.emulation.go import decoded, go_error, replaced
from skilltool.emulation.go import quoted as go_quoted
from skilltool.emulation.go_json import GoJsonError, Number, Pairs, dumps, loads
from skilltool.runtimes.base import Root, Runtime, Session, Setting
from skilltool.runtimes.fixed_text import fixed_text
from skilltool.runtimes.loading import children, is_directory_entry, is_real_directory, read_bytes
from skilltool.runtimes.values import SILENTLY, LoadedSkill, Log, Manifest, Refusal, Refused, Result, not_read
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.frontmatter.nodes import BoundError

Parser = Callable[[bytes, str | None], Manifest]


def parse(raw: bytes, directory: str | None = None, struct: str = "skills.SkillMeta") -> Manifest:
    """Return name, description and body of a SKILL.md; raises `Refusal` with nfa's own message.

    `struct` is the type that an edition decodes the frontmatter into, which messages name. The frontmatter
    ends at the first `---` and line feed, anywhere in a line; if there is none, at the first `---` and CRLF.
    Line ends at the start of the body are removed.
    """
    text = decoded(raw)
    if not text.startswith(("---\n", "---\r\n")):
        raise Refusal("skill file must start with YAML frontmatter (---)")
    rest = text[4:]
    end, width = rest.find("---\n"), 4
    if end < 0:
        end, width = rest.find("---\r\n"), 5
    if end < 0:
        raise Refusal("frontmatter not closed (---)")
    try:
        found = go_yaml_v3.strings(rest[:end], ("name", "description"), struct)
    except BoundError as error:
        raise not_read(error) from None
    except ValueError as error:
        raise Refusal(f"parse YAML frontmatter error: {error}", library=str(error)) from None
    for field in ("name", "description"):
        if not found.get(field):
            raise Refusal(f"missing required field: {field}")
    body = replaced(rest[end + width :].lstrip("\r\n"))
    return Manifest(found["name"], found["description"], body)


def whole(directory: Path) -> str:
    """Return the text of a SKILL.md, invalid bytes replaced; raises what `read_bytes` raises."""
    return replaced(decoded(read_bytes(directory / FILE_NAME)))


def read(directory: Path) -> Manifest:
    """Read one skill directory; raises `Refusal` and OSError."""
    return parse(read_bytes(directory / FILE_NAME))


def load(directory: Path, parser: Parser = parse) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory, read with `parser`."""
    if not is_real_directory(directory):
        return Refused(directory, None, f"it is a symbolic link {SILENTLY}")
    try:
        manifest = parser(read_bytes(directory / FILE_NAME), None)
    except OSError as error:
        return Refused(directory, go_error(error, directory / FILE_NAME), f"{FILE_NAME} cannot be read")
    except Refusal as refusal:
        return refusal.refused(directory)
    name, description, body = manifest.name, manifest.description, manifest.body
    return LoadedSkill(directory.name, name, description, directory, body, "user", str(directory))


SkipMessage = Callable[[Path, str, bool], str]


def scan(
    session: Session,
    parser: Parser,
    skip_message: SkipMessage,
    loaded: str,
    logger: str,
    level: str,
    root_error: str | None,
) -> None:
    """Add the user's skills to a session, read with `parser`, in byte order; log each as one edition does.

    `skip_message` returns the log line for a skipped directory from the reason and whether SKILL.md is
    missing; `loaded` begins the line for a loaded one. `root_error` begins the line for a root that cannot
    be read; if None, such a root ends loading.
    """
    try:
        folders = _folders(session.roots[0].path, creates=root_error is None)
    except Refusal as refusal:
        if root_error is None:
            session.failure = refusal.message
        else:
            session.logs.append(Log("INFO", logger, f"{root_error}{refusal.message}", warns=True))
        return
    for folder in folders:
        if not is_directory_entry(folder):
            continue
        found = load(folder, parser)
        if isinstance(found, Refused):
            missing = _is_missing(folder / FILE_NAME) and found.message is not None
            message = skip_message(folder, found.message, missing) if found.message else None
            session.skipped.append(Refused(folder, message, found.why, "user", library=found.library))
            if message:
                session.logs.append(Log(level, logger, message, warns=True))
            continue
        session.logs.append(Log("INFO", logger, f"{loaded}{found.key}"))
        _add(session, found)


def _folders(root: Path, creates: bool) -> list[Path]:
    """Return the entries of the root, none if it is missing; raises `Refusal` if it cannot be listed.

    An edition that `creates` a missing root fails at that where a file or a broken link is in its place.
    """
    try:
        return children(root) if root.exists() or (creates and root.is_symlink()) else []
    except OSError as error:
        failure = f"read skills directory error: {go_error(error, root)}"
        if isinstance(error, NotADirectoryError) and creates:
            failure = f"create skills directory error: mkdir {root}: not a directory"
        elif isinstance(error, FileNotFoundError):
            failure = f"create skills directory error: mkdir {root}: file exists"
        raise Refusal(failure) from None


def _is_missing(file: Path) -> bool:
    """Return whether Go's `os.IsNotExist` is true for a file; it is not for a loop of links."""
    try:
        file.stat()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return False


def _add(session: Session, loaded: LoadedSkill) -> None:
    """Add a skill; it replaces a built-in one with its key, at the same position."""
    keys = [skill.key for skill in session.skills]
    if loaded.key in keys:
        session.skills[keys.index(loaded.key)] = loaded
    else:
        session.skills.append(loaded)


_WRAP = 'call tool "Skill" error: error calling tool Skill: '
_SCHEMA = "data did not match expected schema:"
# The answer for the built-in skill; no document has its text.
_BUILTIN_ANSWER = fixed_text(2013, "a85ed6c7648d9ff96d4c3c4edab3ab6eb1a3accf5b3602b82cea2bd294635309")

Answer = Callable[[Session, str], Result]


def call(session: Session, arguments: Mapping[str, Any] | str, tool: str | None, answer: Answer) -> Result:
    """Check the arguments as genkit does, then answer for the name as one edition does."""
    name = tool or session.settings["tool"]
    if name != "Skill":
        return _error(f"tool {go_quoted(name)} not found")
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    try:
        value = _decoded(text)
    except GoJsonError as error:
        failure = f"unmarshal failed to parse json string {text}: {error}"
        return Result(None, True, flow_error=failure, library=failure)
    problems, skill = _checked(value)
    if problems:
        message = "\n- ".join([_SCHEMA, *problems])
        return Result(dumps({"error": f"{_WRAP}{message}"}), True, library=message)
    return answer(session, skill)


def _decoded(text: str) -> Pairs | None:
    """Return JSON text as Go decodes it into `map[string]any`; raises `GoJsonError` with Go's message."""
    value = loads(text)
    if value is None or isinstance(value, Pairs):
        if (number := _too_large(value)) is not None:
            raise GoJsonError(f"json: cannot unmarshal number {number} into Go value of type float64")
        return value
    kind = "number" if isinstance(value, Number) else "bool" if isinstance(value, bool) else _kind(value)
    raise GoJsonError(f"json: cannot unmarshal {kind} into Go value of type map[string]interface {{}}")


def _too_large(value: Any) -> Number | None:
    """Return the first number in a value that is too large for a float, or None."""
    waiting = [value]
    while waiting:
        found = waiting.pop()
        if isinstance(found, Number) and abs(float(found)) == float("inf"):
            return found
        if isinstance(found, list):
            items = [item for _, item in found] if isinstance(found, Pairs) else found
            waiting += reversed(items)
    return None


def _checked(value: Pairs | None) -> tuple[list[str], str]:
    """Return the errors of gojsonschema for the arguments, and the name; null counts as missing."""
    if value is None:
        return ["(root): Invalid type. Expected: object, given: null"], ""
    given = {key: item for key, item in dict(value).items() if item is not None}
    name = given.get("name")
    problems = ["(root): name is required"] if name is None else []
    problems += [f"(root): Additional property {key} is not allowed" for key in given if key != "name"]
    if name is not None and (not isinstance(name, str) or isinstance(name, Number)):
        problems.append(f"name: Invalid type. Expected: string, given: {_kind(name)}")
    return problems, name if isinstance(name, str) else ""


def _kind(value: object) -> str:
    if isinstance(value, Number):
        return "integer" if float(value).is_integer() else "number"
    return {str: "string", bool: "boolean", Pairs: "object", list: "array"}[type(value)]


def answer_2026_02(session: Session, name: str) -> Result:
    """Answer with the whole file as it is now, unchecked."""
    if not name:
        return _error("skill name is required", _log("Skill tool called without name parameter"))
    skill = session.find(name)
    reason = f"skill '{name}' not found"
    if skill is not None:
        try:
            text = whole(skill.directory)
        except OSError as error:
            denied = f"permission denied reading skill '{name}'"
            begin = denied if isinstance(error, PermissionError) else "read skill file error"
            reason = f"{begin}: {go_error(error, skill.directory / FILE_NAME)}"
        except Refusal as refusal:  # ours: since it was loaded, the file has come to exceed a bound
            return Result(None, True, flow_error=refusal.why)
        else:
            logs = _log(f"Skill tool successfully retrieved skill '{name}'")
            return Result(dumps({"content": text} if text else {}), logs=logs)
    return _error(f"Skill '{name}' not found", _log(f"Skill tool failed to get skill '{name}': {reason}"))


def answer_2026_04(session: Session, name: str) -> Result:
    """Answer with body, description and name, as they are in the file now."""
    if not name:
        return _error(f"{_WRAP}skill name is required")
    quoted = go_quoted(name)
    skill = session.find(name)
    if skill is None:
        return _error(f"{_WRAP}get skill {quoted} error: skill {quoted} not found")
    if skill.role == "builtin":
        return Result(_BUILTIN_ANSWER)
    try:
        manifest = read(skill.directory)
    except OSError as error:
        reason = go_error(error, skill.directory / FILE_NAME)
        message = f"read skill file {go_quoted(str(skill.directory))} error: {reason}"
        return _unreadable(quoted, str(skill.directory), message)
    except Refusal as refusal:
        return _unreadable(quoted, str(skill.directory), refusal.message or refusal.why, refusal.library)
    content = {"content": manifest.body} if manifest.body else {}
    return Result(dumps({**content, "description": manifest.description, "name": manifest.name}))


def _unreadable(quoted: str, directory: str, reason: str, library: str | None = None) -> Result:
    message = (
        f"{_WRAP}get skill {quoted} error: read skill {quoted} from {go_quoted(directory)} error: {reason}"
    )
    return Result(dumps({"error": message}), True, library=library and dumps(library)[1:-1])


def _error(message: str, logs: tuple[Log, ...] = ()) -> Result:
    return Result(dumps({"error": message}), True, logs=logs)


def _log(message: str) -> tuple[Log, ...]:
    return (Log("INFO", "", message),)


_BEFORE = fixed_text(385, "91d1e74e1ff93b33b63d92d3b3ec18e1f9947b3ef320abef8154bf3decf88257")
_BUILTIN = "short-term-trend-forecast"
_BUILTIN_TEXT = {
    "en": "Analyze and predict short-term stock trends (within days, week, or month).",
    "zh": "对股票短期趋势（数天、一周、一个月内）进行分析和预测",
}


parse_2026_02 = partial(parse, struct="skills.SkillMetadata")


def skip_message_2026_02(folder: Path, reason: str, missing: bool) -> str:
    """Return the log line for a skipped directory."""
    if missing:
        return f"skill '{folder.name}' does not have SKILL.md file, skipping"
    if reason.endswith("permission denied"):
        reason = f"permission denied reading skill file '{folder / 'SKILL.md'}': {reason}"
    elif reason.startswith(("open ", "read ")):
        reason = f"read skill file error: {reason}"
    return f"skill '{folder.name}' has invalid format ({reason}), skipping"


def skip_message_2026_04(folder: Path, reason: str, missing: bool) -> str:
    """Return the log line for a skipped directory."""
    path = go_quoted(str(folder))
    if reason.startswith(("open ", "read ")):
        reason = f"read skill file {path} error: {reason}"
    return f"WARN read skill {go_quoted(folder.name)} from {path} error, skipped: {reason}"


def scan_2026_02(session: Session, level: str = "INFO") -> None:
    """Load the user's skills; a root that cannot be read ends loading with an error."""
    scan(session, parse_2026_02, skip_message_2026_02, "loaded skill: ", "skill_loader", level, None)
    if session.failure is None:
        session.logs.append(Log("INFO", "skill_loader", f"loaded {len(session.skills)} skills"))


def scan_2026_04(session: Session) -> None:
    """Load the built-in skill, then the user's, which may replace it at its position."""
    lang = "zh" if session.settings["lang"] == "zh" else "en"
    path = Path("{builtin}") / _BUILTIN
    session.skills.append(
        LoadedSkill(_BUILTIN, _BUILTIN, _BUILTIN_TEXT[lang], path, "", "builtin", str(path))
    )
    session.logs.append(Log("INFO", "", f"loaded builtin skill: {_BUILTIN}"))
    root_error = "WARN load user skills error: "
    scan(session, parse, skip_message_2026_04, "loaded user skill: ", "", "INFO", root_error)
    session.logs.append(Log("INFO", "", f"loaded {len(session.skills)} skills"))


def _items(session: Session) -> list[str]:
    return [f"- {skill.name}: {skill.description}" for skill in session.skills]


def catalog(session: Session) -> str | None:
    """Return document 000's line of names, None if there are no skills."""
    return f"Available skills: {', '.join(s.name for s in session.skills)}" if session.skills else None


def catalog_2026_02(session: Session) -> str:
    """Return the section of the system prompt, which is there without skills, too."""
    if not session.skills:
        return "## 可用技能\n\n当前没有可用的自定义技能。"
    head = "## 可用技能\n\n你可以通过 Skill 工具调用以下用户自定义技能来扩展你的能力："
    return "\n".join(
        [f"{head}\n", *_items(session), "\n当需要使用某个技能时，使用 Skill 工具并传入技能名称。"]
    )


def catalog_2026_04(session: Session) -> str | None:
    """Return the section of the system prompt, None if there are no skills."""
    if not session.skills:
        return None
    head = (
        "## 可用技能\n你可以通过调用 Skill 工具加载技能来扩展你的能力，"
        "当用户问题匹配技能描述时尽可能在开始查询或分析前先加载技能，在分析过程中发现匹配也可在分析过程中加载。\n"
        "当需要使用某个技能时，调用 Skill 工具并传入以下列出的技能名称，工具会返回技能内容："
    )
    return "\n".join([head, *_items(session)])


def prompt_2026_02(session: Session) -> str:
    """Return the system prompt: unstored text around the section."""
    return (
        _BEFORE
        + catalog_2026_02(session)
        + fixed_text(25, "5cca0b9ee516ff7c21362244e415c71f72ed3c61897c5d38ba9f456f4411ff26")
    )


def prompt_2026_04(session: Session) -> str:
    """Return the system prompt: unstored text around the section."""
    return (
        _BEFORE
        + (catalog_2026_04(session) or "")
        + fixed_text(245, "aafdac3542acf4d9a9812986639d238f34b83ff59877cd0b2afbf0ec07f06cd5")
    )


_PARAMETERS = {
    "additionalProperties": False,
    "properties": {"name": {"type": "string"}},
    "required": ["name"],
    "type": "object",
}


def tool_2026_02(session: Session) -> dict[str, Any]:
    """Return the tool as it is registered."""
    described = fixed_text(524, "5e50f34f21d0b3f5707cf0c3367b06ac14e6df24bd2216ffa8fded6814c507c3")
    return {"name": "Skill", "description": described, "parameters": _PARAMETERS}


def tool_2026_04(session: Session) -> dict[str, Any]:
    """Return the tool as it goes over the wire."""
    described = fixed_text(609, "545bbfe3b72b8ff46d4ad4165dcdedb5797a2fac4d06bed9c5835a0250d9434c")
    function = {"description": described, "name": "Skill", "parameters": _PARAMETERS, "strict": False}
    return {"function": function, "type": "function"}


def content(session: Session, skill: LoadedSkill) -> str:
    """Return the body as nfa keeps it."""
    return skill.body


_TOOL = Setting(default="Skill", about="name of the tool to call")

_LOADER, _PARSER = "pkg/skills/skill_loader.go", "pkg/skills/skill_parser.go"
_SOURCES = {
    "roots": _LOADER,
    "key": _LOADER,
    "duplicates": _LOADER,
    "parser": _PARSER,
    "limits": _PARSER,
    "arguments": "pkg/skills/skill_tool.go",
    "tool": "pkg/skills/skill_tool.go",
    "loading": "pkg/agents/prompts.go",
}

NFA_2026_02 = Runtime(
    id="nfa@2026-02",
    title="nfa, first implementation",
    docs="yhlooo/nfa at e8f67d7 (2026-02-08): pkg/skills, pkg/agents",
    verified="2026-11-20, recordings of the running code",
    evidence="run",
    schema="nfa",
    roots=(Root(role="user", path_template="{home}/.nfa/skills", scope="user"),),
    settings={"tool": _TOOL},
    facts={
        "key": "the directory's name; the listing shows `name` from the frontmatter",
        "duplicates": "none, because directory names are unique; two skills with the same `name` are both "
        "listed",
        "parser": "YAML (yaml.v3) from `---` at the first byte to the next `---` that is followed by a line "
        "break",
        "arguments": "none",
        "tool": "`Skill` with `name`; it returns one line of JSON",
        "loading": "the system prompt lists the skills and tells the model to load one by name",
    },
    sources=_SOURCES,
    parameter="name",
    scan=scan_2026_02,
    parse=parse_2026_02,
    load=partial(load, parser=parse_2026_02),
    catalog=catalog_2026_02,
    prompt=prompt_2026_02,
    content=content,
    tool=tool_2026_02,
    call=partial(call, answer=answer_2026_02),
)

NFA_2026_04 = NFA_2026_02._replace(
    id="nfa@2026-04",
    title="nfa, April 2026",
    docs="yhlooo/nfa at b92b1f22 (2026-04-26): pkg/skills, pkg/agents/flows",
    settings={
        "tool": _TOOL,
        "lang": Setting(default="en", about="with `zh`, the built-in skill is in Chinese"),
    },
    facts={
        **NFA_2026_02.facts,
        "duplicates": "a directory with the name of the built-in skill replaces it and takes its position",
    },
    scan=scan_2026_04,
    parse=parse,
    load=load,
    catalog=catalog_2026_04,
    prompt=prompt_2026_04,
    tool=tool_2026_04,
    call=partial(call, answer=answer_2026_04),
)

# Where document 000 differs from the first implementation: the listing is one line of names, and malformed
# skills are skipped with a warning.
NFA = NFA_2026_02._replace(
    id="nfa",
    title="nfa (design document)",
    docs="document 000, and nfa@2026-02 where the document is silent",
    verified="2026-11-21, test cases written from the document",
    evidence="document",
    sources={
        "roots": "document 000, 1. Skill Directory Structure",
        "key": "document 000, 1. Skill Directory Structure",
        "duplicates": "nfa@2026-02, where the document is silent",
        "parser": "document 000, 2. YAML Frontmatter for Metadata; how it is read: nfa@2026-02",
        "limits": "nfa@2026-02, where the document is silent",
        "arguments": "document 000, 3. Skill Tool Interface",
        "tool": "document 000, 3. Skill Tool Interface; document 000, 6. Error Handling",
        "loading": "document 000, 4. System Prompt Enhancement",
    },
    scan=partial(scan_2026_02, level="WARNING"),
    catalog=catalog,
    prompt=None,
)
