"""Why was a client not captured? One sentence, from how it ended and what it printed."""

from __future__ import annotations

import re

from skilltool.capture import protocols
from skilltool.capture.inside import EXITED, MISSING, SILENT, TIMED_OUT, Job, Outcome
from skilltool.text.lazy_pattern import lazy_pattern

# What a client says before it asks a model, by what it wants; the first in its output counts.
_WANTS = {
    "asks to accept its licence": r"licen[cs]e agreement|accept (?:the|our) |terms of (?:service|use)",
    "asks for a login": r"log ?in\b|logged in|sign ?in\b|authenticat|oauth|api[ _-]?key|credential",
    "needs a terminal": r"\btty\b|terminal|raw mode|stdin is not|inappropriate ioctl",
}
_ESCAPES = lazy_pattern(r"\x1b(?:\[[0-9;?]*[A-Za-z]|\][^\x07]*\x07|.)|[\x00-\x08\x0b-\x1f\x7f]")
_TELLING = lazy_pattern(
    r"error|cannot|can't|not found|requires|must|fail", re.I
)  # a line that says what is wrong
_LONGEST = 160  # characters of a line that is quoted


def problem(outcome: Outcome, job: Job, has_listing: bool) -> str | None:
    """Return why there is nothing to compare, as the predicate of a sentence about the client; else None.

    `has_listing` says that a request has the listing of skills, or that none is expected.
    """
    if outcome.how == MISSING:
        return f"cannot be started: {outcome.stderr}"
    if has_listing:
        return None
    asked = [path for path, _ in outcome.requests if protocols.protocol_of(path) is not None]
    if asked:
        count = "1 request" if len(asked) == 1 else f"{len(asked)} requests"
        return f"sent {count} to its model, but none contains a list of skills"
    printed = _ESCAPES.sub("", f"{outcome.stderr}\n{outcome.stdout}")
    ended = {
        SILENT: f"sent no request within {job.first:g} seconds and was killed",
        TIMED_OUT: f"took more than {job.seconds:g} seconds and was killed",
        EXITED: f"exited with status {outcome.status} before its first request",
    }.get(outcome.how, "sent no request to its model")
    if (wish := _wish(printed)) is not None:
        return f"{wish[0]}: `{wish[1]}`"
    lines = [line.strip() for line in printed.split("\n") if line.strip()]
    line = next((line for line in reversed(lines) if _TELLING.search(line)), lines[-1] if lines else None)
    return ended if line is None else f"{ended}: `{line[:_LONGEST]}`"


def _wish(printed: str) -> tuple[str, str] | None:
    """Return what the client wants, and the line that says so."""
    found = [
        (match.start(), what) for what, words in _WANTS.items() if (match := re.search(words, printed, re.I))
    ]
    if not found:
        return None
    at, what = min(found)
    start = printed.rfind("\n", 0, at) + 1
    return what, printed[start:].partition("\n")[0].strip()[:_LONGEST]
