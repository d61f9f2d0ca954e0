"""copilot: skills in `.github/skills`, `.agents/skills` and `.claude/skills`, read as files."""

from __future__ import annotations

from functools import partial

from skilltool.findings.finding import Severity
from skilltool.runtimes.base import Root, Runtime
from skilltool.runtimes.copilot import discovery
from skilltool.runtimes.loading import scan_roots

_LOCATIONS, _SERVICE = "promptFileLocations.ts at 0783120b", "promptsServiceImpl.ts at 00eacc90"

COPILOT = Runtime(
    id="copilot",
    title="GitHub Copilot in VS Code",
    docs="microsoft/vscode: promptFileLocations.ts at 0783120b, promptsServiceImpl.ts at 00eacc90",
    verified="2026-11-22, source: read, not run",
    evidence="source",
    schema="copilot",
    roots=(
        Root(role="project", path_template="{project}/.github/skills"),
        Root(role="project-agents", path_template="{project}/.agents/skills"),
        Root(role="project-claude", path_template="{project}/.claude/skills"),
        Root(role="user", path_template="{home}/.copilot/skills", scope="user"),
        Root(role="user-agents", path_template="{home}/.agents/skills", scope="user"),
        Root(role="user-claude", path_template="{home}/.claude/skills", scope="user"),
    ),
    facts={
        "key": "`name` in the frontmatter if it is that of the directory, else the directory's",
        "duplicates": "the first copy wins: workspace, then user",
        "parser": "VS Code's own, which was not read: skilltool takes what every YAML parser would read",
        "arguments": "none",
        "tool": "none: the model reads the file with `read_file`",
        "loading": "the listing is not escaped, but anything between `<` and `>` is removed; a name is cut "
        "at 64, a description at 1,024 UTF-16 units; `disable-model-invocation: true` keeps a skill out",
        "not known": "`chat.agentSkillsLocations`, skills of extensions and plugins; what is sent for a "
        "typed text; the cloud agent and the CLI, which are known from their documentation only",
    },
    sources={
        "roots": _LOCATIONS,
        **dict.fromkeys(("key", "duplicates", "parser", "tool", "arguments", "loading", "limits"), _SERVICE),
        "not known": "what was read does not say",
    },
    # The directory stands in for a name that differs.
    severities={"name-directory-mismatch": Severity.WARNING},
    scan=partial(scan_roots, load=discovery.load),
    load=discovery.load,
    parse=discovery.parse,
    catalog=discovery.catalog,
    content=discovery.content,
)
