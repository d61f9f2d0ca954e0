"""Where kodelet looks for skills, how it reads one, and which copy of a name wins.

Sources: document 004; `pkg/skills/discovery.go` and `pkg/plugins` of kodelet at the commits named in
the profile; goldmark-meta 1.1.0 for the frontmatter.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from skilltool.runtimes.base import Session
from skilltool.runtimes.discovery.file_access import read_bytes
from skilltool.runtimes.discovery.scanning import children, is_directory_entry, is_real_directory, names
from skilltool.runtimes.readers import go_yaml_v2
from skilltool.runtimes.readers.go_text import decoded, replaced
from skilltool.runtimes.values import LoadedSkill, Refusal, Refused, ResolvedRoot, Shadowed, not_read
from skilltool.skill.model import MAX_BYTES
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.frontmatter.nodes import BoundError, YamlError

_SILENT = "kodelet skips it without a word: "
# Go's strings.TrimSpace; util.TrimLeftSpace and TrimRightSpace of goldmark know ASCII only.
_GO_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_MARKER = re.compile(rf"[{_GO_SPACE}]*---[{_GO_SPACE}]*")
_GOLDMARK_SPACE = " \t\n\v\f\r"


def parse(raw: bytes, directory: str | None = None) -> dict[str, Any]:
    """Return name, description and body of a SKILL.md; raises `Refusal`, always without a message."""
    if len(raw) > MAX_BYTES:
        raise not_read("it is larger than 1 MiB")
    text = decoded(raw)
    block = _frontmatter(text)
    if block is None:
        raise Refusal(None, f"{_SILENT}its first line is not a line of dashes")
    try:
        values = go_yaml_v2.strings(block) or {}
    except BoundError as error:
        raise not_read(error) from None
    except YamlError as error:
        raise Refusal(None, f"{_SILENT}its frontmatter is not YAML: {error.problem}") from None
    for field in ("name", "description"):
        if not values.get(field):
            raise Refusal(None, f"{_SILENT}its {field} is missing, empty or no text")
    return {
        "name": values["name"],
        "description": values["description"],
        "body": replaced(body(text)).lstrip("\n"),
    }


def parse_exact(raw: bytes, directory: str | None = None) -> dict[str, Any]:
    """As `parse`, with the line ends at the beginning of the body kept, as in document 004."""
    return {**parse(raw, directory), "body": replaced(body(decoded(raw)))}


def _frontmatter(text: str) -> str | None:
    """Return what goldmark-meta takes for YAML, None where it sees no block.

    A line of dashes, indented by less than four columns, opens it; the next line of dashes, or
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
    """Whether a line is made of dashes and blanks; a form feed alone is not blank for goldmark-meta."""
    stripped = line.strip(_GOLDMARK_SPACE)
    return not stripped.strip("-") and bool(stripped or line.strip(" \t\r"))


def body(text: str) -> str:
    """Return what follows the second marker line; the whole text where there is no such line."""
    if not text.startswith("---"):
        return text
    lines = text.split("\n")
    for number, line in enumerate(lines[1:], start=1):
        if _MARKER.fullmatch(line):
            return "\n".join(lines[number + 1 :])
    return text


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory that stands in a root."""
    return load_with(parse, directory, "", directory.name, "")


Parser = Callable[[bytes, str | None], dict[str, Any]]


def load_with(parser: Parser, directory: Path, role: str, shown: str, prefix: str) -> LoadedSkill | Refused:
    """Read `directory`/SKILL.md with `parser`; the key is its name behind `prefix`."""
    file = directory / FILE_NAME
    try:
        if not file.exists() or file.is_dir():
            return Refused(directory, None, f"{_SILENT}there is no file {FILE_NAME} in it", role)
        parsed = parser(read_bytes(file), None)
    except OSError as error:
        return Refused(directory, None, f"{_SILENT}{FILE_NAME}: {error.strerror}", role)
    except Refusal as refusal:
        return Refused(directory, None, refusal.why, role)
    key = f"{prefix}{parsed['name']}"
    return LoadedSkill(key, key, parsed["description"], directory, parsed["body"], role, shown)


def scan(session: Session, plugins: bool, links: bool, parser: Parser, strict: bool) -> None:
    """Fill a session: roots in order, the first copy of a key wins, then settings choose.

    `plugins`: take the skills below the plugin roots, too. `links`: take directories behind links. `strict`:
    a root that is there and cannot be listed switches skills off.
    """
    winners: dict[str, LoadedSkill] = {}
    for root, top, shown, prefix in _tops(session):
        try:
            entries = [entry for entry in children(top) if is_directory_entry(entry)]
        except FileNotFoundError:
            continue
        except OSError as error:
            if strict and not prefix:
                session.memory["disabled"] = f"the root {shown} cannot be read: {error.strerror}"
            continue
        for entry in entries:
            loaded: LoadedSkill | Refused
            if prefix and not plugins:
                loaded = Refused(entry, None, "this edition does not look into plugins", root.role)
            elif not links and not is_real_directory(entry):
                loaded = Refused(entry, None, f"{_SILENT}it is a link", root.role)
            else:
                loaded = load_with(parser, entry, root.role, f"{shown}/{entry.name}", prefix)
            _place(session, loaded, winners)
    _choose(session, winners)


def _place(session: Session, loaded: LoadedSkill | Refused, winners: dict[str, LoadedSkill]) -> None:
    if isinstance(loaded, Refused):
        session.skipped.append(loaded)
    elif loaded.key not in winners:
        winners[loaded.key] = loaded
    else:
        first = winners[loaded.key]
        why = f"the first copy wins, and `{first.display_path}` comes before `{loaded.display_path}`"
        session.shadowed.append(Shadowed(loaded, first, why))


def _choose(session: Session, winners: dict[str, LoadedSkill]) -> None:
    """Keep what the settings allow, in the byte order of the keys."""
    allowed = session.settings["allowed"]
    off = switched_off(session)
    for key in sorted(winners, key=os.fsencode):
        skill = winners[key]
        if off or (allowed and key not in allowed):
            session.skipped.append(
                Refused(skill.directory, None, off or "it is not in `allowed`", skill.role, key=key)
            )
        else:
            session.skills.append(skill)


def switched_off(session: Session) -> str | None:
    """Return why skills are off as a whole, None while they are on."""
    if not session.settings["enabled"] or session.settings["no_skills"]:
        return "skills are switched off"
    reason: str | None = session.memory.get("disabled")
    return reason


def _tops(session: Session) -> Iterator[tuple[ResolvedRoot, Path, str, str]]:
    """Yield the directories that hold skills: root, path, the path as printed, the prefix of keys."""
    for root in session.roots:
        shown = _shown(session, root, root.path)
        if "plugin" not in root.role:
            yield root, root.path, shown, ""
        else:
            for top in _plugin_tops(root.path):
                below = top.parent.relative_to(root.path).as_posix()
                yield root, top, _shown(session, root, top), f"{below}/"


def _plugin_tops(top: Path) -> Iterator[Path]:
    """Yield what is called `skills` in a directory, or else in those below it, as Go's `filepath.Walk` goes.

    It goes in byte order, behind no link, and not below a directory with a `skills`, which may be a link,
    or a file: that one ends the walk there, and holds no skills.
    """
    waiting = [top]
    while waiting:  # no call in a call: a tree may be deeper than those may be
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


def _shown(session: Session, root: ResolvedRoot, path: Path) -> str:
    """Return a path as kodelet prints it: relative below the working directory, absolute in the home."""
    if not root.role.startswith("user") and path.is_relative_to(session.project):
        return path.relative_to(session.project).as_posix()
    return path.as_posix()
