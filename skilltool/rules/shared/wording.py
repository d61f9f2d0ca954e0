"""The author's text in messages, and names as they ought to be."""

from __future__ import annotations

# Why there is no fix where a value would be written anew.
COMMENTED = "no fix is offered, because it would delete a comment"


def backticked(value: object, limit: int = 60) -> str:
    """Return the author's text in backticks for a message, cut to `limit` characters; other data as JSON."""
    if not isinstance(value, str):
        import json

        value = json.dumps(value, ensure_ascii=False)
    text = " ".join(value.split())
    text = text if len(text) <= limit else text[: limit - 1] + "\u2026"
    return f"`{text}`"
