"""What a session holds and gives: loaded skills, those that were refused or lost, logs and results."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple


class Refusal(Exception):  # noqa: N818 - an outcome, not a failure of ours
    """A SKILL.md that a runtime does not take.

    `message` is the runtime's own text, None where it is silent; `why` a sentence of ours;
    `kind` the runtime's name for the sort of error, where it has one. `library` is the part of
    the message that a third-party parser wrote, which only that version of it reproduces.
    """

    def __init__(
        self, message: str | None, why: str = "", kind: str | None = None, library: str | None = None
    ) -> None:
        """Take the runtime's message and what else is known of it."""
        super().__init__(message or why)
        self.message = message
        self.why = why or message or "the runtime skips it without a word"
        self.kind = kind
        self.library = library


# The logger of lines that say what skilltool gave up while a session went on.
UNANSWERED = "skilltool.bounds"
GIVEN_UP = "skilltool does not read it"


def given_up(reason: object) -> Refusal:
    """Return a refusal that is ours and no runtime's: the file is past one of our bounds."""
    return Refusal(None, f"{GIVEN_UP}: {reason}")


class PlacedRoot(NamedTuple):
    """A root of a session: its role, where it is on disk, and how the runtime writes that path.

    `unscanned` says why the runtime does not look through it, None where it does.
    """

    role: str
    path: Path
    shown: str
    unscanned: str | None = None

    @property
    def exists(self) -> bool:
        """Whether there is a directory."""
        return self.path.is_dir()


class LoadedSkill(NamedTuple):
    """A skill that a runtime offers.

    `key` is what a call must name. `directory` is absolute; `shown` is how the runtime prints it.
    `role` is the root's. `body` is the text behind the frontmatter as the runtime keeps it.
    `extra` holds what only this runtime knows of it.
    """

    key: str
    name: str
    description: str
    directory: Path
    body: str
    role: str = ""
    shown: str = ""
    extra: Mapping[str, Any] = {}


class Refused(NamedTuple):
    """A directory that the runtime looks at and does not offer.

    `message` is the runtime's own text, None where it is silent; `why` is a sentence of ours. `key` is
    the one that it would have, where the runtime got as far as that.
    """

    directory: Path
    message: str | None
    why: str
    role: str = ""
    kind: str | None = None
    library: str | None = None
    key: str | None = None

    @property
    def given_up(self) -> bool:
        """Whether skilltool did not read it, so that nobody knows here what the runtime would do."""
        return self.why.startswith(GIVEN_UP)


def unlisted(root: PlacedRoot, error: OSError) -> Refused:
    """Return what becomes of a whole root that is there and cannot be listed; it hides no other."""
    return Refused(root.path, None, f"the root cannot be listed: {error.strerror}", root.role)


class Shadowed(NamedTuple):
    """A skill that lost its key to another copy, `by`, and the sentence that says why."""

    skill: LoadedSkill
    by: LoadedSkill
    why: str


class Log(NamedTuple):
    """A line that the runtime logs: `INFO`, `WARNING` or `ERROR`, the logger's name, the text.

    `warns` says that it tells of something wrong, whatever its level.
    """

    level: str
    logger: str
    message: str
    warns: bool = False


class Result(NamedTuple):
    """The answer to a tool call.

    `text` is what the model gets, None where the call ends the whole turn (`flow_error` says how).
    `display` and `metadata` are what the runtime shows a person and keeps for itself;
    `load_error` is an error it returns beside the text. `library` is the part of the text that a
    third-party library wrote.
    """

    text: str | None
    is_error: bool = False
    display: str | None = None
    metadata: Mapping[str, Any] | None = None
    logs: tuple[Log, ...] = ()
    flow_error: str | None = None
    load_error: str | None = None
    library: str | None = None
