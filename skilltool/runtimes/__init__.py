"""What does a runtime do with a skill, byte for byte? The table of all runtimes, sorted by id.

A runtime is one file, in the order a reader asks: how it loads, what it lists, how it answers, and at the end
one `Runtime(...)` per edition (`base` documents its fields). One that is several subjects is a package:
`loading` (which directories, which copy wins, how it reads a SKILL.md), `answers`, `profile`. CONTRIBUTING.md
has the recipe for a new one.

The functions take the `Session` they answer for, so a later edition is `EARLIER._replace(id=..., ...)` with
only the facts and functions that differ; one in which nothing differs is a line in `UNCHANGED`. What several
runtimes share is in `loading` (file access, scanning, precedence) and `patterns/` (regular expressions); the
parsers that they use, and what those say, are in `skilltool.emulation`. Leave out what the runtime does not
have, or what nobody knows: `lint`, `resolve` and `render` then say so.

A profile is imported when it is asked for, so that a command loads only the runtimes it needs.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from skilltool.errors import UnknownNameError

if TYPE_CHECKING:
    from skilltool.runtimes.base import Runtime

# id -> the module in this package, the name of the profile in it, and its kind, which decides about groups;
# editions and specifications have none. Profiles are imported only where they are asked for.
_PROFILES = {
    "agent": ("agent.profile", "AGENT", "document"),
    "agent-base@0.3.2": ("agent.profile", "AGENT_BASE_0_3_2", ""),
    "agent-framework": ("agent_framework", "AGENT_FRAMEWORK", "framework"),
    "agent-framework@1.23.0": ("agent_framework", "AGENT_FRAMEWORK_1_23_0", ""),
    "agent-harness@0.3.24": ("agent_harness", "AGENT_HARNESS_0_3_24", ""),
    "agent-plugins@1.0.0": ("agent_plugins", "AGENT_PLUGINS_1_0_0", ""),
    "agentskills": ("agentskills", "AGENTSKILLS", ""),
    "agno": ("agno.profile", "AGNO", "framework"),
    "agno@3.1.10": ("agno.profile", "AGNO_3_1_10", ""),
    "claude-code": ("claude_code.profile", "CLAUDE_CODE", "client"),
    "claude-code@2.1.329": ("claude_code.profile", "CLAUDE_CODE_2_1_329", ""),
    "cline": ("cline", "CLINE", "client"),
    "cline@0.0.86": ("cline", "CLINE_0_0_86", ""),
    "codex": ("codex.profile", "CODEX", "client"),
    "codex@0.169.0": ("codex.profile", "CODEX_0_169_0", ""),
    "copilot": ("copilot", "COPILOT", "client by source"),
    "crush": ("crush", "CRUSH", "client by source"),
    "cursor": ("cursor", "CURSOR", "client by report"),
    "deepagents": ("deepagents.profile", "DEEPAGENTS", "framework"),
    "deepagents-code": ("deepagents_code", "DEEPAGENTS_CODE", "framework"),
    "deepagents-code@0.1.57": ("deepagents_code", "DEEPAGENTS_CODE_0_1_57", ""),
    "deepagents@0.7.32": ("deepagents.profile", "DEEPAGENTS_0_7_32", ""),
    "gemini-cli": ("gemini_cli.profile", "GEMINI_CLI", "client"),
    "gemini-cli@0.61.0": ("gemini_cli.profile", "GEMINI_CLI_0_61_0", ""),
    "google-adk": ("google_adk.profile", "GOOGLE_ADK", "framework"),
    "google-adk@2.13.0": ("google_adk.profile", "GOOGLE_ADK_2_13_0", ""),
    "goose": ("goose", "GOOSE", "client by source"),
    "kimi-cli": ("kimi_cli.profile", "KIMI_CLI", "client"),
    "kimi-cli@1.52.0": ("kimi_cli.profile", "KIMI_CLI_1_52_0", ""),
    "kodelet": ("kodelet", "KODELET", "document"),
    "kodelet@0.5.36": ("kodelet", "KODELET_0_5_36", ""),
    "kodelet@2025-12": ("kodelet", "KODELET_2025_12", ""),
    "mcp-skills@2026-09": ("mcp_skills", "MCP_SKILLS_2026_09", ""),
    "mycodeagent": ("mycodeagent", "MYCODEAGENT", "document"),
    "mycodeagent@2026-01": ("mycodeagent", "MYCODEAGENT_2026_01", ""),
    "mycodeagent@2026-07": ("mycodeagent", "MYCODEAGENT_2026_07", ""),
    "nfa": ("nfa", "NFA", "document"),
    "nfa@2026-02": ("nfa", "NFA_2026_02", ""),
    "nfa@2026-04": ("nfa", "NFA_2026_04", ""),
    "opencode": ("opencode.profile", "OPENCODE", "client"),
    "opencode@1.18.33": ("opencode.profile", "OPENCODE_1_18_33", ""),
    "openhands": ("openhands.profile", "OPENHANDS", "client"),
    "openhands@1.58.0": ("openhands.profile", "OPENHANDS_1_58_0", ""),
    "pi": ("pi.profile", "PI", "client"),
    "pi@1.5.2": ("pi.profile", "PI_1_5_2", ""),
    "pickle-bot": ("pickle_bot", "PICKLE_BOT", "document"),
    "pickle-bot@2026-02": ("pickle_bot", "PICKLE_BOT_2026_02", ""),
    "pickle-bot@2026-05": ("pickle_bot", "PICKLE_BOT_2026_05", ""),
    "portable": ("portable", "PORTABLE", ""),
    "pydantic-ai-harness": ("pydantic_ai_harness", "PYDANTIC_AI_HARNESS", "framework"),
    "pydantic-ai-harness@0.62.0": ("pydantic_ai_harness", "PYDANTIC_AI_HARNESS_0_62_0", ""),
    "qwen-code": ("qwen_code.profile", "QWEN_CODE", "client"),
    "qwen-code@0.24.4": ("qwen_code.profile", "QWEN_CODE_0_24_4", ""),
    "roo-code": ("roo_code", "ROO_CODE", "client by source"),
    "skills-ref@0.1.1": ("agentskills", "SKILLS_REF_0_1_1", ""),
}

# Editions in which nothing differs: id -> the edition that they are like, and when and how that was checked.
UNCHANGED = {
    "claude-code@2.1.330": (
        "claude-code@2.1.329",
        "2026-11-23, wire: 624 recorded cases and 308 field values, all the same",
    ),
    "claude-code@2.1.332": ("claude-code@2.1.330", "2026-11-28, wire: 74 captured answers, all the same"),
    "codex@0.171.0": ("codex@0.169.0", "2026-11-28, wire: 68 captured answers, all the same"),
    "pi@1.6.0": ("pi@1.5.2", "2026-11-28, wire: 61 captured answers, all the same"),
}

IDS: tuple[str, ...] = tuple(sorted([*_PROFILES, *UNCHANGED]))

# What `--runtime all` stands for: every runtime without its editions, and the open specification.
BARE: tuple[str, ...] = tuple(name for name in IDS if "@" not in name and name != "portable")


def _of_kind(*kinds: str) -> tuple[str, ...]:
    return tuple(name for name, (_, _, kind) in _PROFILES.items() if kind in kinds)


# What a name of several runtimes stands for; a group may be empty.
GROUPS: Mapping[str, tuple[str, ...]] = {
    "all": BARE,
    "clients": _of_kind("client", "client by source", "client by report"),
    "documents": _of_kind("document"),
    "frameworks": _of_kind("framework"),
}

# What may read the skills of people who have not said for whom they write: all but frameworks, in which a
# developer names the directories of skills. An unchanged edition would only answer a second time.
ALWAYS_ASKED: tuple[str, ...] = tuple(
    name for name in _PROFILES if name.partition("@")[0] not in GROUPS["frameworks"]
)

# The clients whose profile holds what the program itself did: its requests, or what its functions returned.
MEASURED: tuple[str, ...] = _of_kind("client")

# The runtimes that limit the length of their listing, told without importing them.
BUDGETED = frozenset(
    name
    for name in IDS
    if name.partition("@")[0] in {"agent-harness", "claude-code", "codex", "mycodeagent", "qwen-code"}
)

# Clients of which there are only reports of third parties: their places are held against the common ground.
REPORTED: tuple[str, ...] = _of_kind("client by report")


def known(name: str) -> str:
    """Return `name` if it is the id of a runtime; raises `UnknownNameError`."""
    if name not in IDS:
        raise UnknownNameError("runtime", name, IDS, "skilltool runtimes")
    return name


@cache
def get(name: str) -> Runtime:
    """Return the runtime with the id `name`; raises `UnknownNameError`."""
    if unchanged := UNCHANGED.get(name):
        like, verified = unchanged
        earlier, version, new = get(like), like.partition("@")[2], name.partition("@")[2]
        title, docs = (text.replace(version, new) for text in (earlier.title, earlier.docs))
        return earlier._replace(id=name, title=title, docs=docs, verified=verified)
    module, attribute, _ = _PROFILES[known(name)]
    runtime: Runtime = getattr(import_module(f"skilltool.runtimes.{module}"), attribute)
    return runtime
