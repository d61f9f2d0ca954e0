"""Codex: skills in `.agents/skills` and `.codex/skills`, listed in a developer message, read as files."""

from __future__ import annotations

from skilltool.findings.finding import Severity
from skilltool.runtimes.base import Root, Runtime, Setting
from skilltool.runtimes.codex import answers, loading
from skilltool.runtimes.codex.loading import parse

_SETTINGS = {
    "bundled": Setting(
        default=True, about="whether the built-in skills of Codex are enabled (`skills.bundled.enabled`)"
    ),
    "include_instructions": Setting(
        default=True, about="whether the model gets the listing (`skills.include_instructions`)"
    ),
    "config": Setting(
        default=[],
        about="`skills.config`: objects with `path` (to a SKILL.md) or `name`, and `enabled`; the "
        "last one wins",
    ),
    "model": Setting(
        default="gpt-5", about="the model; for some models, the listing is followed by extra instructions"
    ),
    "context_window": Setting(
        default=272_000, about="the model's context window in tokens; the listing gets 2% of it"
    ),
    "max_context_tokens": Setting(
        default=None, about="tokens for the listing instead of 2% (`skills.max_context_tokens`)"
    ),
    "trust": Setting(
        default=True,
        about="whether the user trusts the project; if not, Codex ignores settings in `.codex`, "
        "with a warning",
    ),
}
_FACTS = {
    "key": "`name` in the frontmatter, otherwise the directory's name; if several skills share that name, "
    "the path",
    "duplicates": "all copies are listed, and none takes precedence. To select a copy, the user types "
    "`[$name](path)`, because `$name` alone does not select any copy. If two paths lead to the same real "
    "file, they count as one skill",
    "parser": "serde_yaml between `---` lines; scalars are read as written. If parsing fails, Codex puts "
    "quotes around values that look like prose (containing `: `, or starting with a bracket, `@` or a "
    "backtick) and parses the frontmatter again. A file that is not UTF-8 is rejected",
    "arguments": "none; no placeholder is replaced",
    "tool": "none; the model reads the file itself. Mentioning a skill adds the whole file to the user's "
    "message",
    "loading": "skills are found up to six levels below each skills directory, even inside other skills. "
    "Linked directories are followed; a linked SKILL.md and anything whose name starts with a dot are "
    "ignored. `.gitignore` and similar files have no effect",
    "listing": "the listing is in a developer message. A description over 1,024 characters is "
    "truncated to 1,021. If the listing is over budget, descriptions are truncated evenly, "
    "then omitted; then whole skills are omitted, starting from the end",
    "policy": "`policy.allow_implicit_invocation` and `policy.products` in `agents/openai.yaml` determine "
    "who sees a skill; the same fields in the frontmatter have no effect",
}

CODEX_0_169_0 = Runtime(
    id="codex@0.169.0",
    title="Codex 0.169.0",
    docs="requests from @openai/codex 0.169.0 (linux-x64, `codex app-server`) to a loopback model server",
    verified="2026-11-21, wire: 349 recorded cases",
    evidence="wire",
    schema="codex",
    roots=(
        Root(role="project-codex", path_template="{project}/.codex/skills"),
        Root(role="codex-home", path_template="{home}/.codex/skills", scope="user"),
        Root(role="user", path_template="{home}/.agents/skills", scope="user"),
        Root(role="system", path_template="{home}/.codex/skills/.system", scope="bundled"),
        Root(role="admin", path_template="/etc/codex/skills", scope="admin"),
        Root(role="project", path_template="{project}/.agents/skills"),
    ),
    settings=_SETTINGS,
    facts=_FACTS,
    sources={
        **dict.fromkeys(("roots", "key", "duplicates", "listing"), "the listing in recorded requests"),
        **dict.fromkeys(("parser", "loading", "limits", "policy"), "`skills/list` in codex app-server"),
        **dict.fromkeys(("arguments", "tool"), "messages after a mention of a skill"),
    },
    budget_unit="tokens",
    # A name is what the user types; the directory stands in for a missing one only.
    severities={"name-directory-mismatch": Severity.INFO},
    scan=answers.scan,
    load=loading.load,
    parse=parse,
    catalog=answers.catalog,
    summary=answers.summary,
    budget=answers.budget,
    asked_tokens=answers.asked_tokens,
    shares=answers.shares,
    content=answers.content,
    user=answers.user,
    typed=answers.typed,
)

CODEX = CODEX_0_169_0._replace(id="codex", title="Codex")
