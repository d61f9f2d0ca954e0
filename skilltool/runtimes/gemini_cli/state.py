"""What does Gemini CLI know of the skills in a session?"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from skilltool.runtimes.base import Session
from skilltool.runtimes.values import LoadedSkill

_KEY = "gemini-cli"
TOOL = "activate_skill"
# Begins the role of the root of an extension; its name follows.
EXTENSION = "extension-"


class Entry(NamedTuple):
    """A skill in the program's list: its own (`builtin`), or a file; `extension` names the one it is from."""

    skill: LoadedSkill
    builtin: bool = False
    disabled: bool = False
    extension: str | None = None

    @property
    def location(self) -> str:
        """The path of its file, as the listing shows it."""
        return f"{self.skill.display_path}/SKILL.md"


@dataclass
class State:
    """All skills in the order of the program's list, disabled ones included."""

    entries: list[Entry] = field(default_factory=list)

    @property
    def enabled(self) -> list[Entry]:
        """Those that are listed, and that the tool takes."""
        return [entry for entry in self.entries if not entry.disabled]

    def find(self, name: str) -> Entry | None:
        """Return the first skill with this name in any case, disabled ones included."""
        lower = name.lower()
        return next((entry for entry in self.entries if entry.skill.key.lower() == lower), None)


def remember(session: Session, state: State) -> None:
    """Keep the state of a session."""
    session.memory[_KEY] = state


def state_of(session: Session) -> State:
    """Return the state that the scan of a session left."""
    found: State = session.memory[_KEY]
    return found


def offered(session: Session) -> list[Entry]:
    """Return the skills of the listing, by `session.skills`: costs are found with other lists there."""
    entries = state_of(session).enabled
    if [entry.skill for entry in entries if not entry.builtin] == session.skills:
        return entries
    return [*(entry for entry in entries if entry.builtin), *map(Entry, session.skills)]


def has_tool(session: Session) -> bool:
    """Return whether the model is offered the tool.

    Without a terminal the policy denies it, except with the approval mode `yolo`; `tools.exclude` and
    `tools.core` leave it out, too.
    """
    settings = session.settings
    core = settings["tools.core"]
    if TOOL in settings["tools.exclude"] or (core and TOOL not in core):
        return False
    return bool(settings["view"] == "interactive" or settings["approval_mode"] == "yolo")
