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
        about="the configuration, as an object or as JSON text: `skills.paths`, `permission`, "
        "`tools`, `command`; no file is read",
    ),
    "env": Setting(
        default=None,
        about="environment variables as an object, such as `OPENCODE_DISABLE_EXTERNAL_SKILLS`; "
        "skilltool's own environment is never used",
    ),
}
_FACTS = {
    "key": "`name` in the frontmatter, any string; the directory's name does not matter",
    "duplicates": "ambiguous, because all copies in all skills directories are read concurrently and the one "
    "read last wins",
    "parser": "gray-matter with js-yaml 3 (`---json` for JSON), from `---` to the next line that starts with "
    "`---`. If that fails, opencode turns unquoted values that contain a colon into block scalars, unless "
    "their keys have hyphens, and parses the frontmatter again",
    "arguments": "only if the user types /name. `$ARGUMENTS` is replaced with all the words. `$1`, `$2` and "
    "so on are each replaced with one word, except that the one with the highest number gets all the "
    "remaining words. Without a placeholder, the arguments are appended to the body. Then commands in the "
    "body are run",
    "tool": "`skill` with `name`; the result contains the body and the paths of up to ten of the skill's "
    "files",
    "loading": "the listing is at the end of the system message, sorted by name, with no size limit; a skill "
    "without a description is not listed, but can be called",
    "cuts": "a result over 2,000 lines or 50 KB is truncated at the end",
    "stand-ins": "`{output}` stands for the output of a command in a body, `{builtin}` for the text of "
    "built-in commands, and `<ID>` for the part of a file name that changes with each run",
}


def summary(skill: LoadedSkill) -> str | None:
    """Return what the listing shows of a skill: nothing without a description."""
    return skill.description if is_described(skill) else None


OPENCODE_1_18_33 = Runtime(
    id="opencode@1.18.33",
    title="opencode 1.18.33",
    docs="requests from opencode-ai 1.18.33 (linux-x64, `opencode serve`) to a loopback model"
    " server; the program's source code",
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
    undetermined="all files are read concurrently, and of several skills with the same name, the one "
    "read last wins; this can differ from one start to the next, within one skills directory "
    "and between several",
    settings=_SETTINGS,
    facts=_FACTS,
    sources={
        **dict.fromkeys(("roots", "key", "duplicates", "parser", "limits"), "responses from its HTTP API"),
        **dict.fromkeys(("arguments", "tool", "cuts", "loading", "stand-ins"), "requests from the program"),
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
