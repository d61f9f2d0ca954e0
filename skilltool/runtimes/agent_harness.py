"""agent-harness: skills as XML in the prompt, which the model reads with its ordinary file tool.

Source: `src/skills/parser.ts` and `manifest.ts` of danielscholl/agent-harness at dba0a19b; `src/skills/`
(`loader.ts`, `dependencies.ts`, `installer.ts`) of danielscholl/agent-harness at dba0a19b.
"""

from __future__ import annotations

import math
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from skilltool.emulation import npm_yaml, zod
from skilltool.emulation.javascript import first_units, length, node_words, trim
from skilltool.findings.finding import Severity
from skilltool.runtimes.base import Root, Runtime, Session, Setting
from skilltool.runtimes.loading import (
    TOO_LARGE,
    bytes_of,
    children,
    is_directory_entry,
    is_real_directory,
    last_wins,
    read_bytes,
)
from skilltool.runtimes.values import LoadedSkill, Manifest, Refusal, Refused, ResolvedRoot, Result, not_read
from skilltool.skill import schema
from skilltool.skill.skill_file import FILE_NAME, MAX_BYTES
from skilltool.text.frontmatter.nodes import BoundError
from skilltool.text.lazy_pattern import lazy_pattern

PARSE_ERROR, VALIDATION_ERROR = "PARSE_ERROR", "VALIDATION_ERROR"
_CLOSING = lazy_pattern(r"\r?\n---(?:\r?\n|\Z)")
_NAME_WORDS = 'Skill name must be lowercase alphanumeric with single hyphens (e.g., "my-skill-name")'


def parse(raw: bytes, directory: str | None) -> Manifest:
    """Return what a SKILL.md in a directory with this name says, as `manifest`; raises `Refusal`.

    If `directory` is None, `name` may be anything. Invalid UTF-8 is read as U+FFFD.
    """
    if len(raw) > MAX_BYTES:
        raise Refusal(None, TOO_LARGE)
    text = trim(raw.decode("utf-8", "replace"))
    if not text.startswith("---"):
        words = "SKILL.md must start with YAML frontmatter (---)"
        raise Refusal(words, "it does not start with `---`", PARSE_ERROR)
    closing = _CLOSING.search(text, 3)
    if closing is None:
        words = "SKILL.md frontmatter is not properly closed with ---"
        raise Refusal(words, "the frontmatter is not closed by a line `---`", PARSE_ERROR)
    values = _values(text[3 : closing.start()])
    problems = zod.strict_object(values, *_shape())
    if problems:
        words = f"Manifest validation failed: {'; '.join(problems)}"
        raise Refusal(words, f"the frontmatter is invalid: {problems[0]}", VALIDATION_ERROR)
    if directory is not None and values["name"] != directory:
        words = f'Skill name "{values["name"]}" does not match directory name "{directory}"'
        raise Refusal(words, "`name` differs from the directory name", VALIDATION_ERROR)
    manifest = {"allowedTools" if key == "allowed-tools" else key: value for key, value in values.items()}
    body = trim(text[closing.end() :])
    return Manifest(manifest["name"], manifest["description"], body, {"manifest": manifest})


def _values(block: str) -> Any:
    try:
        return npm_yaml.load(block)
    except BoundError as error:
        raise not_read(error) from None
    except npm_yaml.NotParsedError as error:
        why = f"the frontmatter is not valid YAML: {error}"
        words = str(error) if error.parse_error else "Invalid YAML syntax"
        library = words if error.parse_error else None
        raise Refusal(f"YAML parse error: {words}", why, PARSE_ERROR, library) from None


@cache
def _shape() -> tuple[dict[str, zod.Check], dict[str, zod.Check]]:
    """Return the checks of the required and of the optional keys; the limits are those of the schema."""
    fields = schema.load("agent-harness")["properties"]

    def limits(field: str, empty: str, what: str) -> tuple[zod.Limit, zod.Limit]:
        high = fields[field]["maxLength"]
        return zod.Limit(fields[field]["minLength"], empty), zod.Limit(
            high, f"{what} cannot exceed {high} characters"
        )

    name = limits("name", "Skill name cannot be empty", "Skill name")
    description = limits("description", "Skill description cannot be empty", "Skill description")
    compatibility = limits("compatibility", "Compatibility cannot be empty if provided", "Compatibility")
    required = {
        "name": zod.bounded_text(*name, pattern=(r"[a-z0-9]+(?:-[a-z0-9]+)*", _NAME_WORDS)),
        "description": zod.bounded_text(*description),
    }
    optional = {
        "license": zod.text,
        "compatibility": zod.bounded_text(*compatibility),
        "metadata": zod.texts,
        "allowed-tools": zod.text_or_list,
    }
    return required, optional


