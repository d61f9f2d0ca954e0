"""MyCodeAgent: a Python agent. Skills anywhere under `skills/`, listed in the prompt of the tool `Skill`.

Source: `core/context_engine/observation_truncator.py` of YYHDBL/MyCodeAgent at 262795a;
`tools/orchestrator.py` and recordings of 2026-07; document 002; `core/skills/skill_loader.py` and
`extensions/skills/loader.py` of YYHDBL/MyCodeAgent at the commits named in the profile; document 002;
`tools/builtin/skill.py` and `tools/registry.py` of YYHDBL/MyCodeAgent at the commits named in the profile.
Times are those of the recordings: 1 millisecond for a success, 0 for an error.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from skilltool.files.paths import cached_realpath, path_once
from skilltool.runtimes.base import ARGUMENTS, Root, Runtime, Session, Setting, Share, Shares
from skilltool.runtimes.fixed_text import fixed_text, whole_length
from skilltool.runtimes.loading import TOO_LARGE, exists, files_below, last_wins, read_bytes
from skilltool.runtimes.values import SILENTLY, LoadedSkill, Log, Manifest, Refusal, Refused, Result
from skilltool.skill.skill_file import FILE_NAME, MAX_BYTES
from skilltool.text.lazy_pattern import lazy_pattern

# Lines and UTF-8 bytes, of the text with every `\n` escape as a line end.
_MAX_LINES, _MAX_BYTES = 2000, 51200
# The budget of 2026-07: bytes of the answer as it is sent; lines and bytes that are kept of a longer one.
_BUDGET, _BUDGET_LINES, _BUDGET_BYTES = 50000, 40, 512
_ADVICE = "建议: 可用 Task 让子代理处理，或用 Read 分页读取 / Grep 搜索"

Truncate = Callable[[str, str], str]


def truncated_2026_01(text: str, tool: str) -> str:
    """Return an answer as the first implementation shows it: a long one is truncated, as compact JSON."""
    lines = _lines(text)
    if not _is_long(lines):
        return text
    cut = _cut(text, lines, tool, _MAX_LINES, _MAX_BYTES, head_tail=False)
    return json.dumps(cut, ensure_ascii=False, separators=(",", ":"))


def truncated_2026_07(text: str, tool: str) -> str:
    """Return an answer as in 2026-07: over the budget, very little of it is kept; a long one is truncated."""
    lines = _lines(text)
    if _size(text) > _BUDGET:
        cut = _cut(text, lines, tool, min(len(lines), _BUDGET_LINES), _BUDGET_BYTES, head_tail=True)
    elif _is_long(lines):
        cut = _cut(text, lines, tool, _MAX_LINES, _MAX_BYTES, head_tail=True)
    else:
        return text
    return json.dumps(cut, ensure_ascii=False, indent=2)


def _cut(
    text: str, lines: list[str], tool: str, max_lines: int, max_bytes: int, head_tail: bool
) -> dict[str, Any]:
    """Return the envelope of a truncated answer; `head_tail`: it has the key `head_tail_lines`."""
    envelope: dict[str, Any] = json.loads(text)
    preview = _encoded("\n".join(lines[:max_lines]))[:max_bytes].decode("utf-8", "ignore")
    size = _size("\n".join(lines))
    path = f"tool-output/tool_<TS>_{tool}.json"
    measures: dict[str, Any] = {"direction": "head", "max_lines": max_lines, "max_bytes": max_bytes}
    if head_tail:
        measures["head_tail_lines"] = None
    measures |= {
        "original_lines": len(lines),
        "original_bytes": size,
        "kept_lines": len(preview.split("\n")),
        "kept_bytes": _size(preview),
        "full_output_path": path,
    }
    is_error = envelope["status"] == "error"
    cut = {
        "status": "error" if is_error else "partial",
        "data": {"truncated": True, "truncation": measures, "preview": preview},
        "text": f"⚠️ 输出过大已截断 ({len(lines)} 行, {size / 1024:.1f}KB)\n完整内容见: {path}\n{_ADVICE}",
        "stats": envelope.get("stats") or {},
        "context": envelope.get("context") or {},
    }
    return {**cut, "error": envelope["error"]} if is_error else cut


def _lines(text: str) -> list[str]:
    return text.replace("\\n", "\n").split("\n")


def _is_long(lines: list[str]) -> bool:
    return len(lines) > _MAX_LINES or _size("\n".join(lines)) > _MAX_BYTES


def _size(text: str) -> int:
    return len(_encoded(text))


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


_NAME = lazy_pattern(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")


def parse(raw: bytes, directory: str | None = None) -> Manifest:
    """Return name, description and body of a SKILL.md; raises `Refusal`, always without a message.

    Except for text that is not UTF-8: then `kind` is `UnicodeDecodeError`, and the message is Python's.
    """
    fields, body = _read(raw)
    # Quotes are stripped first, then the white space inside them.
    name, description = (fields.get(key, "").strip() for key in ("name", "description"))
    if not _NAME.match(name):
        raise Refusal(None, "`name` is missing or not lowercase words joined by hyphens")
    if not description:
        raise Refusal(None, "`description` is missing or empty")
    return Manifest(name, description, body)


def _read(raw: bytes) -> tuple[dict[str, str], str]:
    if len(raw) > MAX_BYTES:
        raise Refusal(None, TOO_LARGE)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refusal(str(error), "it is not UTF-8", kind="UnicodeDecodeError") from None
    found = _fields_and_body(text)
    if found is None:
        raise Refusal(None, "the frontmatter must consist of `key: value` lines between two `---` lines")
    return found


def _fields_and_body(text: str) -> tuple[dict[str, str], str] | None:
    """Return the keys with their values, and the body; None for text without readable frontmatter.

    The frontmatter is lines of `key: value`, not YAML. Lines are those of Python's `str.splitlines`, for
    which form feeds, NEL, U+2028 and U+2029 also end a line. One without a colon makes the block unreadable.
    Blank lines and comments are skipped, the last of repeated keys wins, an indented key is a key, and quotes
    around a value are stripped. The body is its lines joined by line feeds, without a final one.
    """
    lines = text.splitlines()
    if not lines or lines[0].strip() != "---":
        return None
    found: dict[str, str] = {}
    for number, line in enumerate(lines[1:], start=1):
        stripped = line.strip()
        if stripped == "---":
            return found, "\n".join(lines[number + 1 :])
        if not stripped or stripped.startswith("#"):
            continue
        key, colon, value = line.partition(":")
        if not colon:
            return None
        found[key.strip()] = value.strip().strip("\"'")
    return None


def reread(file: Path) -> str:
    """Return the body of a file found by a scan; raises OSError, and `Refusal` as `parse` does."""
    return _read(read_bytes(file))[1]


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory."""
    try:
        parsed = parse(read_bytes(directory / FILE_NAME))
    except OSError as error:
        return Refused(directory, None, f"{FILE_NAME} cannot be read: {error.strerror}")
    except Refusal as refusal:
        return refusal.refused(directory)
    return LoadedSkill(parsed.name, parsed.name, parsed.description, directory, parsed.body)


