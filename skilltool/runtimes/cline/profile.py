"""Cline: skills in `.cline/skills` and `.clinerules/skills`, called with the tool `skills`."""

from __future__ import annotations

from skilltool.findings.finding import Severity
from skilltool.runtimes.base import Root, Runtime, Setting
from skilltool.runtimes.cline import call, discovery, listing, user
from skilltool.runtimes.cline.manifest import parse

_SETTINGS = {
    "skills": Setting(default=[], about="names of the only skills that are offered; an empty list, all"),
    "mode": Setting(default="act", about="`act` or `plan`; skills are offered in both"),
    "enableTools": Setting(
        default=True, about="whether the session has tools; without them no skill is offered"
    ),
}
_FACTS = {
    "key": "`name` in the frontmatter, else the directory's name; in any case",
    "duplicates": "the last copy wins, at the first's position: .clinerules, .cline, .agents, then .cline "
    "and .agents of the home directory; in one of them the last directory",
    "parser": "YAML 1.2 (npm yaml), from a first line `---` to the next line that begins with `---`; a file "
    "without frontmatter is all body",
    "arguments": "`args` stands before the text; nothing in the body is replaced",
    "tool": "`skills` with `skill` and `args`; a name is found without case, leading slashes and what is "
    "before `:`",
    "loading": "the names alone are in the description of the tool, the description of a skill comes with "
    "its body",
    "cuts": "an answer over 8,000 UTF-16 units loses its middle",
    "silent": "a file that is refused is named nowhere",
    "commands": "a session sends `/name` as it is typed; hosts without the tool put the body in its place",
}

CLINE_0_0_86 = Runtime(
    id="cline@0.0.86",
    title="Cline (@cline/core 0.0.86)",
    docs="requests of @cline/core 0.0.86 (ClineCore, local) to a loopback model server, and its functions",
    verified="2026-11-21, wire: 305 recorded cases",
    evidence="wire",
    schema="cline",
    roots=(
        Root(role="clinerules", path_template="{project}/.clinerules/skills"),
        Root(role="project", path_template="{project}/.cline/skills"),
        Root(role="project-agents", path_template="{project}/.agents/skills"),
        Root(role="user", path_template="{home}/.cline/skills", scope="user"),
        Root(role="user-agents", path_template="{home}/.agents/skills", scope="user"),
    ),
    settings=_SETTINGS,
    facts=_FACTS,
    sources={
        **dict.fromkeys(
            ("roots", "key", "duplicates", "parser", "limits", "silent"),
            "extensions/config/user-instruction-config-loader",
        ),
        **dict.fromkeys(("arguments", "tool", "cuts"), "the messages after a scripted call"),
        "loading": "the tools of requests",
        "commands": "extensions/config/runtime-commands",
    },
    parameter="skill",
    argument="args",
    # The directory's name counts only where the file has none.
    severities={"name-directory-mismatch": Severity.INFO},
    scan=discovery.scan,
    load=discovery.load,
    parse=parse,
    catalog=listing.catalog,
    prompt=listing.prompt,
    summary=listing.summary,
    tool=listing.tool,
    call=call.call,
    content=call.content,
    user=user.user,
)

CLINE = CLINE_0_0_86._replace(id="cline", title="Cline")
