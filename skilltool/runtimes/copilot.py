"""copilot: skills in `.github/skills`, `.agents/skills` and `.claude/skills`, read as files.

Source: `promptFileLocations.ts` (0783120b) and `promptsServiceImpl.ts` (00eacc90) of microsoft/vscode; its
reader of frontmatter was not read.
"""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

from skilltool.emulation.javascript import first_units, length
from skilltool.findings.finding import Severity
from skilltool.runtimes.base import Root, Runtime, Session
from skilltool.runtimes.lenient_fields import fields_of
from skilltool.runtimes.loading import TOO_LARGE, is_directory_here, read_bytes, scan_roots
from skilltool.runtimes.values import LoadedSkill, Manifest, Refusal, Refused
from skilltool.skill.skill_file import FILE_NAME, MAX_BYTES

_LONGEST_NAME, _LONGEST = 64, 1024
_HEAD = (
    "<skills>\nHere is a list of skills that contain domain specific knowledge on a variety of topics.\n"
    "Each skill comes with a description of the topic and a file path that contains the detailed "
    "instructions.\nWhen a user asks you to perform a task that falls within the domain of a skill, use the "
    "'read_file' tool to acquire the full instructions from the file URI.\n"
)


def without_tags(text: str) -> str:
    """Return a text without anything between `<` and the next `>`, unless that is nothing."""
    kept: list[str] = []
    at = search = 0
    while (start := text.find("<", search)) >= 0 and (end := text.find(">", start + 1)) >= 0:
        if end > start + 1:
            kept.append(text[at:start])
            at = end + 1
        search = end + 1
    return "".join([*kept, text[at:]])


def _shown(text: str, longest: int) -> str:
    clean = without_tags(text)
    return first_units(clean, longest) if length(clean) > longest else clean


def parse(raw: bytes, directory: str | None) -> Manifest:
    """Return `name`, `description`, `body` and whether the model is told, of a SKILL.md; refuses none."""
    if len(raw) > MAX_BYTES:
        raise Refusal(None, TOO_LARGE)
    fields, body, by_lines, has_fields = fields_of(raw.decode("utf-8", "replace"))
    name = fields.get("name")
    is_own = isinstance(name, str) and (directory is None or name == directory)
    description = fields.get("description")
    return Manifest(
        _shown(str(name) if is_own else directory or "", _LONGEST_NAME),
        _shown(description, _LONGEST) if isinstance(description, str) else "",
        body,
        {"listed": fields.get("disable-model-invocation") is not True},
        fields_lost=not has_fields,
        by_lines=by_lines,
        is_shortened=isinstance(description, str) and length(without_tags(description)) > _LONGEST,
    )


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory."""
    file = directory / FILE_NAME
    try:
        if is_directory_here(file) or not os.path.lexists(file):
            return Refused(directory, None, f"it has no {FILE_NAME}")
        manifest = parse(read_bytes(file), directory.name)
    except OSError as error:
        return Refused(directory, None, f"it cannot be read: {error.strerror}")
    except Refusal as refusal:
        return refusal.refused(directory)
    name, description, body = manifest.name, manifest.description, manifest.body
    return LoadedSkill(
        name,
        name,
        description,
        directory,
        body,
        display_path=str(file),
        details=manifest,
        is_shortened=manifest.is_shortened,
    )


def summary(skill: LoadedSkill) -> str | None:
    """Return what the listing shows of a skill; None for one that is hidden from the model."""
    return skill.description if skill.known_as(Manifest).fields["listed"] else None


def catalog(session: Session) -> str | None:
    """Return the listing; None without skills to list."""
    listed = [skill for skill in session.skills if summary(skill) is not None]
    if not listed:
        return None
    entries = "".join(
        f"<skill>\n<name>{loaded.name}</name>\n"
        + (f"<description>{loaded.description}</description>\n" if loaded.description else "")
        + f"<file>{loaded.display_path}</file>\n</skill>\n"
        for loaded in listed
    )
    return f"{_HEAD}{entries}</skills>"


def content(session: Session, skill: LoadedSkill) -> str | None:
    """Return the whole file, which the model reads; None if it is gone."""
    try:
        return read_bytes(skill.directory / FILE_NAME).decode("utf-8", "replace")
    except (OSError, Refusal):
        return None


_LOCATIONS, _SERVICE = "promptFileLocations.ts at 0783120b", "promptsServiceImpl.ts at 00eacc90"

COPILOT = Runtime(
    id="copilot",
    title="GitHub Copilot in VS Code",
    docs="microsoft/vscode: promptFileLocations.ts at 0783120b, promptsServiceImpl.ts at 00eacc90",
    verified="2026-11-22, source: the code was read but not run",
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
        "key": "`name` in the frontmatter if it matches the directory's name, otherwise the directory's name",
        "duplicates": "the first copy wins (workspace before user)",
        "parser": "VS Code's own; its source was not examined, so skilltool accepts anything that is valid "
        "in every YAML parser it knows",
        "arguments": "none",
        "tool": "none; the model reads the file with `read_file`",
        "loading": "the listing is not escaped, but anything between `<` and `>` is removed. A name is "
        "truncated at 64 and a description at 1,024 UTF-16 code units. "
        "`disable-model-invocation: true` hides a skill",
        "command line": "Copilot CLI also reads `.github/skills`, and treats `shell` or `bash` in "
        "`allowed-tools` as permission to run commands; VS Code ignores the field",
        "not known": "`chat.agentSkillsLocations`, skills from extensions and plugins; what is sent when the "
        "user types a message; the cloud agent and the CLI, beyond what their documentation says",
    },
    sources={
        "roots": _LOCATIONS,
        **dict.fromkeys(("key", "duplicates", "parser", "tool", "arguments", "loading", "limits"), _SERVICE),
        "command line": "GitHub's page on skills for the CLI, and issue 3165 in github/copilot-cli; not run",
        "not known": "not stated in the files that were read",
    },
    # The directory stands in for a name that differs.
    severities={"name-directory-mismatch": Severity.WARNING},
    scan=partial(scan_roots, load=load),
    load=load,
    parse=parse,
    catalog=catalog,
    summary=summary,
    content=content,
)
