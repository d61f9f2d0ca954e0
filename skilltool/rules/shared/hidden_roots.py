"""Tells whether a directory is in the `.anything/skills` of some runtime, such as `.claude/skills`."""

from __future__ import annotations

from pathlib import Path


def in_hidden_root(directory: Path) -> bool:
    """Return whether a directory is below a `.anything/skills` of its project.

    A repository that is itself called `.anything` is a project, and what is above a repository does not count.
    """
    for parent in directory.parents:
        if _is_repository(parent):
            return False
        if parent.name == "skills" and is_hidden_project(parent.parent):
            return True
    return False


def is_hidden_project(directory: Path) -> bool:
    """Return whether a directory that has a `skills` is the `.anything` of a runtime, not a project."""
    return directory.name.startswith(".") and not _is_repository(directory)


def _is_repository(directory: Path) -> bool:
    return (directory / ".git").exists()