IO_ERROR, NOT_FOUND, SECURITY_ERROR = "IO_ERROR", "NOT_FOUND", "SECURITY_ERROR"
_NOT_INSTALLED = "Plugin directory not found. Run 'agent skill install <url>' to install."
_ESCAPES = "Skill directory symlink escapes base directory"
_LAST_PART = lazy_pattern(r"/([^/]+?)(?:\.git)?$(?!\n)")


@dataclass(frozen=True, slots=True)
class _Plugin:
    """A plugin in the settings: the name of its directory, and whether it is enabled."""

    name: str
    enabled: bool


def scan(session: Session) -> None:
    """Fill a session: the last copy of a name wins, at the position of the first."""
    winners: dict[str, LoadedSkill] = {}
    losers: list[LoadedSkill] = []
    for outcome in _outcomes(session):
        if isinstance(outcome, Refused):
            session.skipped.append(outcome)
            continue
        if outcome.key in winners:
            losers.append(winners[outcome.key])
        winners[outcome.key] = outcome
    for skill in losers:
        by = winners[skill.key]
        if skill.directory != by.directory:
            session.shadowed.append(last_wins(session, by, skill))
    for skill in winners.values():
        hidden = _hidden(session, skill)
        if hidden is None:
            session.skills.append(skill)
        else:
            session.skipped.append(
                Refused(skill.directory, None, hidden, skill.role, "hidden", key=skill.key, hidden=True)
            )


def _outcomes(session: Session) -> Iterator[LoadedSkill | Refused]:
    for root in session.roots:
        if root.role == "plugin":
            yield from _plugins(session, root)
        elif root.exists:
            yield from _in_root(session, root)


def _in_root(session: Session, root: ResolvedRoot) -> Iterator[LoadedSkill | Refused]:
    try:
        entries = children(root.path)
    except OSError as error:
        words = node_words(error, "scandir", root.path)
        yield Refused(root.path, words, "the skills directory cannot be listed", root.role, IO_ERROR)
        return
    for directory in entries:
        if not is_directory_entry(directory):
            continue
        if not is_real_directory(directory):
            yield Refused(directory, None, "it is a symbolic link, which is not followed", root.role)
        elif directory.name.startswith(".."):  # which it takes for a path out of the root
            why = "the directory name begins with `..`, like a path out of the root"
            yield Refused(directory, _ESCAPES, why, root.role, SECURITY_ERROR)
        elif not os.access(directory / FILE_NAME, os.R_OK):
            yield Refused(directory, None, f"it has no readable {FILE_NAME}", root.role)
        else:
            yield _marked(session, _loaded(directory, directory.name, root.role))


def _plugins(session: Session, root: ResolvedRoot) -> Iterator[LoadedSkill | Refused]:
    for plugin in _configured(session.settings["plugins"]):
        if not plugin.enabled and not session.settings["include_disabled"]:
            continue
        directory = Path(os.path.normpath(root.path / plugin.name.lstrip("/")))
        if not directory.is_dir():
            why = "the plugin is configured but not installed"
            yield Refused(directory, _NOT_INSTALLED, why, root.role, NOT_FOUND)
            continue
        outcome = _loaded(directory, plugin.name, root.role)
        if isinstance(outcome, LoadedSkill):
            outcome = outcome._replace(told={**outcome.told, "disabled": not plugin.enabled})
        yield _marked(session, outcome)


def _configured(plugins: Any) -> Iterator[_Plugin]:
    for plugin in plugins if isinstance(plugins, list) else ():
        if isinstance(plugin, dict):
            match = _LAST_PART.search(str(plugin.get("url", "")))
            named = plugin.get("name")
            fallback = match[1] if match else "unknown-skill"
            yield _Plugin(fallback if named is None else str(named), plugin.get("enabled") is not False)


