"""Where does kodelet look for skills, how does it read one, and which copy of a key wins?

Sources: document 004; `pkg/skills/discovery.go` and `pkg/plugins` of kodelet at the commits named in the
profile; goldmark-meta 1.1.0 for the frontmatter.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from skilltool.emulation import go_yaml_v2
from skilltool.emulation.go import decoded, go_error, replaced
from skilltool.runtimes.base import Session
from skilltool.runtimes.kodelet.config import read_config
from skilltool.runtimes.loading import (
    TOO_LARGE,
    children,
    first_wins,
    is_directory_entry,
    is_real_directory,
    names,
    read_bytes,
)
from skilltool.runtimes.values import SILENTLY, LoadedSkill, Refusal, Refused, ResolvedRoot, not_read
from skilltool.skill.read_file import MAX_BYTES
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.frontmatter.nodes import BoundError, YamlError

# Go's strings.TrimSpace; util.TrimLeftSpace and TrimRightSpace of goldmark know ASCII only.
_GO_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_MARKER = re.compile(rf"[{_GO_SPACE}]*---[{_GO_SPACE}]*")
_GOLDMARK_SPACE = " \t\n\v\f\r"


def parse(raw: bytes, directory: str | None = None) -> dict[str, Any]:
    """Return name, description and body of a SKILL.md; raises `Refusal`, always without a message."""
    if len(raw) > MAX_BYTES:
        raise Refusal(None, TOO_LARGE)
    text = decoded(raw)
    block = _frontmatter(text)
    if block is None:
        raise Refusal(None, f"the first line is not a line of dashes {SILENTLY}")
    try:
        values = go_yaml_v2.strings(block) or {}
    except BoundError as error:
        raise not_read(error) from None
    except YamlError as error:
        raise Refusal(None, f"the frontmatter is not valid YAML: {error.problem} {SILENTLY}") from None
    for field in ("name", "description"):
        if not values.get(field):
            raise Refusal(None, f"`{field}` is missing, empty or not a string {SILENTLY}")
    return {
        "name": values["name"],
        "description": values["description"],
        "body": replaced(body(text)).lstrip("\n"),
    }


def parse_exact(raw: bytes, directory: str | None = None) -> dict[str, Any]:
    """Do what `parse` does, but keep the line ends at the start of the body, as document 004 has it."""
    return {**parse(raw, directory), "body": replaced(body(decoded(raw)))}


def _frontmatter(text: str) -> str | None:
    """Return what goldmark-meta takes for YAML, None if it sees no block.

    A first line of dashes, indented by at most three columns, opens the block; the next line of dashes, or
    the end of the file, closes it.
    """
    lines = text.split("\n")
    first = lines[0]
    indent = len(first[: len(first) - len(first.lstrip(" \t"))].expandtabs(4))
    if indent > 3 or not _dashes(first) or not first.lstrip(" \t").startswith("-"):
        return None
    block: list[str] = []
    for line in lines[1:]:
        if _dashes(line):
            break
        block.append(line)
    else:
        return "\n".join(block)
    return "".join(f"{line}\n" for line in block)


def _dashes(line: str) -> bool:
    """Return whether a line is only dashes and white space; a form feed alone is not white space here."""
    stripped = line.strip(_GOLDMARK_SPACE)
    return not stripped.strip("-") and bool(stripped or line.strip(" \t\r"))


def body(text: str) -> str:
    """Return what follows the second marker line; the whole text if there is none."""
    if not text.startswith("---"):
        return text
    lines = text.split("\n")
    for number, line in enumerate(lines[1:], start=1):
        if _MARKER.fullmatch(line):
            return "\n".join(lines[number + 1 :])
    return text


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory in a root."""
    return load_with(parse, directory, "", directory.name, "")


Parser = Callable[[bytes, str | None], dict[str, Any]]


def load_with(
    parser: Parser, directory: Path, role: str, display_path: str, prefix: str
) -> LoadedSkill | Refused:
    """Read `directory`/SKILL.md with `parser`; the key is `prefix` and its name."""
    file = directory / FILE_NAME
    try:
        if not file.exists() or file.is_dir():
            return Refused(directory, None, f"it has no {FILE_NAME} {SILENTLY}", role)
        parsed = parser(read_bytes(file), None)
    except OSError as error:
        return Refused(directory, None, f"{FILE_NAME} cannot be read: {error.strerror} {SILENTLY}", role)
    except Refusal as refusal:
        return Refused(directory, None, refusal.why, role)
    key = f"{prefix}{parsed['name']}"
    return LoadedSkill(key, key, parsed["description"], directory, parsed["body"], role, display_path)


