"""Which of two copies with the same key wins? In sentences of ours, which name the winner and its root."""

from __future__ import annotations

from pathlib import Path

from skilltool.runtimes.base import Session
from skilltool.runtimes.values import LoadedSkill, Shadowed


def first_wins(session: Session, winner: LoadedSkill, loser: LoadedSkill) -> Shadowed:
    """Return the outcome for a copy that comes after the winner."""
    why = f"the first copy wins, and {copy_name(session, winner)} comes before this one"
    return Shadowed(loser, winner, why)


def last_wins(session: Session, winner: LoadedSkill, loser: LoadedSkill) -> Shadowed:
    """Return the outcome for a copy that comes before the winner."""
    why = f"the last copy wins, and {copy_name(session, winner)} comes after this one"
    return Shadowed(loser, winner, why)


def copy_name(session: Session, skill: LoadedSkill) -> str:
    """Return the path of a copy for people, and the role of its root."""
    return f"`{display_path(session, skill.directory)}` ({skill.role})"


def display_path(session: Session, path: Path) -> str:
    """Return a path for people: relative to the project, with `~` for the home directory, else absolute."""
    if path == session.shown_from:
        return f"../{path.name}"
    if path.is_relative_to(session.shown_from):
        return path.relative_to(session.shown_from).as_posix()
    if path.is_relative_to(session.home):
        return f"~/{path.relative_to(session.home).as_posix()}"
    return str(path)
