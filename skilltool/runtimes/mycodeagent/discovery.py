"""Where does MyCodeAgent look for skills, how does it read one, and when does it scan again?

Sources: document 002; `core/skills/skill_loader.py` and `extensions/skills/loader.py` of YYHDBL/MyCodeAgent
at the commits named in the profile.
"""

from __future__ import annotations

import errno
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

from skilltool.runtimes.base import Session
from skilltool.runtimes.loading import TOO_LARGE, exists, files_below, last_wins, read_bytes
from skilltool.runtimes.values import SILENTLY, LoadedSkill, Log, Refusal, Refused
from skilltool.skill.read_file import MAX_BYTES
from skilltool.skill.skill_file import FILE_NAME

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")


def parse(raw: bytes, directory: str | None = None) -> dict[str, Any]:
    """Return name, description and body of a SKILL.md; raises `Refusal`, always without a message.

    Except for text that is not UTF-8: then `kind` is `UnicodeDecodeError`, and the message is Python's.
    """
    fields, body = _read(raw)
    # Quotes are stripped first, then the white space inside them.
    name, description = (fields.get(key, "").strip() for key in ("name", "description"))
    if not _NAME.match(name):
        raise Refusal(None, "`name` is missing or not lowercase words joined by hyphens")
    if not description:
        raise Refusal(None, "`description` is missing or empty")
    return {"name": name, "description": description, "body": body}


def _read(raw: bytes) -> tuple[dict[str, str], str]:
    if len(raw) > MAX_BYTES:
        raise Refusal(None, TOO_LARGE)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refusal(str(error), "it is not UTF-8", kind="UnicodeDecodeError") from None
    found = _fields_and_body(text)
    if found is None:
        raise Refusal(None, "the frontmatter is not lines of `key: value` between two lines `---`")
    return found


def _fields_and_body(text: str) -> tuple[dict[str, str], str] | None:
    """Return the keys with their values, and the body; None for text without readable frontmatter.

    The frontmatter is lines of `key: value`, not YAML. Lines are those of Python's `str.splitlines`, for
    which form feeds, NEL, U+2028 and U+2029 also end a line. One without a colon makes the block unreadable.
    Blank lines and comments are skipped, the last of repeated keys wins, an indented key is a key, and quotes
    around a value are stripped. The body is its lines joined by line feeds, without a final one.
    """
    lines = text.splitlines()
    if not lines or lines[0].strip() != "---":
        return None
    found: dict[str, str] = {}
    for number, line in enumerate(lines[1:], start=1):
        stripped = line.strip()
        if stripped == "---":
            return found, "\n".join(lines[number + 1 :])
        if not stripped or stripped.startswith("#"):
            continue
        key, colon, value = line.partition(":")
        if not colon:
            return None
        found[key.strip()] = value.strip().strip("\"'")
    return None


