"""Settings from the files of a runtime, for what nobody chose for the session.

A file that cannot be read, and a value of a wrong type, is ignored, and a log line of ours says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from skilltool.runtimes.base import Session
from skilltool.runtimes.loading import bytes_beside_skills
from skilltool.runtimes.values import Log, Refusal

# The logger of the lines in which skilltool, not the runtime, says what it ignores.
LOGGER = "skilltool.settings"


def text_of(session: Session, file: Path) -> str | None:
    """Return the text of a settings file, None if there is none, or if it is ignored."""
    try:
        return bytes_beside_skills(file).decode("utf-8").removeprefix("\ufeff")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except UnicodeDecodeError:
        ignore(session, file, "it is not UTF-8")
    except OSError as error:
        ignore(session, file, f"it cannot be read: {error.strerror}")
    except Refusal as refusal:
        ignore(session, file, refusal.why)
    return None


def ignore(session: Session, file: Path, why: str) -> None:
    """Log that a settings file, or a value in it, is ignored."""
    session.logs.append(Log("WARNING", LOGGER, f"ignored {file}: {why}"))


def apply(session: Session, values: Mapping[str, Any]) -> None:
    """Change the settings of a session, by name, but for those that were chosen for it."""
    session.settings.update({name: value for name, value in values.items() if name not in session.chosen})
