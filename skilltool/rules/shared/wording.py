"""Wording that messages share: the author's text in backticks, and why a finding has no fix."""

from __future__ import annotations

# Why there is no fix where a value would be rewritten; ends a `help`.
WOULD_DELETE_COMMENT = "not fixed automatically, because that would delete a comment"


def backticked(value: object, limit: int = 60) -> str:
    """Return the author's text in backticks, on one line and cut to `limit` characters; other data as JSON."""
    if not isinstance(value, str):
        import json

        value = json.dumps(value, ensure_ascii=False)
    text = " ".join(value.split())
    text = text if len(text) <= limit else text[: limit - 1] + "\u2026"
    return f"`{text}`"
