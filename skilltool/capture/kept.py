"""Writes a capture to a directory, as records in the form of tests/goldens, and as the JSON of the command.

What is kept of a request is what has a skill in it: any other text of more than a few characters, also
before and after skills, is replaced by its length and digest. Paths are `{home}` and `{project}`; of the
environment only names are kept.
"""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from skilltool.capture import protocols
from skilltool.capture.client import Client, Place
from skilltool.capture.compare import CHANGED, SAME, Captured, masked
from skilltool.capture.inside import Outcome
from skilltool.capture.report import Report
from skilltool.capture.run import Plan, skill_directories
from skilltool.explain.captured import CAPTURE, CASES, FIXTURES, MOUNTS, REQUESTS
from skilltool.files.writing import write_atomically

_ROLES = ("project", "user")  # of the roots, in our records
_LONGEST_DESCRIPTION = 300  # characters
_SHORT = 24  # characters of a text that is kept whatever it says


def write(
    directory: Path,
    client: Client,
    place: Place,
    asked: Plan,
    outcome: Outcome,
    captured: Captured,
    about: Mapping[str, Any],
    measures: bool = False,
) -> None:
    """Write a capture; `about` is its JSON in the report. Raises OSError.

    With `measures` a long description of a tool is its length and digest, as in our records.
    """
    directory.mkdir(parents=True, exist_ok=True)
    files = {
        CAPTURE: json.dumps(about, indent=1),
        CASES: _lines(
            _of_pack(client, captured, record) if measures else record
            for record in _records(client, place, asked, captured, str(about["version"]), measures)
        ),
        FIXTURES: json.dumps(dict(_fixtures(client, place)), indent=1),
        MOUNTS: json.dumps(_mounts(client), indent=1),
        REQUESTS: _lines(_requests(place, outcome, captured)),
    }
    for name, text in files.items():
        write_atomically(directory / name, text.encode("ascii"))


def _lines(records: Iterable[Mapping[str, Any]]) -> str:
    return "".join(f"{json.dumps(record)}\n" for record in records)


def _records(
    client: Client, place: Place, asked: Plan, captured: Captured, version: str, measures: bool
) -> Iterator[dict[str, Any]]:
    """Yield the records: of the listing, of the tool, and of each call with the key of its skill."""
    stem = f"{client.id}@{version}/capture"
    common = {"tree": dict(_sets(client)), "settings": dict(client.settings)}
    if captured.listing is not None:
        yield {"id": f"{stem}/catalog", "op": "catalog", **common, "expect": captured.listing}
    if captured.tool is not None:
        tool = _with_digests(captured.tool, list(captured.results)) if measures else captured.tool
        yield {"id": f"{stem}/tool", "op": "tool", **common, "expect": tool}
    for number, (key, call) in enumerate(zip(asked.keys, asked.calls, strict=False)):
        if (text := captured.results.get(key)) is not None:
            of = {"skill": key, "arguments": json.loads(masked(json.dumps(call.arguments), place))}
            yield {"id": f"{stem}/call/{number:03}", "op": "call", **common, **of, "expect": text}
    if asked.keys and not asked.calls:  # the prompt has called them
        sent = [{"role": "user", "text": text} for text in (asked.prompt, *captured.results.values())]
        of = {"skills": list(captured.results), "arguments": asked.prompt}
        yield {"id": f"{stem}/user", "op": "user", **common, **of, "expect": sent}


def _of_pack(client: Client, captured: Captured, record: dict[str, Any]) -> Mapping[str, Any]:
    """Return a record as the pack of the client has it; the home directory is `{user}` in most."""
    if client.record is not None:
        return client.record(record, captured.results, captured.where)
    found: dict[str, Any] = json.loads(json.dumps(record).replace("{home}", "{user}"))
    return found


def _with_digests(value: Any, keys: Sequence[str]) -> Any:
    """Return a definition with long descriptions as length and digest, unless they list skills."""
    if not isinstance(value, Mapping):
        return value
    found = {key: _with_digests(each, keys) for key, each in value.items()}
    text = value.get("description")
    if isinstance(text, str) and len(text) > _LONGEST_DESCRIPTION:
        named = sum(key in text for key in keys)
        if 2 * named <= len(keys):
            found["description"] = _measured(text)
    return found


def _sets(client: Client) -> Iterator[tuple[str, str]]:
    """Yield the fixture set of each root, by the root's role in our records."""
    yield from (
        (role, f"skills-of-{role}") for role, below in zip(_ROLES, client.skills, strict=True) if below
    )


def _fixtures(client: Client, place: Place) -> Iterator[tuple[str, Any]]:
    """Yield the files of the fixture sets, by their paths: a text, or what is not UTF-8 as Base64.

    The first is the manifest, which names the files of each set.
    """
    files = list(_files_of_sets(client, place))
    sets = {name: {"files": dict[str, Any]()} for _, name in _sets(client)}
    for path, _ in files:
        name, _, below = path.partition("/")
        sets[name]["files"][below] = {}
    yield "manifest.json", json.dumps({"sets": sets})
    yield from files


def _files_of_sets(client: Client, place: Place) -> Iterator[tuple[str, Any]]:
    tops = dict(zip(_ROLES, skill_directories(client, place), strict=True))
    for role, name in _sets(client):
        for file in sorted(tops[role].rglob("*")):
            if file.is_file() and not file.is_symlink():
                raw = file.read_bytes()
                try:
                    content: Any = raw.decode()
                except UnicodeDecodeError:
                    content = {"base64": b64encode(raw).decode()}
                yield f"{name}/{file.relative_to(tops[role]).as_posix()}", content


def _mounts(client: Client) -> dict[str, dict[str, str]]:
    """Return where the roots lie, as our records have it: the home directory is `{user}` there."""
    tops = zip(_ROLES, ("{project}", "{user}"), client.skills, strict=True)
    return {client.id: {role: f"{top}/{below}" for role, top, below in tops if below}}


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
    """Yield what adds this version to the runtimes: its line if nothing changed, else what to change."""
    if report.outcome == SAME and report.version == report.edition:
        yield "nothing to change: this version is already the tested one"
    elif report.outcome == SAME:
        like = f"{report.client}@{report.edition}"
        how = f"{report.day}, wire: {report.listed + report.called} captured answers, all the same"
        yield "nothing to change; its line for `UNCHANGED` in skilltool/runtimes/__init__.py:"
        yield f'    "{report.client}@{report.version}": ("{like}", "{how}"),'
    elif report.outcome == CHANGED:
        yield "to change in the profile:"
        yield from (f"  {each.part}: {each.name}" for each in report.differences[:most])
        if more := max(len(report.differences) - most, 0):
            yield f"  and {more} more"
