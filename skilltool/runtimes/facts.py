"""The facts of runtimes, as a table, as a page and as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from skilltool.runtimes.base import Runtime
from skilltool.skill import schema


def table(runtimes: Sequence[Runtime]) -> str:
    """Return one line per runtime: id, title, when it was last looked at."""
    width = max(len(runtime.id) for runtime in runtimes)
    return "".join(f"{r.id:<{width}}  {r.title}  ({r.verified})\n" for r in runtimes)


def data(runtime: Runtime) -> dict[str, Any]:
    """Return the facts for JSON."""
    return {
        "id": runtime.id,
        "title": runtime.title,
        "docs": runtime.docs,
        "verified": runtime.verified,
        "schema": runtime.schema,
        "roots": [{"role": root.role, "place": root.place, "scope": root.scope} for root in runtime.roots],
        "settings": {
            name: {"default": setting.default, "about": setting.about, "aliases": list(setting.aliases)}
            for name, setting in runtime.settings.items()
        },
        "limits": limits(runtime),
        "budget_unit": runtime.budget_unit if runtime.budget else None,
        "facts": dict(runtime.facts),
        "sources": {name: source(runtime, name) for name in ("roots", *runtime.facts, "limits")},
    }


def limits(runtime: Runtime) -> dict[str, int]:
    """Return the longest text that each field may have, from the runtime's schema."""
    properties = schema.load(runtime.schema).get("properties", {})
    return {name: value["maxLength"] for name, value in properties.items() if "maxLength" in value}


def source(runtime: Runtime, fact: str) -> str:
    """Return where a fact, the `roots` or the `limits` come from: a part of what `docs` names, or all."""
    return runtime.sources.get(fact, runtime.docs)


def page(runtime: Runtime) -> str:
    """Return everything known of one runtime, for people."""
    return "\n".join(_lines(runtime)) + "\n"


def _lines(runtime: Runtime) -> Iterator[str]:
    yield f"{runtime.id}: {runtime.title}"
    yield f"source: {runtime.docs}"
    yield f"verified: {runtime.verified}"
    yield f"\nroots, in order (from {source(runtime, 'roots')})"
    for root in runtime.roots:
        yield f"  {root.role:<12} {root.place or 'no default place; name it with --root'}"
    if runtime.facts:
        yield ""
    for name, sentence in runtime.facts.items():
        yield f"{name:<11} {sentence}"
        yield f"{'':<11} from {source(runtime, name)}"
    if found := limits(runtime):
        yield f"{'limits':<11} " + ", ".join(f"{name} {number:,}" for name, number in found.items())
        yield f"{'':<11} from {source(runtime, 'limits')}"
    if runtime.settings:
        yield "\nsettings, for --set"
    width = max(map(len, runtime.settings), default=0)
    for name, setting in runtime.settings.items():
        also = f" (also {', '.join(setting.aliases)})" if setting.aliases else ""
        yield f"  {name:<{width}} {setting.about}; default {setting.default!r}{also}"
