"""agentskills: the open specification, and skills-ref: the reading of its reference library."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from skilltool.findings.finding import Severity
from skilltool.runtimes.agentskills import discovery, skills_ref
from skilltool.runtimes.base import ARGUMENTS, COMMAND, POSITION, Root, Runtime, Session
from skilltool.runtimes.loading import read_bytes, scan_roots
from skilltool.runtimes.values import LoadedSkill, Refusal


def catalog(session: Session) -> str | None:
    """Return the listing as the reference library prints it; None without skills (client guide)."""
    if not session.skills:
        return None
    return skills_ref.catalog((s.name, s.description, _file(s.directory)) for s in session.skills)


def content(session: Session, skill: LoadedSkill) -> str | None:
    """Return the whole file, which the model reads at the listed location; None if it cannot be read now."""
    try:
        return read_bytes(_file(skill.directory)).decode("utf-8", "replace")
    except (OSError, Refusal):
        return None


def _file(directory: Path) -> Path:
    resolved = directory.resolve()
    return skills_ref.skill_file(resolved) or resolved / "SKILL.md"


AGENTSKILLS = Runtime(
    id="agentskills",
    title="Agent Skills (open specification)",
    docs="https://agentskills.io/specification and its reference library skills-ref",
    verified="2026-11-21, skills-ref 0.1.1",
    evidence="run",
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
    scan=partial(scan_roots, load=discovery.load_valid),
    parse=skills_ref.parse,
    load=discovery.load_valid,
    catalog=catalog,
    content=content,
)

_PARSER, _PROMPT = "skills_ref/parser.py", "skills_ref/prompt.py"

SKILLS_REF_0_1_1 = AGENTSKILLS._replace(
    id="skills-ref@0.1.1",
    title="skills-ref 0.1.1, the reference library's own reading",
    docs="agentskills/agentskills at 69ef37e: skills-ref/ (read_properties, to_prompt)",
    verified="2026-11-21, output of the library",
    evidence="run",
    schema="skills-ref",
    specification=False,
    facts={
        **AGENTSKILLS.facts,
        "key": "`name` in the frontmatter; the directory name does not matter",
        "arguments": "none",
        "loading": "the listing says where each file is, and nothing else",
    },
    sources={
        **AGENTSKILLS.sources,
        **dict.fromkeys(("key", "parser", "limits"), _PARSER),
        **dict.fromkeys(("arguments", "tool", "loading"), _PROMPT),
    },
    expands=frozenset(),
    severities={
        rule: severity
        for rule, severity in AGENTSKILLS.severities.items()
        if rule not in {"name-directory-mismatch", "unknown-field"}
    },
    scan=partial(scan_roots, load=discovery.load_parsed),
    load=discovery.load_parsed,
)
