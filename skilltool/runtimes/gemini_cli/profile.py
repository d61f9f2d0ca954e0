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
        default=True, about="false for an untrusted folder, whose skills directories are not read"
    ),
    "model": Setting(
        default="gemini-3.1-pro-preview", about="the model; Gemini 2.5 models get an older prompt"
    ),
    "skills.enabled": Setting(default=True, about="false turns skills off"),
    "skills.disabled": Setting(default=[], about="names of skills to turn off, case-insensitive"),
    "tools.exclude": Setting(default=[], about="tools not to offer, such as `activate_skill`"),
    "tools.core": Setting(default=[], about="if not empty, offer only these built-in tools"),
    "system_md": Setting(
        default=None,
        about="content of the file that GEMINI_SYSTEM_MD names, with `${AgentSkills}` for the listing",
    ),
}
_FACTS = {
    "key": '`name` in the frontmatter, with `-` for each of `: \\ / < > * ? " |`; the directory '
    "plays no part",
    "duplicates": "the last copy wins, in the place of the first: built in, extension, user, user-agents, "
    "project, project-agents; within one root, which one is read last changes from start to start",
    "parser": "YAML (js-yaml 4) from a first line `---` to a line that begins with `---`; unless `name` and "
    "`description` are strings in it, the last lines `name:` and `description:` count, quotes and comments "
    "included",
    "arguments": "none: the text after /name is sent as the user's, each run of whitespace as one space",
    "tool": "`activate_skill` with `name`; the answer has the body and a tree of the folder with up to 200 "
    "entries; headless, it is offered only with the approval mode `yolo`",
    "loading": "the listing is in the system prompt, nothing is escaped or truncated; its order changes from "
    "start to start",
    "extensions": "`~/.gemini/extensions/NAME/skills` of each extension with a `gemini-extension.json`, also "
    "of those that are turned off",
    "settings": "`settings.json` is read neither in `.gemini` nor in `~/.gemini`; give its values by name",
    "stand-ins": "`{builtin}` stands for the folder of the program's own skills and for what its own "
    "commands show, `<ID>` for the id of a call",
}

GEMINI_CLI_0_61_0 = Runtime(
    id="gemini-cli@0.61.0",
    title="Gemini CLI 0.61.0",
    docs="requests of @google/gemini-cli 0.61.0 to a loopback model server; code of its library",
    verified="2026-11-21, wire: 337 recorded cases",
    evidence="wire",
    schema="gemini-cli",
    roots=(
        Root(
            role="extension",
            path_template="{home}/.gemini/extensions",
            scope="plugin",
            unscanned="only the `skills` of each extension are read",
        ),
        Root(role="user", path_template="{home}/.gemini/skills", scope="user"),
        Root(role="user-agents", path_template="{home}/.agents/skills", scope="user"),
        Root(role="project", path_template="{project}/.gemini/skills"),
        Root(role="project-agents", path_template="{project}/.agents/skills"),
    ),
    undetermined="a root is read in no fixed order: the order of the list, and which of several folders of "
    "one root with the same name wins, differ from one start to the next",
    settings=_SETTINGS,
    facts=_FACTS,
    sources={
        **dict.fromkeys(("roots", "duplicates"), "skills/skillManager.js, and its results"),
        **dict.fromkeys(("key", "parser", "limits"), "skills/skillLoader.js, and its results"),
        **dict.fromkeys(("tool", "loading", "settings", "stand-ins"), "requests of the program"),
        "arguments": "requests of the program in a terminal",
        "extensions": "requests of the program",
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