def _loaded(directory: Path, name: str, role: str) -> LoadedSkill | Refused:
    """Read one directory; `name` is what the name in the frontmatter must equal."""
    file = directory / FILE_NAME
    try:
        raw = bytes_of(file)
        if isinstance(raw, OSError):
            why = f"{FILE_NAME} cannot be read: {raw.strerror}"
            return Refused(directory, node_words(raw, "open", file), why, role, IO_ERROR)
        manifest = parse(raw, name)
    except Refusal as refusal:
        return refusal.refused(directory, role)
    key, description = manifest.name, manifest.description
    told = {"source": role, **manifest.fields}
    return LoadedSkill(key, key, description, directory, manifest.body, role, str(directory), told)


def _marked(session: Session, outcome: LoadedSkill | Refused) -> LoadedSkill | Refused:
    """Return a loaded skill, marked if it is disabled or if a command that it requires is missing."""
    if isinstance(outcome, Refused):
        return outcome
    marks: dict[str, Any] = {}
    disabled, enabled = (session.settings[name] or [] for name in ("disabled_bundled", "enabled_bundled"))
    if outcome.role == "bundled" and (outcome.key in disabled or (enabled and outcome.key not in enabled)):
        marks["disabled"] = True
    missing = _missing(outcome.told["manifest"])
    if missing:
        reason = f"missing commands: {', '.join(missing)}"
        marks.update(unavailable=True, unavailableReason=reason)
    return outcome._replace(told={**outcome.told, **marks})


def _missing(manifest: dict[str, Any]) -> list[str]:
    """Return the commands in `metadata.requires` that are not on the PATH; none of them is run."""
    required = manifest.get("metadata", {}).get("requires", "")
    return [command for command in required.split() if shutil.which(command) is None]


