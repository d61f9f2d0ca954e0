"""What is known of a field of the frontmatter, as Markdown: its purpose, and what each runtime requires."""

from __future__ import annotations

from collections.abc import Sequence

from skilltool import runtimes
from skilltool.runtimes import fields
from skilltool.runtimes.base import Runtime

REQUIRED = "required"
_UNKNOWN = "unknown"


def known_runtimes(configured: Sequence[str]) -> list[Runtime]:
    """Return the configured runtimes, then `portable` and every other one without an edition, each once."""
    return [runtimes.get(n) for n in dict.fromkeys((*configured, "portable", *runtimes.BARE))]


def field_help(shown: list[Runtime], path: fields.FieldPath) -> str | None:
    """Return Markdown on a field: its purpose, and what each runtime requires; None if no runtime knows it.

    All of it comes from our schemas, none from the document.
    """
    demands: dict[str, list[str]] = {}
    for runtime in shown:
        demand = fields.demand(runtime, path, REQUIRED) or _UNKNOWN
        demands.setdefault(demand, []).append(runtime.id)
    if list(demands) == [_UNKNOWN]:
        return None
    purposes = [f"- {text} ({', '.join(ids)})" for text, ids in fields.meanings(shown, path).items()]
    rows = [f"| {', '.join(ids)} | {demand} |" for demand, ids in demands.items()]
    return "\n".join([f"`{'.'.join(path)}`", "", *purposes, "", "| runtime | field |", "|---|---|", *rows])
