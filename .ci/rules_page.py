"""The page docs/rules.md: one table per group of rules, each rule linked to its manual page."""

from pathlib import Path

from skilltool.rules import GROUPS, NAMES, OPT_IN, manual

_INTRO = Path(__file__).with_name("rules-intro.md").read_text("utf-8")
_ABOUT = {
    "file": "The file as a whole: name, encoding, line endings, and whether its frontmatter can be parsed.",
    "frontmatter": "The fields: name, description, and everything else that runtimes read.",
    "triggers": "Triggers, toolsets and scripts, as the `agent` runtime reads them.",
    "body": "The Markdown after the frontmatter, and other files: links, mentioned files, code, arguments.",
    "collection": "Several skills together: duplicate names, shadowed copies, a skill list that is too long.",
    "package": "Manifests of plugins, marketplaces and extensions, and the skills that they provide.",
    "runtime": "What a runtime does with the skill: whether it loads, under which name, and with which text.",
    "safety": "Secrets, invisible text, and commands that run without being requested.",
    "pedantic": "Advice that is right in fewer than 95 of 100 cases. Opt in with `--extend-select pedantic`.",
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
