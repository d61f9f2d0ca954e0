"""agent-plugins@1.0.0: a format of packages, read in its specification; no client was run."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

from skilltool.runtimes.agentskills import AGENTSKILLS
from skilltool.runtimes.base import Root
from skilltool.runtimes.loading import scan_roots
from skilltool.runtimes.values import LoadedSkill, Refused
from skilltool.skill.skill_file import FILE_NAME

_SPECIFICATION = "agentplugins/agent-plugins-spec bd38355, spec/1.0.0.md"


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one directory in `skills/`: a client skips what the specification refuses.

    The file is called exactly SKILL.md, and no link to it leads out of the plugin (7.1, 4.1.3).
    """
    file = directory / FILE_NAME
    try:
        if FILE_NAME not in os.listdir(directory):
            return Refused(directory, None, "it has no SKILL.md")
        if not file.is_file():
            return Refused(directory, None, "its SKILL.md is not a regular file")
        plugin = os.path.realpath(directory.parent.parent)
        if directory.parent.name == "skills" and not Path(os.path.realpath(file)).is_relative_to(plugin):
            return Refused(directory, None, "its SKILL.md is a link that points outside the plugin")
    except OSError as error:
        return Refused(directory, None, f"SKILL.md cannot be read: {error.strerror}")
    assert AGENTSKILLS.load is not None
    return AGENTSKILLS.load(directory)


AGENT_PLUGINS_1_0_0 = AGENTSKILLS._replace(
    id="agent-plugins@1.0.0",
    title="Agent Plugins 1.0.0, a package format",
    docs=f"https://agent-plugins.org, {_SPECIFICATION}",
    verified="2026-11-21, docs: the specification was read, but no client was run",
    evidence="docs",
    roots=(Root(role="plugin", path_template="{project}/skills"),),
    facts={
        "key": "`name` in the frontmatter, which must match the directory's name",
        "duplicates": "none: directories in the same folder have different names",
        "parser": "a client must skip a skill that does not conform to the Agent Skills specification",
        "discovery": "directories with a SKILL.md directly in the plugin's `skills/`; no field changes "
        "that location",
        "arguments": "not part of the format",
        "tool": "not part of the format",
        "loading": "not part of the format",
    },
    sources={
        **dict.fromkeys(("key", "parser"), f"{_SPECIFICATION}, 7.1, and skills_ref/validator.py"),
        **dict.fromkeys(("roots", "discovery", "duplicates", "arguments", "tool", "loading"), _SPECIFICATION),
        "limits": "https://agentskills.io/specification",
    },
    expands=frozenset(),
    scan=partial(scan_roots, load=load),
    load=load,
    catalog=None,
    content=None,
)
