"""What does a runtime do with one text, place by place? For findings that say what is lost, cut or run.

A profile offers it where that was measured. Offsets are code points of the text that is read, including a
byte order mark.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

Offsets = tuple[int, int]


class Circumstances(NamedTuple):
    """What decides, beside a text, what becomes of it.

    `directory` is the name of the skill's directory. `in_plugin` tells that the skill is in a plugin,
    `in_project` that it is in a project's directory of skills. `settings` is the
    text of the project's settings file, None if there is none or no project.
    """

    directory: str
    in_plugin: bool = False
    settings: str | None = None
    in_project: bool = False


class Command(NamedTuple):
    """A command in a body that runs before the model reads the body; `asks` if that needs permission.

    `unchecked` is the variable for which the runtime cannot check the command, so that nobody is asked.
    """

    at: Offsets
    text: str
    asks: bool
    unchecked: str | None = None


class LeftCommand(NamedTuple):
    """A command that was meant to run and stays text: where it is, with its `!`, and what it would run."""

    at: Offsets
    text: str


class Mention(NamedTuple):
    """A file that a body names in a way that the runtime reads itself: the path, and where it stands."""

    at: Offsets
    path: str


class HookFault(NamedTuple):
    """A hook that does not run: its path under `hooks`, why, and what the runtime does, as a clause."""

    path: tuple[str | int, ...]
    why: str
    does: tuple[str, str]


class Literal(NamedTuple):
    """A variable in a body that stays as it is written, although it looks as if it did not.

    `why` is what the runtime asks for instead, as a clause, and `help` what to write.
    """

    at: Offsets
    text: str
    why: str
    help: str


class Position(NamedTuple):
    """A placeholder for one word of the arguments: its number from 0, and where it stands."""

    at: Offsets
    number: int


class TextMap(Protocol):
    """One text as one runtime reads it."""

    @property
    def fields(self) -> Mapping[str, Any]:
        """The fields that it reads, empty if it reads none."""

    @property
    def end(self) -> int | None:
        """The offset of the `---` at which it ends the frontmatter, None if it sees no frontmatter."""

    @property
    def problem(self) -> str | None:
        """What its parser says if the frontmatter gives no fields, else None."""

    @property
    def fault(self) -> int | None:
        """The offset at which its parser stops, None if that is unknown or nothing is wrong."""

    @property
    def unrepaired(self) -> str | None:
        """Why it does not repair the line at fault, which it would repair in another file, as a clause."""

    @property
    def description(self) -> str | None:
        """The description that it reads in the frontmatter, None if there is none."""

    @property
    def for_model(self) -> bool:
        """Whether the author lets the model call the skill."""

    @property
    def listed(self) -> str | None:
        """The text of its listing before any cut; None if the listing does not have the skill."""

    @property
    def most(self) -> int:
        """The length of the text in the listing, in UTF-16 units, from which on it is cut."""

    @property
    def cut(self) -> int | None:
        """The number of code points of `listed` that are shown, None if all are."""

    @property
    def alias_problem(self) -> str | None:
        """Why the name in the frontmatter is not one to call the skill by, as a clause; None if it is one."""

    @property
    def replaces(self) -> str | None:
        """The skill or command of the runtime itself that this one replaces, None if there is none."""

    @property
    def misread(self) -> tuple[tuple[str, bool], ...]:
        """The switches whose values it cannot read, each with what it takes for the value."""

    @property
    def asks(self) -> tuple[str, ...]:
        """The fields for which it asks before the model may call the skill."""

    @property
    def hook_faults(self) -> tuple[HookFault, ...]:
        """The hooks that do not run, in the order of the text."""

    def runs_hook(self, path: tuple[str | int, ...]) -> bool:
        """Whether the hook at a path under `hooks` runs once the skill is called."""

    @property
    def unsplit(self) -> tuple[str, ...]:
        """The names of arguments that keep a comma, because they are split at spaces only."""

    @property
    def commands(self) -> tuple[Command, ...]:
        """The commands in the body that run before the model reads it, in the order of the text."""

    @property
    def left_commands(self) -> tuple[LeftCommand, ...]:
        """The commands that were meant to run and stay text, in the order of the text."""

    @property
    def mentions(self) -> tuple[Mention, ...]:
        """The files that it reads for the body from the working directory, in the order of the text."""

    @property
    def literals(self) -> tuple[Literal, ...]:
        """What looks like a variable in the body and is none, in the order of the text."""

    @property
    def positions(self) -> tuple[Position, ...]:
        """The numbered placeholders of the body, in the order of the text."""


class TextMapper(NamedTuple):
    """How a runtime reads a text closely, and what it looks at beside it.

    `read` takes the text and its circumstances. `settings_file` is the path of a project's settings,
    `manifest` that of a plugin's manifest, both with `/` and relative to the project or the plugin.
    `omits` says what a skill loses that the listing has no room for: `descriptions`.
    """

    read: Callable[[str, Circumstances], TextMap]
    settings_file: str
    manifest: str
    omits: str
