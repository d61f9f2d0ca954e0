"""Codex: skills in `.agents/skills` and `.codex/skills`, listed in a developer message, read as files."""

from __future__ import annotations

from skilltool.findings.finding import Severity
from skilltool.runtimes.base import Root, Runtime, Setting
from skilltool.runtimes.codex import answers, loading
from skilltool.runtimes.codex.loading import parse

_SETTINGS = {
    "bundled": Setting(default=True, about="enable Codex's built-in skills (`skills.bundled.enabled`)"),
    "include_instructions": Setting(
        default=True, about="send the listing to the model (`skills.include_instructions`)"
    ),
    "config": Setting(
        default=[],
        about="`skills.config`: objects with `path` (of a SKILL.md) or `name`, and `enabled`; the last wins",
    ),
    "model": Setting(default="gpt-5", about="the model; for some models, a text follows the listing"),
    "context_window": Setting(
        default=272_000, about="size of the model's context in tokens; the listing gets 2 % of it"
    ),
    "max_context_tokens": Setting(
        default=None,
        about="listing budget in tokens instead of 2 % of the context (`skills.max_context_tokens`)",
    ),
    "trust": Setting(
        default=True,
        about="whether the user trusts the project; if not, Codex ignores settings in `.codex` and warns",
    ),
}
_FACTS = {
    "key": "`name` in the frontmatter, else the directory's; the path where several have the name",
    "duplicates": "no copy wins: all are listed; the user types `[$name](path)` for one, since `$name` "
    "means none of them; the same real file is one skill",
    "parser": "serde_yaml between lines of `---`; scalars count as written; where it fails, values that are "
    "prose (`: `, a bracket, `@`, a backtick) are put in quotes; one that is not UTF-8 is refused",
    "arguments": "none; no placeholder is replaced",
    "tool": "none: the model reads the file; a mention adds the whole file to the user's message",
    "loading": "six levels below each root, also inside skills; linked directories are followed, a linked "
    "SKILL.md and names with a dot are not; no ignore file counts",
    "listing": "the listing is in a developer message; a description over 1,024 characters "
    "is cut at 1,021; over the budget descriptions are cut "
    "evenly, then left out, then whole skills from the end",
    "policy": "`agents/openai.yaml` decides who sees a skill: `policy.allow_implicit_invocation` and "
    "`policy.products`; switches in the frontmatter do nothing",
}

CODEX_0_169_0 = Runtime(
    id="codex@0.169.0",
    title="Codex 0.169.0",
    docs="requests of @openai/codex 0.169.0 (linux-x64, `codex app-server`) to a loopback model server",
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
        **dict.fromkeys(("roots", "key", "duplicates", "listing"), "the listing in requests"),
        **dict.fromkeys(("parser", "loading", "limits", "policy"), "`skills/list` of codex app-server"),
        **dict.fromkeys(("arguments", "tool"), "the messages after a mention"),
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
