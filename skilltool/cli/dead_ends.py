"""What `resolve` and `render` say of a skill that a runtime does not have: where it looks, what to type."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from skilltool.cli.output import note
from skilltool.errors import SkilltoolError

if TYPE_CHECKING:
    from skilltool.inspect.absence import RootThatShows
    from skilltool.runtimes.base import Runtime, Session


def explain_absence(session: Session, name: str) -> None:
    """Write to standard error why the runtime does not have this skill, and what to type to see it."""
    from skilltool.inspect import absence

    note(absence.why_absent(session, name))
    note(_next_step(session, name, absence.why_not(session, name) is not None))


def explain_absences(sessions: Sequence[Session], name: str) -> None:
    """Write to standard error why none of several runtimes has this skill, and what to type to see it."""
    from skilltool.inspect import absence

    for session in sessions:
        note(absence.why_absent(session, name))
    if step := root_for(sessions, name):
        note(step)
    else:
        ids = ",".join(session.runtime.id for session in sessions)
        note(f"to list the skills that they have, run `{join(['skilltool', 'resolve', '--runtime', ids])}`")


def root_for(sessions: Sequence[Session], name: str) -> str | None:
    """Return a sentence with the `--root` by which the first of the runtimes shows a skill; None without."""
    from skilltool.files.paths import display_path
    from skilltool.inspect import absence

    for session in sessions:
        for copy in absence.copies_of(name, session.project, session.home):
            if shown := absence.root_that_shows(session, copy):
                command = join(command_that_shows(shown))
                return f"found it in {display_path(copy)}; to show it, run `{command}`"
    return None


def _next_step(session: Session, name: str, in_a_root: bool) -> str:
    """Return a sentence with the command that leads on from a name that the runtime does not know."""
    from skilltool.files.paths import display_path
    from skilltool.inspect import absence

    runtime = session.runtime.id
    key = absence.meant(session, name)
    if key is not None and key != name:
        return f"did you mean `{key}`? run `{join(_command(key, ['--runtime', runtime], ()))}`"
    if in_a_root:
        return f"to see every copy, run `{join(['skilltool', 'resolve', name, '--runtime', runtime])}`"
    if step := root_for([session], name):
        return step
    if copies := absence.copies_of(name, session.project, session.home):
        where = display_path(copies[0])
        lint = join(["skilltool", "lint", where, "--runtime", runtime])
        return f"found it in {where}, which {runtime} cannot load; to see why, run `{lint}`"
    listing = ["skilltool", "resolve", "--runtime", runtime]
    return f"to list the skills that {runtime} has, run `{join(listing)}`"


def no_runtime_has(name: str, project: Path, home: Path | None) -> SkilltoolError:
    """Return the error for a skill that is in no runtime's root: where each looks, and what to type."""
    from skilltool import runtimes
    from skilltool.files.paths import display_path
    from skilltool.inspect import absence
    from skilltool.runtimes.home import user_home

    targets = [runtimes.get("agentskills"), *map(runtimes.get, runtimes.BARE)]
    where = "; ".join(f"{each.id}: {', '.join(_places(each))}" for each in targets[1:])
    note(f"the runtimes look in these directories: {where}")
    copies = absence.copies_of(name, project, home or user_home())
    for copy in copies:
        for target in targets:
            session = target.open(project, home)
            if shown := absence.root_that_shows(session, copy):
                return SkilltoolError(
                    f"{display_path(copy)} is in no runtime's directory; choose a runtime and make its "
                    f"parent a root, for example `{join(command_that_shows(shown))}`"
                )
    if copies:
        return SkilltoolError(
            f"{display_path(copies[0])} is in no runtime's directory, and none of them can load it; "
            f"to see why, run `{join(['skilltool', 'lint', display_path(copies[0])])}`"
        )
    return SkilltoolError(
        f"no skill `{name}` in them or below {display_path(project.absolute()) or '.'}; "
        "to list the skills here, run `skilltool lint --output-format matrix`"
    )


def _places(runtime: Runtime) -> list[str]:
    places = [root.path_template for root in runtime.roots if root.path_template is not None]
    return [place.removeprefix("{project}/").replace("{home}", "~") for place in places] or ["no default"]


def command_that_shows(shown: RootThatShows) -> list[str]:
    """Return the command being run, with the key, runtime and root that make it show a skill."""
    return _command(shown.key, shown.options, (f"{shown.role}=",))


def _command(key: str, options: list[str], replaced_roots: tuple[str, ...]) -> list[str]:
    """Return the command being run with another name and further options; the other options are kept."""
    context = click.get_current_context()
    kept: list[str] = []
    for parameter in context.command.params:
        name = parameter.name or ""
        given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if not isinstance(parameter, click.Option) or not given or name in ("runtimes", "diff"):
            continue
        if parameter.is_flag:
            kept.append(parameter.opts[0])
            continue
        value = context.params[name]
        for each in value if parameter.multiple else [value]:
            if name != "roots" or not (replaced_roots and str(each).startswith(replaced_roots)):
                kept += [parameter.opts[0], str(each)]
    return ["skilltool", str(context.command.name), key, *options, *kept]