def reread(file: Path) -> str:
    """Return the body of a file found by a scan; raises OSError, and `Refusal` as `parse` does."""
    return _read(read_bytes(file))[1]


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory."""
    try:
        parsed = parse(read_bytes(directory / FILE_NAME))
    except OSError as error:
        return Refused(directory, None, f"{FILE_NAME} cannot be read: {error.strerror}")
    except Refusal as refusal:
        return Refused(directory, refusal.message, refusal.why, kind=refusal.kind)
    return LoadedSkill(parsed["name"], parsed["name"], parsed["description"], directory, parsed["body"])


def scan(session: Session, logs_skipped: bool = False) -> None:
    """Fill the session from scratch: any depth, in the order of paths, the last copy of a name wins.

    A file that is not UTF-8 ends the scan, and the session keeps what it had. With `logs_skipped`, as
    document 002 has it, such a file is skipped, and duplicates and skipped files are logged.
    """
    before = session.skills, session.shadowed, session.skipped, session.logs
    session.reset()
    session.failure = _root_failure(session)
    if session.failure is not None:
        session.skills, session.shadowed, session.skipped, session.logs = before
        return
    files, unlistable = files_below(_root(session), FILE_NAME, any_case=True)
    for folder, error in unlistable:
        why = f"it cannot be listed: {error.strerror} {SILENTLY}"
        session.skipped.append(Refused(folder, None, why, "project"))
    seen = signature(session)
    winners: dict[str, LoadedSkill] = {}
    for file in files:
        if file.name != FILE_NAME:
            if file.parent / FILE_NAME not in files:
                session.skipped.append(Refused(file.parent, None, _misnamed(file), "project"))
            continue
        found = load(file.parent)
        if isinstance(found, Refused):
            if found.kind == "UnicodeDecodeError" and not logs_skipped:
                session.skills, session.shadowed, session.skipped, session.logs = before
                session.failure = found.message
                session.skipped = [*session.skipped, found._replace(role="project")]
                return
            _skip(session, found, file, logs_skipped)
        else:
            _add(session, found, file, winners, logs_skipped)
    session.skills = [winners[name] for name in sorted(winners)]
    session.memory["seen"] = seen


def _misnamed(file: Path) -> str:
    return f"its file is called `{file.name}`, and only `{FILE_NAME}` is read {SILENTLY}"


def _root(session: Session) -> Path:
    return Path(os.path.realpath(session.roots[0].path))


def _root_failure(session: Session) -> str | None:
    """Return what Python 3.12 says where `resolve()` or `exists()` of the root raises an error."""
    root = session.roots[0].path
    try:
        exists(Path(os.path.realpath(root, strict=True)))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        return f"Symlink loop from {str(root)!r}" if error.errno == errno.ELOOP else str(error)
    return None


def refresh_if_stale(session: Session, logs_skipped: bool = False) -> None:
    """Scan again if there is no skill, or if the files are not those of the last scan."""
    current = signature_with_root if logs_skipped else signature
    if not session.skills or current(session) != session.memory.get("seen"):
        scan(session, logs_skipped)
        if logs_skipped and session.failure is None:
            session.memory["seen"] = signature_with_root(session)


def _skip(session: Session, refused: Refused, file: Path, logs_skipped: bool) -> None:
    reason = refused.message or refused.why
    message = f"skipped {display_path(session, file)}: {reason}" if logs_skipped else None
    why = reason if logs_skipped or refused.not_read else f"{reason} {SILENTLY}"
    session.skipped.append(Refused(refused.directory, message, why, "project"))
    if message:
        session.logs.append(Log("WARNING", "skill_loader", message))


def _add(
    session: Session, found: LoadedSkill, file: Path, winners: dict[str, LoadedSkill], logs_skipped: bool
) -> None:
    base = display_path(session, file.parent)
    skill = LoadedSkill(
        found.key,
        found.name,
        found.description,
        found.directory,
        found.body,
        "project",
        base,
        {"base_dir": base},
    )
    if before := winners.get(skill.key):
        session.shadowed.append(last_wins(session, skill, before))
        if logs_skipped:
            here, there = display_path(session, file), f"{before.display_path}/{FILE_NAME}"
            message = f"duplicate skill '{skill.key}': {here} replaces {there}"
            session.logs.append(Log("WARNING", "skill_loader", message))
    winners[skill.key] = skill


def display_path(session: Session, path: Path) -> str:
    """Return a path as MyCodeAgent prints it: relative to the project, else absolute."""
    project = session.project.resolve()
    return path.relative_to(project).as_posix() if path.is_relative_to(project) else str(path)


def signature(session: Session) -> tuple[int, int]:
    """Return what a refresh compares: the newest modification time (ns) of a SKILL.md, and their number."""
    files, _ = files_below(_root(session), FILE_NAME)
    times: list[int] = []
    for file in files:
        with suppress(OSError):
            times.append(file.stat().st_mtime_ns)
    return max(times, default=0), len(files)


def signature_with_root(session: Session) -> tuple[int, int]:
    """Return what document 002 compares: the newest time of the root and every SKILL.md, and their number."""
    newest, count = signature(session)
    with suppress(OSError):
        newest = max(newest, session.roots[0].path.stat().st_mtime_ns)
    return newest, count
