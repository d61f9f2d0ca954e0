"""How is a listing shared? By the runtime's own account, else by comparing listings of fewer skills."""

from __future__ import annotations

from copy import copy
from pathlib import Path

from skilltool.runtimes.base import Session, Share, Shares
from skilltool.runtimes.fixed_text import whole_length
from skilltool.runtimes.values import LoadedSkill

StandsFor = tuple[Path, Path] | None


def shares_of(session: Session, stands_for: StandsFor = None) -> Shares:
    """Return the parts of the listing at the start of a session; `stands_for` as for `cost_of`."""
    runtime = session.runtime
    if runtime.shares is not None:
        found, listed = runtime.shares(session), session.catalog() or ""
        return found._replace(fixed=found.fixed + len(replaced(listed, stands_for)) - len(listed))
    omitted = frozenset(runtime.budget(session)[1]) if runtime.budget else frozenset()
    listed = replaced(session.catalog(), stands_for)
    asked = {skill.key: _entry(session, skill, stands_for) for skill in session.skills}
    skills = {key: Share(size, 0 if key in omitted else size) for key, size in asked.items() if size > 0}
    sent = sum(share.sent for share in skills.values())
    around = whole_length(replaced(session.prompt(), stands_for)) - whole_length(listed)
    return Shares(max(whole_length(listed) - sent, 0) + max(around, 0), Share(0, 0), skills)


def _entry(session: Session, skill: LoadedSkill, stands_for: StandsFor) -> int:
    """Return by how much a listing is longer that has the skill once more: its entry, and what separates."""
    once, twice = copy(session), copy(session)
    once.skills, twice.skills = [skill], [skill, skill]
    return len(replaced(twice.catalog(), stands_for)) - len(replaced(once.catalog(), stands_for))


def replaced(text: str | None, stands_for: StandsFor) -> str:
    """Return a text with the path of a copied directory replaced by that of the original; empty for None."""
    if text is None or stands_for is None:
        return text or ""
    return text.replace(str(stands_for[0]), str(stands_for[1]))
