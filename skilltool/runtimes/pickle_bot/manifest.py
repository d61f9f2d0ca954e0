"""How does pickle-bot read one SKILL.md? Three readers that differ in markers, messages and loggers.

Sources: document 003; `skill_loader.py` and `def_loader.py` of czl9707/pickle-bot at the commits
named in the profile.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from skilltool.emulation.pydantic import Problem, error_text, string
from skilltool.emulation.pyyaml import check_printable, safe_load
from skilltool.runtimes.loading import decoded
from skilltool.runtimes.values import NOT_READ, Refusal
from skilltool.text.frontmatter.nodes import BoundError

SKILL_LOADER = "picklebot.core.skill_loader"
DEF_LOADER = "picklebot.utils.def_loader"
_NOT_STRINGS = "`name` or `description` is not a string"
_PYDANTIC = "2.14"
_FIELDS = ("name", "description")


@dataclass(frozen=True, slots=True)
class Parsed:
    """Name, description and body (stripped) of a SKILL.md."""

    name: str
    description: str
    body: str


class Unfit(Refusal):
    """A refusal of a SKILL.md; `logger` is the one that logs it."""

    def __init__(
        self, message: str | None, why: str, logger: str = SKILL_LOADER, library: str | None = None
    ) -> None:
        """Take the log line (None if skilltool refuses the file, and not the runtime) and our sentence."""
        super().__init__(message, why, library=library)
        self.logger = logger


# A reader takes the bytes of the file, or the error in their place, the directory name and the path of the
# file.
Reader = Callable[[bytes | OSError, str, str], Parsed]


def read_2026_02(raw: bytes | OSError, folder: str, file: str) -> Parsed:
    """Read as the first implementation: text that begins with `---`, split at the first two `---`."""
    return _read_split(raw, file, "Failed to parse skill {file}: {error}")


def read_plain(raw: bytes | OSError, folder: str, file: str) -> Parsed:
    """Read as the first implementation, but with the bare error as the message."""
    return _read_split(raw, file, "{error}")


def read_document(raw: bytes | OSError, folder: str, file: str) -> Parsed:
    """Read as document 003, whose only log line is `Invalid skill <folder>: <error>`."""
    try:
        return read_plain(raw, folder, file)
    except Unfit as unfit:
        message = None if unfit.message is None else f"Invalid skill {folder}: {unfit.message}"
        raise Unfit(message, unfit.why, unfit.logger, unfit.library) from None


def _read_split(raw: bytes | OSError, file: str, message: str) -> Parsed:
    try:
        text = decoded(raw)
        if not text.startswith("---"):
            raise Unfit(f"No frontmatter in {file}", "it does not start with `---`")
        parts = text.split("---", 2)
        if len(parts) < 3:
            raise Unfit(f"Invalid frontmatter format in {file}", "the frontmatter is not closed by `---`")
        block = parts[1].strip()
        values = safe_load(block, _FIELDS)
        if "name" not in values or "description" not in values:
            raise Unfit(f"Missing required fields in {file}", "`name` or `description` is missing")
        fields = [string((key,), values[key]) for key in _FIELDS]
        problems = [field for field in fields if isinstance(field, Problem)]
        if problems:
            check_printable(block)
            words = error_text("SkillMetadata", problems, _PYDANTIC)
            raise Unfit(message.format(file=file, error=words), _NOT_STRINGS, library=words)
        return Parsed(str(fields[0]), str(fields[1]), parts[2].strip())
    except Unfit:
        raise
    except BoundError as error:
        raise _not_read(error) from None
    except Exception as error:
        text = message.format(file=file, error=error)
        raise Unfit(text, _cannot_be_read(error), library=str(error)) from None


def read_2026_05(raw: bytes | OSError, folder: str, file: str) -> Parsed:
    """Read as in 2026-05: frontmatter is between a first line `---` and the next such line."""
    try:
        text = decoded(raw)
        end = text.find("\n---\n", 4) if text.startswith("---\n") else -1
        block = text[4:end] if end >= 0 else ""
        values: Any = safe_load(block, _FIELDS) or {}
        body = text[end + 5 :] if end >= 0 else text
        fields = [string((key,), values[key]) for key in _FIELDS]
        problems = [field for field in fields if isinstance(field, Problem)]
        if problems:
            check_printable(block)
    except BoundError as error:
        raise _not_read(error, DEF_LOADER) from None
    except KeyError as error:
        message, why = f"Failed to parse {folder}: {error}", f"the frontmatter is missing or has no {error}"
        raise Unfit(message, why, DEF_LOADER) from None
    except Exception as error:
        message = f"Failed to parse {folder}: {error}"
        raise Unfit(message, _cannot_be_read(error), DEF_LOADER, str(error)) from None
    if problems:
        words = error_text("SkillDef", problems, _PYDANTIC)
        raise Unfit(f"Invalid skill '{folder}': {words}", _NOT_STRINGS, library=words)
    return Parsed(str(fields[0]), str(fields[1]), body.strip())


def _cannot_be_read(error: Exception) -> str:
    return f"it cannot be read: {str(error).partition(chr(10))[0]}"


def _not_read(error: Exception, logger: str = SKILL_LOADER) -> Unfit:
    return Unfit(None, f"{NOT_READ}: {error}", logger)
