"""What does a session hold and return: loaded skills, refused and shadowed ones, logs, results of calls."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from skilltool.skill.skill_file import FILE_NAME

Details = TypeVar("Details")


class Refusal(Exception):  # noqa: N818 - an outcome, not a failure of ours
    """Raised by `Runtime.parse` for a SKILL.md that the runtime refuses; `load` returns a `Refused` for it.

    `message` is the runtime's own text, None if it says nothing. `why` is a sentence of ours for people: it
    states what is wrong, without a full stop, and by default repeats the message. `kind` is the runtime's
    name for this kind of error, if it has one. `library` is the part of the message that a third-party
    parser wrote, which only that version of it reproduces. `line` is the line of the file at fault (1-based),
    if the runtime's own parser knows it.
    """

    def __init__(
        self,
        message: str | None,
        why: str = "",
        kind: str | None = None,
        library: str | None = None,
        line: int | None = None,
    ) -> None:
        """Take the runtime's message and what else is known about it."""
        super().__init__(message or why)
        self.message = message
        self.why = why or message or "skipped silently"
        self.kind = kind
        self.library = library
        self.line = line

    def refused(self, directory: Path, role: str = "", ends_loading: bool = False) -> Refused:
        """Return the outcome for a skill directory in a root with this role."""
        about = (self.message, self.why, role, self.kind, self.library)
        return Refused(directory, *about, line=self.line, ends_loading=ends_loading)


class LoadingEnded(Exception):  # noqa: N818 - an outcome, not a failure of ours
    """Raised for an error that ends the loading of all skills: none is loaded then.

    `message` is the runtime's own text, None if it says nothing; `refused` is the outcome at fault, where it
    is not among those of the session yet.
    """

    def __init__(self, message: str | None, refused: Refused | None = None) -> None:
        """Take what the runtime says, and what ended it."""
        super().__init__(message)
        self.message = message
        self.refused = refused


# The logger of lines in which skilltool, not the runtime, says what it could not find out within its bounds.
BOUNDS_LOGGER = "skilltool.bounds"
NOT_READ = "skilltool does not read it"
NOT_DETERMINED = "not determined"  # before what a walk of ours had too much of
# Ends the sentence about a skill that a runtime skips without any message.
SILENTLY = "(skipped silently)"


def not_read(reason: object) -> Refusal:
    """Return a refusal that is ours and no runtime's: the file exceeds one of skilltool's bounds."""
    return Refusal(None, f"{NOT_READ}: {reason}")


class ResolvedRoot(NamedTuple):
    """A root of a session: its role, its absolute path, and that path as the runtime writes it.

    `unscanned` says why the runtime does not scan it as a whole, None if it does.
    """

    role: str
    path: Path
    display_path: str
    unscanned: str | None = None

    @property
    def exists(self) -> bool:
        """Whether it is a directory."""
        return os.path.isdir(self.path)

    @property
    def problem(self) -> str | None:
        """Why it cannot be listed, in words of ours; None if it can, or if nothing is there."""
        if not os.path.lexists(self.path):
            return None
        try:
            with os.scandir(self.path):
                return None
        except FileNotFoundError:
            return "is a broken link"
        except NotADirectoryError:
            return "is not a directory"
        except OSError as error:
            return f"cannot be listed: {error.strerror}"


class Manifest(NamedTuple):
    """What a runtime reads in one SKILL.md.

    `name` and `description` are what it takes for them, None if it has none; `body` is the text after the
    frontmatter as it keeps it. `fields` is what else it reads, as JSON-like data. `fields_lost` tells that it
    loads the file and sees none of its fields, `by_lines` that it took what is not YAML line by line,
    `is_shortened` that the description is only the beginning of the one in the file.
    """

    name: Any
    description: Any
    body: str
    fields: Mapping[str, Any] = {}
    fields_lost: bool = False
    by_lines: bool = False
    is_shortened: bool = False


