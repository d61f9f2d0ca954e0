"""Kimi CLI: skills of many clients, listed in the prompt, read with `ReadFile`, run as `/skill:name`."""

from __future__ import annotations

from skilltool.findings.finding import Severity
from skilltool.runtimes.base import Root, Runtime, Setting
from skilltool.runtimes.kimi_cli import answers, loading
from skilltool.runtimes.kimi_cli.loading import parse

_SETTINGS = {
    "merge_all_available_skills": Setting(
        default=True,
        about="read all of `.kimi/skills`, `.claude/skills` and `.codex/skills`, not only the "
        "first that exists",
    ),
    "extra_skill_dirs": Setting(
        default=[], about="additional directories: absolute, under `~`, or relative to the repository's root"
    ),
    "skills_dir": Setting(
        default=[], about="directories (`--skills-dir`) to use instead of the project's and the user's"
    ),
    "replies": Setting(default=[], about="what the model answers at the nodes of a flow, in order"),
}
_FACTS = {
    "key": "the name from the frontmatter, unchanged, or the directory's name if there is none; "
    "case-insensitive",
    "duplicates": "across skills directories, the first copy wins. Within one skills directory, the last "
    "directory in file system order wins; skilltool uses byte order. Nothing is logged",
    "parser": "PyYAML between two lines that contain only `---` and whitespace; any such line ends the "
    "frontmatter, even inside a block scalar. U+2028 and similar characters also end a line. Without a "
    "second marker, the whole file is the body",
    "arguments": "`/skill:name` sends the whole file with its frontmatter, followed by the arguments;"
    " nothing is replaced",
    "tool": "none; the model reads the listed file with `ReadFile`",
    "loading": "the listing is in the system prompt and shows every skill with its path, grouped under "
    "Project, User, Extra and Built-in and sorted by name within each group. skilltool omits the last group, "
    "which contains two built-in skills",
    "single files": "every `*.md` directly in a skills directory is a skill, even `README.md`, but not "
    "`SKILL.md`",
    "failure": "a single `SKILL.md` that is not UTF-8, even if only in its body, makes the program "
    "exit at startup",
    "flows": "for a skill with `type: flow` and a Mermaid or D2 diagram, `/flow:name` sends the nodes one by "
    "one; if the diagram is invalid, the skill is treated as `type: standard`",
    "commands": "a name can be typed only if it consists of ASCII letters, digits, `_`, `-` and single `:`, "
    "and only with its exact capitalization",
    "retirement": "the installed program only prints a notice that it is no longer maintained",
    "stand-ins": "`{builtin}` stands for the text that built-in commands and skills send",
}

KIMI_CLI_1_52_0 = Runtime(
    id="kimi-cli@1.52.0",
    title="Kimi CLI 1.52.0",
    docs="requests from kimi-cli 1.52.0 (PyPI, started with `run_original_cli`) to a loopback model server; "
    "the program's source code",
    verified="2026-11-25, wire: 267 recorded cases",
    evidence="wire",
    schema="kimi-cli",
    undetermined="of skills with the same name in one skills directory, the last in file system "
    "order wins, which differs between machines",
    roots=(
        Root(role="project-kimi", path_template="{project}/.kimi/skills"),
        Root(role="project-claude", path_template="{project}/.claude/skills"),
        Root(role="project-codex", path_template="{project}/.codex/skills"),
        Root(role="project", path_template="{project}/.agents/skills"),
        Root(role="user-kimi", path_template="{home}/.kimi/skills", scope="user"),
        Root(role="user-claude", path_template="{home}/.claude/skills", scope="user"),
        Root(role="user-codex", path_template="{home}/.codex/skills", scope="user"),
        Root(role="user-config", path_template="{home}/.config/agents/skills", scope="user"),
        Root(role="user", path_template="{home}/.agents/skills", scope="user"),
        Root(role="plugin", path_template="{home}/.kimi/plugins", scope="plugin"),
    ),
    settings=_SETTINGS,
    facts=_FACTS,
    sources={
        **dict.fromkeys(
            ("roots", "key", "duplicates", "single files", "limits"),
            "the listing in recorded requests; kimi_cli/skill/__init__.py",
        ),
        "parser": "kimi_cli/utils/frontmatter.py, confirmed by running it",
        **dict.fromkeys(("arguments", "flows", "commands"), "recorded requests; kimi_cli/soul/kimisoul.py"),
        **dict.fromkeys(("tool", "loading", "stand-ins"), "recorded requests"),
        "failure": "the program's output at startup",
        "retirement": "kimi_cli/__main__.py",
    },
    # The directory counts only where there is no name.
    severities={"name-directory-mismatch": Severity.INFO},
    scan=loading.scan,
    load=loading.load,
    unsendable=loading.unsendable,
    parse=parse,
    catalog=answers.catalog,
    call=answers.call,
    content=answers.content,
    user=answers.user,
    typed=answers.typed,
)

KIMI_CLI = KIMI_CLI_1_52_0._replace(id="kimi-cli", title="Kimi CLI")
