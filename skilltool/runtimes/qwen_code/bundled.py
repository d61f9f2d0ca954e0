"""The program's own skills: what the listing shows of them is stored, their bodies are not."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from skilltool.runtimes.base import Session
from skilltool.runtimes.qwen_code.state import state_of


class Own(NamedTuple):
    """A skill of the program, as the listing shows it; one without a description is not listed."""

    name: str
    description: str | None = None
    when_to_use: str | None = None


@cache
def facts() -> dict[str, Any]:
    """Return the content of `facts.json`."""
    found: dict[str, Any] = json.loads((Path(__file__).parent / "facts.json").read_text("utf-8"))
    return found


def own_skills(session: Session) -> list[Own]:
    """Return the program's own skills that no setting turns off and no other skill replaces."""
    if "bundled" in (session.settings["skills.disabledLevels"] or ()):
        return []
    if "--bare" in session.settings["flags"]:
        return []
    state = state_of(session)
    taken = {skill.name for skill in state.found}
    every = (Own(row["name"], row.get("description"), row.get("when_to_use")) for row in facts()["bundled"])
    return [each for each in every if each.name not in taken and each.name not in state.off]
