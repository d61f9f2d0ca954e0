"""What exactly does a runtime give its model? The text of one part of a session."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from skilltool.errors import SkilltoolError
from skilltool.runtimes.base import Runtime, Session
from skilltool.runtimes.fixed_text import fixed_parts
from skilltool.runtimes.loading import display_path
from skilltool.runtimes.values import BOUNDS_LOGGER, LoadedSkill, Result
from skilltool.skill.skill_file import directory_meant

# The listings without skills and with all, for as long as the session lives: a page asks for every skill.
_listings: WeakKeyDictionary[Session, tuple[str, str]] = WeakKeyDictionary()


def listing_entry(session: Session, skill: LoadedSkill) -> list[str]:
    """Return the lines of a listing that are about a loaded skill; empty where it is not listed.

    They are those that the skill adds to a listing without skills. A client whose listing does not follow the
    skills of the session has a line for each, which begins with its key, or an element with the key in it.
    """
    if session not in _listings:
        _listings[session] = _with(session, []), _with(session, session.skills)
    without, whole = _listings[session]
    if without == whole:
        return _line_of(whole, skill.key)
    return _added_lines(_with(session, [skill]), without)


def _with(session: Session, skills: list[LoadedSkill]) -> str:
    alone = copy(session)  # callers keep the original
    alone.skills = skills
    return alone.catalog() or ""


def _line_of(listing: str, key: str) -> list[str]:
    start = re.compile(rf"\W{{0,4}}{re.escape(key)}(?![\w-])")
    lines = listing.split("\n")
    at = next((number for number, line in enumerate(lines) if start.match(line)), None)
    if at is None:
        return []
    if lines[at].strip() == key and _ELEMENT in lines[:at]:
        begin = at - lines[:at][::-1].index(_ELEMENT) - 1
        end = lines.index(f"</{_ELEMENT[1:]}", at) if f"</{_ELEMENT[1:]}" in lines[at:] else at
        return lines[begin : end + 1]
    return [lines[at]]


_ELEMENT = "<skill>"  # the line that begins an entry, where a key has a line of its own


def _added_lines(listing: str, without: str) -> list[str]:
    """Return the lines of a listing that the skill adds to the listing without it."""
    lines, other = listing.rstrip("\n").split("\n"), without.rstrip("\n").split("\n")
    while lines and other and lines[0] == other[0]:
        del lines[0], other[0]
    while lines and other and lines[-1] == other[-1]:
        del lines[-1], other[-1]
    return lines


PARTS = ("result", "content", "catalog", "tool", "prompt", "context", "user", "display")
_NEED_A_SKILL = frozenset({"result", "content", "user", "display"})


@dataclass(frozen=True, slots=True)
class Rendered:
    """One text, with its part and the key of the skill (None for a part that belongs to no single skill).

    `text` is None if the runtime gives nothing. `failed`: the text is an error of the runtime, or the named
    skill does not load. `ended` is the error that ends the whole turn, or the start of the runtime, so that
    the model gets no text at all. `messages` are the messages as sent, where the text is only a part of them.
    `permission` says how the permission is given that the call needs; the text is the answer with it.
    """

    part: str
    skill: str | None
    text: str | None
    failed: bool = False
    ended: str | None = None
    messages: tuple[Mapping[str, Any], ...] = ()
    permission: str | None = None


def parts_of(runtime: Runtime) -> list[str]:
    """Return the parts that a runtime has."""
    has = {
        "result": runtime.call and runtime.tool,
        "content": runtime.content,
        "catalog": runtime.catalog,
        "tool": runtime.tool,
        "prompt": runtime.prompt or runtime.catalog,
        "context": runtime.context,
        "user": runtime.user,
        "display": runtime.call and runtime.tool,
    }
    return [part for part in PARTS if has[part] is not None]


def default_part(runtime: Runtime) -> str:
    """Return the part that `render NAME` shows: the result of the tool, else the context, else the content.

    Raises `SkilltoolError` for a common ground, and for a runtime of which no part is known.
    """
    for part in ("result", "context", "content", "catalog"):
        if part in parts_of(runtime):
            return part
    raise _lacks(runtime, "text for a skill")


def _lacks(runtime: Runtime, what: str) -> SkilltoolError:
    """Return the error for what a runtime does not have, which says what it has."""
    if has := parts_of(runtime):
        return SkilltoolError(f"{runtime.id} has no {what}; it has: {', '.join(has)}")
    if runtime.ground:
        problem = f"{runtime.id} is not a runtime, so there is nothing to render"
    else:
        problem = f"what {runtime.id} sends to its model is not known"
    return SkilltoolError(f"{problem}; choose a different runtime with --runtime")


def key_of(session: Session, name: str, directory: Path | None = None) -> str:
    """Return the key that `name` stands for: a key, the path of a loaded skill, or else `name`.

    `directory` is the absolute path of the skill that is meant, if that is known.
    """
    if session.find(name) is None:
        path = directory or directory_meant(Path(os.path.abspath(name)))
        for skill in session.skills:
            if path == skill.directory or os.path.realpath(path) == os.path.realpath(skill.directory):
                return skill.key
    return name


def render(session: Session, part: str, name: str | None, arguments: str | None) -> Rendered:
    """Return one part; `name` is a key, `arguments` the text for the runtime's argument.

    Raises `SkilltoolError` for a part that the runtime does not have, for arguments that it does not take,
    and if the part needs a skill and none is named. A part that belongs to no single skill is returned even
    if the named skill does not load, but as `failed`.
    """
    runtime = session.runtime
    if part not in parts_of(runtime):
        raise _lacks(runtime, f"part `{part}`")
    takes = runtime.argument is not None or (part == "user" and runtime.typed is not None)
    if arguments and not (takes and part in {"result", "user", "display"}):
        raise SkilltoolError(f"`{part}` of {runtime.id} takes no arguments; remove --args")
    if name is None and part in _NEED_A_SKILL:
        raise SkilltoolError(f"`{part}` needs a skill; give its name, or use --part catalog, tool or prompt")
    if not _starts(session):
        return _never_started(session, part, name)
    rendered = _rendered(session, part, name, arguments)
    return replace(rendered, failed=rendered.failed or session.failure is not None)


def _starts(session: Session) -> bool:
    return session.failure is None or session.runtime.starts_without_skills


def _rendered(session: Session, part: str, name: str | None, arguments: str | None) -> Rendered:
    runtime = session.runtime
    if part in {"result", "display"}:
        call = {runtime.parameter or "name": name}
        if arguments is not None and runtime.argument:
            call[runtime.argument] = arguments
        result = session.call(call)
        if result.permission is None:
            return _of_result(result, part, name)
        permitted = _of_result(result.permission.answer(), part, name)
        return replace(permitted, permission=result.permission.how)
    if part == "user":
        skill = session.find(name or "")
        command = runtime.typed(skill) if runtime.typed and skill else f"/{name}"
        return typed(session, f"{command} {arguments or ''}".rstrip(), name)
    if part == "content":
        skill = session.find(name or "")
        if skill is None or runtime.content is None:
            return Rendered(part, name, None, failed=True)
        return Rendered(part, name, runtime.content(session, skill))
    loads = name is None or any(name in (skill.key, skill.name) for skill in session.skills)
    return Rendered(part, name, _session_part(session, part, name or ""), failed=not loads)


def _never_started(session: Session, part: str, name: str | None) -> Rendered:
    """Return the failed result for a runtime that ends with an error when it loads its skills."""
    return Rendered(part, name, None, failed=True, ended=session.failure)


def _session_part(session: Session, part: str, query: str) -> str | None:
    """Return a part that belongs to no single skill."""
    if part == "context":
        return session.context(query)
    if part == "tool":
        tool = session.tool()
        return None if tool is None else json.dumps(tool, indent=2, ensure_ascii=False)
    return session.catalog() if part == "catalog" else session.prompt()


def unknown(session: Session, rendered: Rendered) -> str | None:
    """Return why a text may differ from the runtime's: something exceeds our bounds; else None."""
    not_read = [refused for refused in session.skipped if refused.not_read]
    guessed = rendered.failed and rendered.ended is None and session.failure is None
    if rendered.part in {"result", "content", "display"} and not guessed:
        # For one skill, others do not matter; but an error may come from a skill that we did not read.
        not_read = [refused for refused in not_read if refused.directory.name == rendered.skill]
    if not_read:
        return f"{display_path(session, not_read[0].directory)}: {not_read[0].why}"
    searches = [log.message for log in session.logs if log.logger == BOUNDS_LOGGER]
    return searches[0] if searches and rendered.part == "context" else None


