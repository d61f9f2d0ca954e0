"""What each runtime makes of a field, as the text of a hover or beside a completion."""

from __future__ import annotations

from skilltool import runtimes
from skilltool.lint.settings import Settings
from skilltool.runtimes import fields
from skilltool.runtimes.base import Runtime


def targets(settings: Settings) -> list[Runtime]:
    """Return the configured targets and then all others that have no edition, each once."""
    return [runtimes.get(n) for n in dict.fromkeys((*settings.runtimes, "portable", *runtimes.BARE))]


def described(known: list[Runtime], path: fields.FieldPath) -> str | None:
    """Return Markdown about a field: what it is for, and what each runtime asks of it; None if none knows it.

    Every word of it is of our schemas; nothing is of the document.
    """
    asked: dict[str, list[str]] = {}
    for runtime in known:
        words = fields.demand(runtime, path) or "not known"
        asked.setdefault(words, []).append(runtime.id)
    if list(asked) == ["not known"]:
        return None
    said = [f"- {text} ({', '.join(who)})" for text, who in fields.meanings(known, path).items()]
    rows = [f"| {', '.join(who)} | {words} |" for words, who in asked.items()]
    return "\n".join([f"`{'.'.join(path)}`", "", *said, "", "| runtime | field |", "|---|---|", *rows])