class LoadedSkill(NamedTuple):
    """A skill that a runtime offers.

    `key` is what a call must name; `name` and `description` are what the listing shows. `directory` is
    absolute, `display_path` is how the runtime prints it. `body` is the text after the frontmatter as the
    runtime keeps it. `role` is that of the root it was found in. `told` is what else the runtime tells of it,
    as JSON-like data by names of its own. `file` is its file, if that is not the directory's SKILL.md.
    `details` is what only its runtime knows about it, in a type of its own. `is_shortened` says that
    `description` is only the beginning of the one in the file, which was too long.
    """

    key: str
    name: str
    description: str
    directory: Path
    body: str
    role: str = ""
    display_path: str = ""
    told: Mapping[str, Any] = {}
    file: Path | None = None
    details: object = None
    is_shortened: bool = False

    @property
    def path(self) -> Path:
        """The file that the skill was read from."""
        return self.directory / FILE_NAME if self.file is None else self.file

    def known_as(self, kind: type[Details]) -> Details:
        """Return `details`, which the runtime that loaded the skill made as a `kind`."""
        if not isinstance(self.details, kind):
            raise TypeError(f"{self.key} was loaded by another runtime")
        return self.details


class Refused(NamedTuple):
    """A directory that the runtime looks at and does not offer.

    `message`, `why`, `kind`, `library` and `line` are those of `Refusal`; `role` is that of the root. `key`
    is the one that the skill would have, if the runtime got far enough to know it. With `hidden` the skill is
    fine: a setting, or what is installed on the machine, keeps the runtime from offering it. With
    `ends_loading` the runtime loads no skill at all because of it.
    """

    directory: Path
    message: str | None
    why: str
    role: str = ""
    kind: str | None = None
    library: str | None = None
    key: str | None = None
    hidden: bool = False
    line: int | None = None
    ends_loading: bool = False

    @property
    def not_read(self) -> bool:
        """Whether skilltool did not read it, so that what the runtime would do is unknown."""
        return self.why.startswith((NOT_READ, NOT_DETERMINED))


def without_skill_file(directory: Path, role: str = "") -> Refused:
    """Return the outcome for a directory without a SKILL.md, passed over without a word."""
    return Refused(directory, None, f"it has no {FILE_NAME} {SILENTLY}", role)


def beyond_bound(top: Path, most: int, what: str, role: str = "") -> Refused:
    """Return the outcome for a root, or another directory, that has too much under it for a walk of ours."""
    return Refused(top, None, f"{NOT_DETERMINED}: more than {most:,} {what} under it, with links", role)


def unlistable_root(root: ResolvedRoot, error: OSError) -> Refused:
    """Return the outcome for a root that exists and cannot be listed; the other roots are still scanned."""
    return Refused(root.path, None, f"the skills directory cannot be listed: {error.strerror}", root.role)


class Shadowed(NamedTuple):
    """A skill that lost its key to another copy, `by`, and a sentence of ours that says why.

    `undetermined` marks copies of which the runtime may load either one, from one start to the next.
    """

    skill: LoadedSkill
    by: LoadedSkill
    why: str
    undetermined: bool = False


class Log(NamedTuple):
    """A line that the runtime logs: `INFO`, `WARNING` or `ERROR`, the name of the logger, the text.

    `warns` marks a line that reports something wrong although its level is lower.
    """

    level: str
    logger: str
    message: str
    warns: bool = False


class Result(NamedTuple):
    """The answer to a tool call.

    `text` is what the model gets, None if the call ends the whole turn (with the error `flow_error`), or if
    a library that no model can call answers with nothing.
    `display` is what the runtime shows a person, `metadata` what it keeps for itself, `load_error` an error
    that it returns beside the text. `library` is the part of the text that a third-party library wrote.
    `messages` are the messages as sent (`role`, `content`), where the answer is more than one text.
    `permission` is what the call needs, where the answer is an error for want of it.
    """

    text: str | None
    is_error: bool = False
    display: str | None = None
    metadata: Mapping[str, Any] | None = None
    logs: tuple[Log, ...] = ()
    flow_error: str | None = None
    load_error: str | None = None
    library: str | None = None
    messages: tuple[Mapping[str, Any], ...] = ()
    permission: Permission | None = None


class Permission(NamedTuple):
    """The permission that a call needs: how it is given, as a clause, and the answer to the call with it."""

    how: str
    answer: Callable[[], Result]


class Sent(NamedTuple):
    """What a runtime sends to its model for a text that the user types.

    `messages` are as sent (`role`, `content`), empty if nothing is sent; the user then sees `shown`. `text`
    is what carries the skill, None if no skill is concerned. `model` is the model that is asked, if known,
    `logs` are lines that the runtime logs.
    """

    messages: tuple[Mapping[str, Any], ...]
    text: str | None = None
    shown: str | None = None
    model: str | None = None
    logs: tuple[Log, ...] = ()
