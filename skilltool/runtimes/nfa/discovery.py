"""How nfa finds and reads skills: one level of folders, the folder is the key.

Sources: document 000; `pkg/skills` of nfa at the commits named in the profile; the goldens.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from skilltool.runtimes.base import Session
from skilltool.runtimes.discovery.file_access import read_bytes
from skilltool.runtimes.discovery.scanning import children, is_directory_entry, is_real_directory
from skilltool.runtimes.readers import go_yaml_v3
from skilltool.runtimes.readers.go_text import decoded, replaced
from skilltool.runtimes.values import LoadedSkill, Log, Refusal, Refused, not_read
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.frontmatter.nodes import BoundError

_STRUCT = "skills.SkillMeta"


def parse(raw: bytes, directory: str | None = None) -> dict[str, Any]:
    """Return name, description and body of a SKILL.md; raises `Refusal` with nfa's own text.

    The frontmatter ends at the first `---` and line feed, wherever in a line; where there is none,
    at the first `---` and CRLF. The body loses the line ends it begins with.
    """
    text = decoded(raw)
    if not text.startswith(("---\n", "---\r\n")):
        raise Refusal("skill file must start with YAML frontmatter (---)")
    rest = text[4:]
    end, width = rest.find("---\n"), 4
    if end < 0:
        end, width = rest.find("---\r\n"), 5
    if end < 0:
        raise Refusal("frontmatter not closed (---)")
    try:
        found = go_yaml_v3.strings(rest[:end], ("name", "description"), _STRUCT)
    except BoundError as error:
        raise not_read(error) from None
    except ValueError as error:
        raise Refusal(f"parse YAML frontmatter error: {error}", library=str(error)) from None
    for field in ("name", "description"):
        if not found.get(field):
            raise Refusal(f"missing required field: {field}")
    body = replaced(rest[end + width :].lstrip("\r\n"))
    return {"name": found["name"], "description": found["description"], "body": body}


def whole(directory: Path) -> str:
    """Return all of a SKILL.md, bytes that are not UTF-8 replaced; raises as `read_bytes`."""
    return replaced(decoded(read_bytes(directory / FILE_NAME)))


def go_error(error: OSError, path: Path) -> str:
    """Return an error of the file system as Go words it."""
    action = "read" if isinstance(error, IsADirectoryError) else "open"
    return f"{action} {path}: {os.strerror(error.errno or 0).lower()}"


def read(directory: Path) -> dict[str, Any]:
    """Read one skill directory; raises `Refusal` and OSError."""
    return parse(read_bytes(directory / FILE_NAME))


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory."""
    if not is_real_directory(directory):
        return Refused(directory, None, "nfa takes no links to folders, without a word")
    try:
        found = read(directory)
    except OSError as error:
        return Refused(directory, go_error(error, directory / FILE_NAME), f"{FILE_NAME} cannot be read")
    except Refusal as refusal:
        return Refused(directory, refusal.message, refusal.why, library=refusal.library)
    key = directory.name
    return LoadedSkill(
        key, found["name"], found["description"], directory, found["body"], "user", str(directory)
    )


Words = Callable[[Path, str, bool], str]


def scan(
    session: Session, words: Words, loaded: str, logger: str, level: str, root_error: str | None
) -> None:
    """Add the user's skills to a session, folders in byte order, and log each as one edition words it.

    `words` makes the text of a skipped folder of its reason, and of whether the file is missing;
    `loaded` is the text for a loaded one. `root_error` is the beginning of the error for a root that
    cannot be read; with None such a root ends loading.
    """
    root = session.roots[0].path
    try:
        folders = children(root) if root.exists() or (root_error is None and root.is_symlink()) else []
    except OSError as error:
        said = f"read skills directory error: {go_error(error, root)}"
        # The edition that makes the root where there is none.
        if isinstance(error, NotADirectoryError) and root_error is None:
            said = f"create skills directory error: mkdir {root}: not a directory"
        elif isinstance(error, FileNotFoundError):
            said = f"create skills directory error: mkdir {root}: file exists"
        if root_error is None:
            session.failure = said
        else:
            session.logs.append(Log("INFO", logger, f"{root_error}{said}", warns=True))
        return
    for folder in folders:
        if not is_directory_entry(folder):
            continue
        found = load(folder)
        if isinstance(found, Refused):
            missing = _is_missing(folder / FILE_NAME) and found.message is not None
            message = words(folder, found.message, missing) if found.message else None
            session.skipped.append(Refused(folder, message, found.why, "user", library=found.library))
            if message:
                session.logs.append(Log(level, logger, message, warns=True))
            continue
        session.logs.append(Log("INFO", logger, f"{loaded}{found.key}"))
        _put(session, found)


def _is_missing(file: Path) -> bool:
    """Return whether Go's `os.IsNotExist` holds for a file, which it does not for links in a circle."""
    try:
        file.stat()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return False


def _put(session: Session, found: LoadedSkill) -> None:
    """Add a skill; one that is already there, built in, is replaced in its place."""
    keys = [skill.key for skill in session.skills]
    if found.key in keys:
        session.skills[keys.index(found.key)] = found
    else:
        session.skills.append(found)
