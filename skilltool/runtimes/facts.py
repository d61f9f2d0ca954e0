"""What does `skilltool runtimes` print: the facts about runtimes, as a table, as a page and as data."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from skilltool.runtimes.base import Runtime
from skilltool.skill import schema


def table(runtimes: Sequence[Runtime]) -> str:
    """Return one line per runtime: id, title, when and against what it was last checked."""
    ids = max(len(runtime.id) for runtime in runtimes)
    titles = max(len(runtime.title) for runtime in runtimes)
    return "".join(f"{r.id:<{ids}}  {r.title:<{titles}}  {r.verified}\n" for r in runtimes)


def data(runtime: Runtime) -> dict[str, Any]:
    """Return all facts about one runtime, as `skilltool runtimes --output-format json` prints them."""
    return {
        "id": runtime.id,
        "title": runtime.title,
        "docs": runtime.docs,
        "verified": runtime.verified,
        "schema": runtime.schema,
        "roots": [
            {"role": root.role, "place": root.path_template, "scope": root.scope} for root in runtime.roots
        ],
        "settings": {
            name: {"default": setting.default, "about": setting.about, "aliases": list(setting.aliases)}
            for name, setting in runtime.settings.items()
        },
        "limits": limits(runtime),
        "budget_unit": runtime.budget_unit if runtime.budget else None,
        "undetermined": runtime.undetermined,
        "facts": dict(runtime.facts),
        "sources": {name: source(runtime, name) for name in ("roots", *runtime.facts, "limits")},
    }


def limits(runtime: Runtime) -> dict[str, int]:
    """Return the maximum length of each field that has one, from its schema.

    The unit is the one the runtime counts in: code points, UTF-16 units where it runs on JavaScript.
    """
    properties = schema.load(runtime.schema).get("properties", {})
    return {name: value["maxLength"] for name, value in properties.items() if "maxLength" in value}


def source(runtime: Runtime, fact: str) -> str:
    """Return where a fact, the `roots` or the `limits` are stated: a part of `docs`, else all of it."""
    return runtime.sources.get(fact, runtime.docs)


def page(runtime: Runtime) -> str:
    """Return everything that is known about one runtime, for people."""
    return "\n".join(_lines(runtime)) + "\n"


def _lines(runtime: Runtime) -> Iterator[str]:
    yield f"{runtime.id}: {runtime.title}"
    yield f"source: {runtime.docs}"
    yield f"verified: {runtime.verified}"
    if runtime.any_roots:
        yield "\nskills directories: the ones that you specify with --root, in that order"
    else:
        yield f"\nskills directories, in order (from {source(runtime, 'roots')})"
    width = max((len(root.role) for root in runtime.roots), default=0)
    for root in runtime.roots:
        place = root.path_template or f"no default; name one with --root {root.role}=DIR"
        yield f"  {root.role:<{max(width, 12)}} {place}"
    if runtime.facts:
        yield ""
    for name, sentence in runtime.facts.items():
        yield from _fact(runtime, name, sentence)
    if runtime.undetermined:
        yield f"{'arbitrary':<11} {runtime.undetermined}"
    if found := limits(runtime):
        yield from _fact(runtime, "limits", ", ".join(f"{name} {number:,}" for name, number in found.items()))
    if runtime.settings:
        yield "\nsettings, for --set NAME=VALUE"
    width = max(map(len, runtime.settings), default=0)
    for name, setting in runtime.settings.items():
        also = f" (also {', '.join(setting.aliases)})" if setting.aliases else ""
        default = json.dumps(setting.default, ensure_ascii=False)
        yield f"  {name:<{width}}  {setting.about}; default {default}{also}"


def _fact(runtime: Runtime, name: str, sentence: str) -> Iterator[str]:
    """Yield a fact, and its source where that is more exact than the one at the top of the page."""
    yield f"{name:<11} {sentence}"
    if name in runtime.sources:
        yield f"{'':<11} from {source(runtime, name)}"
