"""The open specification, and what its reference library does with a skill."""

from skilltool.diagnostic import Severity
from skilltool.runtimes.base import Root, Runtime

AGENTSKILLS = Runtime(
    id="agentskills",
    title="Agent Skills (open specification)",
    docs="https://agentskills.io/specification and its reference library skills-ref",
    verified="2026-11-21, skills-ref 0.1.1",
    schema="agentskills",
    roots=(
        Root(role="project", place="{project}/.agents/skills"),
        Root(role="user", place="{home}/.agents/skills", scope="user"),
    ),
    severities={
        # The reference library compares the first three characters: it sees no frontmatter.
        "byte-order-mark": Severity.ERROR,
        # It splits at every three dashes: the rest of the frontmatter becomes body.
        "dashes-in-description": Severity.ERROR,
    },
)
