"""Why does a runtime not have a skill that somebody named, and which one may be meant?"""

from __future__ import annotations

from skilltool.errors import suggestions
from skilltool.explain.candidates import candidates
from skilltool.runtimes.base import Session
from skilltool.runtimes.loading import display_path
from skilltool.runtimes.values import ResolvedRoot

_MOST_NAMES = 5


def why_absent(session: Session, name: str) -> str:
    """Return a sentence that says why a runtime does not have a skill."""
    runtime = session.runtime.id
    if why := why_not(session, name):
        return f"{runtime} does not load `{name}`: {why}"
    if not session.roots:
        return f"{runtime} has no skills directory of its own, so it does not find `{name}`"
    return f"{runtime} does not find `{name}`; it {where_it_looks(session)}"


def where_it_looks(session: Session) -> str:
    """Return the skills directories of a session that exist and what is in each, as the end of a sentence."""
    if not session.roots:
        return "has no skills directory"
    there = [root for root in session.roots if root.exists]
    shown = ", ".join(f"{display_path(session, root.path)} ({_contents(session, root)})" for root in there)
    if there:
        return f"looks in {shown}"
    usual = ", ".join(display_path(session, root.path) for root in session.roots[:_MOST_NAMES])
    return (
        f"looks in {usual}, none of which exist"
        if len(session.roots) > 1
        else f"looks in {usual}, which does not exist"
    )


def _contents(session: Session, root: ResolvedRoot) -> str:
    keys = [skill.key for skill in session.skills if skill.role == root.role]
    more = f" and {len(keys) - _MOST_NAMES} more" if len(keys) > _MOST_NAMES else ""
    said = [f"loads {', '.join(keys[:_MOST_NAMES])}{more}" if keys else "loads nothing"]
    skipped = sum(refused.role == root.role for refused in session.skipped)
    said += [f"skips {skipped}"] if skipped else []
    return "; ".join([*said, *([root.unscanned] if root.unscanned else [])])


def why_not(session: Session, name: str) -> str | None:
    """Return what became of a copy of `name` in the session's roots, None if they contain none."""
    copies = candidates(session, name)
    loaded = next((copy for copy in copies if copy.outcome.startswith("loads")), None)
    if loaded is not None:
        return f"{display_path(session, loaded.directory)} {loaded.outcome}"
    for copy in copies:
        return f"{display_path(session, copy.directory)} {copy.outcome}: {' '.join(copy.why.split())}"
    return None


def meant(session: Session, name: str) -> str | None:
    """Return the key that `name` probably stands for: of the copy in its directory, else spelled alike."""
    copies = {copy.directory for copy in candidates(session, name)}
    for skill in session.skills:
        if skill.directory in copies:
            return skill.key
    return next(iter(suggestions(name, [skill.key for skill in session.skills])), None)
