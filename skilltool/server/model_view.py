"""What the model of each target sees of a skill: asked of the runtimes, which read the editor's text."""

from __future__ import annotations

import os
from copy import copy
from dataclasses import dataclass, replace

from skilltool import runtimes
from skilltool.errors import SkilltoolError
from skilltool.lint import matrix
from skilltool.lint.check import check_directory
from skilltool.lint.matrix import Cell
from skilltool.rules.records import Record
from skilltool.rules.shared.collections import Collection, collections
from skilltool.runtimes.base import Runtime, Session
from skilltool.server.code_block import fenced
from skilltool.server.document import Analysis


@dataclass(frozen=True, slots=True)
class Seen:
    """What one target makes of a skill: `state` in words of ours, `lines` that may hold the author's text."""

    runtime: str
    state: str
    lines: tuple[str, ...] = ()


def seen_by_all(analysis: Analysis) -> str | None:
    """Return Markdown with a part per target, None without a file; a common ground means all runtimes."""
    if not analysis.on_disk:
        return None
    names = [n for n in analysis.settings.runtimes if not runtimes.get(n).any_roots] or runtimes.BARE
    # No rule is asked: only where the skill is, and what it is called.
    directory = analysis.document.path.parent
    record = check_directory(directory, analysis.settings._replace(rules=())).record
    parts = [_shown(_seen(analysis, record, runtimes.get(name))) for name in names]
    return "\n\n".join(["What each target's model sees:", *parts])


def _shown(seen: Seen) -> str:
    head = f"**{seen.runtime}**: {seen.state}"
    return f"{head}\n{fenced(chr(10).join(seen.lines))}" if seen.lines else head


def _seen(analysis: Analysis, record: Record, target: Runtime) -> Seen:
    (collection,) = collections([record], target)
    configured = analysis.configuration.of_runtime(target.id)
    if configured:
        old = collection.session
        roots = {root.role: root.path for root in old.roots}
        try:
            session = target.open(old.project, old.home, configured, roots)
        except SkilltoolError as error:
            return Seen(target.id, "not asked, since its settings are wrong", (str(error),))
        collection = replace(collection, session=session)
    ((_record, cell),) = matrix.cells_of(collection, target)
    if cell.state != "loaded":
        return Seen(target.id, *_why_not(analysis, collection.session, cell))
    return _listed(target, collection, cell)


def _listed(target: Runtime, collection: Collection, cell: Cell) -> Seen:
    """Return the key and what the listing says of the skill."""
    session = copy(collection.session)  # lint keeps the original
    mine = next(each for each in session.skills if each.key == cell.key)
    lines = [f"key: {mine.key}"]
    if target.catalog is None:
        return Seen(target.id, "loaded", tuple(lines))
    if not cell.listed:
        return Seen(target.id, "loaded, and left out of the listing, which is full", tuple(lines))
    session.skills = []
    without = session.catalog()
    session.skills = [mine]
    lines += _of_its_own(session.catalog() or "", without or "")
    return Seen(target.id, "loaded, its description cut" if cell.cut else "loaded", tuple(lines))


def _of_its_own(listing: str, without: str) -> list[str]:
    """Return the lines of a listing that are there for the skill: not those that stand without it, too."""
    lines, other = listing.rstrip("\n").split("\n"), without.rstrip("\n").split("\n")
    while lines and other and lines[0] == other[0]:
        del lines[0], other[0]
    while lines and other and lines[-1] == other[-1]:
        del lines[-1], other[-1]
    return lines


def _why_not(analysis: Analysis, session: Session, cell: Cell) -> tuple[str, tuple[str, ...]]:
    """Return the state of a skill that is not loaded, and the runtime's words or ours for it."""
    here = os.path.realpath(analysis.document.path.parent)
    if cell.state == "shadowed":
        lost = [each.why for each in session.shadowed if os.path.realpath(each.skill.directory) == here]
        return "shadowed by another copy", tuple(lost)
    if cell.state == "refused":
        words = [each for each in session.skipped if os.path.realpath(each.directory) == here]
        said = [part for each in words for part in dict.fromkeys((each.message, each.why)) if part]
        return "refused", (*said, *([session.failure] if session.failure else []))
    return "not seen: it does not look where the skill is", ()
