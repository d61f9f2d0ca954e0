"""Deep Agents Code: three directories of a project and of the user each; the last copy of a name wins."""

from __future__ import annotations

from functools import partial

from skilltool.findings.finding import Severity
from skilltool.runtimes.base import Root, Runtime, Setting
from skilltool.runtimes.deepagents import listing as deepagents_listing
from skilltool.runtimes.deepagents.manifest import parse
from skilltool.runtimes.deepagents_code import discovery, listing, user

_SETTINGS = {
    "skill": Setting(default="", about="the skill that `--skill` names"),
    "extra_allowed_dirs": Setting(
        default=[], about="more directories that a linked skill may be in (`[skills]` in config.toml)"
    ),
    "needs_git": Setting(
        default=True,
        about="load skills of a project only in a git repository, as the program does",
        in_lint=False,
    ),
}
_FACTS = {
    "key": "the name in the frontmatter as text; `--skill` looks for it in lower case, so that a skill with "
    "a capital in its name is listed and cannot be invoked",
    "duplicates": "the last copy wins, and is listed where the first one was; `~/.claude/skills` comes after "
    "`.agents/skills` of the project",
    "parser": "that of deepagents 0.7.6: PyYAML between two lines `---`; names are only warned about",
    "arguments": "`--skill NAME` and `/skill:NAME` send the whole file with its frontmatter, and the request "
    "after it; nothing is replaced",
    "tool": "none: the model reads the listed path with `read_file`",
    "loading": "the listing is in the system prompt: every skill with its path, license, compatibility and "
    "allowed tools; three skills of the program itself come first, and are left out here",
    "repository": "without a `.git` no skill of the project is loaded; with one, those at its root are",
    "links": "a SKILL.md that is a link is refused; a skill in a linked directory is listed, and invoking it "
    "is refused unless the directory is allowed",
    "failure": "a date that no calendar has, and other values that PyYAML cannot build, end the run",
    "stand-ins": "`{builtin}` stands for the directory, and what is sent, of the program's own skills",
}

DEEPAGENTS_CODE_0_1_57 = Runtime(
    id="deepagents-code@0.1.57",
    title="Deep Agents Code 0.1.57",
    docs="requests of deepagents-code 0.1.57 (PyPI, `dcode -n`) to a loopback model server; its code",
    verified="2026-11-21, wire: 31 recorded cases",
    evidence="wire",
    schema="deepagents-code",
    roots=(
        Root(role="user", path_template="{home}/.deepagents/agent/skills", scope="user"),
        Root(role="user-agents", path_template="{home}/.agents/skills", scope="user"),
        Root(role="project", path_template="{project}/.deepagents/skills"),
        Root(role="project-agents", path_template="{project}/.agents/skills"),
        Root(role="user-claude", path_template="{home}/.claude/skills", scope="user"),
        Root(role="project-claude", path_template="{project}/.claude/skills"),
    ),
    settings=_SETTINGS,
    facts=_FACTS,
    sources={
        **dict.fromkeys(
            ("roots", "loading", "repository"), "the prompt in requests; deepagents_code/agent.py"
        ),
        **dict.fromkeys(
            ("key", "duplicates", "parser", "limits", "links"),
            "the listing in requests; deepagents_code/skills/load.py",
        ),
        **dict.fromkeys(("arguments", "stand-ins"), "requests; deepagents_code/skills/invocation.py"),
        "tool": "requests",
        "failure": "deepagents/middleware/skills.py of deepagents 0.7.6",
    },
    # It warns about such a name, and loads the skill.
    severities={
        **dict.fromkeys(("invalid-name", "long-name", "name-directory-mismatch"), Severity.INFO),
    },
    scan=discovery.scan,
    load=discovery.load,
    parse=partial(parse, with_tools=False),
    catalog=listing.catalog,
    prompt=listing.prompt,
    content=deepagents_listing.text_at,
    user=user.user,
    typed=user.typed,
)

DEEPAGENTS_CODE = DEEPAGENTS_CODE_0_1_57._replace(id="deepagents-code", title="Deep Agents Code")
