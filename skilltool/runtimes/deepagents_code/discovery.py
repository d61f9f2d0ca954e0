"""Which skills does Deep Agents Code load, and which copy of a name wins?

Source: `plugins/adapters/skills_middleware.py` of deepagents-code 0.1.57, which loads with deepagents 0.7.6.
"""

from __future__ import annotations

from functools import partial

from skilltool.runtimes.base import Session
from skilltool.runtimes.deepagents.backend import Backend
from skilltool.runtimes.deepagents.discovery import LOAD_ERRORS, Ended, load_directory, merge, of_source
from skilltool.runtimes.deepagents_code.places import sources
from skilltool.runtimes.values import LoadedSkill

# The skills of the program itself, in its order: length and digest of the lines in the listing.
OWN = {
    "deepagents-thread-inspector": (546, "03e02051222e0fecf83109c405a2006b81a728fae0c933e6d4dbb597a3f0bb48"),
    "remember": (459, "6a19c997880a3220b4ff90092fc196b60b3c067a992f28e16961b1d83dc8f38a"),
    "skill-creator": (756, "ac7b7e8e3f5b49d70568167683b5dbbcf943a712e97f27e3f1e0b4cb291cdbbc"),
}


def scan(session: Session) -> None:
    """Fill a session: the last copy of a name wins, where the first one stood in the list.

    One that has the name of a skill of the program takes the place of that skill, before all others.
    """
    winners: dict[str, LoadedSkill] = {}
    errors: list[str] = session.memory.setdefault(LOAD_ERRORS, [])
    try:
        for source in sources(session):
            for skill in of_source(session, Backend(session.project), source, errors, with_tools=False):
                merge(session, winners, skill)
    except Ended as error:
        session.failure = str(error)
        return
    session.skills += [winners[name] for name in OWN if name in winners]
    session.skills += [skill for name, skill in winners.items() if name not in OWN]


load = partial(load_directory, with_tools=False)
