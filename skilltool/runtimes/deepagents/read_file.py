"""How does Deep Agents answer `read_file`, with which the model reads skills, and `ls`?

Source: `deepagents/middleware/filesystem.py` and `backends/utils.py` of deepagents 0.7.32, and the messages
after scripted calls.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from skilltool.emulation.pydantic import Check, Problem, missing, text, whole_number
from skilltool.runtimes.base import Session
from skilltool.runtimes.deepagents.sources import backend_of
from skilltool.runtimes.loading import bytes_beside_skills, decoded, exists, is_file_here, is_link_here
from skilltool.runtimes.values import Refusal, Result

READ, LIST = "read_file", "ls"
_LINES = 100
_MOST = 80_000  # characters, from which on a result is cut
_FIELDS: dict[str, dict[str, tuple[Check, Any]]] = {
    READ: {"file_path": (text, ...), "offset": (whole_number, 0), "limit": (whole_number, _LINES)},
    LIST: {"path": (text, ...)},
}
# Files that are sent as they are, not as text.
_NOT_TEXT = frozenset(
    {
        *(".png", ".jpeg", ".jpg", ".webp", ".gif", ".heic", ".heif", ".pdf", ".ppt", ".pptx"),
        *(".mp4", ".mpeg", ".mov", ".avi", ".flv", ".mpg", ".webm", ".wmv", ".3gpp", ".mkv"),
        *(".wav", ".mp3", ".aiff", ".aac", ".ogg", ".flac"),
    }
)
_EMPTY = "System reminder: File exists but has empty contents"
_NO_LINES = (
    "System reminder: no lines were read because `limit` was {limit}. The file was not inspected and may "
    "have contents; retry with `limit` >= 1 to read it."
)
_WINDOWS = (
    "Error: Windows absolute paths are not supported: {path}. Please use virtual paths starting with / "
    "(e.g., /workspace/file.txt)"
)
_TOO_MANY = "... [results truncated, try being more specific with your parameters]"


def call(session: Session, arguments: Mapping[str, Any] | str, tool: str | None = None) -> Result:
    """Answer a call of `read_file` or `ls`.

    A call with arguments that are not JSON is not answered, and what other tools say is not known: the answer
    has no text then, and `flow_error` says so.
    """
    if session.failure is not None:
        return Result(None, is_error=True, flow_error=session.failure)
    name = tool or READ
    try:
        given = json.loads(arguments) if isinstance(arguments, str) else dict(arguments)
    except (ValueError, RecursionError):
        return _unknown("arguments that are not JSON are not answered")
    if name not in _FIELDS or not isinstance(given, dict):
        return _unknown("its answer to this call is not known")
    values, problems = _checked(_FIELDS[name], given)
    if problems:
        words = "\n".join(f"{'.'.join(map(str, each.path))}: {each.message}" for each in problems)
        begin = f"Error invoking tool '{name}' with kwargs {given} with error:\n {words}\n"
        return Result(f"{begin} Please fix the error and try again.", is_error=True)
    try:
        return _read(session, **values) if name == READ else _listed(session, **values)
    except Refusal as refusal:
        return _unknown(refusal.why)
    except ValueError as error:  # a path that leads out of a virtual file system
        return Result(None, is_error=True, flow_error=str(error))


def _checked(
    fields: Mapping[str, tuple[Check, Any]], given: dict[str, Any]
) -> tuple[dict[str, Any], list[Problem]]:
    values: dict[str, Any] = {}
    problems: list[Problem] = []
    for name, (check, default) in fields.items():
        if name in given:
            values[name], found = check((name,), given[name])
            problems += found
        elif default is ...:
            problems.append(missing((name,), given))
        else:
            values[name] = default
    return values, problems


def _valid_path(path: str) -> tuple[str, str | None]:
    """Return a path as the tools use it, and what is said of one that they refuse."""
    if ".." in PurePosixPath(path.replace("\\", "/")).parts or path.startswith("~"):
        return path, f"Error: Path traversal not allowed: {path}"
    if re.match("[a-zA-Z]:", path):
        return path, _WINDOWS.format(path=path)
    normal = os.path.normpath(path).replace("\\", "/")
    return (normal if normal.startswith("/") else f"/{normal}"), None


def _read(session: Session, file_path: str, offset: int, limit: int) -> Result:
    path, refusal = _valid_path(file_path)
    if refusal is not None:
        return Result(refusal, is_error=True)
    try:
        place = backend_of(session).place(path)
        if not exists(place) or not is_file_here(place):
            return Result(f"Error: File '{path}' not found", is_error=True)
        if PurePosixPath(path).suffix.lower() in _NOT_TEXT:
            return _unknown("the file is sent as it is, not as text")
        content = _content(place)
    except (UnicodeDecodeError, OSError) as error:
        return Result(f"Error: Error reading file '{path}': {error}", is_error=True)
    return _answer(content, offset, limit)


def _content(place: Path) -> str:
    if is_link_here(place):  # a link is opened neither
        raise OSError(40, "Too many levels of symbolic links", str(place))
    return decoded(bytes_beside_skills(place))


def _answer(content: str, offset: int, limit: int) -> Result:
    before = f"[Requested offset {offset} is before the start of the file; read from line 1 instead.]"
    notices = [before] if offset < 0 else []
    start = max(offset, 0)
    if not content.strip():
        return Result("\n".join([*notices, f"@@ lines {start + 1}-{start + 1} @@", _EMPTY]))
    if limit <= 0:
        return Result(_NO_LINES.format(limit=limit))
    lines = content.splitlines(keepends=True)
    if start >= len(lines):
        words = f"Error: Line offset {start} exceeds file length ({len(lines)} lines)"
        return Result(words, is_error=True)
    end = min(start + limit, len(lines))
    rows = "".join(lines[start:end]).split("\n")
    if rows[-1] == "":
        rows.pop()
    rows += [""] * (end - start - len(rows))  # of a line that ends in U+2028 or the like, the end stays
    more = f" | next offset {end}" if end < len(lines) else ""
    header = f"@@ lines {start + 1}-{end} of {len(lines)}{more} @@"
    found = "\n".join([*notices, header, "\n".join(rows)])
    if len(found) >= _MOST:
        return _unknown(f"what it answers where that has {_MOST:,} characters or more is not known")
    return Result(found)


def _listed(session: Session, path: str) -> Result:
    place, refusal = _valid_path(path)
    if refusal is not None:
        return Result(refusal, is_error=True)
    found = backend_of(session).listing(place)
    if found.error is not None:
        return Result(f"Error: {found.error}", is_error=True)
    paths = [entry.path for entry in found.entries]
    room = _MOST - len(repr(_TOO_MANY)) - 2
    for number, each in enumerate(paths):
        room -= len(repr(each)) + 2
        if room < 0:
            paths[number:] = [_TOO_MANY]
            break
    return Result(str(paths) if paths else "No files found")


def _unknown(why: str) -> Result:
    return Result(None, is_error=True, flow_error=why)
