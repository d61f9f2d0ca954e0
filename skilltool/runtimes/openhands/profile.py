"""OpenHands SDK: packages in `.agents/skills`, called with `invoke_skill`; single files are always on."""

from __future__ import annotations

from skilltool.findings.finding import Severity
from skilltool.runtimes.base import COMMAND, Root, Runtime, Setting
from skilltool.runtimes.openhands import answers, loading
from skilltool.runtimes.openhands.loading import parse

_SETTINGS = {
    "load_user": Setting(
        default=True,
        about="load skills from the home directory (`load_user_skills`); in OpenHands itself, the "
        "default is false",
        differs_from_runtime=True,
    ),
    "load_project": Setting(
        default=True,
        about="load the project's skills (`load_project_skills`); in OpenHands itself, the default is false",
        differs_from_runtime=True,
    ),
    "disabled_skills": Setting(default=[], about="names of skills to omit"),
    "user_message_suffix": Setting(default="", about="string that is appended to every message"),
    "model": Setting(
        default="", about="the model's name: `CLAUDE.md` is shown only to Claude, `GEMINI.md` only to Gemini"
    ),
    "nested_rules": Setting(
        default=True,
        about="read `AGENTS.md` and similar files under the working directory, as rules for their "
        "directories",
        in_lint=False,
    ),
}
_FACTS = {
    "key": "the name in the frontmatter, which must match the directory's name; if it is missing, the "
    "directory's name is used",
    "duplicates": "the first copy wins, in this order: the working directory, the repository's root, the "
    "home directory. Within a skills directory, single files come before packages",
    "parser": "python-frontmatter with libyaml: a marker is three or more hyphens, and whitespace before the "
    "opening marker is removed. Without a closing marker, or with a byte order mark, the whole file is the "
    "body",
    "arguments": "none; the model gets the body without leading or trailing whitespace, and a note that says "
    "where the skill's directory is. If the result is longer than 50,000 characters, its middle is cut out",
    "tool": "`invoke_skill` with `name`; offered only if the model may call at least one skill package",
    "loading": "the listing is in the system message and contains every skill. If a description is longer "
    "than 1,024 characters, its middle is replaced by the path of the file",
    "single files": "any other `*.md` file in a skills directory is also a skill, unless it is named exactly "
    "`README.md` or is inside a package. The whole text of a file without `triggers`, `inputs` or `paths` is "
    "in the prompt",
    "triggers": "a skill is added, at most once, when a message contains one of its `triggers` (or `/name`, "
    "if the skill has `inputs`), or when a file that matches its `paths` is touched",
    "instructions": "`AGENTS.md`, `CLAUDE.md`, `GEMINI.md` and `.cursorrules` are skills called `agents`, "
    "`claude`, `gemini` and `cursorrules`. If any of them is not valid UTF-8, none of the project's skills "
    "are loaded",
    "settings": "skilltool does not read `.installed.json` in `~/.openhands/skills/installed`, so it assumes "
    "that all skills there are loaded",
    "stand-ins": "`{output}` stands for the output of a command in a body",
}

OPENHANDS_1_58_0 = Runtime(
    id="openhands@1.58.0",
    title="OpenHands SDK 1.58.0",
    docs="requests from openhands-sdk 1.58.0 (PyPI, LocalConversation) to a loopback model "
    "server; the package's source code",
    verified="2026-11-21, wire: 222 recorded cases",
    evidence="wire",
    schema="openhands",
    roots=(
        Root(role="project", path_template="{project}/.agents/skills"),
        Root(role="project-openhands", path_template="{project}/.openhands/skills"),
        Root(role="project-microagents", path_template="{project}/.openhands/microagents"),
        Root(role="user", path_template="{home}/.agents/skills", scope="user"),
        Root(role="user-openhands", path_template="{home}/.openhands/skills", scope="user"),
        Root(role="user-microagents", path_template="{home}/.openhands/microagents", scope="user"),
        Root(role="user-installed", path_template="{home}/.openhands/skills/installed", scope="user"),
    ),
    files=("AGENTS.md", "CLAUDE.md", "GEMINI.md", ".cursorrules"),
    settings=_SETTINGS,
    facts=_FACTS,
    sources={
        **dict.fromkeys(
            ("roots", "key", "duplicates", "parser", "limits", "single files"),
            "the log, and the listing in recorded requests; openhands/sdk/skills/skill.py",
        ),
        **dict.fromkeys(("arguments", "tool", "settings", "stand-ins"), "messages after a scripted call"),
        **dict.fromkeys(("loading", "triggers"), "the listing and messages in recorded requests"),
        "instructions": "the prompt in recorded requests; openhands/sdk/skills/utils.py",
    },
    parameter="name",
    expands=frozenset({COMMAND}),
    severities={"name-directory-mismatch": Severity.ERROR},
    scan=loading.scan,
    load=loading.load,
    parse=parse,
    catalog=answers.catalog,
    prompt=answers.prompt,
    summary=answers.summary,
    tool=answers.tool,
    call=answers.call,
    content=answers.content,
    context=answers.context,
    user=answers.user,
)

OPENHANDS = OPENHANDS_1_58_0._replace(id="openhands", title="OpenHands SDK")
