"""What a client gives its model of the skill that is open: for commands, and the lines above the document."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp

from skilltool import runtimes
from skilltool.explain.compare import Shown, shown_in
from skilltool.explain.cost import ClientCost, cost_of, percent_text
from skilltool.explain.default_client import DefaultClient, default_client_of, gives_text, open_for
from skilltool.files.repository import is_repository_root, up_to_repository
from skilltool.packages.registration import Setup
from skilltool.runtimes.base import Runtime, Session
from skilltool.server.analysis import Analysis

RENDER, COMPARE, CLIENTS, MANUAL = (
    f"skilltool.{name}" for name in ("render", "compare", "clients", "manual")
)


def clients(analysis: Analysis) -> list[dict[str, Any]]:
    """Return the clients that can be asked, that of the place first: `id`, `title`, whether it `owns` it."""
    own = default_client_of(analysis.directory)
    others = (*own.others, *runtimes.GROUPS["clients"], *runtimes.BARE)
    known = dict.fromkeys([own.runtime.id, *(name for name in others if gives_text(runtimes.get(name)))])
    return [
        {"id": name, "title": runtimes.get(name).title, "owns": bool(own.place) and name == own.runtime.id}
        for name in known
    ]


def rendered(analysis: Analysis, runtime: str | None = None) -> dict[str, Any]:
    """Return the text that a client gives its model when it uses the skill; by default that of the place.

    `text` is None where it gives none; `problem` says why, or what is wrong with the text. Raises
    `UnknownNameError`.
    """
    own = default_client_of(analysis.directory)
    asked = own.runtime if runtime is None else runtimes.get(runtime)
    shown = shown_in(session_of(analysis, asked), os.fspath(analysis.directory), None, None)
    return _data(shown)


def compared(analysis: Analysis, names: list[str]) -> list[dict[str, Any]]:
    """Return what several clients give their models; without names those of the place, two or more."""
    chosen = names or [client["id"] for client in clients(analysis)[:2]]
    return [rendered(analysis, name) for name in chosen]


def _data(shown: Shown) -> dict[str, Any]:
    runtime = shown.session.runtime
    return {
        "runtime": runtime.id,
        "title": runtime.title,
        "part": shown.rendered.part,
        "text": shown.rendered.text,
        "problem": shown.problem,
    }


def session_of(analysis: Analysis, runtime: Runtime) -> Session:
    """Open the session of a client that has the skill: as it finds it by itself, else told of it."""
    above = up_to_repository(analysis.directory)[-1]
    project = Path(above) if is_repository_root(Path(above)) else analysis.directory.parent

    def opened(asked: Runtime, setup: Setup | None) -> Session:
        told = setup or Setup()
        settings = {**analysis.configuration.of_runtime(asked.id), **told.settings}
        return asked.open(told.project or project, None, settings, told.roots)

    return open_for(opened, DefaultClient(runtime, analysis.directory))[0]


def lenses(analysis: Analysis) -> list[lsp.CodeLens]:
    """Return the lines above a SKILL.md: what a model sees, a comparison, and its share of the listing.

    The last has no text yet, because it takes a session with all skills: `with_share` adds it.
    """
    if analysis.file or not analysis.on_disk:
        return []
    where = analysis.positions.range(analysis.skill.source.line_span(0))
    uri, own = analysis.document.uri, default_client_of(analysis.directory).runtime
    return [
        lsp.CodeLens(where, lsp.Command(f"What the model sees in {own.id}", RENDER, arguments=[uri, own.id])),
        lsp.CodeLens(where, lsp.Command("Compare clients", COMPARE, arguments=[uri])),
        lsp.CodeLens(where, data={"uri": uri, "runtime": own.id}),
    ]


def share(analysis: Analysis, runtime: str) -> str:
    """Return how much of a client's listing the skill takes, and how full that is, in a few words."""
    key = f"{runtime}\0{analysis.compared_by}"
    return analysis.kept.once("share", key, lambda: _share(analysis, runtimes.get(runtime)))


def _share(analysis: Analysis, runtime: Runtime) -> str:
    cost = cost_of(session_of(analysis, runtime), reading=False)
    here = os.path.realpath(analysis.directory)
    own = next((each for each in cost.skills if os.path.realpath(each.directory) == here), None)
    if own is None:
        return f"{runtime.id} does not load this skill"
    if own.listing is None or own.key in cost.omitted:
        return f"{runtime.id} does not list this skill"
    cut = ", truncated" if own.key in (*cost.cut, *cost.clipped) else ""
    return f"{_size(cost, own.listing.asked)} of {runtime.id}'s listing{cut}{_full(cost)}"


def _size(cost: ClientCost, asked: int) -> str:
    if cost.budget and cost.is_limited:
        return percent_text(100.0 * asked / cost.budget)
    return f"{asked:,} characters"


def _full(cost: ClientCost) -> str:
    percent = cost.percent(built_in=False)
    return "" if percent is None else f"; all {len(cost.skills):,} skills: {percent_text(percent)}"
