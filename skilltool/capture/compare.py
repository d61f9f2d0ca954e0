"""Does an installed client do what `render` says? The answer, per part, for the requests of one start.

Parts: `discovery` (which skills are listed, in which order), `frame` (the text around the entries),
`entries`, `tool` (the definition of the skill tool), `results` (what a call of each skill returns). The
listing is searched for in all texts of a request, since versions differ in where it stands.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from skilltool.capture import protocols
from skilltool.capture.client import Client, Place
from skilltool.capture.segments import Difference, is_same
from skilltool.runtimes.base import Session
from skilltool.text.lazy_pattern import lazy_pattern

PARTS = ("discovery", "frame", "entries", "tool", "results")
_ENTRIES = "[entries]"
SAME, CHANGED, NOT_CAPTURED, NONE = "same", "changed", "not captured", "none"


class Captured(NamedTuple):
    """What a client sent, with `{home}` and `{project}` in place of the private directories.

    `listing` is None where no request has one, and so is `tool`; `results` has the text of each called skill
    by its key. `where` says where in the request the listing stands: `messages[1] role=system block 0`.
    """

    listing: str | None
    tool: Mapping[str, Any] | None
    results: Mapping[str, str]
    where: str | None = None


class Comparison(NamedTuple):
    """The outcome of each part, and the differences; `listed` counts the entries, `own` the client's own."""

    parts: Mapping[str, str]
    differences: tuple[Difference, ...]
    listed: int
    own: int

    @property
    def changed(self) -> list[str]:
        """The parts that changed."""
        return [part for part, outcome in self.parts.items() if outcome == CHANGED]


def masked(text: str, place: Place) -> str:
    """Return a text with stand-ins for the private directories."""
    return text.replace(str(place.project), "{project}").replace(str(place.home), "{home}")


def read(client: Client, place: Place, requests: Sequence[Sequence[str]], called: Sequence[str]) -> Captured:
    """Return what the requests (path and body) of a client have of skills; `called` are keys, in order."""
    listing: str | None = None
    where: str | None = None
    tool: Mapping[str, Any] | None = None
    results: dict[str, str] = {}
    for path, raw in requests:
        if protocols.protocol_of(path) is None:
            continue
        try:
            body = json.loads(masked(raw, place))
        except (ValueError, RecursionError):
            continue
        if listing is None:
            where, listing = next(_listings(client, body), (None, None))
        if tool is None and client.tool is not None:
            tool = next(
                (each for each in protocols.tools(body) if protocols.name_of(each) == client.tool), None
            )
        if client.answers is not None:
            results |= client.answers(body, called)
        elif len(found := protocols.results(body)) and not results:
            results = dict(zip(called, found, strict=False))
    return Captured(listing, tool, results, where)


def _listings(client: Client, body: Any) -> Iterator[tuple[str, str]]:
    """Yield the listings in a request, each with the place where it stands."""
    for where, text in _placed_texts(body):
        for start in re.finditer(client.listing.start, text):
            if end := re.compile(client.listing.end).search(text, start.end()):
                yield where, text[start.start() : end.end()]


def _placed_texts(body: Any) -> Iterator[tuple[str, str]]:
    """Yield every text of a request with its place: the message with its role and block, else the key."""
    for key, value in body.items() if isinstance(body, Mapping) else ():
        if not isinstance(value, list):
            yield from ((key, text) for text in protocols.texts(value))
            continue
        for number, message in enumerate(value):
            role = message.get("role") if isinstance(message, Mapping) else None
            place = f"{key}[{number}]" + (f" role={role}" if role else "")
            content = message.get("content") if role else message
            blocks = content if isinstance(content, list) else [content]
            for at, block in enumerate(blocks):
                yield from (
                    (f"{place} block {at}" if role else place, text) for text in protocols.texts(block)
                )


class Expected(NamedTuple):
    """What our session says, with stand-ins for the directories, before the client has changed any file.

    `names` are those that an entry of a skill may have, whether the skill is loaded here or not. `failure` is
    the error with which it loads no skill at all.
    """

    listing: str | None
    tool: Mapping[str, Any] | None
    results: Mapping[str, str]
    names: frozenset[str]
    failure: str | None = None


