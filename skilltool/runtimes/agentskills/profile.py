"""The open specification, and what its reference library does with a skill."""

from __future__ import annotations

from pathlib import Path

from skilltool.findings.finding import Severity
from skilltool.runtimes.agentskills import skills_ref
from skilltool.runtimes.base import ARGUMENTS, COMMAND, POSITION, Runtime, Session
from skilltool.runtimes.discovery.file_access import read_bytes
from skilltool.runtimes.discovery.precedence import first_wins
from skilltool.runtimes.discovery.scanning import children, is_directory_entry
from skilltool.runtimes.options import Root
from skilltool.runtimes.values import LoadedSkill, Refusal, Refused, unlistable_root


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory: the library lists whatever it can parse."""
    try:
        file = skills_ref.skill_file(directory)
        if file is None:
            return Refused(directory, f"SKILL.md not found in {directory}", "there is no SKILL.md in it")
        fields = skills_ref.parse(read_bytes(file))
        name, description = skills_ref.properties(fields)
    except Refusal as refusal:
        return Refused(directory, refusal.message, refusal.why, kind=refusal.kind, library=refusal.library)
    except OSError as error:
        return Refused(directory, None, f"its SKILL.md cannot be read: {error.strerror}")
    return LoadedSkill(
        name, name, description, directory, fields["body"], display_path=str(directory.resolve())
    )


def scan(session: Session) -> None:
    """Fill a session: the project's root before the user's, directories in the order of their names."""
    for root in session.roots:
        try:
            directories = list(filter(is_directory_entry, children(root.path))) if root.exists else []
        except OSError as error:
            session.skipped.append(unlistable_root(root, error))
            continue
        for directory in directories:
            found = load(directory)
            if isinstance(found, Refused):
                session.skipped.append(found._replace(role=root.role))
                continue
            placed = found._replace(role=root.role)
            first = session.find(placed.key)
            if first is None:
                session.skills.append(placed)
            else:
                session.shadowed.append(first_wins(session, first, placed))


def catalog(session: Session) -> str | None:
    """Return the listing of the reference library; None without a skill, as its client guide asks for."""
    if not session.skills:
        return None
    return skills_ref.catalog((s.name, s.description, _file(s.directory)) for s in session.skills)


def content(session: Session, skill: LoadedSkill) -> str:
    """Return the whole file: the model reads it at the location that is listed."""
    if skills_ref.skill_file(skill.directory) is None:
        return ""
    return read_bytes(_file(skill.directory)).decode("utf-8", "replace")


def _file(directory: Path) -> Path:
    resolved = directory.resolve()
    return skills_ref.skill_file(resolved) or resolved / "SKILL.md"


AGENTSKILLS = Runtime(
    id="agentskills",
    title="Agent Skills (open specification)",
    docs="https://agentskills.io/specification and its reference library skills-ref",
    verified="2026-11-21, skills-ref 0.1.1",
    schema="agentskills",
    specification=True,
    roots=(
        Root(role="project", path_template="{project}/.agents/skills"),
        Root(role="user", path_template="{home}/.agents/skills", scope="user"),
    ),
    facts={
        "key": "the frontmatter's name, which has to be the folder's",
        "duplicates": "the project's copy wins over the user's (client guide)",
        "parser": "split at `---` wherever it stands, then strictyaml: scalars are text, no flow style",
        "arguments": "none; some clients put them in for `$ARGUMENTS` and `$1`, and run !`command`",
        "tool": "none: the model reads the file at the listed location",
        "loading": "the listing stands in the prompt; how the model is told to use it is the client's",
    },
    sources={
        "roots": "the client guide of agentskills.io",
        "key": "https://agentskills.io/specification; skills_ref/validator.py",
        "duplicates": "the client guide of agentskills.io",
        "parser": "skills_ref/parser.py of the reference library",
        "limits": "https://agentskills.io/specification",
        "arguments": "the documentation of Claude Code, goose and OpenCode",
        "tool": "skills_ref/prompt.py of the reference library",
        "loading": "skills_ref/prompt.py of the reference library",
    },
    # Claude Code, goose and OpenCode put in arguments; Claude Code, OpenCode and OpenHands run commands
    # (https://code.claude.com/docs/en/skills, https://opencode.ai/docs, checked 2026-11-21).
    expands=frozenset({ARGUMENTS, POSITION, COMMAND}),
    severities={
        # Only some clients put arguments in, and only where a user gives some.
        "positional-in-code": Severity.INFO,
        # The reference library compares the first three characters: it sees no frontmatter.
        "byte-order-mark": Severity.ERROR,
        # It splits at every three dashes: the rest of the frontmatter becomes body.
        "dashes-in-description": Severity.ERROR,
    },
    scan=scan,
    parse=skills_ref.parse,
    load=load,
    catalog=catalog,
    content=content,
)
