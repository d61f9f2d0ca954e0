"""What does a session of Claude Code remember: its settings, all that it found, and what it has sent?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from skilltool.runtimes.base import Session
from skilltool.runtimes.claude_code.entry import Entry
from skilltool.runtimes.claude_code.flags import Flags

_KEY = "claude-code"


@dataclass
class State:
    """What one session knows.

    `entries` are those that a call may name, in the order of the listing, with those switched off by
    `skillOverrides`. `waiting` are skills with `paths` of which no file has been touched. `rendered` is the
    last text sent for each key, `named` are the commands that the user named in a text. `scoped` maps a key
    to the keys of its nested variants.
    """

    flags: Flags
    settings: Mapping[str, Any]
    config: Path
    entries: list[Entry] = field(default_factory=list)
    waiting: list[Entry] = field(default_factory=list)
    rendered: dict[str, str] = field(default_factory=dict)
    named: set[str] = field(default_factory=set)
    visited: set[Path] = field(default_factory=set)
    scoped: dict[str, list[Entry]] = field(default_factory=dict)

    def override(self, entry: Entry) -> str | None:
        """Return what `skillOverrides` says about a key, None for nothing or `on`."""
        found = self.settings.get("skillOverrides", {}).get(entry.key)
        return found if isinstance(found, str) and found != "on" else None

    def offered(self, entry: Entry) -> bool:
        """Whether the model may call an entry."""
        return entry.for_model and self.override(entry) not in ("off", "user-invocable-only")


def state_of(session: Session) -> State:
    """Return the state of a session that has been scanned."""
    found: State = session.memory[_KEY]
    return found


def remember(session: Session, state: State) -> None:
    """Keep the state of a session."""
    session.memory[_KEY] = state
