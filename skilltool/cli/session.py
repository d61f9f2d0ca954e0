"""The options that `resolve`, `render` and `cost` share: runtimes, their directories and their settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from skilltool.cli import completing
from skilltool.cli.choosing import (
    Chosen,
    chosen_for_skill,
    chosen_without_skill,
    configured,
    named,
    sessions_of,
    some,
)
from skilltool.cli.help import option
from skilltool.cli.opening import Given
from skilltool.cli.options import split_at_commas, time_limit_option
from skilltool.cli.output import inform

if TYPE_CHECKING:
    from skilltool.runtimes.base import Runtime, Session

_OPTIONS = (
    option(
        "Runtime",
        "--runtime",
        "runtimes",
        multiple=True,
        callback=split_at_commas,
        metavar="IDS",
        shell_complete=completing.runtimes,
        help="Ask these runtimes or groups, separated by commas; `skilltool runtimes` lists them. "
        "[default: configured, else by the directories here]",
    ),
    option(
        "Runtime",
        "--project",
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="The project directory. [default: the current directory]",
    ),
    option(
        "Runtime",
        "--home",
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="The user's home directory. [default: yours]",
    ),
    option(
        "Runtime",
        "--root",
        "roots",
        multiple=True,
        metavar="ROLE=DIR",
        help="Use DIR as the root with this role; may be repeated.",
    ),
    option(
        "Runtime",
        "--set",
        "settings",
        multiple=True,
        metavar="KEY=VALUE",
        help="Change a setting of the runtime; may be repeated.",
    ),
    option(
        "Runtime",
        "--no-user-settings",
        "user_settings",
        is_flag=True,
        default=True,
        flag_value=False,
        help="Do not read the runtime's settings in the home directory, if it has any there.",
    ),
    time_limit_option,
)


def session_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that a `SessionQuestion` is made of."""
    for add in reversed(_OPTIONS):
        function = add(function)
    return function


class SessionQuestion(NamedTuple):
    """The values of the options, from which sessions are opened; `runtimes` are the names as given."""

    runtimes: tuple[str, ...]
    given: Given

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> SessionQuestion:
        """Return the question of a command's options, by the names of their parameters."""
        taken = [options[name] for name in ("project", "home", "roots", "settings", "user_settings")]
        return cls(options["runtimes"], Given(*taken))

    def about(self, path: str | None) -> tuple[SessionQuestion, str | None]:
        """Return the question for the project that a path names, and the skill if it names one."""
        if path is None or not Path(path).is_dir() or (Path(path) / "SKILL.md").exists():
            return self, path
        if self.given.project is not None:
            raise click.UsageError(f"{path} is a project, and so is --project; give one of them")
        return self._replace(given=self.given._replace(project=Path(path))), None

    @property
    def is_about_several(self) -> bool:
        """Whether the command line names more than one runtime, or a group of them."""
        from skilltool.runtimes import GROUPS

        return len(set(self.runtimes)) > 1 or any(name in GROUPS for name in self.runtimes)

    @property
    def is_named(self) -> bool:
        """Whether the command line or the configuration names runtimes."""
        return bool(self.runtimes or configured(self.given.top))

    def only_runtime(self) -> Runtime | None:
        """Return the runtime if exactly one is named, or configured where none is named; else None."""
        if self.is_about_several:
            return None
        chosen = named(self.runtimes) or configured(self.given.top)
        return chosen[0] if len(chosen) == 1 else None

    def open_one(self, runtime: Runtime, name: str | None = None) -> Session:
        """Open a session of one runtime, and say so where the command line does not name it."""
        found = sessions_of((runtime.id,), self.given, name)
        configured = [] if self.runtimes else [f"for {runtime.id}, which is configured"]
        for each in (*configured, *found.notes):
            inform(each)
        return found.sessions[0]

    def open_for(self, name: str | None) -> Chosen:
        """Open the session that answers for a skill, or for none, where no runtime is named; and say why."""
        chosen = chosen_without_skill(self.given) if name is None else chosen_for_skill(self.given, name)
        inform(chosen.why)
        return chosen

    def open_all(self, name: str | None = None) -> tuple[list[Session], list[Runtime]]:
        """Open the sessions of the runtimes that are asked, and return those that are left out, too.

        If none is named and none here has the skill `name`, that is the one that answers for it.
        """
        from skilltool.inspect.resolve.candidates import candidates

        found = sessions_of(self.runtimes, self.given, name)
        here = name is None or any(candidates(session, name) for session in found.sessions)
        if not here and not self.is_named:
            return [self.open_for(name).session], []
        if rootless := [each.id for each in found.left_out if each.id in self.runtimes]:
            inform(f"{some(rootless)} left out: no default skills directories; name some with --root DIR")
        for each in found.notes if here else ():
            inform(each)
        return found.sessions, found.left_out
