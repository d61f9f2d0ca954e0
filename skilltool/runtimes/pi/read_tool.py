"""What does pi answer to a call of `read`, the tool that reads a skill like any other file?

Source: `dist/core/tools/{read,truncate,path-utils}.js` of pi 1.5.2, and records of calls with odd arguments.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from skilltool.emulation.javascript import as_key, integer, node_words, number, stringify, without_halves
from skilltool.runtimes.base import Session
from skilltool.runtimes.fixed_text import fixed_text
from skilltool.runtimes.loading import bytes_of
from skilltool.runtimes.pi import loading
from skilltool.runtimes.values import Refusal, Result
from skilltool.text.lazy_pattern import lazy_pattern

NAME = "read"

_MOST_LINES, _MOST_BYTES = 2000, 50 * 1024
_MOST_SHOWN = "50.0KB"
_ABOUT = (303, "b15dd29794ef5562ddee30a6282387ee7b40b9806c10ae2616daf75514ddc1f6")
_SPACES = lazy_pattern("[\u00a0\u2000-\u200a\u202f\u205f\u3000]")
_ESCAPE = lazy_pattern(r'\\(["\\/bfnrt]|u[0-9a-fA-F]{4})|\\')
_KINDS = {str: "string", bool: "boolean", list: "array", dict: "object"}

Number = int | float


def read_tool() -> dict[str, Any]:
    """Return the definition of the tool `read`, which loads a skill like any other file."""
    return {
        "name": NAME,
        "description": fixed_text(*_ABOUT),
        "parameters": {
            "type": "object",
            "required": ["path"],
            "properties": {
                "path": {"type": "string", "description": "Path to the file to read (relative or absolute)"},
                "offset": {"type": "number", "description": "Line number to start reading from (1-indexed)"},
                "limit": {"type": "number", "description": "Maximum number of lines to read"},
            },
        },
    }


def call(session: Session, arguments: Mapping[str, Any] | str, tool: str | None) -> Result:
    """Answer a call of `read`, or of a tool that pi does not have; what its other tools answer is not known.

    Nor are its words about arguments that are not JSON: `flow_error` says so, and there is no text.
    """
    asked = NAME if tool is None else tool
    tools = loading.parsed(session.settings["flags"]).tools
    if asked not in tools:
        return _error(f"Tool {asked} not found")
    if asked != NAME:
        return _unknown(f"what the tool `{asked}` answers is not known")
    try:
        given = _loaded(arguments) if isinstance(arguments, str) else arguments
    except (ValueError, RecursionError):
        return _unknown("its error for arguments that are not JSON is not known")
    if not isinstance(given, Mapping):
        why = f'Invalid arguments for tool "{NAME}": Tool arguments must be a JSON object'
        return _error(f"{why}\n\nReceived arguments:\n{arguments}")
    found, problems = _checked(given)
    if problems:
        listed = "".join(f"  - {each}\n" for each in problems)
        received = f"Received arguments:\n{stringify(given, 2)}"
        return _error(f'Validation failed for tool "{NAME}":\n{listed}\n{received}')
    return _read(session, found["path"], found.get("offset"), found.get("limit"))


def _loaded(text: str) -> Any:
    """Return what pi takes arguments for: a backslash before another character than JSON's is kept."""
    escaped = _ESCAPE.sub(lambda found: found[0] if found[1] else r"\\", text)
    return json.loads(escaped or "{}", strict=False, parse_int=integer, parse_constant=_no_json)


def _no_json(word: str) -> Any:
    raise ValueError(word)


