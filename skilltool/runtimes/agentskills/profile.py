"""agentskills: the open specification, and what its reference library does with a skill."""

from __future__ import annotations

from pathlib import Path

from skilltool.findings.finding import Severity
from skilltool.runtimes.agentskills import skills_ref, validation
from skilltool.runtimes.base import ARGUMENTS, COMMAND, POSITION, Runtime, Session
from skilltool.runtimes.discovery.file_access import read_bytes
from skilltool.runtimes.discovery.precedence import first_wins
from skilltool.runtimes.discovery.scanning import children, is_directory_entry
from skilltool.runtimes.options import Root
from skilltool.runtimes.values import LoadedSkill, Refusal, Refused, unlistable_root


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory: the reference library lists whatever it can parse."""
    try:
        file = skills_ref.skill_file(directory)
        if file is None:
            return Refused(directory, f"SKILL.md not found in {directory}", "it has no SKILL.md")
        fields = skills_ref.parse(read_bytes(file))
        name, description = skills_ref.properties(fields)
    except Refusal as refusal:
        return Refused(directory, refusal.message, refusal.why, kind=refusal.kind, library=refusal.library)
    except OSError as error:
        return Refused(directory, None, f"SKILL.md cannot be read: {error.strerror}")
    return LoadedSkill(
        name, name, description, directory, fields["body"], display_path=str(directory.resolve())
    )


def scan(session: Session) -> None:
    """Fill a session: the project's root first, then the user's; directories in the order of their names."""
    for root in session.roots:
        try:
            directories = list(filter(is_directory_entry, children(root.path))) if root.exists else []
        except OSError as error:
            session.skipped.append(unlistable_root(root, error))
            continue
        for directory in directories:
            found = validation.load(directory)
            if isinstance(found, Refused):
                session.skipped.append(found._replace(role=root.role))
                continue
            skill = found._replace(role=root.role)
            first = session.find(skill.key)
            if first is None:
                session.skills.append(skill)
            else:
                session.shadowed.append(first_wins(session, first, skill))


def catalog(session: Session) -> str | None:
    """Return the listing as the reference library prints it; None without skills (client guide)."""
    if not session.skills:
        return None
    return skills_ref.catalog((s.name, s.description, _file(s.directory)) for s in session.skills)


def content(session: Session, skill: LoadedSkill) -> str:
    """Return the whole file: the model reads it at the listed location."""
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
        "key": "`name` in the frontmatter, which must equal the directory name",
        "duplicates": "the project's copy takes precedence over the user's",
        "parser": "strictyaml (scalars are text, no flow style) between the first two `---`, even in a line",
        "arguments": "none; some clients replace `$ARGUMENTS` and `$1`, and run !`command`",
        "tool": "none: the model reads the file at the listed location",
        "loading": "the listing is in the prompt; each client words its own instructions for using it",
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
    # Claude Code, goose and OpenCode insert arguments; Claude Code, OpenCode and OpenHands run commands
    # (https://code.claude.com/docs/en/skills, https://opencode.ai/docs, checked 2026-11-21).
    expands=frozenset({ARGUMENTS, POSITION, COMMAND}),
    severities={
        # Only some clients insert arguments, and only if the user gives any.
        "positional-in-code": Severity.INFO,
        # The reference library compares the first three characters: it sees no frontmatter.
        "byte-order-mark": Severity.ERROR,
        # It splits at every three dashes: the rest of the frontmatter becomes body.
        "dashes-in-description": Severity.ERROR,
        # Its validator refuses both.
        "name-directory-mismatch": Severity.ERROR,
        "unknown-field": Severity.ERROR,
    },
    scan=scan,
    parse=skills_ref.parse,
    load=validation.load,
    catalog=catalog,
    content=content,
)