def _hidden(session: Session, skill: LoadedSkill) -> str | None:
    if skill.told.get("disabled") and not session.settings["include_disabled"]:
        return "it is disabled by a setting, and still shadows other copies"
    if skill.told.get("unavailable") and not session.settings["include_unavailable"]:
        return f"{skill.told['unavailableReason']} (`metadata.requires`)"
    return None


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory, regardless of settings that hide it."""
    if directory.is_symlink():
        return Refused(directory, None, "it is a symbolic link, which is not followed")
    if not os.access(directory / FILE_NAME, os.R_OK):
        return Refused(directory, None, f"it has no readable {FILE_NAME}")
    return _loaded(directory, directory.name, "")


_TOKENS_PER_SKILL = 100
_USUAL_TOKENS = 1000
_LINE, _CUT = 60, 57
_XML_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;"})


def _offered(session: Session) -> list[LoadedSkill]:
    """Return the skills in the listing: cut to the budget first, then without those that are hidden."""
    tokens = _tokens(session)
    skills = session.skills
    if len(skills) * _TOKENS_PER_SKILL > tokens:
        skills = skills[: math.floor(tokens / _TOKENS_PER_SKILL)]
    return [skill for skill in skills if not (skill.told.get("disabled") or skill.told.get("unavailable"))]


def catalog(session: Session) -> str:
    """Return the listing as XML; an empty string if no skill is offered."""
    entries = [
        f"<skill>\n<name>{skill.name}</name>\n"
        f"<description>{skill.description.translate(_XML_ESCAPES)}</description>\n"
        f"<location>{str(skill.directory / FILE_NAME).translate(_XML_ESCAPES)}</location>\n</skill>"
        for skill in _offered(session)
    ]
    return "\n".join(["<available_skills>", *entries, "</available_skills>"]) if entries else ""


def prompt(session: Session) -> str:
    """Return the listing, or with the setting `view=summary` the text of `agent skill list`."""
    if session.settings["view"] != "summary":
        return catalog(session)
    if not session.skills:
        return "No skills available"
    lines = [f"Available skills ({len(session.skills)}):"]
    for skill in session.skills:
        text = skill.description
        shown = f"{first_units(text, _CUT)}..." if length(text) > _LINE else text
        lines.append(f"  - {skill.name} ({skill.role}): {shown}")
    return "\n".join(lines)


def content(session: Session, skill: LoadedSkill) -> str | None:
    """Return the whole file, as the model reads it at the listed location; None if it cannot be read now."""
    try:
        return read_bytes(skill.directory / FILE_NAME).decode("utf-8", "replace")
    except (OSError, Refusal):
        return None


def call(session: Session, arguments: Mapping[str, Any] | str, tool: str | None) -> Result:
    """Answer as `getTier2Context`, which no model can call: the file of the named skill, or nothing."""
    name = arguments.get("name") if isinstance(arguments, Mapping) else None
    skill = session.find(name) if isinstance(name, str) else None
    text = None if skill is None else content(session, skill)
    return Result(text, text is None)


def budget(session: Session) -> tuple[int, tuple[str, ...]]:
    """Return the listing budget in tokens, 100 per skill, and the keys that exceed it."""
    tokens = _tokens(session)
    fitting = math.floor(max(tokens, 0) / _TOKENS_PER_SKILL)
    return math.floor(tokens), tuple(skill.key for skill in session.skills[fitting:])


def asked_tokens(session: Session) -> tuple[int, int]:
    """Return what the skills count for, hidden ones too; the program has no skills of its own."""
    return len(session.skills) * _TOKENS_PER_SKILL, 0


def _tokens(session: Session) -> float:
    """Return the budget of the listing; null means 1000 (`?? 1000` in the source)."""
    given = session.settings["max_tier1_tokens"]
    return _USUAL_TOKENS if given is None else float(given)


AGENT_HARNESS_0_3_24 = Runtime(
    id="agent-harness@0.3.24",
    title="agent-harness 0.3.24 (TypeScript)",
    docs="danielscholl/agent-harness at dba0a19b (2026-01-29): src/skills, under Bun 1.3.4",
    verified="2026-11-21, recordings of the running code",
    evidence="run",
    schema="agent-harness",
    budget_unit="tokens",
    roots=(
        Root(role="bundled", path_template="{home}/.agent/_bundled_skills", scope="bundled"),
        Root(role="user", path_template="{home}/.agent/skills", scope="user"),
        Root(role="claude", path_template="{project}/.claude/skills"),
        Root(role="project", path_template="{project}/.agent/skills"),
        Root(
            role="plugin",
            path_template="{home}/.agent/plugins",
            scope="plugin",
            unscanned="only plugins listed in the setting `plugins` are loaded from it",
        ),
    ),
    settings={
        "plugins": Setting(default=[], about="list of {url, name, enabled}; only these plugins are loaded"),
        "enabled_bundled": Setting(
            default=[], about="enable only these bundled skills; an empty list means all"
        ),
        "disabled_bundled": Setting(default=[], about="disable these bundled skills"),
        "include_disabled": Setting(default=False, about="also list disabled skills, marked as such"),
        "include_unavailable": Setting(
            default=False, about="also list skills with missing commands, marked as such"
        ),
        "max_tier1_tokens": Setting(
            default=_USUAL_TOKENS, about="token budget of the listing, counting 100 per skill"
        ),
        "view": Setting(
            default="", about="with `summary`, --part prompt shows what `agent skill list` prints"
        ),
    },
    facts={
        "key": "`name` in the frontmatter, which must match the directory's name",
        "duplicates": "the last copy wins, in the order bundled, user, claude, project, plugin, but keeps "
        "the first copy's position",
        "parser": "YAML 1.2 (npm yaml), from `---` at the start to a `---` line; unknown keys are rejected",
        "arguments": "none",
        "tool": "none; the model reads the file at the listed location",
        "loading": "the listing follows the prompt; it shows at most the first ten skills",
    },
    sources={
        **dict.fromkeys(("roots", "duplicates"), "src/skills/loader.ts, src/utils/paths.ts"),
        **dict.fromkeys(("key", "parser"), "src/skills/parser.ts"),
        "limits": "src/skills/manifest.ts",
        **dict.fromkeys(("arguments", "tool", "loading"), "src/skills/context-provider.ts"),
    },
    # Its schema is strict: a key that it does not define refuses the whole manifest.
    severities={"unknown-field": Severity.ERROR},
    scan=scan,
    parse=parse,
    load=load,
    catalog=catalog,
    prompt=prompt,
    content=content,
    call=call,
    budget=budget,
    asked_tokens=asked_tokens,
)
