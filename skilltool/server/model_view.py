"""What each runtime's model sees of a skill, according to the runtimes, which read the editor's text."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass

from skilltool import runtimes
from skilltool.errors import SkilltoolError
from skilltool.explain.render import listing_entry
from skilltool.findings.secrets import without_secrets
from skilltool.lint import matrix
from skilltool.lint.check import check_directory
from skilltool.lint.matrix import Cell
from skilltool.rules.records import Record
from skilltool.rules.shared.projects import Collection, collections
from skilltool.runtimes.base import Runtime, Session
from skilltool.server.analysis import Analysis
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.printable import printable

MAX_CHARACTERS = 2_000  # of one text in a hover
_BACKTICKS = lazy_pattern("`+")


def code_block(text: str) -> str:
    """Wrap `text` in a fence longer than any in it; truncate it and make control characters visible."""
    omitted = len(text) - MAX_CHARACTERS
    cut = text if omitted <= 0 else f"{text[:MAX_CHARACTERS]}\n… {omitted:,} more characters"
    lines = [printable(line) for line in cut.split("\n")]
    fence = "`" * max([3, *(len(ticks) + 1 for ticks in _BACKTICKS.findall("\n".join(lines)))])
    return "\n".join([f"{fence}text", *lines, fence])


@dataclass(frozen=True, slots=True)
class ModelView:
    """What one runtime does with a skill: `state` in our words, `lines` that may hold the author's text."""

    runtime: str
    state: str
    lines: tuple[str, ...] = ()


def model_views(analysis: Analysis) -> str | None:
    """Return Markdown with one section per configured runtime; None if the file was never saved.

    A configuration that names only common grounds, such as `portable`, gives all runtimes.
    """
    if not analysis.on_disk:
        return None
    return analysis.kept.once("views", analysis.compared_by, lambda: _all_views(analysis))


def _all_views(analysis: Analysis) -> str:
    names = _with_roots(analysis.runtimes) or _with_roots(runtimes.BARE)
    # No rules: only the record, with the directory and the name, is needed.
    directory = analysis.document.path.parent
    record = check_directory(directory, analysis.settings._replace(rules=())).record
    sections = [_section(_view(analysis, record, runtimes.get(name))) for name in names]
    return "\n\n".join(["What each runtime's model sees:", *sections])


def _with_roots(names: Iterable[str]) -> list[str]:
    """Return the runtimes that look in places of their own, for which the user need not name any."""
    return [name for name in names if not runtimes.get(name).any_roots]


def _section(view: ModelView) -> str:
    head = f"**{view.runtime}**: {view.state}"
    return f"{head}\n{code_block(without_secrets(chr(10).join(view.lines)))}" if view.lines else head


def _view(analysis: Analysis, record: Record, runtime: Runtime) -> ModelView:
    (collection,) = collections([record], runtime)
    configured = analysis.configuration.of_runtime(runtime.id)
    if configured:
        old = collection.session
        roots = {root.role: root.path for root in old.roots}
        try:
            session = runtime.open(old.project, old.home, configured, roots)
        except SkilltoolError as error:
            return ModelView(runtime.id, "unknown, its settings are invalid", (str(error),))
        collection = collection._replace(session=session)
    ((_record, cell),) = matrix.cells_of(collection, runtime)
    if cell.state != "loaded":
        return ModelView(runtime.id, *_why_not_loaded(analysis, collection.session, cell))
    return _loaded(runtime, collection, cell)


def _loaded(runtime: Runtime, collection: Collection, cell: Cell) -> ModelView:
    """Return the view of a loaded skill: its key, and its part of the listing."""
    session = collection.session
    skill = next(skill for skill in session.skills if skill.key == cell.key)
    lines = [f"key: {skill.key}"]
    if runtime.catalog is None:
        return ModelView(runtime.id, "loaded", tuple(lines))
    if not cell.listed:
        return ModelView(runtime.id, "loaded, but omitted: the listing is full", tuple(lines))
    lines += listing_entry(session, skill)
    state = "loaded, name only" if runtime.lists_names else "loaded"
    return ModelView(runtime.id, "loaded, description truncated" if cell.cut else state, tuple(lines))


def _why_not_loaded(analysis: Analysis, session: Session, cell: Cell) -> tuple[str, tuple[str, ...]]:
    """Return the state of a skill that is not loaded, and the reasons, in the runtime's words or in ours."""
    here = os.path.realpath(analysis.document.path.parent)
    if cell.state == "shadowed":
        reasons = [
            shadowed.why
            for shadowed in session.shadowed
            if os.path.realpath(shadowed.skill.directory) == here
        ]
        return "shadowed by another copy", tuple(reasons)
    if cell.state in {"refused", "unread"}:
        skipped = [refused for refused in session.skipped if os.path.realpath(refused.directory) == here]
        reasons = [
            text for refused in skipped for text in dict.fromkeys((refused.message, refused.why)) if text
        ]
        return cell.state, (*reasons, *([session.failure] if session.failure else []))
    return "not found, it does not search this directory", ()
