"""opencode: skills in `.opencode/skills`, `.claude/skills` and `.agents/skills`, called with `skill`."""

from __future__ import annotations

from skilltool.findings.finding import Severity
from skilltool.runtimes.base import ARGUMENTS, COMMAND, POSITION, Root, Runtime, Setting
from skilltool.runtimes.opencode import answers, loading
from skilltool.runtimes.opencode.loading import is_described, parse
from skilltool.runtimes.values import LoadedSkill

_SETTINGS = {
    "opencode.json": Setting(
        default=None,
        about="the configuration as an object or a string: `skills.paths`, `permission`, `tools`, "
        "`command`; no file is read",
    ),
    "env": Setting(
        default=None,
        about="environment variables as an object, such as `OPENCODE_DISABLE_EXTERNAL_SKILLS`; those of "
        "the skilltool process are ignored",
    ),
}
_FACTS = {
    "key": "`name` in the frontmatter, any text; the directory plays no part",
    "duplicates": "ambiguous: all copies, of all roots, are read at once, and the one read last wins",
    "parser": "gray-matter with YAML of js-yaml 3 (`---json` for JSON), from `---` to the next line that "
    "begins with `---`; where it fails, unquoted values with a colon become block scalars, for keys "
    "without hyphens",
    "arguments": "/name only: `$ARGUMENTS`, words as `$1`, `$2`, of which the highest takes the rest; "
    "without a placeholder they go to the end of the text; then commands in a body are run",
    "tool": "`skill` with `name`; the answer has the body and up to ten files, which are chance",
    "loading": "the listing ends the system message, sorted by name, without a limit; a skill without a "
    "description is not listed, but can be called",
    "cuts": "an answer over 2,000 lines or 50 KB loses its end",
    "stand-ins": "`{output}` stands for what a command in a body prints, `{builtin}` for the text of the "
    "program's own commands, `<ID>` in the name of a file for what differs in each run",
}


def summary(skill: LoadedSkill) -> str | None:
    """Return what the listing shows of a skill: nothing without a description."""
    return skill.description if is_described(skill) else None


OPENCODE_1_18_33 = Runtime(
    id="opencode@1.18.33",
    title="opencode 1.18.33",
    docs="requests of opencode-ai 1.18.33 (linux-x64, `opencode serve`) to a loopback model server; its code",
    verified="2026-11-21, wire: 353 recorded cases",
    evidence="wire",
    schema="opencode",
    roots=(
        Root(role="home-claude", path_template="{home}/.claude/skills", scope="user"),
        Root(role="user", path_template="{home}/.agents/skills", scope="user"),
        Root(role="project-claude", path_template="{project}/.claude/skills"),
        Root(role="project", path_template="{project}/.agents/skills"),
        Root(role="config", path_template="{home}/.config/opencode/skills", scope="user"),
        Root(role="config-skill", path_template="{home}/.config/opencode/skill", scope="user"),
        Root(role="opencode", path_template="{project}/.opencode/skills"),
        Root(role="opencode-skill", path_template="{project}/.opencode/skill"),
        Root(role="home-opencode", path_template="{home}/.opencode/skills", scope="user"),
        Root(role="home-opencode-skill", path_template="{home}/.opencode/skill", scope="user"),
    ),
    undetermined="all files are read at once, and of several skills with the same name the one read last "
    "wins: that may differ from one start to the next, within one root and between roots",
    settings=_SETTINGS,
    facts=_FACTS,
    sources={
        **dict.fromkeys(("roots", "key", "duplicates", "parser", "limits"), "results of its HTTP API"),
        **dict.fromkeys(("arguments", "tool", "cuts", "loading", "stand-ins"), "requests of the program"),
    },
    parameter="name",
    expands=frozenset({ARGUMENTS, POSITION, COMMAND}),
    # Which of two copies is loaded differs from one start to the next; the directory plays no part.
    severities={"duplicate-name": Severity.ERROR, "name-directory-mismatch": Severity.INFO},
    scan=loading.scan,
    load=loading.load,
    parse=parse,
    catalog=answers.catalog,
    summary=summary,
    tool=answers.tool,
    call=answers.call,
    content=answers.content,
    user=answers.user,
    typed=answers.typed,
)

OPENCODE = OPENCODE_1_18_33._replace(id="opencode", title="opencode")
