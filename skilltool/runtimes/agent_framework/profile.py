"""Agent Framework: directories that the developer names, searched two levels deep; three tools."""

from __future__ import annotations

from skilltool.findings.finding import Severity
from skilltool.runtimes.agent_framework import call, discovery, listing
from skilltool.runtimes.agent_framework.manifest import parse
from skilltool.runtimes.base import Runtime, Setting

_SETTINGS = {
    "search_depth": Setting(
        default=2, about="how deep resources and scripts are looked for: 1 is the skill's own directory"
    ),
    "instruction_template": Setting(
        default="", about="the instructions, with `{skills}` for the listing; empty for the framework's own"
    ),
    "runner": Setting(default=False, about="whether the application runs scripts"),
    "approval": Setting(
        default=False,
        about="whether each call of a tool waits for approval, which ends the turn",
        differs_from_runtime=True,
    ),
}
_FACTS = {
    "key": "the name in the frontmatter, which equals that of the directory; calls ignore its case",
    "duplicates": "the first copy wins, in the order of the roots and then of directories, with a warning",
    "parser": "PyYAML's tree between a line `---` and the next one: every scalar counts as text, null as "
    "missing; fields that are lists or mappings, twice there, or in capitals refuse the skill",
    "arguments": "none",
    "tool": "`load_skill` answers with the whole file, its resources and its scripts; `read_skill_resource` "
    "and `run_skill_script` take the names of these",
    "loading": "the listing is in the instructions, sorted by name; without skills there are no tools",
    "depth": "directories one or two levels below a root, or the root itself; none below another skill",
    "links": "no link below a root is followed, and a `SKILL.md` that is one is skipped, with a warning",
    "failure": "one `SKILL.md` that is not UTF-8, also in its body only, ends the run of the agent",
    "approval": "by default each call waits for approval; here calls are answered",
}

AGENT_FRAMEWORK_1_23_0 = Runtime(
    id="agent-framework@1.23.0",
    title="Agent Framework 1.23.0 (Python)",
    docs="requests of agent-framework-core 1.23.0 (PyPI) to a loopback model server; its functions and code",
    verified="2026-11-21, wire: 217 recorded cases",
    evidence="wire",
    schema="agent-framework",
    any_roots=True,
    settings=_SETTINGS,
    facts=_FACTS,
    sources={
        **dict.fromkeys(
            ("roots", "key", "duplicates", "parser", "limits", "depth", "links", "failure"),
            "agent_framework/_skills.py, and runs of it",
        ),
        **dict.fromkeys(("arguments", "tool", "loading", "approval"), "requests"),
    },
    parameter="skill_name",
    severities={"name-directory-mismatch": Severity.ERROR},
    scan=discovery.scan,
    load=discovery.load,
    parse=parse,
    catalog=listing.catalog,
    prompt=listing.prompt,
    tool=listing.tool,
    call=call.call,
    content=call.content,
)

AGENT_FRAMEWORK = AGENT_FRAMEWORK_1_23_0._replace(id="agent-framework", title="Agent Framework (Python)")
