"""Writes a capture to a directory, as records in the form of tests/goldens, and as the JSON of the command.

What is kept of a request is what has a skill in it: any other text of more than a few characters, also
before and after skills, is replaced by its length and digest. Paths are `{home}` and `{project}`; of the
environment only names are kept.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from skilltool import runtimes
from skilltool.capture import protocols
from skilltool.capture.client import Client, Place
from skilltool.capture.compare import CHANGED, SAME, Captured, masked
from skilltool.capture.inside import Outcome
from skilltool.capture.report import Report
from skilltool.capture.run import Plan
from skilltool.explain.captured import CAPTURE, CASES, FIXTURES, REQUESTS
from skilltool.files.writing import write_atomically

_SHORT = 24  # characters of a text that is kept whatever it says


def write(
    directory: Path,
    client: Client,
    place: Place,
    asked: Plan,
    outcome: Outcome,
    captured: Captured,
    about: Mapping[str, Any],
) -> None:
    """Write a capture; `about` is its JSON in the report. Raises OSError."""
    directory.mkdir(parents=True, exist_ok=True)
    files = {
        CAPTURE: json.dumps(about, indent=1),
        CASES: _lines(_records(client, asked, captured, str(about["version"]))),
        FIXTURES: json.dumps(dict(_fixtures(client, place)), indent=1),
        REQUESTS: _lines(_requests(place, outcome, captured)),
    }
    for name, text in files.items():
        write_atomically(directory / name, text.encode("ascii"))


def _lines(records: Iterator[dict[str, Any]]) -> str:
    return "".join(f"{json.dumps(record)}\n" for record in records)


def _records(client: Client, asked: Plan, captured: Captured, version: str) -> Iterator[dict[str, Any]]:
    stem = f"{client.id}@{version}/capture"
    common = {"tree": {"project": "project", "user": "home"}, "settings": dict(client.settings)}
    if captured.listing is not None:
        yield {"id": f"{stem}/catalog", "op": "catalog", **common, "expect": captured.listing}
    if captured.tool is not None:
        yield {"id": f"{stem}/tool", "op": "tool", **common, "expect": captured.tool}
    arguments: list[Any] = [call.arguments for call in asked.calls] or [None] * len(asked.keys)
    for number, (key, given) in enumerate(zip(asked.keys, arguments, strict=True)):
        if key in captured.results:
            call = {"skill": key, "arguments": given if given is not None else asked.prompt}
            yield {
                "id": f"{stem}/call/{number:03}",
                "op": "call",
                **common,
                **call,
                "expect": captured.results[key],
            }


def _fixtures(client: Client, place: Place) -> Iterator[tuple[str, str]]:
    """Yield the files of all skills, by their paths below `project` and `home`."""
    for name, top, below in (
        ("project", place.project, client.skills[0]),
        ("home", place.home, client.skills[1]),
    ):
        for file in sorted((top / below).rglob("*")):
            if file.is_file() and not file.is_symlink():
                path = file.relative_to(top).as_posix()
                yield f"{name}/{path}", file.read_bytes().decode("utf-8", "surrogateescape")


def _requests(place: Place, outcome: Outcome, captured: Captured) -> Iterator[dict[str, Any]]:
    """Yield the requests that ask a model, without the texts that hold no skill."""
    wanted = [text for text in (captured.listing, *captured.results.values()) if text]
    lines = {line for text in wanted for line in text.split("\n") if len(line) > _SHORT}
    for path, raw in outcome.requests:
        if protocols.protocol_of(path) is not None:
            try:
                body = json.loads(masked(raw, place))
            except (ValueError, RecursionError):
                continue
            yield {"path": path, "body": _without_others(body, lines)}


def _without_others(body: Any, lines: set[str]) -> Any:
    if isinstance(body, Mapping):
        return {key: _without_others(value, lines) for key, value in body.items()}
    if isinstance(body, list):
        return [_without_others(each, lines) for each in body]
    if not isinstance(body, str) or len(body) <= _SHORT:
        return body
    rows = body.split("\n")
    wanted = [number for number, row in enumerate(rows) if row in lines]
    if not wanted:
        return _measured(body)
    first, last = wanted[0], wanted[-1] + 1
    kept = "\n".join(rows[first:last])
    before, after = "\n".join(rows[:first]), "\n".join(rows[last:])
    return {"text": kept, "before": _measured(before), "after": _measured(after)}


def _measured(text: str) -> dict[str, Any]:
    return {"chars": len(text), "sha256": hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()}


def edition_lines(report: Report, most: int = 40) -> Iterator[str]:
    """Yield what makes a profile of this version: two lines if nothing changed, else what to change."""
    if report.outcome == SAME and report.version == report.edition:
        yield "nothing to change: this is the version that was measured"
    elif report.outcome == SAME:
        old, new = (_constant(report.client, version) for version in (report.edition, str(report.version)))
        name = f"{report.client}@{report.version}"
        title = f"{runtimes.get(report.client).title} {report.version}"
        answers = (
            f"{report.day}, wire: {report.listed + report.called} captured answers as in {report.edition}"
        )
        yield "nothing to change; the profile, and its line in skilltool/runtimes/__init__.py:"
        yield f'{new} = {old}._replace(id="{name}", title="{title}", verified="{answers}")'
        yield f'    "{name}": ("...", "{new}", ""),'
    elif report.outcome == CHANGED:
        yield "to change in the profile:"
        yield from (f"  {each.part}: {each.name}" for each in report.differences[:most])
        if more := max(len(report.differences) - most, 0):
            yield f"  and {more} more"


def _constant(client: str, version: str) -> str:
    return re.sub(r"[^A-Z0-9]", "_", f"{client}_{version}".upper())
