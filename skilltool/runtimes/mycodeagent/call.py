"""What does MyCodeAgent's tool `Skill` answer? JSON envelopes, made by the tool and by its registry.

Sources: document 002; `tools/builtin/skill.py` and `tools/registry.py` of YYHDBL/MyCodeAgent at the commits
named in the profile. Times are those of the recordings: 1 millisecond for a success, 0 for an error.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from skilltool.runtimes.base import Session
from skilltool.runtimes.mycodeagent.discovery import refresh_if_stale, reread
from skilltool.runtimes.mycodeagent.truncation import Truncate
from skilltool.runtimes.values import LoadedSkill, Refusal, Result
from skilltool.skill.skill_file import FILE_NAME

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
        found = None if session.settings["refresh"] else session.find(name)
        if found is not None:
            return found
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
