"""The author's text in messages, and names as they ought to be."""

from __future__ import annotations

import re


def code(value: object, limit: int = 60) -> str:
    """Return the author's text in backticks for a message, cut to `limit` characters; other data as JSON."""
    if not isinstance(value, str):
        import json

        value = json.dumps(value, ensure_ascii=False)
    text = " ".join(value.split())
    text = text if len(text) <= limit else text[: limit - 1] + "\u2026"
    return f"`{text}`"


def kebab(name: str) -> str:
    """Return `name` as lowercase ASCII words joined by single hyphens; empty where none is left."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z][a-z])", "-", name)
    return re.sub(r"[^a-z0-9]+", "-", spaced.lower()).strip("-")