def called(session: Session, arguments: str, part: str) -> Rendered:
    """Return the answer to a raw call, or what a person sees of it; `SkilltoolError` without a tool."""
    if "result" not in parts_of(session.runtime):
        raise _lacks(session.runtime, "skill tool to call")
    if not _starts(session):
        return _never_started(session, part, None)
    return _of_result(session.call(arguments), part, None)


def _of_result(result: Result, part: str, name: str | None) -> Rendered:
    text = result.display if part == "display" else result.text
    return Rendered(part, name, text, result.is_error, result.flow_error, result.messages)


def typed(session: Session, text: str, name: str | None) -> Rendered:
    """Return what is sent for a text that the user types; what the user sees instead is `ended`."""
    sent = session.user(text)
    blocks = [text for message in sent.messages for text in _texts(message)]
    shown = "".join(block if block.endswith("\n") else f"{block}\n" for block in blocks)
    failed = not sent.messages
    return Rendered("user", name, shown or None, failed, sent.shown if failed else None, sent.messages)


def _texts(message: Mapping[str, Any]) -> Iterator[str]:
    """Yield the texts of a message: of its `content`, or of its `parts`, calls and answers as JSON."""
    for block in message.get("content", message.get("parts", ())):
        yield block["text"] if "text" in block else json.dumps(block, ensure_ascii=False)


