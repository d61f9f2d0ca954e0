"""The page docs/rules.md: one table per group of rules, each rule linked to its manual page."""

from pathlib import Path

from skilltool.rules import GROUPS, NAMES, OPT_IN, manual

_INTRO = Path(__file__).with_name("rules-intro.md").read_text("utf-8")
_ABOUT = {
    "file": "The whole file: its name, encoding and line endings, and whether its frontmatter can be read.",
    "frontmatter": "The frontmatter fields: name, description, and any others that the runtimes read.",
    "triggers": "Triggers, toolsets and scripts, as the `agent` runtime reads them.",
    "body": "The Markdown after the frontmatter, and other files: links, mentioned files, code, arguments.",
    "collection": "Problems that involve several skills: duplicate names, shadowed copies, listings that are "
    "too long.",
    "package": "Manifests of plugins, marketplaces and extensions, and the skills that they provide.",
    "runtime": "What a runtime does with the skill: whether the skill loads, under what name, and with what "
    "text.",
    "safety": "Secrets, text that people cannot see, and commands that run automatically.",
    "pedantic": "Advice that is right less than 95% of the time. Opt in with `--extend-select pedantic`.",
}


def page() -> str:
    """Return the page as Markdown."""
    return "\n".join([_INTRO, *(_section(group) for group in GROUPS)])


def _section(group: str) -> str:
    opt_in = " (opt-in)" if group in OPT_IN else ""
    rows = [f"## {group}{opt_in}\n", f"{_ABOUT[group]}\n", "| rule | severity | reports |", "|---|---|---|"]
    for found in map(manual.page, NAMES):
        if found.group == group:
            summary = found.summary.replace("|", "\\|")
            rows.append(f"| [`{found.rule}`](rules/{found.rule}.md) | {found.severity} | {summary} |")
    return "\n".join(rows) + "\n"
