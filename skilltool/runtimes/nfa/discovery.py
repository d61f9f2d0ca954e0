"""Where does nfa look for skills, and how does it read one?

It looks at one level of directories, whose names are the keys.

Sources: document 000; `pkg/skills` of nfa at the commits named in the profile; recordings of it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from skilltool.emulation import go_yaml_v3
from skilltool.emulation.go import decoded, go_error, replaced
from skilltool.runtimes.base import Session
from skilltool.runtimes.loading import children, is_directory_entry, is_real_directory, read_bytes
from skilltool.runtimes.values import SILENTLY, LoadedSkill, Log, Refusal, Refused, not_read
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.frontmatter.nodes import BoundError

Parser = Callable[[bytes, str | None], dict[str, Any]]


def parse(raw: bytes, directory: str | None = None, struct: str = "skills.SkillMeta") -> dict[str, Any]:
    """Return name, description and body of a SKILL.md; raises `Refusal` with nfa's own message.

    `struct` is the type that an edition decodes the frontmatter into, which messages name. The frontmatter
    ends at the first `---` and line feed, anywhere in a line; if there is none, at the first `---` and CRLF.
    Line ends at the start of the body are removed.
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
        found = go_yaml_v3.strings(rest[:end], ("name", "description"), struct)
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
    """Return the text of a SKILL.md, invalid bytes replaced; raises what `read_bytes` raises."""
    return replaced(decoded(read_bytes(directory / FILE_NAME)))


def read(directory: Path) -> dict[str, Any]:
    """Read one skill directory; raises `Refusal` and OSError."""
    return parse(read_bytes(directory / FILE_NAME))


def load(directory: Path, parser: Parser = parse) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory, read with `parser`."""
    if not is_real_directory(directory):
        return Refused(directory, None, f"it is a symbolic link {SILENTLY}")
    try:
        found = parser(read_bytes(directory / FILE_NAME), None)
    except OSError as error:
        return Refused(directory, go_error(error, directory / FILE_NAME), f"{FILE_NAME} cannot be read")
    except Refusal as refusal:
        return Refused(directory, refusal.message, refusal.why, library=refusal.library)
    key = directory.name
    return LoadedSkill(
        key, found["name"], found["description"], directory, found["body"], "user", str(directory)
    )


SkipMessage = Callable[[Path, str, bool], str]


def scan(
    session: Session,
    parser: Parser,
    skip_message: SkipMessage,
    loaded: str,
    logger: str,
    level: str,
    root_error: str | None,
) -> None:
    """Add the user's skills to a session, read with `parser`, in byte order; log each as one edition does.

    `skip_message` returns the log line for a skipped directory from the reason and whether SKILL.md is
    missing; `loaded` begins the line for a loaded one. `root_error` begins the line for a root that cannot
    be read; if None, such a root ends loading.
    """
    try:
        folders = _folders(session.roots[0].path, creates=root_error is None)
    except Refusal as refusal:
        if root_error is None:
            session.failure = refusal.message
        else:
            session.logs.append(Log("INFO", logger, f"{root_error}{refusal.message}", warns=True))
        return
    for folder in folders:
        if not is_directory_entry(folder):
            continue
        found = load(folder, parser)
        if isinstance(found, Refused):
            missing = _is_missing(folder / FILE_NAME) and found.message is not None
            message = skip_message(folder, found.message, missing) if found.message else None
            session.skipped.append(Refused(folder, message, found.why, "user", library=found.library))
            if message:
                session.logs.append(Log(level, logger, message, warns=True))
            continue
        session.logs.append(Log("INFO", logger, f"{loaded}{found.key}"))
        _add(session, found)


def _folders(root: Path, creates: bool) -> list[Path]:
    """Return the entries of the root, none if it is missing; raises `Refusal` if it cannot be listed.

    An edition that `creates` a missing root fails at that where a file or a broken link is in its place.
    """
    try:
        return children(root) if root.exists() or (creates and root.is_symlink()) else []
    except OSError as error:
        failure = f"read skills directory error: {go_error(error, root)}"
        if isinstance(error, NotADirectoryError) and creates:
            failure = f"create skills directory error: mkdir {root}: not a directory"
        elif isinstance(error, FileNotFoundError):
            failure = f"create skills directory error: mkdir {root}: file exists"
        raise Refusal(failure) from None


def _is_missing(file: Path) -> bool:
    """Return whether Go's `os.IsNotExist` is true for a file; it is not for a loop of links."""
    try:
        file.stat()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return False


def _add(session: Session, found: LoadedSkill) -> None:
    """Add a skill; it replaces a built-in one with its key, at the same position."""
    keys = [skill.key for skill in session.skills]
    if found.key in keys:
        session.skills[keys.index(found.key)] = found
    else:
        session.skills.append(found)
