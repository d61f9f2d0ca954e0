"""What `resolve`, `render` and `cost` say of a skill that a runtime does not have: why, and what to type."""

from __future__ import annotations

import os
from collections.abc import Sequence
from shlex import join
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from skilltool.cli.output import note
from skilltool.cli.sessions import listed, surroundings, unknown_skill
from skilltool.skill.skill_file import is_path

if TYPE_CHECKING:
    from skilltool.cli.sessions import SessionOptions
    from skilltool.runtimes.base import Session


def explain_absence(session: Session, name: str, given: SessionOptions) -> None:
    """Write to standard error why a runtime does not have this skill, and what to type to see it."""
    from skilltool.explain import absence

    note(absence.why_absent(session, name))
    runtime = session.runtime.id
    key = absence.meant(session, name)
    if key is not None and key != name:
        note(f"did you mean `{key}`? run `{join(_command(key, ['--runtime', runtime]))}`")
    elif absence.why_not(session, name) is not None:
        note(f"to see every copy, run `{join(['skilltool', 'resolve', name, '--runtime', runtime])}`")
    elif path := _path_of_copy(name, given):
        command = join(_command(path, ["--runtime", runtime]))
        note(f"to see it as if {runtime} read the skill's directory, run `{command}`")
    elif meant := surroundings(given).nearest_names(name):
        note(f"did you mean `{meant[0]}`? run `{join(_command(meant[0], ['--runtime', runtime]))}`")
    else:
        note(f"to list what {runtime} has, run `{join(['skilltool', 'resolve', '--runtime', runtime])}`")


def explain_absences(sessions: Sequence[Session], name: str, given: SessionOptions) -> None:
    """Write to standard error why none of several runtimes has this skill, and what to type to see it."""
    if len(sessions) == 1:
        explain_absence(sessions[0], name, given)
        return
    ids = [session.runtime.id for session in sessions]
    note(f"{listed(ids)} do not find `{name}`" if ids else f"no client finds `{name}`")
    if path := _path_of_copy(name, given):
        command = join(_command(path, ["--runtime", ",".join(ids)]))
        note(f"to see it as if they read the skill's directory, run `{command}`")
    elif not surroundings(given).named(name):
        note(str(unknown_skill(name, surroundings(given))))


def command_to_see(sessions: Sequence[Session], name: str, given: SessionOptions) -> str | None:
    """Return the command that shows a skill to a runtime that does not look where it is; None without one."""
    path = _path_of_copy(name, given)
    return (
        None if path is None or not sessions else join(_command(path, ["--runtime", sessions[0].runtime.id]))
    )


def _path_of_copy(name: str, given: SessionOptions) -> str | None:
    """Return the path of the copy that a name means, written as a path; None if there is none.

    None, too, for the path of a copy: the command being run was about that already.
    """
    from skilltool.files.paths import written_as_path

    copies = [] if is_path(name) and os.path.exists(name) else surroundings(given).named(name)
    return written_as_path(copies[0]) if copies else None


def _command(key: str, options: list[str]) -> list[str]:
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
            kept += [parameter.opts[0], str(each)]
    return ["skilltool", str(context.command.name), key, *options, *kept]
