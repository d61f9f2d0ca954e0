"""What does Deep Agents Code show of its skills in the system prompt?

Source: requests; the sentences around the listing are those of deepagents 0.7.6, as in 0.7.32.
"""

from __future__ import annotations

from skilltool.runtimes.base import Session
from skilltool.runtimes.deepagents.listing import entries, locations, shown_in_prompt
from skilltool.runtimes.deepagents_code.discovery import OWN
from skilltool.runtimes.deepagents_code.places import BUILTIN, BUILTIN_LABEL, sources
from skilltool.runtimes.fixed_text import fixed_text


def catalog(session: Session) -> str | None:
    """Return the listing without the skills of the program itself, which come first.

    None if loading has failed.
    """
    return None if session.failure is not None else entries(session.skills)


def roots(session: Session) -> str:
    """Return the lines that name the directories."""
    named = [(source.label, source.path) for source in sources(session)]
    return locations([(BUILTIN_LABEL, BUILTIN), *named])


def prompt(session: Session) -> str | None:
    """Return all that skills add to the system prompt, with markers for what is the program's own."""
    if session.failure is not None:
        return None
    own = [
        fixed_text(*measured) if (skill := session.find(name)) is None else entries([skill])
        for name, measured in OWN.items()
    ]
    others = [entries([skill]) for skill in session.skills if skill.key not in OWN]
    return shown_in_prompt(session, roots(session), "\n".join([*own, *others]))