def sequence(
    session: Session, calls: Sequence[str], queries: Sequence[str], part: str = "result"
) -> list[Rendered]:
    """Return what each raw call, then each query, gives in one session; `part` is `result` or `display`.

    A query is a text that the user types: what it injects, else what is sent for it.
    """
    rendered = [called(session, raw, part) for raw in calls]
    if queries and session.runtime.context is None and session.runtime.user is not None:
        return [*rendered, *(typed(session, query, None) for query in queries)]
    if queries and session.runtime.context is None:
        raise _lacks(session.runtime, "text for a user message")
    if queries and not _starts(session):
        return [*rendered, _never_started(session, "context", None)]
    return rendered + [Rendered("context", None, session.context(query)) for query in queries]


def data(session: Session, rendered: Sequence[Rendered]) -> dict[str, object]:
    """Return what `render --output-format json` prints: the last text, and all texts of a sequence."""
    last = rendered[-1]
    shown: dict[str, object] = {
        "schema_version": 1,
        "runtime": session.runtime.id,
        "skill": last.skill,
        "part": last.part,
        "text": last.text,
        "ended": last.ended,
        "permission": last.permission,
    }
    if last.messages:
        shown["messages"] = list(last.messages)
    if len(rendered) > 1:
        shown["steps"] = [
            {"part": each.part, "text": each.text, "failed": each.failed, "ended": each.ended}
            for each in rendered
        ]
    return shown


def lacks_skill(session: Session, rendered: Rendered) -> bool:
    """Return whether the runtime does not have the skill that was asked for, so that the text is not its."""
    ended = session.failure is not None or rendered.ended is not None
    return (
        rendered.failed and not ended and rendered.skill is not None and session.find(rendered.skill) is None
    )


def remark(session: Session, rendered: Rendered) -> str | None:
    """Return a note for people if a part is empty or not whole, or the skill does not load; else None."""
    if session.failure is not None:
        outcome = "starts without them" if _starts(session) else "sends nothing to its model"
        ending = next((each.directory for each in session.skipped if each.ends_loading), None)
        if ending is not None:
            outcome += f", because of {display_path(session, ending)}"
        return f"{session.runtime.id} fails to load its skills and {outcome}: {session.failure}"
    if rendered.ended is not None:
        return f"{session.runtime.id} sends nothing to its model and stops the turn: {rendered.ended}"
    if rendered.text is None:
        return f"{session.runtime.id} has no {rendered.part} here"
    if rendered.failed and rendered.part == "result" and rendered.skill is not None:
        error = "this error" + (", even with permission" if rendered.permission else "")
        return f"{session.runtime.id} responds to the model's call to `{rendered.skill}` with {error}"
    if rendered.permission:
        needs = f"the model's call to `{rendered.skill}` needs permission"
        return f"{needs}; {session.runtime.id} sends this text once that is given {rendered.permission}"
    return _not_stored(session, rendered.part, rendered.text)


def typed_instead(session: Session, rendered: Rendered) -> str | None:
    """Return what to ask for where a model's call fails: a person may type the name; else None."""
    if rendered.failed and rendered.part == "result" and session.runtime.user and not session.failure:
        return f"`--part user` shows what typing /{rendered.skill} sends"
    return None


def _not_stored(session: Session, part: str, text: str) -> str | None:
    """Return a note about the fixed text that a marker stands for; a skill may hold such words, too."""
    if part in {"catalog", "prompt"} and "{builtin}" in text and "stand-ins" in session.runtime.facts:
        return (
            f"`{{builtin}}` stands for {session.runtime.id}'s text about built-in skills, which is not stored"
        )
    if part not in {"prompt", "tool"} or not (parts := fixed_parts(text)):
        return None
    sizes = " and ".join(f"{chars:,} characters (sha256 {sha256[:12]}...)" for chars, sha256 in parts)
    return f"{sizes} of {session.runtime.id}'s fixed text are not stored; a marker shows their position"