def scan(session: Session, logs_skipped: bool = False) -> None:
    """Fill the session from scratch: any depth, in the order of paths, the last copy of a name wins.

    A file that is not UTF-8 ends the scan, and the session keeps what it had. With `logs_skipped`, as
    document 002 has it, such a file is skipped, and duplicates and skipped files are logged.
    """
    before = session.skills, session.shadowed, session.skipped, session.logs
    session.reset()
    session.failure = _root_failure(session)
    if session.failure is not None:
        session.skills, session.shadowed, session.skipped, session.logs = before
        return
    files, unlistable = files_below(_root(session), FILE_NAME, any_case=True)
    for folder, error in unlistable:
        why = f"it cannot be listed: {error.strerror} {SILENTLY}"
        session.skipped.append(Refused(folder, None, why, "project"))
    seen = signature(session)
    winners: dict[str, LoadedSkill] = {}
    for file in files:
        if file.name != FILE_NAME:
            if file.parent / FILE_NAME not in files:
                session.skipped.append(Refused(file.parent, None, _misnamed(file), "project"))
            continue
        found = load(file.parent)
        if isinstance(found, Refused):
            if found.kind == "UnicodeDecodeError" and not logs_skipped:
                session.skills, session.shadowed, session.skipped, session.logs = before
                session.failure = found.message
                session.skipped = [*session.skipped, found._replace(role="project")]
                return
            _skip(session, found, file, logs_skipped)
        else:
            _add(session, found, file, winners, logs_skipped)
    session.skills = [winners[name] for name in sorted(winners)]
    session.memory["seen"] = seen