def expected(client: Client, place: Place, session: Session, called: Sequence[str], prompt: str) -> Expected:
    """Return what a session says of its skills, and of calls of those with the keys `called`."""
    catalog = session.catalog()
    tool = session.tool() if client.tool is not None else None
    if not called:
        results: Mapping[str, str] = {}
    elif client.expected is not None:
        results = client.expected(session, prompt)
    else:
        calls = dict(client.calls(session))
        results = {key: session.call(calls[key].arguments).text or "" for key in called if key in calls}
    listing = None if catalog is None else masked(catalog, place)
    texts = {key: masked(text, place) for key, text in results.items()}
    failure = None if session.failure is None else masked(session.failure, place)
    return Expected(listing, tool, texts, _names(session, place), failure)


def compare_failure(client: Client, ours: str, printed: str) -> Comparison:
    """Compare the error that ends the start, as we say it, with what the client printed as it ended.

    Where the order of skills is chance, so is the first error.
    """
    if ours in printed or client.unordered:
        return Comparison({"discovery": SAME}, (), 0, 0)
    last = next((line for line in reversed(printed.split("\n")) if line.strip()), None)
    difference = Difference("discovery", "the error that aborts the start", ours, last)
    return Comparison({"discovery": CHANGED}, (difference,), 0, 0)


def compare(client: Client, ours: Expected, captured: Captured, called: Sequence[str]) -> Comparison:
    """Compare what was captured with what our session says; `called` are the keys that were called."""
    parts: dict[str, str] = {}
    differences: list[Difference] = []
    listed, own = _compare_listing(client, ours, captured.listing, parts, differences)
    parts["tool"] = NOT_CAPTURED
    if captured.listing is not None or captured.tool is not None:
        parts["tool"] = _compare_tool(client, ours, captured.tool, differences)
    parts["results"] = NONE
    if called:
        parts["results"] = _compare_results(client, ours, captured.results, differences)
    return Comparison(parts, tuple(differences), listed, own)


class _Parsed(NamedTuple):
    """A listing: the entries with their keys, the text around them, and what is between two of them."""

    entries: list[tuple[str, str]]
    frame: str
    between: list[str]


def _parsed(client: Client, listing: str, names: frozenset[str]) -> tuple[_Parsed, int]:
    """Return entries and frame of a listing, without the client's own entries, whose number is second."""
    entries: list[tuple[str, str]] = []
    own, end, pieces = 0, 0, list[str]()
    for match in re.finditer(client.listing.entry, listing, re.MULTILINE):
        if match["key"] in names:
            entries.append((match["key"], match[0]))
        else:
            own += 1
        pieces.append(listing[end : match.start()])
        end = match.end()
    around = "".join([*pieces[:1], _ENTRIES, listing[end:]])
    return _Parsed(entries, around, sorted(set(pieces[1:]))), own


def _compare_listing(
    client: Client,
    expected: Expected,
    listing: str | None,
    parts: dict[str, str],
    differences: list[Difference],
) -> tuple[int, int]:
    if listing is None or expected.listing is None:
        outcome = NOT_CAPTURED if expected.listing is not None else SAME
        if expected.listing is None and listing is not None:
            outcome = CHANGED
            differences.append(Difference("discovery", "listing", None, listing))
        parts |= dict.fromkeys(("discovery", "frame", "entries"), outcome)
        return 0, 0
    ours, _ = _parsed(client, expected.listing, expected.names)
    theirs, own = _parsed(client, listing, expected.names)
    before = len(differences)
    differences += _discovery(client, ours.entries, theirs.entries)
    parts["discovery"] = CHANGED if len(differences) > before else SAME
    parts["frame"] = SAME
    if not is_same(ours.frame, theirs.frame):
        parts["frame"] = CHANGED
        differences.append(Difference("frame", "listing", ours.frame, theirs.frame))
    if ours.between and theirs.between and ours.between != theirs.between:
        parts["frame"] = CHANGED
        both = (" ".join(map(repr, each.between)) for each in (ours, theirs))
        differences.append(Difference("frame", "between entries", *both))
    before = len(differences)
    differences += _entries(client, ours.entries, theirs.entries)
    parts["entries"] = CHANGED if len(differences) > before else SAME
    return len(theirs.entries), own


_NAME = lazy_pattern(r"^\s*name:[ \t]*(.*?)[ \t]*(?:#.*)?\r?$", re.MULTILINE)


