"""How MyCodeAgent finds and reads skills, and when it looks again."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import Any

from skilltool.runtimes.base import Session
from skilltool.runtimes.discovery.file_access import read_bytes
from skilltool.runtimes.discovery.scanning import files_below
from skilltool.runtimes.readers import key_value_lines
from skilltool.runtimes.values import LoadedSkill, Log, Refusal, Refused, Shadowed, not_read
from skilltool.skill.model import MAX_BYTES
from skilltool.skill.skill_file import FILE_NAME

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")
_SILENT = "MyCodeAgent skips it without a word: "


def parse(raw: bytes, directory: str | None = None) -> dict[str, Any]:
    """Return name, description and body of a SKILL.md; raises `Refusal`, always without a message.

    Text that is not UTF-8 raises a `Refusal` of the kind `UnicodeDecodeError`, with Python's words.
    """
    fields, body = _read(raw)
    # Quotes are stripped first, and then what blanks they held.
    name, description = (fields.get(key, "").strip() for key in ("name", "description"))
    if not _NAME.match(name):
        raise Refusal(None, f"{_SILENT}its name is missing or not lowercase words joined by hyphens")
    if not description:
        raise Refusal(None, f"{_SILENT}its description is missing or empty")
    return {"name": name, "description": description, "body": body}


def _read(raw: bytes) -> tuple[dict[str, str], str]:
    if len(raw) > MAX_BYTES:
        raise not_read("it is larger than 1 MiB")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refusal(str(error), "it is not UTF-8", kind="UnicodeDecodeError") from None
    found = key_value_lines.read(text)
    if found is None:
        raise Refusal(None, f"{_SILENT}its frontmatter is not lines of `key: value` between `---`")
    return found


def reread(file: Path) -> str:
    """Return the body of a file that a scan has found; raises OSError, and `Refusal` as `parse` does."""
    return _read(read_bytes(file))[1]


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory."""
    try:
        parsed = parse(read_bytes(directory / FILE_NAME))
    except OSError as error:
        return Refused(directory, None, f"{_SILENT}{error.strerror}")
    except Refusal as refusal:
        return Refused(directory, refusal.message, refusal.why, kind=refusal.kind)
    return LoadedSkill(parsed["name"], parsed["name"], parsed["description"], directory, parsed["body"])


def scan(session: Session, says: bool = False) -> None:
    """Fill the session anew: every depth, in the order of paths, the last copy of a name wins.

    One file that is not UTF-8 ends the scan, and what was known stays. With `says`, as document 002 has
    it, such a file is skipped, and duplicates and skipped files are logged.
    """
    known = session.skills, session.shadowed, session.skipped, session.logs
    session.reset()
    root = session.roots[0].path.resolve()
    files = files_below(root, FILE_NAME)
    seen = signature(session)
    winners: dict[str, LoadedSkill] = {}
    for file in files:
        found = load(file.parent)
        if isinstance(found, Refused):
            if found.kind == "UnicodeDecodeError" and not says:
                session.skills, session.shadowed, session.skipped, session.logs = known
                session.failure = found.message
                return
            _skip(session, found, file, says)
        else:
            _place(session, found, file, winners, says)
    session.skills = [winners[name] for name in sorted(winners)]
    session.memory["seen"] = seen


def _skip(session: Session, refused: Refused, file: Path, says: bool) -> None:
    reason = refused.message or refused.why.removeprefix(_SILENT)
    message = f"skipped {shown(session, file)}: {reason}" if says else None
    session.skipped.append(Refused(refused.directory, message, reason if says else refused.why, "project"))
    if message:
        session.logs.append(Log("WARNING", "skill_loader", message))


def _place(
    session: Session, found: LoadedSkill, file: Path, winners: dict[str, LoadedSkill], says: bool
) -> None:
    base = shown(session, file.parent)
    placed = LoadedSkill(
        found.key,
        found.name,
        found.description,
        found.directory,
        found.body,
        "project",
        base,
        {"base_dir": base},
    )
    if before := winners.get(placed.key):
        here, there = shown(session, file), f"{before.display_path}/{FILE_NAME}"
        why = f"the last copy in the order of paths wins, and `{here}` comes after `{there}`"
        session.shadowed.append(Shadowed(before, placed, why))
        if says:
            said = f"duplicate skill '{placed.key}': {here} replaces {there}"
            session.logs.append(Log("WARNING", "skill_loader", said))
    winners[placed.key] = placed


def shown(session: Session, path: Path) -> str:
    """Return a path as MyCodeAgent prints it: relative to the project's root, else absolute."""
    project = session.project.resolve()
    return path.relative_to(project).as_posix() if path.is_relative_to(project) else str(path)


def signature(session: Session) -> tuple[int, int]:
    """Return what a refresh compares: the newest modification time of a SKILL.md, and their number."""
    files = files_below(session.roots[0].path.resolve(), FILE_NAME)
    times: list[int] = []
    for file in files:
        with suppress(OSError):
            times.append(file.stat().st_mtime_ns)
    return max(times, default=0), len(files)


def signature_with_root(session: Session) -> tuple[int, int]:
    """Return what document 002 compares: the newest time of the root and of any SKILL.md."""
    newest, count = signature(session)
    with suppress(OSError):
        newest = max(newest, session.roots[0].path.stat().st_mtime_ns)
    return newest, count