def _misnamed(file: Path) -> str:
    return f"its file is called `{file.name}`, and only `{FILE_NAME}` is read {SILENTLY}"


def _root(session: Session) -> Path:
    return path_once(cached_realpath(str(session.roots[0].path)))


def _root_failure(session: Session) -> str | None:
    """Return what Python 3.12 says where `resolve()` or `exists()` of the root raises an error."""
    root = session.roots[0].path
    try:
        exists(Path(os.path.realpath(root, strict=True)))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        return f"Symlink loop from {str(root)!r}" if error.errno == errno.ELOOP else str(error)
    return None


def refresh_if_stale(session: Session, logs_skipped: bool = False) -> None:
    """Scan again if there is no skill, or if the files are not those of the last scan."""
    current = signature_with_root if logs_skipped else signature
    if not session.skills or current(session) != session.memory.get("seen"):
        scan(session, logs_skipped)
        if logs_skipped and session.failure is None:
            session.memory["seen"] = signature_with_root(session)


def _skip(session: Session, refused: Refused, file: Path, logs_skipped: bool) -> None:
    reason = refused.message or refused.why
    message = f"skipped {display_path(session, file)}: {reason}" if logs_skipped else None
    why = reason if logs_skipped or refused.not_read else f"{reason} {SILENTLY}"
    session.skipped.append(Refused(refused.directory, message, why, "project"))
    if message:
        session.logs.append(Log("WARNING", "skill_loader", message))


def _add(
    session: Session, loaded: LoadedSkill, file: Path, winners: dict[str, LoadedSkill], logs_skipped: bool
) -> None:
    base = display_path(session, file.parent)
    skill = LoadedSkill(
        loaded.key,
        loaded.name,
        loaded.description,
        loaded.directory,
        loaded.body,
        "project",
        base,
        {"base_dir": base},
    )
    if before := winners.get(skill.key):
        session.shadowed.append(last_wins(session, skill, before))
        if logs_skipped:
            here, there = display_path(session, file), f"{before.display_path}/{FILE_NAME}"
            message = f"duplicate skill '{skill.key}': {here} replaces {there}"
            session.logs.append(Log("WARNING", "skill_loader", message))
    winners[skill.key] = skill


def display_path(session: Session, path: Path) -> str:
    """Return a path as MyCodeAgent prints it: relative to the project, else absolute."""
    project = path_once(cached_realpath(str(session.project)))
    return path.relative_to(project).as_posix() if path.is_relative_to(project) else str(path)


def signature(session: Session) -> tuple[int, int]:
    """Return what a refresh compares: the newest modification time (ns) of a SKILL.md, and their number."""
    files, _ = files_below(_root(session), FILE_NAME)
    times: list[int] = []
    for file in files:
        with suppress(OSError):
            times.append(file.stat().st_mtime_ns)
    return max(times, default=0), len(files)


def signature_with_root(session: Session) -> tuple[int, int]:
    """Return what document 002 compares: the newest time of the root and every SKILL.md, and their number."""
    newest, count = signature(session)
    with suppress(OSError):
        newest = max(newest, session.roots[0].path.stat().st_mtime_ns)
    return newest, count


_TOOL = "Skill"
_NO_NAME = "unknown_tool"
_STRIKES = 3
# The tools that the permission core of 2026-07 knows; it denies all others.
_KNOWN_TOOLS = frozenset({_TOOL, "Read", "Grep", "Glob", "Edit", "TodoWrite", "Bash", "Task"})
_SUMMARY = 240


