"""What does OpenHands know of one skill: a package, or a single Markdown file?"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from skilltool.runtimes.values import LoadedSkill

_NONE: Mapping[str, Any] = MappingProxyType({})
KEYWORD, TASK, PATH = "keyword", "task", "path"
# The names under which files of other clients are skills, by their own names in lower case.
THIRD_PARTY = {
    ".cursorrules": "cursorrules",
    "agents.md": "agents",
    "agent.md": "agents",
    "claude.md": "claude",
    "gemini.md": "gemini",
}


class Trigger(NamedTuple):
    """What brings a skill into the conversation by itself: words of a message, or a touched file.

    `kind` is `keyword`, `task` or `path`; `words` are keywords, or patterns of paths.
    """

    kind: str
    words: tuple[str, ...]


class Entry(NamedTuple):
    """A skill.

    `description` is the frontmatter's, as the program keeps it: over its limit, cut in the middle; `written`
    is the whole. `package` tells a directory with a SKILL.md from a single file, `hidden` a skill that the
    model cannot call. `fields` are those of the specification that are set. `role` is that of the root.
    """

    name: str
    file: Path
    body: str
    description: str | None = None
    written: str | None = None
    trigger: Trigger | None = None
    package: bool = False
    hidden: bool = False
    fields: Mapping[str, Any] = _NONE
    role: str = ""

    @property
    def kind(self) -> str:
        """The program's word: `agentskills`, `knowledge` if something triggers a single file, else `repo`."""
        return "agentskills" if self.package else "repo" if self.trigger is None else "knowledge"

    @property
    def always(self) -> bool:
        """Whether its whole text is in the prompt from the start."""
        return not self.package and self.trigger is None


def skill_of(entry: Entry, description: str) -> LoadedSkill:
    """Return an entry as a skill of a session; `description` stands in where the author wrote none."""
    return LoadedSkill(
        entry.name,
        entry.name,
        entry.written or description,
        entry.file.parent,
        entry.body,
        entry.role,
        str(entry.file),
        {"entry": entry, "file": entry.file},
    )


def entry_of(skill: LoadedSkill) -> Entry:
    """Return what OpenHands knows of a skill of a session."""
    entry: Entry = skill.extra["entry"]
    return entry
