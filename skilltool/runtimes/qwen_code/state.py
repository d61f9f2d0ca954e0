"""What does a session of qwen-code remember: all that it found, and what the model has done with it?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from skilltool.runtimes.base import Session
from skilltool.runtimes.qwen_code.manifest import Manifest
from skilltool.runtimes.values import LoadedSkill

_KEY = "qwen-code"


@dataclass
class State:
    """What one session knows.

    `found` are the skills of all levels, each name once, in the order of the listing; `at_levels` are those
    that one level has under a name of its own. `active` are the names of skills with `paths` of which a file
    was touched, `sent` the names of those whose body the model has.
    """

    found: list[LoadedSkill] = field(default_factory=list)
    active: set[str] = field(default_factory=set)
    sent: set[str] = field(default_factory=set)
    off: frozenset[str] = frozenset()

    def is_on(self, skill: LoadedSkill) -> bool:
        """Whether no setting turns a skill off; names are compared without case."""
        names = {skill.name.strip().lower(), skill.extra["own_name"].strip().lower()}
        return not names & self.off

    def waits(self, skill: LoadedSkill) -> bool:
        """Whether a skill is offered only once a file is touched."""
        return bool(manifest_of(skill).paths) and skill.name not in self.active

    def offered(self) -> Iterable[LoadedSkill]:
        """Yield what the model is told of and can call."""
        for skill in self.found:
            if self.is_on(skill) and manifest_of(skill).for_model and not self.waits(skill):
                yield skill


def manifest_of(skill: LoadedSkill) -> Manifest:
    """Return what the file of a skill says."""
    found: Manifest = skill.extra["manifest"]
    return found


def state_of(session: Session) -> State:
    """Return the state of a session that has been scanned."""
    found: State = session.memory[_KEY]
    return found


def remember(session: Session, state: State) -> None:
    """Keep the state of a session."""
    session.memory[_KEY] = state