def _names(session: Session, place: Place) -> frozenset[str]:
    """Return the names that an entry of a skill may have, whether the skill is loaded here or not."""
    names = {name for skill in session.skills for name in (skill.key, skill.name)}
    for top in (place.project, place.home):
        for file in top.rglob("SKILL.md"):
            names.add(file.parent.name)
            names |= {match[1].strip("\"'") for match in _NAME.finditer(file.read_text("utf-8", "replace"))}
    return frozenset(names)


def _discovery(
    client: Client, ours: Sequence[tuple[str, str]], theirs: Sequence[tuple[str, str]]
) -> Iterator[Difference]:
    old, new = [key for key, _ in ours], [key for key, _ in theirs]
    for key in dict.fromkeys([*old, *new]):
        if old.count(key) != new.count(key):
            yield Difference(
                "discovery",
                key,
                "\n".join([key] * old.count(key)) or None,
                "\n".join([key] * new.count(key)) or None,
            )
    if sorted(old) == sorted(new) and old != new and not client.unordered:
        yield Difference("discovery", "order of the listing", "\n".join(old), "\n".join(new))


def _entries(
    client: Client, ours: Sequence[tuple[str, str]], theirs: Sequence[tuple[str, str]]
) -> Iterator[Difference]:
    for key in dict.fromkeys(key for key, _ in ours):
        old = [text for name, text in ours if name == key]
        new = [text for name, text in theirs if name == key]
        if key in client.races or len(old) != len(new):
            continue  # chance, or said by the discovery
        for one, other in zip(old, new, strict=True):
            if not is_same(one, other):
                yield Difference("entries", key, one, other)


def _compare_tool(
    client: Client, expected: Expected, tool: Mapping[str, Any] | None, differences: list[Difference]
) -> str:
    ours, names = expected.tool, expected.names
    if ours is None:
        return NONE
    if tool is None:
        text = json.dumps(ours, indent=2, ensure_ascii=False)
        differences.append(Difference("tool", str(client.tool), text, None))
        return CHANGED
    theirs = _steady(client, _unwrapped(tool), names)
    if (resolved := _resolved(_steady(client, _unwrapped(ours), names), theirs)) == theirs:
        return SAME
    old, new = (json.dumps(each, indent=2, ensure_ascii=False, sort_keys=True) for each in (resolved, theirs))
    differences.append(Difference("tool", str(client.tool), old, new))
    return CHANGED


def _unwrapped(tool: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the definition alone, without the frame that the Chat Completions API has around it."""
    inner = tool.get("function")
    return inner if isinstance(inner, Mapping) else tool


def _steady(client: Client, value: Any, names: frozenset[str]) -> Any:
    """Return data without what is chance, and in lists of skills without the client's own."""
    if isinstance(value, Mapping):
        return {key: _steady(client, each, names) for key, each in value.items()}
    if isinstance(value, str):
        return client.steady(value, names)
    if not isinstance(value, list) or names.isdisjoint(each for each in value if isinstance(each, str)):
        return value
    kept = [each for each in value if each in names]
    return sorted(kept) if client.unordered else kept


def _resolved(ours: Any, theirs: Any) -> Any:
    """Return our data with the client's text wherever one of ours stands for it."""
    if isinstance(ours, Mapping) and isinstance(theirs, Mapping):
        return {key: _resolved(value, theirs.get(key)) for key, value in ours.items()}
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        return [_resolved(one, other) for one, other in zip(ours, theirs, strict=True)]
    if isinstance(ours, str) and isinstance(theirs, str) and is_same(ours, theirs):
        return theirs
    return ours


def _compare_results(
    client: Client, expected: Expected, found: Mapping[str, str], differences: list[Difference]
) -> str:
    if expected.results and not found:
        return NOT_CAPTURED
    before = len(differences)
    for key, ours in expected.results.items():
        old, new = (
            text if text is None else client.steady(text, expected.names) for text in (ours, found.get(key))
        )
        if key not in client.races and (old is None or new is None or not is_same(old, new)):
            differences.append(Difference("results", key, old, new))
    differences += [
        Difference("results", key, None, text) for key, text in found.items() if key not in expected.results
    ]
    return CHANGED if len(differences) > before else SAME
