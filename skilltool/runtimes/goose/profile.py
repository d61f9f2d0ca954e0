"""goose: skills in `.agents/skills`, `.goose/skills` and others, called with the tool `load_skill`."""

from __future__ import annotations

from skilltool.findings.finding import Severity
from skilltool.runtimes.base import ARGUMENTS, POSITION, Root, Runtime
from skilltool.runtimes.goose import call, discovery

_MOD, _CLIENT = "crates/goose/src/skills/mod.rs", "crates/goose/src/skills/client.rs"

GOOSE = Runtime(
    id="goose",
    title="goose",
    docs="block/goose: crates/goose/src/skills/client.rs at 0d2074cc, mod.rs at 013ab848",
    verified="2026-11-22, source: read, not run",
    schema="goose",
    roots=(
        Root(role="project-agents", path_template="{project}/.agents/skills"),
        Root(role="project", path_template="{project}/.goose/skills"),
        Root(role="project-claude", path_template="{project}/.claude/skills"),
        Root(role="user-agents", path_template="{home}/.agents/skills", scope="user"),
        Root(role="user", path_template="{home}/.config/goose/skills", scope="user"),
        Root(role="user-claude", path_template="{home}/.claude/skills", scope="user"),
        Root(role="user-config", path_template="{home}/.config/agents/skills", scope="user"),
    ),
    facts={
        "key": "`name` in the frontmatter; the directory plays no part",
        "duplicates": "the first copy of a name wins: project, then user, in the order of the roots",
        "parser": "serde_yaml between the first two `---`, even in a line; `name` is required",
        "arguments": "`$ARGUMENTS`, words as `$1` or `$ARGUMENTS[0]`, and the names in `metadata.arguments`; "
        "without a placeholder they go to the end of the body",
        "tool": "`load_skill` with `name` and `args`; `name/path` is a file of the skill",
        "loading": "any depth, linked directories and files are followed; the listing is sorted by name, "
        "nothing is escaped or cut",
        "not known": "the program's own skills, which are listed and called, too; plugins; what is sent for "
        "a typed text",
    },
    sources={
        "not known": "what was read does not say",
        "limits": _MOD,
        **dict.fromkeys(("roots", "key", "duplicates", "parser"), _MOD),
        **dict.fromkeys(("arguments", "tool", "loading"), _CLIENT),
    },
    parameter="name",
    argument="args",
    expands=frozenset({ARGUMENTS, POSITION}),
    severities={"name-directory-mismatch": Severity.INFO},
    scan=discovery.scan,
    load=discovery.load,
    parse=discovery.parse,
    catalog=call.catalog,
    tool=call.tool,
    call=call.call,
)
