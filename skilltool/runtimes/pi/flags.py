"""The options of pi's command line that concern skills."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Flags(NamedTuple):
    """What the options say: paths of skills to add, whether others are loaded, and which tools there are."""

    skills: tuple[str, ...]
    no_skills: bool
    tools: frozenset[str]

    @property
    def reader(self) -> str | None:
        """The tool with which the model reads a skill; None if it has none."""
        return next((name for name in ("read", "bash") if name in self.tools), None)


def parsed(flags: Sequence[str]) -> Flags:
    """Return what a list of options says; unknown ones are ignored."""
    skills: list[str] = []
    tools = {"read", "bash", "edit", "write"}
    given = iter(map(str, flags))
    for flag in given:
        if flag == "--skill":
            skills += [next(given, "")]
        elif flag == "--no-tools":
            tools = set()
        elif flag in ("--tools", "-t"):
            tools = set(_names(next(given, "")))
        elif flag == "--exclude-tools":
            tools -= set(_names(next(given, "")))
    return Flags(tuple(filter(None, skills)), "--no-skills" in flags or "-ns" in flags, frozenset(tools))


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]
