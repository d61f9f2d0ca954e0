"""Kimi CLI: skills of many clients, listed in the prompt, read with `ReadFile`, run as `/skill:name`."""

from __future__ import annotations

from skilltool.findings.finding import Severity
from skilltool.runtimes.base import Root, Runtime, Setting
from skilltool.runtimes.kimi_cli import answers, loading
from skilltool.runtimes.kimi_cli.loading import parse

_SETTINGS = {
    "merge_all_available_skills": Setting(
        default=True,
        about="read `.kimi/skills`, `.claude/skills` and `.codex/skills`; if "
        "false, only the first that exists",
    ),
    "extra_skill_dirs": Setting(
        default=[],
        about="additional directories: absolute, below `~`, or relative to the root of the repository",
    ),
    "skills_dir": Setting(
        default=[],
        about="directories (`--skills-dir`) to use instead of those in the project and in the home directory",
    ),
    "replies": Setting(default=[], about="the model's answers to the nodes of a flow, in order"),
}
_FACTS = {
    "key": "the name in the frontmatter as it is, else the directory; names that differ in case are the same",
    "duplicates": "of several roots the first copy wins, of one root the last directory in the order "
    "of the file system, here that of bytes; nothing is logged",
    "parser": "PyYAML between two lines that are `---`, white space aside, also within a block scalar; "
    "U+2028 and others end a line, too; a file without a second one is all body",
    "arguments": "`/skill:name` sends the whole file with its frontmatter, and the arguments after it; "
    "nothing is replaced",
    "tool": "none: the model reads the listed file with `ReadFile`",
    "loading": "the listing is in the system prompt: every skill with its path, "
    "sorted by name within Project, User, Extra and "
    "Built-in; the last group, two skills of the program itself, is left out here",
    "single files": "every `*.md` directly in a root but `SKILL.md` is a skill, `README.md` as well",
    "failure": "one `SKILL.md` that is not UTF-8, also in its body only, ends the program when it starts",
    "flows": "`type: flow` with a Mermaid or D2 diagram: `/flow:name` sends the nodes one by one; a broken "
    "diagram makes it a standard skill",
    "commands": "a name can be typed only if it has ASCII letters, digits, `_`, `-` and single `:`, and only "
    "in its own case",
    "retirement": "the program as it is installed prints that it is no longer maintained, and does nothing",
    "stand-ins": "`{builtin}` stands for what commands and skills of the program itself send",
}

KIMI_CLI_1_52_0 = Runtime(
    id="kimi-cli@1.52.0",
    title="Kimi CLI 1.52.0",
    docs="requests of kimi-cli 1.52.0 (PyPI, its `run_original_cli`) to a loopback model server; its code",
    verified="2026-11-25, wire: 267 recorded cases",
    evidence="wire",
    schema="kimi-cli",
    undetermined="of directories in one root with the same name, the last in the order of the file system "
    "wins, which differs from one machine to the next",
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
            "the listing in requests; kimi_cli/skill/__init__.py",
        ),
        "parser": "kimi_cli/utils/frontmatter.py, and runs of it",
        **dict.fromkeys(("arguments", "flows", "commands"), "requests; kimi_cli/soul/kimisoul.py"),
        **dict.fromkeys(("tool", "loading", "stand-ins"), "requests"),
        "failure": "what it prints when it starts",
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
