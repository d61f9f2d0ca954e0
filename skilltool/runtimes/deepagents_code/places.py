"""In which directories does Deep Agents Code look for skills, and what does it call them?

Source: `agent.py`, `config.py` and `_git.py` of deepagents-code 0.1.57, and requests.
"""

from __future__ import annotations

import os
from pathlib import Path

from skilltool.runtimes.base import Session
from skilltool.runtimes.deepagents.sources import Source
from skilltool.runtimes.loading import bytes_beside_skills, decoded, is_directory_here, is_file_here
from skilltool.runtimes.values import Refusal, ResolvedRoot

BUILTIN = "{builtin}"
BUILTIN_LABEL = "Built-in"
_PROJECT, _USER_CLAUDE = "project", "user-claude"
_LABELS = {
    "user": "User Deepagents",
    "user-agents": "User Agents",
    _PROJECT: "Project Deepagents",
    "project-agents": "Project Agents",
    _USER_CLAUDE: "User Claude",
    "project-claude": "Project Claude",
}
_NO_REPOSITORY = "the project is in no git repository"
_POINTER = "gitdir:"


def sources(session: Session) -> list[Source]:
    """Return the directories that are named in the prompt and scanned, low to high.

    The roots of a session become where the program looks: those of the project are in the root of its
    repository, and without one they are not scanned.
    """
    top = _top(session)
    session.roots = tuple(_moved(session, root, top) for root in session.roots)
    named = (each for each in session.roots if each.unscanned is None)
    return [
        Source(str(each.path), _LABELS[each.role], each.role)
        for each in named
        if each.role != _USER_CLAUDE or each.exists
    ]


def _top(session: Session) -> Path | None:
    found = repository_root(Path(os.path.realpath(session.project)))
    return found if found is not None or session.settings["needs_git"] else session.project


def _moved(session: Session, root: ResolvedRoot, top: Path | None) -> ResolvedRoot:
    """Return a root of the project in the root of its repository, unless `--root` names it."""
    template = next(each.path_template for each in session.runtime.roots if each.role == root.role) or ""
    usual = Path(template.format(project=session.project, home=session.home))
    if not root.role.startswith(_PROJECT) or root.path != usual:
        return root
    if top is None:
        return root._replace(unscanned=_NO_REPOSITORY)
    path = Path(template.format(project=top, home=session.home))
    return root._replace(path=path, display_path=str(path))


def repository_root(directory: Path) -> Path | None:
    """Return the root of the repository that a directory is in, None if it is in none.

    A file `.git` counts if it leads to a directory, and ends the search if it does not.
    """
    for each in (directory, *directory.parents):
        entry = each / ".git"
        if is_directory_here(entry):
            return each
        if is_file_here(entry):
            return each if _leads_to_directory(entry) else None
    return None


def _leads_to_directory(file: Path) -> bool:
    try:
        text = decoded(bytes_beside_skills(file)).strip()
    except (OSError, UnicodeDecodeError, Refusal):
        return False
    path = text.removeprefix(_POINTER).strip()
    return text.startswith(_POINTER) and bool(path) and is_directory_here(file.parent / path)