class Edition:
    """What differs between the editions: the shape of the registry's errors, arguments, truncation.

    `error_last`: the registry's own errors end with the key `error`, as the tool's do. `flat`: arguments
    that are not JSON give one short line, and there is no permission core. `truncate` shortens long
    answers. `keeps_placeholder`: empty arguments leave `$ARGUMENTS` in the body. `logs_skipped`: a scan
    logs what it skips.
    """

    def __init__(
        self,
        *,
        error_last: bool,
        flat: bool,
        truncate: Truncate,
        keeps_placeholder: bool = False,
        logs_skipped: bool = False,
    ) -> None:
        """Take the differences of one edition."""
        self.error_last = error_last
        self.flat = flat
        self.truncate = truncate
        self.keeps_placeholder = keeps_placeholder
        self.logs_skipped = logs_skipped

    def __call__(self, session: Session, arguments: Mapping[str, Any] | str, tool: str | None) -> Result:
        """Answer a call of `tool`, by default the one that the setting `tool` names."""
        name = tool or session.settings["tool"] or _NO_NAME
        result = self._answer(session, arguments, name)
        return result if result.text is None else result._replace(text=self.truncate(result.text, name))

    def _answer(self, session: Session, arguments: Mapping[str, Any] | str, name: str) -> Result:
        try:
            parameters = self._parameters(arguments)
        except ValueError as error:
            return self._unparsed(session, str(error))
        if not self.flat and name not in _KNOWN_TOOLS:
            return denied(name, parameters)
        strikes: dict[str, int] = session.memory.setdefault("strikes", {})
        if strikes.get(name, 0) >= _STRIKES:
            message = f"工具 '{name}' 因连续失败被临时禁用。"
            return self._registry(session, "CIRCUIT_OPEN", message, parameters)
        result = self._executed(session, name, parameters)
        strikes[name] = strikes.get(name, 0) + 1 if result.is_error else 0
        return result

    def _executed(self, session: Session, name: str, parameters: dict[str, Any]) -> Result:
        if name != _TOOL or not registered(session):
            return self._registry(session, "INTERNAL_ERROR", f"未找到名为 '{name}' 的工具。", {})
        try:
            return self._run(session, parameters)
        except (AttributeError, UnicodeDecodeError) as error:
            message = f"执行工具 '{name}' 时发生异常: {error}"
            return self._registry(session, "INTERNAL_ERROR", message, parameters, library=str(error))

    def _parameters(self, arguments: Mapping[str, Any] | str) -> dict[str, Any]:
        """Return the arguments as a mapping; raises ValueError, as Python words it, if they are not JSON."""
        if not isinstance(arguments, str):
            return dict(arguments)
        text = arguments.strip()
        if not text:
            return {}
        try:
            value = json.loads(text)
        except RecursionError:
            raise ValueError("maximum recursion depth exceeded") from None
        if isinstance(value, dict):
            return value
        return {"input": value} if self.flat else {}

    def _unparsed(self, session: Session, reason: str) -> Result:
        message = f"Tool arguments parse error: {reason}"
        error = {"code": "INVALID_PARAM", "message": message}
        if self.flat:
            text = json.dumps({"status": "error", "error": error, "data": {}}, ensure_ascii=False)
            return Result(text, True, library=reason)
        return failed(session, "INVALID_PARAM", message, {}, library=reason)

    def _registry(
        self,
        session: Session,
        code: str,
        message: str,
        parameters: dict[str, Any],
        library: str | None = None,
    ) -> Result:
        return failed(session, code, message, parameters, error_last=self.error_last, library=library)

    def _run(self, session: Session, parameters: dict[str, Any]) -> Result:
        """Run the tool; raises AttributeError, as Python does, for arguments that have no `strip`."""
        name = parameters.get("name")
        if not isinstance(name, str) or not name.strip():
            message = "Parameter 'name' is required and must be a non-empty string."
            return failed(session, "INVALID_PARAM", message, parameters)
        skill = self._find(session, name.strip())
        if skill is None:
            return failed(session, "NOT_FOUND", f"Skill '{name}' not found.", parameters)
        path = f"{skill.display_path}/{FILE_NAME}"
        try:
            body = reread(skill.directory / FILE_NAME)
        except PermissionError:
            return failed(
                session, "PERMISSION_DENIED", f"Permission denied reading skill '{name}'.", parameters, path
            )
        except OSError as error:
            return failed(
                session, "INTERNAL_ERROR", f"Failed to read skill '{name}': {error}", parameters, path
            )
        except Refusal as refusal:
            if refusal.kind == "UnicodeDecodeError":
                raise AttributeError(refusal.message) from None
            message = f"Skill '{name}' has invalid frontmatter."
            return failed(session, "INTERNAL_ERROR", message, parameters, path)
        content = self.expanded(skill, body, parameters.get("args") or "")
        return succeeded(session, skill, content, parameters, path)

    def _find(self, session: Session, name: str) -> LoadedSkill | None:
        """Look a name up, after a refresh if the setting `refresh` is on, else with one after a miss."""
        loaded = None if session.settings["refresh"] else session.find(name)
        if loaded is not None:
            return loaded
        self.refresh(session)
        return session.find(name)

    def refresh(self, session: Session) -> None:
        """Scan again if the files have changed; raises AttributeError if the scan fails."""
        at_start, session.failure = session.failure, None
        refresh_if_stale(session, self.logs_skipped)
        reason, session.failure = session.failure, at_start
        if reason is not None:
            raise AttributeError(reason)

    def expanded(self, skill: LoadedSkill, body: str, args: str) -> str:
        """Return the body, with its base directory before it and the arguments inserted."""
        given = args.strip()
        if "$ARGUMENTS" in body:
            body = body if self.keeps_placeholder and not given else body.replace("$ARGUMENTS", given)
        elif given:
            body = f"{body}\n\nARGUMENTS: {given}"
        return f"Base directory for this skill: {skill.display_path}\n\n{body}".strip()