def _checked(given: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return the arguments as the types that `read` takes, and what is wrong with them."""
    found: dict[str, Any] = {}
    problems = []
    if "path" not in given:
        problems.append("path: missing")
    for name, value in given.items():
        if name == "path" and not isinstance(value, Mapping | list):
            found[name] = "null" if value is None else as_key(value)
        elif name == "path":
            problems.append(f"path: expected string, got {_kind(value)}")
        elif name in ("offset", "limit") and value is not None:
            found[name] = _as_number(value)
            if not math.isfinite(found[name]):
                problems.append(f"{name}: expected number, got {_kind(value)}")
    order = ["path", "offset", "limit"]
    return found, sorted(problems, key=lambda each: order.index(each.partition(":")[0]))


def _as_number(value: Any) -> Number:
    if isinstance(value, str):
        return number(value)
    return math.nan if isinstance(value, Mapping | list) else float(value)


def _kind(value: Any) -> str:
    if isinstance(value, Mapping):
        return "object"
    return _KINDS.get(type(value)) or as_key(float(value))


def _read(session: Session, path: str, offset: Number | None, limit: Number | None) -> Result:
    file = _resolved(session, path)
    if "\0" in str(file):
        received = str(file).replace("\0", "\\x00")
        why = "must be a string, Uint8Array, or URL without null bytes"
        return _error(f"The argument 'path' {why}. Received '{received}'")
    try:
        raw = bytes_of(file)
    except Refusal as refusal:
        return _unknown(refusal.why)
    if isinstance(raw, OSError):
        return _error(node_words(raw, "access", file))
    text = sent(shown(raw.decode("utf-8", "replace"), path, offset, limit))
    return Result(text, display=text)


def _resolved(session: Session, path: str) -> Path:
    """Return the file that a path means: from the project, or from the home directory after `~/`."""
    whole = path.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return loading.absolute(_SPACES.sub(" ", whole).removeprefix("@"), session.project, session.home)


def sent(text: str) -> str:
    """Return the text of an answer as it is sent."""
    return without_halves(text) or "(no tool output)"


def shown(text: str, path: str, offset: Number | None = None, limit: Number | None = None) -> str:
    """Return the lines of a text from the 1-based `offset` on: at most 2,000, and 50 KB, whole ones only."""
    lines = text.split("\n")
    start = max(0, offset - 1) if offset else 0
    if start >= len(lines):
        return f"Offset {as_key(offset)} is beyond end of file ({len(lines)} lines total)"
    end = len(lines) if limit is None else min(start + limit, len(lines))
    # The slice of an array in JavaScript: fractions are cut off, a negative end counts from the last line.
    wanted = lines[int(start) : int(end)]
    counted = wanted[:-1] if wanted and not wanted[-1] else wanted
    size = len("\n".join(wanted).encode("utf-8", "surrogatepass"))
    if len(counted) > _MOST_LINES or size > _MOST_BYTES:
        return _truncated(counted, int(start), len(lines), path)
    rest = len(lines) - (start + (end - start))
    if limit is None or rest <= 0:
        return "\n".join(wanted)
    more = f"{as_key(rest)} more lines in file. Use offset={as_key(start + (end - start) + 1)} to continue."
    return "\n".join(wanted) + f"\n\n[{more}]"


def _truncated(lines: list[str], start: int, total: int, path: str) -> str:
    kept, used, by_size = 0, 0, False
    for line in lines[:_MOST_LINES]:
        used += len(line.encode("utf-8", "surrogatepass")) + (kept > 0)
        if by_size := used > _MOST_BYTES:
            break
        kept += 1
    if not kept:
        size = used / 1024
        measured = f"{size:.1f}KB" if size < 1024 else f"{size / 1024:.1f}MB"
        fallback = f"sed -n '{start + 1}p' {path} | head -c {_MOST_BYTES}"
        return f"[Line {start + 1} is {measured}, exceeds {_MOST_SHOWN} limit. Use bash: {fallback}]"
    end = start + kept
    why = f" ({_MOST_SHOWN} limit)" if by_size else ""
    more = f"[Showing lines {start + 1}-{end} of {total}{why}. Use offset={end + 1} to continue.]"
    return "\n".join(lines[:kept]) + f"\n\n{more}"


def _error(text: str) -> Result:
    text = without_halves(text)
    return Result(text, True, text)


def _unknown(why: str) -> Result:
    return Result(None, True, flow_error=why)
