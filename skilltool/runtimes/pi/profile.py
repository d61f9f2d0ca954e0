"""pi: skills in `.pi/skills` and `.agents/skills`, listed in the system prompt, read as files."""

from __future__ import annotations

from skilltool.findings.finding import Severity
from skilltool.runtimes.base import Root, Runtime, Setting
from skilltool.runtimes.pi import answers, loading, read_tool
from skilltool.runtimes.pi.loading import parse

_SETTINGS = {
    "trust": Setting(
        default=True,
        about="whether the project is trusted (`--approve`); otherwise only the user's skills are loaded",
        differs_from_runtime=True,
    ),
    "flags": Setting(
        default=[],
        about="command-line options: `--skill`, `--no-skills`, `--tools`, `--exclude-tools` and so on",
    ),
    "user_settings": Setting(default=True, about="read `~/.pi/agent/settings.json`", in_lint=False),
}
_FACTS = {
    "key": "`name` in the frontmatter, otherwise the directory's name",
    "duplicates": "the first copy wins, in this order: directories from the project's settings, .pi/skills, "
    ".agents/skills in the working directory and its parents up to the one with .git, directories from the "
    "user's settings, ~/.pi/agent/skills, ~/.agents/skills, and paths passed with `--skill`. Two links to "
    "the same file count as one skill",
    "parser": "YAML 1.2 (npm yaml), from the fifth character of a file that starts with `---` to "
    "the next line that starts with `---`",
    "arguments": "what the user types after /skill:name is appended to the body; nothing in the body "
    "is replaced",
    "tool": "none; the model reads the file at the listed location with `read`, 2,000 lines or "
    "50 KB at a time",
    "loading": "the listing is in the system prompt, with no size limit; `disable-model-invocation: true` "
    "hides a skill",
    "commands": "other `.md` files directly in .pi/skills, or in a directory under .agents/skills, are "
    "also skills if they have a description",
    "warnings": "pi loads a skill but warns if its name is longer than 64 UTF-16 code units or has "
    "characters other than lowercase letters, digits and single hyphens, or if its description is longer "
    "than 1,024 UTF-16 code units",
}

PI_1_5_2 = Runtime(
    id="pi@1.5.2",
    title="pi 1.5.2",
    docs="requests from @earendil-works/pi-coding-agent 1.5.2 to a loopback model server; the "
    "package's functions",
    verified="2026-11-25, wire: 390 recorded cases",
    evidence="wire",
    schema="pi",
    roots=(
        Root(role="project", path_template="{project}/.pi/skills"),
        Root(role="project-agents", path_template="{project}/.agents/skills"),
        Root(role="user", path_template="{home}/.pi/agent/skills", scope="user"),
        Root(role="user-agents", path_template="{home}/.agents/skills", scope="user"),
    ),
    settings=_SETTINGS,
    facts=_FACTS,
    sources={
        **dict.fromkeys(("roots", "duplicates", "commands"), "dist/core/package-manager.js"),
        **dict.fromkeys(("key", "loading", "limits", "warnings"), "dist/core/skills.js"),
        "parser": "dist/utils/frontmatter.js",
        "arguments": "dist/core/agent-session.js",
        "tool": "dist/core/tools/read.js",
    },
    # The directory's name counts only where the file has none.
    severities={"name-directory-mismatch": Severity.INFO},
    scan=loading.scan,
    load=loading.load,
    parse=parse,
    catalog=answers.catalog,
    summary=answers.summary,
    call=read_tool.call,
    content=answers.content,
    user=answers.user,
    typed=answers.typed,
)

PI = PI_1_5_2._replace(id="pi", title="pi")