def registered(session: Session) -> bool:
    """Return whether the tool is registered; 2026-07 leaves it out if there was no SKILL.md at the start."""
    if session.level == "class" or not session.runtime.settings.get("enabled"):
        return True
    return bool(session.settings["enabled"] and session.memory["files_at_start"])


def failed(
    session: Session,
    code: str,
    message: str,
    parameters: dict[str, Any],
    path: str | None = None,
    error_last: bool = True,
    library: str | None = None,
) -> Result:
    """Return the envelope of an error; the key `error` is last, or follows `text`."""
    envelope: dict[str, Any] = {"status": "error", "data": {}, "text": message}
    error = {"code": code, "message": message}
    if not error_last:
        envelope["error"] = error
    envelope |= {"stats": {"time_ms": 0}, "context": _context(session, parameters, path)}
    if error_last:
        envelope["error"] = error
    return Result(_dumps(envelope), True, library=library)


def denied(name: str, parameters: dict[str, Any]) -> Result:
    """Return what the permission core answers for a tool that it does not know."""
    message = f"Tool '{name}' denied by permission core."
    given = json.dumps(parameters, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    permission = {
        "risk": "unknown",
        "action": "deny",
        "reason": f"unknown tool '{name}' fails closed",
        "policy_source": "permission_core",
        "input_summary": f"{name}({f'{given[: _SUMMARY - 3]}...' if len(given) > _SUMMARY else given})",
        "tool_name": name,
        "effective_action": "deny",
    }
    details = {"permission": permission}
    envelope = {
        "status": "error",
        "data": {},
        "text": message,
        "stats": {"time_ms": 0},
        "context": {"cwd": ".", "params_input": parameters, "runtime_mode": "main_agent"},
        "error": {"code": "PERMISSION_DENIED", "message": message, "details": details},
    }
    return Result(_dumps(envelope), True)


def succeeded(
    session: Session, skill: LoadedSkill, content: str, parameters: dict[str, Any], path: str
) -> Result:
    """Return the envelope of a success."""
    envelope = {
        "status": "success",
        "data": {"name": skill.name, "base_dir": skill.display_path, "content": content},
        "text": f"Loaded skill '{skill.name}'.",
        "stats": {"time_ms": 1},
        "context": _context(session, parameters, path),
    }
    return Result(_dumps(envelope))


def _context(session: Session, parameters: dict[str, Any], path: str | None) -> dict[str, Any]:
    found: dict[str, Any] = {"cwd": session.settings["working_dir"] or ".", "params_input": parameters}
    return found if path is None else {**found, "path_resolved": path}


def _dumps(envelope: dict[str, Any]) -> str:
    return json.dumps(envelope, ensure_ascii=False, indent=2)


_NONE = "(none)"


def start(session: Session, logs_skipped: bool = False) -> None:
    """Scan, and remember whether there was any SKILL.md."""
    scan(session, logs_skipped)
    session.memory["files_at_start"] = signature(session)[1]
    if logs_skipped:
        session.memory["seen"] = signature_with_root(session)


def fitting_lines(session: Session) -> tuple[list[str], tuple[str, ...]]:
    """Return the lines of the listing that fit the budget, and the keys of the skills that do not."""
    lines: list[str] = []
    remaining = session.settings["budget"]
    for number, skill in enumerate(session.skills):
        line = f"- {skill.name}: {skill.description}"
        remaining -= len(line) + 1
        if remaining < 0:
            return lines, tuple(skill.key for skill in session.skills[number:])
        lines.append(line)
    return lines, ()


def catalog(session: Session, logs_skipped: bool = False) -> str | None:
    """Return the listing, `(none)` if it is empty; None if the tool is not registered.

    It is that of the next user turn: with the setting `refresh`, changed files are read before it.
    """
    if not registered(session):
        return None
    if session.settings["refresh"] and session.failure is None:
        refresh_if_stale(session, logs_skipped)
        if session.failure is not None:
            return None
    return "\n".join(fitting_lines(session)[0]) or _NONE


def prompt_2026_07(session: Session) -> str | None:
    """Return the system message that describes the tool: unstored text around the listing."""
    text = catalog(session)
    if text is None:
        return None
    before = fixed_text(557, "333a3c1c773ba37284e5e7ca478a683f855bbbdbfef69227d9b0b24d42f2f350")
    after = fixed_text(344, "365394144ff2a8ece665756608972a436152c3abc13f4a01f23960e587ba062e")
    return f"{before}{text}{after}"


def budget(session: Session) -> tuple[int, tuple[str, ...]]:
    """Return the maximum length of the listing in characters, and the keys that do not fit."""
    return session.settings["budget"], fitting_lines(session)[1]


def shares(session: Session) -> Shares:
    """Return how the listing is shared in characters, each line with its end."""
    prompt, listed = session.prompt(), catalog(session)
    if prompt is None or listed is None:
        return Shares(0, Share(0, 0), {})
    dropped = frozenset(fitting_lines(session)[1])
    sizes = {skill.key: len(f"- {skill.name}: {skill.description}") + 1 for skill in session.skills}
    fixed = whole_length(prompt) - whole_length(listed) + (0 if session.skills else len(_NONE))
    skills = {key: Share(size, 0 if key in dropped else size) for key, size in sizes.items()}
    return Shares(fixed, Share(0, 0), skills)


def tool(session: Session) -> dict[str, Any] | None:
    """Return the definition of the tool; its description has a placeholder for the listing."""
    if not registered(session):
        return None
    description = fixed_text(906, "e9c7b892320a2357bfc0874a410b057729dbc118335c284efbea2ea55ca9923b")
    return {
        "type": "function",
        "function": {
            "name": "Skill",
            "description": description,
            "parameters": {
                "type": "object",
                "properties": {
                    "name": {"type": "string", "description": "Skill name"},
                    "args": {
                        "type": "string",
                        "description": "Optional arguments for the skill",
                        "default": "",
                    },
                },
                "required": ["name"],
                "additionalProperties": False,
            },
        },
    }


def content(session: Session, skill: LoadedSkill) -> str:
    """Return the body as MyCodeAgent keeps it."""
    return skill.body


_SETTINGS = {
    "budget": Setting(
        default=12000,
        about="maximum length of the listing in characters",
        aliases=("SKILLS_PROMPT_CHAR_BUDGET",),
    ),
    "refresh": Setting(
        default=True, about="check for changed files on every call", aliases=("SKILLS_REFRESH_ON_CALL",)
    ),
    "working_dir": Setting(default="", about="working directory, relative to the project"),
    "view": Setting(default="", about="with `system`, the listing is shown inside the system message"),
    "tool": Setting(default="Skill", about="name of the tool that the model calls"),
}


def _sources(loader_file: str) -> dict[str, str]:
    """Return where the facts of an edition come from, given the file of its loader."""
    tool_file, prompt_file = "tools/builtin/skill.py", "prompts/tools_prompts/skill_prompt.py"
    in_loader = dict.fromkeys(("roots", "key", "duplicates", "parser", "limits"), loader_file)
    return {**in_loader, "arguments": tool_file, "tool": tool_file, "loading": prompt_file}


MYCODEAGENT_2026_01 = Runtime(
    id="mycodeagent@2026-01",
    title="MyCodeAgent, first implementation",
    docs="YYHDBL/MyCodeAgent at 262795a (2026-01-18): core/skills, tools/builtin/skill.py",
    verified="2026-11-20, recordings of the running code",
    evidence="run",
    schema="mycodeagent",
    roots=(Root(role="project", path_template="{project}/skills"),),
    settings=_SETTINGS,
    facts={
        "key": "`name` in the frontmatter; the directory's name does not matter",
        "duplicates": "the last copy in path order wins, silently",
        "parser": "`key: value` lines, not YAML; a line without a colon makes the file unreadable",
        "arguments": "`args` replaces every `$ARGUMENTS`; if there is none, it is appended as `ARGUMENTS:"
        " ...`",
        "tool": "`Skill` with `name` and `args`; three errors in a row disable it for a while",
        "loading": "the prompt tells the model to load a skill that is mentioned or clearly fits the task",
    },
    sources=_sources("core/skills/skill_loader.py"),
    parameter="name",
    argument="args",
    expands=frozenset({ARGUMENTS}),
    scan=start,
    parse=parse,
    load=load,
    catalog=catalog,
    budget=budget,
    shares=shares,
    content=content,
    tool=tool,
    call=Edition(error_last=False, flat=True, truncate=truncated_2026_01),
)

MYCODEAGENT_2026_07 = MYCODEAGENT_2026_01._replace(
    id="mycodeagent@2026-07",
    title="MyCodeAgent, July 2026",
    docs="YYHDBL/MyCodeAgent at f1c27103 (2026-07-14): extensions/skills, tools/builtin/skill.py",
    settings={
        **_SETTINGS,
        "refresh": _SETTINGS["refresh"]._replace(default=False),
        "enabled": Setting(default=True, about="whether skills are enabled", aliases=("ENABLE_SKILLS",)),
    },
    sources=_sources("extensions/skills/loader.py"),
    prompt=prompt_2026_07,
    call=Edition(error_last=True, flat=False, truncate=truncated_2026_07),
)

# Where document 002 differs from the first implementation: empty arguments change nothing, duplicates and
# skipped files are logged, a file that cannot be read is skipped like any other, and the modification time
# of the root counts for a refresh.
MYCODEAGENT = MYCODEAGENT_2026_01._replace(
    id="mycodeagent",
    title="MyCodeAgent (design document)",
    docs="document 002 (Skill MVP Implementation Plan), and mycodeagent@2026-01 where the document is silent",
    verified="2026-11-21, test cases written from the document",
    evidence="document",
    sources={
        "roots": "document 002, Directory Layout",
        "key": "document 002, 1) Skill Loader",
        "duplicates": "document 002, 1) Skill Loader",
        "parser": "document 002, 1) Skill Loader; how lines are read: mycodeagent@2026-01",
        "limits": "document 002, Skill File Format",
        "arguments": "document 002, `$ARGUMENTS` Behavior",
        "tool": "document 002, 2) Skill Tool",
        "loading": "document 002, Skill Discovery Trigger (Agent Prompt Rules)",
    },
    facts={
        **MYCODEAGENT_2026_01.facts,
        "duplicates": "the last copy in path order wins, with a warning",
        "arguments": "`args` is trimmed and replaces every `$ARGUMENTS`, or is appended if there is none; if "
        "`args` is empty, nothing changes",
    },
    scan=partial(start, logs_skipped=True),
    catalog=partial(catalog, logs_skipped=True),
    call=Edition(
        error_last=False,
        flat=True,
        truncate=truncated_2026_01,
        keeps_placeholder=True,
        logs_skipped=True,
    ),
)
