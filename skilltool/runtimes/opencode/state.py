"""What does opencode know in a session, beside its skills?"""

from __future__ import annotations

from dataclasses import dataclass

from skilltool.runtimes.base import Session
from skilltool.runtimes.opencode.settings import Settings

_KEY = "opencode"
# Its own skill, and the path that stands for that of a file.
BUILTIN, BUILTIN_LOCATION = "customize-opencode", "<built-in>"


@dataclass(frozen=True)
class State:
    """The settings that the session started with."""

    settings: Settings


def remember(session: Session, state: State) -> None:
    """Keep the state of a session."""
    session.memory[_KEY] = state


def state_of(session: Session) -> State:
    """Return the state that the scan of a session left."""
    found: State = session.memory[_KEY]
    return found
