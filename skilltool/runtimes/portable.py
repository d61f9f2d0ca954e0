"""portable: the strictest common ground, what every runtime of the design documents accepts.

Its limits are those of the documents. What is within them and is still refused is asked of the documents'
runtimes and of the clients that were measured.

For `resolve` it reads any directories leniently: the first copy of a name wins.
"""

from __future__ import annotations

from pathlib import Path

from skilltool.findings.finding import Severity
from skilltool.runtimes import GROUPS, MEASURED
from skilltool.runtimes.base import ARGUMENTS, COMMAND, POSITION, Runtime, Session
from skilltool.runtimes.loading import children, first_wins, is_directory_entry
from skilltool.runtimes.values import LoadedSkill, Refused, unlistable_root
from skilltool.skill.skill_file import FILE_NAME


def load(directory: Path) -> LoadedSkill | Refused:
    """Read one skill directory leniently: whatever has `name` and `description` as strings."""
    from skilltool.skill.model import load_skill as read_skill

    try:
        read = read_skill(directory)
    except OSError as error:
        return Refused(directory, None, f"the directory cannot be read: {error.strerror}")
    frontmatter = read.frontmatter
    name, description = frontmatter.text("name"), frontmatter.text("description")
    if read.unreadable:
        return Refused(directory, None, f"{read.file_name} cannot be read: {read.unreadable}")
    if frontmatter.data is None:
        return Refused(
            directory, None, "the frontmatter is missing or invalid; run `skilltool lint` for details"
        )
    if not name or not description:
        return Refused(directory, None, "`name` or `description` is missing, empty or not a string")
    return LoadedSkill(name, name, description, directory, read.body, display_path=str(directory))


def scan(session: Session) -> None:
    """Fill a session: roots in the order given, the first copy of a name wins."""
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
            skill = LoadedSkill(
                found.key, found.name, found.description, directory, found.body, root.role, str(directory)
            )
            first = winners.setdefault(skill.key, skill)
            if first is skill:
                session.skills.append(skill)
            else:
                session.shadowed.append(first_wins(session, first, skill))


def _may_be_skill(path: Path) -> bool:
    """Return whether a directory may have a SKILL.md; one that cannot be entered is left to `load`."""
    from skilltool.runtimes.loading import exists

    try:
        return is_directory_entry(path) and exists(path / FILE_NAME)
    except OSError:
        return True


def _wrong_toolset(directory: Path, entry: str) -> str | None:
    """Answer as `agent`, the only runtime of the common ground that has toolsets."""
    from skilltool.runtimes.agent.loading import document_toolset

    return document_toolset(directory, entry)


def _wrong_script(directory: Path, entry: str) -> str | None:
    """Answer as `agent`, the only runtime of the common ground that lists scripts."""
    from skilltool.runtimes.agent.loading import document_script

    return document_script(directory, entry)


PORTABLE = Runtime(
    id="portable",
    title="What the design documents and the tested clients have in common",
    docs="for each field, the strictest limit in design documents 000 to 004; the profiles of the clients",
    verified="2026-11-21",
    evidence="document",
    schema="skill",
    specification=True,
    ground=(*MEASURED, *GROUPS["documents"]),
    limits_of=(*GROUPS["documents"], "agentskills"),
    facts={
        "key": "`name` in the frontmatter",
        "duplicates": "the first copy wins; skills directories are searched in the order given, and the "
        "directories in each of them in alphabetical order",
        "parser": "a lenient parser that accepts anything most runtimes can read; `skilltool lint` reports "
        "anything that some runtimes cannot read",
    },
    any_roots=True,
    # Hosted clients refuse names with these words, so a portable skill avoids them.
    reserved_words=("anthropic", "claude"),
    severities={"positional-in-code": Severity.INFO},
    # MyCodeAgent inserts arguments; some clients of the open specification do the rest.
    expands=frozenset({ARGUMENTS, POSITION, COMMAND}),
    scan=scan,
    toolset_problem=_wrong_toolset,
    script_problem=_wrong_script,
)
