"""Gemini CLI: skills in `.gemini/skills` and `.agents/skills`, called with the tool `activate_skill`."""

from __future__ import annotations

from skilltool.findings.finding import Severity
from skilltool.runtimes.base import Root, Runtime, Setting
from skilltool.runtimes.gemini_cli import answers, loading
from skilltool.runtimes.gemini_cli.loading import parse

_SETTINGS = {
    "view": Setting(default="interactive", about="`interactive`, or `headless` for `gemini -p`"),
    "approval_mode": Setting(
        default="default",
        about="`default`, `auto_edit`, `plan` or `yolo`; in headless mode, only `yolo` offers the tool",
    ),
    "trusted": Setting(
        default=True,
        about="whether the folder is trusted; if not, the project's skills directories are not read",
    ),
    "model": Setting(
        default="gemini-3.1-pro-preview", about="the model; Gemini 2.5 models get an older prompt"
    ),
    "skills.enabled": Setting(default=True, about="whether skills are enabled"),
    "skills.disabled": Setting(default=[], about="names of disabled skills, case-insensitive"),
    "tools.exclude": Setting(default=[], about="tools that are not offered, such as `activate_skill`"),
    "tools.core": Setting(default=[], about="if not empty, only these built-in tools are offered"),
    "system_md": Setting(
        default=None,
        about="content of the file named by GEMINI_SYSTEM_MD, with `${AgentSkills}` for the listing",
    ),
}
_FACTS = {
    "key": '`name` in the frontmatter, with each of `: \\ / < > * ? " |` replaced by `-`; the '
    "directory's name does not matter",
    "duplicates": "the last copy (in the order built-in, extension, user, user-agents, project, "
    "project-agents) wins, but is listed in the first copy's position. Within one skills directory, the copy "
    "that is read last can differ from run to run",
    "parser": "YAML (js-yaml 4) from an initial `---` line to a line that starts with `---`. If parsing does "
    "not yield strings for both `name` and `description`, the last `name:` and `description:` lines are "
    "used, including quotes and comments",
    "arguments": "none; the text after /name is sent as the user's message, with each run of whitespace "
    "collapsed to one space",
    "tool": "`activate_skill` with `name`; the result contains the body and a directory tree "
    "with up to 200 entries. In headless mode, the tool is offered only in the approval mode `yolo`",
    "loading": "the listing is in the system prompt and is neither escaped nor truncated; its order can "
    "differ from run to run",
    "extensions": "`~/.gemini/extensions/NAME/skills` of each extension with a "
    "`gemini-extension.json`, including disabled ones",
    "settings": "skilltool does not read `settings.json` in `.gemini` or `~/.gemini`; pass its "
    "values as settings of the same name",
    "stand-ins": "`{builtin}` stands for the directory of built-in skills and the output of built-in "
    "commands, and `<ID>` for the id of a call",
}

GEMINI_CLI_0_61_0 = Runtime(
    id="gemini-cli@0.61.0",
    title="Gemini CLI 0.61.0",
    docs="requests from @google/gemini-cli 0.61.0 to a loopback model server; the "
    "source code of the program's library",
    verified="2026-11-21, wire: 337 recorded cases",
    evidence="wire",
    schema="gemini-cli",
    roots=(
        Root(
            role="extension",
            path_template="{home}/.gemini/extensions",
            scope="plugin",
            unscanned="only the `skills` directory of each extension is read",
        ),
        Root(role="user", path_template="{home}/.gemini/skills", scope="user"),
        Root(role="user-agents", path_template="{home}/.agents/skills", scope="user"),
        Root(role="project", path_template="{project}/.gemini/skills"),
        Root(role="project-agents", path_template="{project}/.agents/skills"),
    ),
    undetermined="a skills directory is read in no fixed order, so the order of the listing, and "
    "which of several folders with the same name wins, can differ from one start to the next",
    settings=_SETTINGS,
    facts=_FACTS,
    sources={
        **dict.fromkeys(("roots", "duplicates"), "skills/skillManager.js, confirmed by running it"),
        **dict.fromkeys(("key", "parser", "limits"), "skills/skillLoader.js, confirmed by running it"),
        **dict.fromkeys(("tool", "loading", "settings", "stand-ins"), "requests from the program"),
        "arguments": "requests from the program in a terminal",
        "extensions": "requests from the program",
    },
    parameter="name",
    # Which of two copies is loaded differs from one start to the next; the directory plays no part.
    severities={"duplicate-name": Severity.ERROR, "name-directory-mismatch": Severity.INFO},
    scan=loading.scan,
    load=loading.load,
    parse=parse,
    catalog=answers.catalog,
    tool=answers.tool,
    call=answers.call,
    content=answers.content,
    user=answers.user,
    typed=answers.typed,
)

GEMINI_CLI = GEMINI_CLI_0_61_0._replace(id="gemini-cli", title="Gemini CLI")