def scan(
    session: Session, plugins: bool, links: bool, parser: Parser, strict: bool, section_enables: bool = False
) -> None:
    """Fill a session: roots in order, the first copy of a key wins, then the settings are applied.

    `plugins`: load the skills of plugins, too. `links`: load linked directories. `strict`: a root that
    exists and cannot be listed ends loading as a whole, unless skills are disabled anyway. `section_enables`:
    see `read_config`.
    """
    read_config(session, section_enables)
    winners: dict[str, LoadedSkill] = {}
    for root, top, printed, prefix in _scanned_directories(session):
        try:
            entries = [entry for entry in children(top) if is_directory_entry(entry)]
        except FileNotFoundError:
            continue
        except OSError as error:
            if strict and not prefix and not _switched_off(session):
                session.failure = session.failure or _failure(top, printed, error)
            continue
        for entry in entries:
            loaded: LoadedSkill | Refused
            if prefix and not plugins:
                loaded = Refused(entry, None, "this edition does not load plugins", root.role)
            elif not links and not is_real_directory(entry):
                loaded = Refused(entry, None, f"it is a symbolic link {SILENTLY}", root.role)
            else:
                loaded = load_with(parser, entry, root.role, f"{printed}/{entry.name}", prefix)
            _add(session, loaded, winners)
    if session.failure:
        _refuse_shadowed(session, session.failure)
    _apply_settings(session, winners)


def _failure(root: Path, printed: str, error: OSError) -> str:
    """Return kodelet's error for a root that Go's `os.ReadDir` cannot list."""
    path = printed if printed == root.as_posix() else f"./{printed}"
    return f"failed to read skill directory {path}: {go_error(error, path)}"


def _refuse_shadowed(session: Session, why: str) -> None:
    """Turn copies that lost their key into refused ones: no copy has won."""
    session.skipped += [
        Refused(lost.skill.directory, None, why, lost.skill.role, key=lost.skill.key)
        for lost in session.shadowed
    ]
    session.shadowed = []


def _add(session: Session, loaded: LoadedSkill | Refused, winners: dict[str, LoadedSkill]) -> None:
    if isinstance(loaded, Refused):
        session.skipped.append(loaded)
    elif loaded.key not in winners:
        winners[loaded.key] = loaded
    else:
        session.shadowed.append(first_wins(session, winners[loaded.key], loaded))


def _apply_settings(session: Session, winners: dict[str, LoadedSkill]) -> None:
    """Keep what the settings allow, in the byte order of the keys."""
    allowed = session.settings["allowed"]
    reason = disabled_reason(session)
    for key in sorted(winners, key=os.fsencode):
        skill = winners[key]
        if reason or (allowed and key not in allowed):
            session.skipped.append(
                Refused(
                    skill.directory,
                    None,
                    reason or "the setting `allowed` does not list it",
                    skill.role,
                    key=key,
                )
            )
        else:
            session.skills.append(skill)


def disabled_reason(session: Session) -> str | None:
    """Return why all skills are disabled, None if they are not."""
    if _switched_off(session):
        return "skills are disabled by the setting `enabled` or `no_skills`"
    return session.failure


def _switched_off(session: Session) -> bool:
    return not session.settings["enabled"] or bool(session.settings["no_skills"])


def _scanned_directories(session: Session) -> Iterator[tuple[ResolvedRoot, Path, str, str]]:
    """Yield each directory to scan: its root, its path, that path as printed, the prefix of its keys."""
    for root in session.roots:
        printed = _display_path(session, root, root.path)
        if "plugin" not in root.role:
            yield root, root.path, printed, ""
        else:
            for top in _plugin_skill_directories(root.path):
                below = top.parent.relative_to(root.path).as_posix()
                yield root, top, _display_path(session, root, top), f"{below}/"


def _plugin_skill_directories(top: Path) -> Iterator[Path]:
    """Yield every `skills` directory at any depth, in the order of Go's `filepath.Walk` (byte order).

    Links are not followed. The walk does not descend below a directory that has an entry `skills`; that
    entry may be a link, or a file, which then holds no skills.
    """
    waiting = [top]
    while waiting:  # a loop: a tree may be deeper than Python's recursion limit
        directory = waiting.pop()
        try:
            if not is_real_directory(directory):
                continue
            entries = names(directory)
            if (directory / "skills").exists():
                yield directory / "skills"
                continue
        except OSError:
            continue
        waiting += [directory / name for name in reversed(entries)]


def _display_path(session: Session, root: ResolvedRoot, path: Path) -> str:
    """Return a path as kodelet prints it: relative to the working directory, absolute elsewhere."""
    if not root.role.startswith("user") and path.is_relative_to(session.project):
        return path.relative_to(session.project).as_posix()
    return path.as_posix()
