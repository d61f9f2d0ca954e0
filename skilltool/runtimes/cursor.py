"""cursor: where third parties say that Cursor looks for skills; what it tells its model is not published."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

from skilltool.runtimes.base import Root, Runtime
from skilltool.runtimes.lenient_fields import fields_of
from skilltool.runtimes.loading import is_directory_here, read_bytes, scan_roots
from skilltool.runtimes.values import LoadedSkill, Refusal, Refused
from skilltool.skill.skill_file import FILE_NAME


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what one skill directory says of itself; what Cursor refuses is not known."""
    file = directory / FILE_NAME
    try:
        if is_directory_here(file) or not os.path.lexists(file):
            return Refused(directory, None, f"it has no {FILE_NAME}")
        fields, body, *_ = fields_of(read_bytes(file).decode("utf-8", "replace"))
    except OSError as error:
        return Refused(directory, None, f"it cannot be read: {error.strerror}")
    except Refusal as refusal:
        return refusal.refused(directory)
    name, description = fields.get("name"), fields.get("description")
    key = name if isinstance(name, str) and name else directory.name
    text = description if isinstance(description, str) else ""
    return LoadedSkill(key, key, text, directory, body, display_path=str(directory))


CURSOR = Runtime(
    id="cursor",
    title="Cursor",
    docs="third-party reports; the program was not run, and its code was not read",
    verified="2026-11-22, reported",
    evidence="reported",
    schema="cursor",
    roots=(
        Root(role="project", path_template="{project}/.cursor/skills"),
        Root(role="project-agents", path_template="{project}/.agents/skills"),
        Root(role="project-claude", path_template="{project}/.claude/skills"),
        Root(role="project-codex", path_template="{project}/.codex/skills"),
        Root(role="user", path_template="{home}/.cursor/skills", scope="user"),
        Root(role="user-agents", path_template="{home}/.agents/skills", scope="user"),
        Root(role="user-claude", path_template="{home}/.claude/skills", scope="user"),
        Root(role="user-codex", path_template="{home}/.codex/skills", scope="user"),
    ),
    facts={
        "key": "`name` in the frontmatter, which should match the directory's name",
        "duplicates": "not known; skilltool assumes that the first copy wins, in the order of the skills "
        "directories",
        "parser": "not known; skilltool accepts anything that all YAML parsers accept",
        "not known": "what the model sees, tools, arguments and limits; none of this is published",
    },
    sources=dict.fromkeys(
        ("roots", "key", "duplicates", "parser", "not known", "limits"), "third-party reports"
    ),
    scan=partial(scan_roots, load=load),
    load=load,
)
