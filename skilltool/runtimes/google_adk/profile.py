"""google-adk: directories that the developer names, loaded whole or not at all; three tools."""

from __future__ import annotations

from skilltool.findings.finding import Severity
from skilltool.runtimes.base import Runtime, Setting
from skilltool.runtimes.google_adk import answers, loading
from skilltool.runtimes.google_adk.loading import parse

_SETTINGS = {
    "mode": Setting(
        default="lazy",
        about="`eager`: the listing is in the system instruction; `lazy`: the model calls `list_skills`",
        aliases=("discovery_mode",),
    ),
    "only": Setting(default=[], about="load only these skills, one by one (`load_skill_from_dir`)"),
    "prefix": Setting(default="", about="prefix of the tools' names", aliases=("tool_name_prefix",)),
    "api": Setting(
        default="load_skills_from_dir",
        about="with `list_skills_in_dir`, invalid skills are logged and skipped instead of making "
        "the whole load fail",
    ),
    "state": Setting(default=None, about="the session state, for skills with `adk_inject_state`"),
    "agent": Setting(default="agent", about="the agent's name, which appears in errors"),
}
_FACTS = {
    "key": "the name in the frontmatter, which must match the directory's name after links are resolved",
    "duplicates": "two skills with the same name, even in different directories, make loading fail with "
    "`Duplicate skill name ...`",
    "parser": "PyYAML between the first `---` in the file and the next one, even in the middle of a line",
    "arguments": "none; with `metadata: {adk_inject_state: true}`, each `{name}` is replaced with its value"
    " from the session state",
    "tool": "`load_skill` returns the body and all fields of the frontmatter, including unknown ones, as "
    "JSON; `load_skill_resource` reads files in `references`, `assets` and `scripts`",
    "loading": "`list_skills` returns all names and descriptions; the prompt does not list any skills unless "
    "the discovery mode is `eager`",
    "failure": "a single invalid skill makes loading the whole directory fail with an exception",
}

GOOGLE_ADK_2_13_0 = Runtime(
    id="google-adk@2.13.0",
    title="google-adk 2.13.0",
    docs="requests from google-adk 2.13.0 (PyPI) to a loopback model server; the "
    "package's functions and source code",
    verified="2026-11-21, wire: 219 recorded cases",
    evidence="wire",
    schema="google-adk",
    any_roots=True,
    settings=_SETTINGS,
    facts=_FACTS,
    sources={
        **dict.fromkeys(
            ("roots", "key", "parser", "failure"), "google/adk/skills/_utils.py, confirmed by running it"
        ),
        "limits": "google/adk/skills/models.py, confirmed by running it",
        **dict.fromkeys(
            ("duplicates", "arguments", "tool"), "recorded requests; google/adk/tools/skill_toolset.py"
        ),
        "loading": "recorded requests",
    },
    parameter="skill_name",
    severities={
        # It splits at every three dashes: the rest of the frontmatter becomes body.
        "dashes-in-description": Severity.ERROR,
        # It compares the first three characters: it sees no frontmatter.
        "byte-order-mark": Severity.ERROR,
        "name-directory-mismatch": Severity.ERROR,
    },
    scan=loading.scan,
    load=loading.load,
    parse=parse,
    catalog=answers.catalog,
    prompt=answers.prompt,
    tool=answers.tool,
    call=answers.call,
    content=answers.content,
)

GOOGLE_ADK = GOOGLE_ADK_2_13_0._replace(id="google-adk", title="google-adk (Agent Development Kit)")
