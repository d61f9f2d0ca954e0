"""What does Kimi CLI show of its skills, what does its model read of one, and what does a user type?

Source: `kimi_cli/tools/file/read.py` of kimi-cli 1.52.0, and the messages after scripted calls;
`kimi_cli/soul/kimisoul.py` and `utils/slashcmd.py` of kimi-cli 1.52.0, and requests.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, NamedTuple

from skilltool.emulation.pydantic import at_least, error_text, model_of, text, validated, whole_number
from skilltool.runtimes.base import Session
from skilltool.runtimes.kimi_cli.flows import messages
from skilltool.runtimes.kimi_cli.loading import EXTRA, PROJECT, USER, Details, Manifest, facts, own_skills
from skilltool.runtimes.loading import (
    HALF,
    NOT_SENT,
    bytes_beside_skills,
    decoded,
    exists,
    is_file_here,
    read_bytes,
)
from skilltool.runtimes.values import LoadedSkill, Refusal, Result, Sent
from skilltool.text.lazy_pattern import lazy_pattern

_HEADINGS = {PROJECT: "Project", USER: "User", EXTRA: "Extra"}


def catalog(session: Session) -> str | None:
    """Return the listing, without the group of the program's own skills, which follows it.

    None if the program does not start.
    """
    if session.failure is not None:
        return None
    groups = []
    for scope, heading in _HEADINGS.items():
        skills = [_entry(skill) for skill in session.skills if skill.known_as(Details).scope == scope]
        if skills:
            groups.append("\n".join([f"### {heading}", *skills]))
    return "\n\n".join(groups)


def _entry(skill: LoadedSkill) -> str:
    return f"- {skill.name}\n  - Path: {skill.path}\n  - Description: {skill.description}"


def content(session: Session, skill: LoadedSkill) -> str | None:
    """Return the whole file, as the model reads it at the listed path; None if it cannot be read now."""
    try:
        return decoded(read_bytes(skill.path))
    except (OSError, UnicodeDecodeError, Refusal):
        return None


_TOOL = "ReadFile"
_MOST_LINES, _LONGEST_LINE, _MOST_BYTES = 1000, 2000, 100 << 10
_LINES_REACHED, _BYTES_REACHED = f"Max {_MOST_LINES} lines reached.", f"Max {_MOST_BYTES} bytes reached."
_NOTHING = "No lines read from file."
_HEAD = 512  # bytes that are searched for a null
_ADVICE = (
    "You may need to read it with proper shell commands, Python tools or MCP tools if available. If you "
    "read/operate it with Python, you MUST ensure that any third-party packages are installed in a virtual "
    "environment (venv)."
)


class _Asked(NamedTuple):
    """The arguments of a call."""

    path: str
    first: int
    most: int


def _about_first(asked: Mapping[str, Any]) -> str | None:
    if asked["line_offset"] == 0:
        return "line_offset cannot be 0; use 1 for the first line or -1 for the last line"
    if asked["line_offset"] >= -_MOST_LINES:
        return None
    advice = "Use a positive line_offset with the total line count to read from a specific position."
    return f"line_offset cannot be less than -{_MOST_LINES}. {advice}"


_MODEL, _PYDANTIC = "Params", "2.12"
_FIELDS = {"path": (text, ...), "line_offset": (whole_number, 1), "n_lines": (at_least(1), _MOST_LINES)}
_PARAMS = validated(model_of(_MODEL, _FIELDS), _about_first)


class _Line(NamedTuple):
    """A line that is shown: its number, its text with its end, and whether it is cut."""

    number: int
    text: str
    is_cut: bool


def call(session: Session, arguments: Mapping[str, Any] | str, tool: str | None = None) -> Result:
    """Answer a call of `ReadFile`, or of a tool that the program does not have.

    What its other tools answer, and its words about what is not JSON, is not known: the answer has no text
    then, and `flow_error` says so.
    """
    if tool not in (None, _TOOL):
        known = tool in facts()["tools"].split()
        return (
            _unknown(f"what `{tool}` answers is not known") if known else _error(f"Tool `{tool}` not found")
        )
    try:
        given = json.loads(arguments or "{}", strict=False) if isinstance(arguments, str) else dict(arguments)
    except (json.JSONDecodeError, RecursionError):
        return _unknown("its error for arguments that are not JSON is not known")
    except ValueError as error:  # a number of thousands of digits
        return _unknown(str(error))
    found, problems = _PARAMS((), given)
    if problems:
        return _error(f"Error validating JSON arguments: {error_text(_MODEL, problems, _PYDANTIC)}")
    return _read(session, _Asked(found["path"], found["line_offset"], found["n_lines"]))


def _read(session: Session, asked: _Asked) -> Result:
    named = Path(asked.path)
    if named.parts[:1] == ("~",):
        named = session.home.joinpath(*named.parts[1:])
    path = Path(os.path.normpath(session.project / named))
    try:
        if "\0" in asked.path:
            raise ValueError("stat: embedded null character in path")
        if (words := _refusal(session, asked, named, path)) is not None:
            return _error(words)
        raw = bytes_beside_skills(path)
    except (OSError, ValueError) as error:
        return _error(f"Failed to read {asked.path}. Error: {error}")
    except Refusal as refusal:
        return _unknown(refusal.why)
    if (words := _not_text(asked, path, raw)) is not None:
        return _error(words)
    lines = list(io.StringIO(raw.decode("utf-8", "replace"), newline=None))
    shown, limit = _from_end(lines, asked) if asked.first < 0 else _forward(lines, asked)
    return _answer(shown, limit, len(lines), asked)


def _refusal(session: Session, asked: _Asked, named: Path, path: Path) -> str | None:
    """Return what is said of a path that is not opened; None for one that is."""
    shown = asked.path
    if not shown:
        return "File path cannot be empty."
    if not named.is_absolute() and not path.is_relative_to(session.project):
        why = "You must provide an absolute path to read a file outside the working directory."
        return f"`{shown}` is not an absolute path. {why}"
    if _is_secret(path):
        why = "Reading this file is blocked to protect credentials."
        return f"`{shown}` appears to contain secrets (matched sensitive file pattern). {why}"
    if not exists(path):
        return f"`{shown}` does not exist."
    return None if is_file_here(path) else f"`{shown}` is not a file."


def _is_secret(path: Path) -> bool:
    if path.name in facts()["not_secret"]:
        return False
    if any(f"/{folder}/credentials" in path.as_posix() for folder in (".aws", ".gcp")):
        return True
    return any(fnmatch(path.name, pattern) for pattern in facts()["secret"])


def _not_text(asked: _Asked, path: Path, raw: bytes) -> str | None:
    """Return what is said of a file that is not text: by its suffix, or by a null among its first bytes."""
    kinds = [kind for kind in ("image", "video", "other") if path.suffix.lower() in facts()[kind].split()]
    if kinds and kinds[0] != "other":
        advice = "Use other appropriate tools to read image or video files."
        return f"`{asked.path}` is a {kinds[0]} file. {advice}"
    return f"`{asked.path}` seems not readable. {_ADVICE}" if kinds or b"\0" in raw[:_HEAD] else None


def _forward(lines: Sequence[str], asked: _Asked) -> tuple[list[_Line], str | None]:
    """Return the lines from a number on, and the limit at which they end, if it is one of the program."""
    shown: list[_Line] = []
    size = 0
    for number, line in enumerate(lines[asked.first - 1 :], start=asked.first):
        shown.append(_line(number, line))
        size += len(shown[-1].text.encode())
        if len(shown) >= asked.most:
            return shown, None
        if len(shown) >= _MOST_LINES:
            return shown, _LINES_REACHED
        if size >= _MOST_BYTES:
            return shown, _BYTES_REACHED
    return shown, None


def _from_end(lines: Sequence[str], asked: _Asked) -> tuple[list[_Line], str | None]:
    """Return the first lines of the last ones; of more bytes than the limit, the last that fit."""
    first = max(0, len(lines) + asked.first)
    chosen = list(enumerate(lines[first:], start=first + 1))[: min(asked.most, _MOST_LINES)]
    shown = [_line(number, line) for number, line in chosen]
    sizes = [len(line.text.encode()) for line in shown]
    if sum(sizes) <= _MOST_BYTES:
        return shown, None
    kept = size = 0
    for each in reversed(sizes):
        size += each
        if size > _MOST_BYTES:
            break
        kept += 1
    return shown[len(shown) - kept :], _BYTES_REACHED


def _line(number: int, text: str) -> _Line:
    if len(text) <= _LONGEST_LINE:
        return _Line(number, text, False)
    end = "...\n" if text.endswith("\n") else "..."
    return _Line(number, text[: _LONGEST_LINE - len(end)] + end, True)


def _answer(shown: list[_Line], limit: str | None, total: int, asked: _Asked) -> Result:
    """Return the answer: a sentence in `<system>`, and the lines with their numbers."""
    first = asked.first if asked.first > 0 else shown[0].number if shown else total + 1
    words = [f"{len(shown)} lines read from file starting from line {first}." if shown else _NOTHING]
    words.append(f"Total lines in file: {total}.")
    if limit is not None:
        words.append(limit)
    elif len(shown) < asked.most:
        words.append("End of file reached.")
    if cut := [line.number for line in shown if line.is_cut]:
        words.append(f"Lines {cut} were truncated.")
    output = "".join(f"{line.number:6d}\t{line.text}" for line in shown)
    return _result([f"<system>{' '.join(words)}</system>", *filter(None, [output])])


def _result(parts: Sequence[str], is_error: bool = False) -> Result:
    if HALF.search("".join(parts)):
        return _unknown(f"UnicodeEncodeError: the answer contains {NOT_SENT}")
    content = [{"type": "text", "text": part} for part in parts]
    return Result("\n".join(parts), is_error, messages=({"role": "tool", "content": content},))


def _error(words: str) -> Result:
    return _result([f"<system>ERROR: {words}</system>"], is_error=True)


def _unknown(why: str) -> Result:
    return Result(None, is_error=True, flow_error=why)


_COMMAND = lazy_pattern(r"/(?P<name>[a-zA-Z0-9_-]+(?::[a-zA-Z0-9_-]+)*)(?=\s|\Z)")
# What the commands of the program itself do is not known here.
_BUILTIN = "{builtin}"


def user(session: Session, text: str) -> Sent:
    """Return what is sent for a typed text; an unknown command is shown to the user, and nothing is sent."""
    if session.failure is not None:
        return Sent((), shown=session.failure)
    typed = text.strip()
    match = _COMMAND.match(typed)
    if match is None:
        return _sent([text])
    name, arguments = match["name"], typed[match.end() :].strip()
    kind, _, key = name.partition(":")
    skill = session.find(key) if kind in ("skill", "flow") else None
    own = {f"skill:{skill.key}" for skill in own_skills(session)}
    if name in own or name in facts()["commands"]:
        return Sent((), shown=_BUILTIN)
    if skill is not None and kind == "skill":
        return _skill(session, skill, arguments)
    manifest = skill.known_as(Details).manifest if skill is not None else None
    if manifest is None or manifest.flow is None:
        return Sent((), shown=f'Unknown slash command "/{name}".')
    if arguments:
        return Sent((), shown=f"Agent flow /{name} ignores args: {arguments}")
    return _sent(messages(manifest.flow, session.settings["replies"]))


def typed(skill: LoadedSkill) -> str:
    """Return what a user types to run a skill: `/flow:name` for one with a flow."""
    manifest = skill.known_as(Details).manifest
    is_flow = isinstance(manifest, Manifest) and manifest.flow is not None
    return f"/{'flow' if is_flow else 'skill'}:{skill.name}"


def _skill(session: Session, skill: LoadedSkill, arguments: str) -> Sent:
    """Return the file of a skill as a message, with the arguments after it."""
    whole = content(session, skill)
    if whole is None:
        return Sent((), shown=f'Failed to load skill "/skill:{skill.name}".')
    request = f"\n\nUser request:\n{arguments}" if arguments else ""
    return _sent([whole.strip() + request])


def _sent(texts: Iterable[str]) -> Sent:
    parts = list(texts)
    sent = ({"role": "user", "content": [{"type": "text", "text": part}]} for part in parts)
    return Sent(tuple(sent), parts[0] if parts else None)
