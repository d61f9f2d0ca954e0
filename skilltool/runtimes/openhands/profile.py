"""OpenHands SDK: packages in `.agents/skills`, called with `invoke_skill`; single files are always on."""

from __future__ import annotations

from skilltool.findings.finding import Severity
from skilltool.runtimes.base import COMMAND, Root, Runtime, Setting
from skilltool.runtimes.openhands import answers, loading
from skilltool.runtimes.openhands.loading import parse

_SETTINGS = {
    "load_user": Setting(
        default=True,
        about="load skills from the home directory (`load_user_skills`); OpenHands' own default is false",
        differs_from_runtime=True,
    ),
    "load_project": Setting(
        default=True,
        about="load skills from the project (`load_project_skills`); OpenHands' own default is false",
        differs_from_runtime=True,
    ),
    "disabled_skills": Setting(default=[], about="names of skills to leave out"),
    "user_message_suffix": Setting(default="", about="text to append to every message"),
    "model": Setting(
        default="", about="the model's name: only Claude gets a `CLAUDE.md`, and only Gemini a `GEMINI.md`"
    ),
    "nested_rules": Setting(
        default=True,
        about="read `AGENTS.md` and similar files below the working directory as rules for their directories",
        in_lint=False,
    ),
}
_FACTS = {
    "key": "the name in the frontmatter, which must be that of the directory; without one the directory",
    "duplicates": "the first copy wins: the working directory, the root of its repository, then the home "
    "directory; in a root, single files come before packages",
    "parser": "python-frontmatter with libyaml: a fence has three or more hyphens, and white space before "
    "the first is removed; without a closing fence, or with a byte order mark, the whole text is the body",
    "arguments": "none: the text is the body without white space at either end, and a note where the "
    "directory is; over 50,000 characters it is cut in the middle",
    "tool": "`invoke_skill` with `name`; there only if a package is there that the model may call",
    "loading": "the listing is in the system message, with every skill; a description "
    "over 1,024 characters is cut in the middle, where the "
    "path of the file stands",
    "single files": "any other `*.md` below a root is a skill, too: without `triggers`, `inputs` or `paths` "
    "its whole text is in the prompt; `README.md` in this spelling and files of packages are none",
    "triggers": "a skill whose `triggers` occur in a message is added to it, once; one with `inputs` by "
    "`/name`, one with `paths` when a matching file is touched",
    "instructions": "`AGENTS.md`, `CLAUDE.md`, `GEMINI.md` and `.cursorrules` are skills called `agents`, "
    "`claude`, `gemini` and `cursorrules`; one that is not UTF-8 ends the loading of the project's skills",
    "settings": "`.installed.json` in `~/.openhands/skills/installed` is not read: all skills there load",
    "stand-ins": "`{output}` stands for what a command in a body prints",
}

OPENHANDS_1_58_0 = Runtime(
    id="openhands@1.58.0",
    title="OpenHands SDK 1.58.0",
    docs="requests of openhands-sdk 1.58.0 (PyPI, LocalConversation) to a loopback model server; its code",
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
    settings=_SETTINGS,
    facts=_FACTS,
    sources={
        **dict.fromkeys(
            ("roots", "key", "duplicates", "parser", "limits", "single files"),
            "the log and the listing in requests; openhands/sdk/skills/skill.py",
        ),
        **dict.fromkeys(("arguments", "tool", "settings", "stand-ins"), "the messages after a scripted call"),
        **dict.fromkeys(("loading", "triggers"), "the listing and messages in requests"),
        "instructions": "the prompt in requests; openhands/sdk/skills/utils.py",
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
