"""agent: skills disclosed in four tiers. agent-base, in Python, is the code that implements them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from skilltool.runtimes.agent.context import base_context, document_context, listing, summary
from skilltool.runtimes.agent.loading import (
    Dialect,
    Edition,
    base_extras,
    base_script,
    base_toolset,
    bundled_and_plugins,
    document_extras,
    document_script,
    document_toolset,
    functions,
    model,
    roots_of_document,
    to_the_first_dot,
    to_the_sentence_end,
)
from skilltool.runtimes.base import Root, Runtime, Setting


def _without_colon(toolset: str) -> str | None:
    return None if ":" in toolset else f"Toolset '{toolset}' must be in 'module:Class' format"


def _without_path_or_class(toolset: str) -> str | None:
    path, _, name = toolset.rpartition(":")
    return None if path and name else f"toolset '{toolset}' is not path:Class"


_MAX_SKILLS = Setting(default=3, about="maximum number of matching skills to inject")
_BUNDLED_SETTINGS = {
    "enabled_bundled": Setting(
        default=[], about="enable these bundled skills, overriding all other settings"
    ),
    "disabled_bundled": Setting(default=[], about="disable these bundled skills"),
}
_BASE = Edition(
    bundled_and_plugins,
    Dialect(
        model(
            r"^[a-zA-Z0-9_-]{1,64}$",
            "Skill name must be alphanumeric with hyphens/underscores, 1-64 chars",
            _without_colon,
        ),
        to_the_first_dot,
    ),
    base_extras,
)
_PLUGINS_ONLY = "only plugins listed in the setting `plugins` are loaded from it"


def _as_plugins(directories: Sequence[Path]) -> dict[str, Any]:
    """Return the settings with which agent-base loads these directories as installed plugins."""
    return {
        "plugins": [{"name": directory.name, "installed_path": str(directory)} for directory in directories]
    }


AGENT_BASE_0_3_2 = Runtime(
    id="agent-base@0.3.2",
    settings_for=_as_plugins,
    title="agent-base 0.3.2 (four tiers, Python)",
    docs="danielscholl/agent-base at 13733a71 (2025-11-24): src/agent/skills",
    verified="2026-11-20, recordings of the running code",
    evidence="run",
    schema="agent-base",
    roots=(
        Root(role="bundled", path_template="{project}/bundled_skills", scope="bundled"),
        Root(role="plugin", path_template="{project}/plugin_skills", scope="plugin", unscanned=_PLUGINS_ONLY),
        Root(role="user", path_template="{home}/.agent/skills", scope="user", unscanned=_PLUGINS_ONLY),
    ),
    settings={
        "plugins": Setting(
            default=[],
            about="list of {name, git_url, enabled, installed_path}; only these plugins are loaded",
        ),
        **_BUNDLED_SETTINGS,
        "max_skills": _MAX_SKILLS,
        "max_all_skills": Setting(
            default=10, about="maximum number of skills to inject if the user asks for all"
        ),
        "history": Setting(default=[], about="messages before the query; only the last one matters"),
    },
    facts={
        "key": "`name` in lowercase, with `-` for `_`; the directory's name does not matter",
        "duplicates": "the last copy wins, in the order bundled skills, then plugins as configured, but "
        "keeps the first copy's position",
        "parser": "PyYAML, from an initial `---` line to the next `---`, which must be followed by a "
        "line break; types are checked",
        "arguments": "none; the body is injected without leading or trailing whitespace",
        "tool": "none for skills; script_run allows 60 s, 1 MiB of output, and 100 arguments totaling "
        "4,096 bytes",
        "loading": "depends on the user's message: the first three skills whose name, keyword, verb or "
        "pattern matches are injected",
    },
    sources={
        "roots": "src/agent/skills/loader.py, src/agent/config/schema.py",
        "key": "src/agent/skills/loader.py",
        "duplicates": "src/agent/skills/loader.py",
        "parser": "src/agent/skills/manifest.py",
        "limits": "src/agent/skills/manifest.py",
        "arguments": "src/agent/skills/context_provider.py",
        "tool": "src/agent/skills/script_tools.py",
        "loading": "src/agent/skills/context_provider.py",
    },
    **functions(_BASE),
    catalog=listing,
    summary=summary,
    context=base_context,
    toolset_problem=base_toolset,
    script_problem=base_script,
)

# Where document 001 differs from agent-base: three roots, names without underscores, ranking, sentence
# ends, no tier for all documentation, TypeScript toolsets.
_DOCUMENT = Edition(
    roots_of_document,
    Dialect(
        model(
            r"^[a-zA-Z0-9-]{1,64}$(?!\n)",
            "Skill name must be alphanumeric with hyphens, 1-64 chars",
            _without_path_or_class,
        ),
        to_the_sentence_end,
    ),
    document_extras,
)
AGENT = AGENT_BASE_0_3_2._replace(
    id="agent",
    settings_for=None,
    title="agent (design document)",
    docs="document 001 (Skills Architecture), and agent-base@0.3.2 where the document is silent",
    verified="2026-11-21, test cases written from the document",
    evidence="document",
    schema="agent",
    roots=(
        Root(role="bundled", path_template=None, scope="bundled"),
        Root(role="user", path_template="{home}/.agent/skills", scope="user"),
        Root(role="project", path_template="{project}/.agent/skills"),
    ),
    settings={**_BUNDLED_SETTINGS, "max_skills": _MAX_SKILLS},
    facts={
        **AGENT_BASE_0_3_2.facts,
        "key": "`name` in lowercase; the directory's name does not matter",
        "duplicates": "the last copy (in the order bundled, user, project) wins, but is listed in the first "
        "copy's position",
        "tool": "none; support for scripts is planned, with limits of 60 s, 1 MB of output, and 100 "
        "arguments totaling 4,096 bytes",
        "loading": "the three skills that best match the user's message are injected; matches by name rank "
        "first, then by keyword or verb, then by pattern",
    },
    sources={
        "roots": "document 001, Skill Sources",
        "key": "document 001, Manifest Fields; how names are compared: agent-base@0.3.2",
        "duplicates": "document 001, Skill Sources",
        "parser": "document 001, Manifest Format (SKILL.md); how it is read: agent-base@0.3.2",
        "limits": "document 001, Manifest Fields",
        "arguments": "document 001, Progressive Disclosure",
        "tool": "document 001, Script Execution (Post-MVP)",
        "loading": "document 001, Trigger Matching Flow",
    },
    **functions(_DOCUMENT),
    context=document_context,
    toolset_problem=document_toolset,
    script_problem=document_script,
)
