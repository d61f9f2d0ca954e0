"""The strictest common ground: no runtime, but what every runtime of the design documents takes.

For `resolve` it is a neutral reader of any directories: the first copy of a name wins.
"""

from __future__ import annotations

from pathlib import Path

from skilltool.findings.finding import Severity
from skilltool.runtimes.base import ARGUMENTS, COMMAND, POSITION, Runtime, Session
from skilltool.runtimes.discovery.precedence import first_wins
from skilltool.runtimes.discovery.scanning import children, is_directory_entry
from skilltool.runtimes.values import LoadedSkill, Refused, unlistable_root
from skilltool.skill.skill_file import FILE_NAME


def load(directory: Path) -> LoadedSkill | Refused:
    """Read one skill directory leniently: whatever has a name and a description as text."""
    from skilltool.skill.model import load_skill as read_skill

    try:
        read = read_skill(directory)
    except OSError as error:
        return Refused(directory, None, f"it cannot be read: {error.strerror}")
    frontmatter = read.frontmatter
    name, description = frontmatter.text("name"), frontmatter.text("description")
    if read.unreadable:
        return Refused(directory, None, f"{read.file_name} cannot be read: {read.unreadable}")
    if frontmatter.data is None:
        return Refused(
            directory, None, "its frontmatter is missing or cannot be read; `skilltool lint` says where"
        )
    if not name or not description:
        return Refused(directory, None, "it has no name or no description that is text")
    return LoadedSkill(name, name, description, directory, read.body, display_path=str(directory))


def scan(session: Session) -> None:
    """Fill a session: the roots in the order given, the first copy of a name wins."""
    winners: dict[str, LoadedSkill] = {}
    for root in session.roots:
        try:
            directories = [path for path in (root.path, *children(root.path)) if _may_be_skill(path)]
        except OSError as error:
            session.skipped.append(unlistable_root(root, error))
            continue
        for directory in directories:
            found = load(directory)
            if isinstance(found, Refused):
                session.skipped.append(Refused(directory, None, found.why, root.role))
                continue
            placed = LoadedSkill(
                found.key, found.name, found.description, directory, found.body, root.role, str(directory)
            )
            first = winners.setdefault(placed.key, placed)
            if first is placed:
                session.skills.append(placed)
            else:
                session.shadowed.append(first_wins(session, first, placed))


def _may_be_skill(path: Path) -> bool:
    """Return whether a directory holds a SKILL.md; one that cannot be entered may, and `load` says so."""
    from skilltool.runtimes.discovery.file_access import exists

    try:
        return is_directory_entry(path) and exists(path / FILE_NAME)
    except OSError:
        return True


def _wrong_toolset(directory: Path, entry: str) -> str | None:
    """Ask as the one runtime of the ground that has toolsets."""
    from skilltool.runtimes.agent.toolsets_and_scripts import document_toolset

    return document_toolset(directory, entry)


def _wrong_script(directory: Path, entry: str) -> str | None:
    """Ask as the one runtime of the ground that lists scripts."""
    from skilltool.runtimes.agent.toolsets_and_scripts import document_script

    return document_script(directory, entry)


PORTABLE = Runtime(
    id="portable",
    title="Portable (what every supported runtime accepts)",
    docs="the five design documents that skilltool was made for: the narrowest limit of each field",
    verified="2026-11-21",
    schema="skill",
    specification=True,
    ground=("agent", "kodelet", "mycodeagent", "nfa", "pickle-bot"),
    limits_of=("agent", "kodelet", "mycodeagent", "nfa", "pickle-bot", "agentskills"),
    facts={
        "key": "the frontmatter's name",
        "duplicates": "the first root wins, then the first directory in the order of names",
        "parser": "lenient: what most runtimes read; `skilltool lint` says what some do not",
    },
    any_roots=True,
    # Hosted clients refuse these words in names, so a skill that is meant for everywhere avoids them.
    reserved_words=("anthropic", "claude"),
    severities={"positional-in-code": Severity.INFO},
    # One runtime of the ground puts in arguments; of the clients of the open specification, some do the rest.
    expands=frozenset({ARGUMENTS, POSITION, COMMAND}),
    scan=scan,
    toolset_problem=_wrong_toolset,
    script_problem=_wrong_script,
)
