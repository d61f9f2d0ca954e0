"""`skilltool resolve`."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from skilltool.cli.answer import answer, is_for_people, style_of, watch_option
from skilltool.cli.color import painted_outline
from skilltool.cli.completion import complete_skills
from skilltool.cli.help import Command, option
from skilltool.cli.missing_skill import explain_absence, explain_absences
from skilltool.cli.options import Choice, color_option, format_option, output_file_option, split_at_commas
from skilltool.cli.output import inform, note
from skilltool.cli.sessions import (
    NO_SKILLS,
    SessionQuestion,
    inform_of_other_skills,
    listed,
    projects_near,
    session_options,
)
from skilltool.errors import PathError, SkilltoolError
from skilltool.files.one_run import one_run
from skilltool.report.as_json import dumps
from skilltool.text.printable import SafeText, flowed, safe_lines

if TYPE_CHECKING:
    from skilltool.explain.copies import Copy
    from skilltool.packages.manifest import Manifest
    from skilltool.report.style import Style
    from skilltool.runtimes.base import Runtime, Session

_EPILOG = """\b
Examples:
  skilltool resolve                      which copy of each skill each client loads
  skilltool resolve pdf                  every copy of one skill, and why each is loaded or not
  skilltool resolve --runtime codex      all skills that one client loads or skips
  skilltool resolve --runtime portable --root a --root b
  skilltool resolve --runtime kodelet --set allowed=pdf,docx
  skilltool resolve . --runtime claude-code
  skilltool resolve . --installer skills --agent claude-code,codex
  skilltool resolve . --installer skills --skill pdf

The last three commands show what is installed from the plugin, marketplace or repository in this directory.
With --skill, they show which files are installed, and what breaks, if only that skill is installed.
"""


@click.command("resolve", cls=Command, epilog=_EPILOG)
@click.argument("name", required=False, shell_complete=complete_skills)
@session_options
@option(
    "Exit status",
    "--fail-on",
    type=Choice(["shadowed", "skipped", "warning", "broken", "never"]),
    multiple=True,
    metavar="STATE",
    help="Fail on a shadowed or skipped skill, a warning or (with --skill) a broken reference; may be "
    "repeated.",
)
@option(
    "Runtime",
    "--installer",
    type=Choice(["skills", "gh", "openskills", "codex", "claude-plugin"]),
    metavar="INSTALLER",
    help="Show what this installer would install from the repository at NAME. Installers other than "
    "`skills` need --skill.",
)
@option(
    "Runtime",
    "--skill",
    "singles",
    multiple=True,
    callback=split_at_commas,
    metavar="NAMES",
    help="With --installer: show which files are installed, and what breaks, if each of these skills "
    "(comma-separated) is installed alone.",
)
@option(
    "Runtime",
    "--agent",
    "agents",
    multiple=True,
    callback=split_at_commas,
    metavar="IDS",
    help="With --installer: show where skills are installed for these agents (comma-separated).",
)
@option("Output", "--explain", is_flag=True, help="Explain each runtime in sentences instead of a table.")
@watch_option
@output_file_option
@format_option
@color_option
@one_run()
def command(
    name: str | None,
    fail_on: tuple[str, ...],
    explain: bool,
    installer: str | None,
    singles: tuple[str, ...],
    agents: tuple[str, ...],
    **options: Any,
) -> int:
    """Show which client loads which copy of each skill, and why.

    By default, show the configured clients, or every client with a skills directory in this project. For a
    library or plugin, which clients do not read directly, show what the leading clients or the plugin's
    client would do. If --runtime names one runtime, show its skills directories and everything it loads,
    shadows or skips.

    If NAME is a skill's name or directory, show only the copies of that skill. Any other directory is treated
    as a project. The exit status is 1 if no copy of NAME loads, or if every runtime fails.

    If NAME is the path of a package (a directory with a plugin, marketplace or extension manifest), show
    which of its skills are installed and which are not.
    """
    question = SessionQuestion.of(options)
    if (agents or singles) and installer is None:
        raise click.UsageError(f"{'--agent' if agents else '--skill'} needs --installer")
    if singles and agents:
        raise click.UsageError("--skill cannot be used together with --agent")
    if installer not in (None, "skills") and not singles:
        raise click.UsageError(f"--installer {installer} needs --skill")
    if installer is not None and singles:
        single = _AskedOfSingles(
            name or ".", installer, singles, fail_on, explain, is_for_people(options), style_of(options)
        )
        return answer(question, _answer_about_singles, single, options)
    if installer is not None:
        wanted = _AskedOfInstaller(name or ".", agents, fail_on, is_for_people(options), style_of(options))
        return answer(question, _answer_about_installer, wanted, options)
    work = _work_for(name)
    if work is _answer:
        question, name = question.about(name)
    asked = _Asked(name, fail_on, explain, is_for_people(options), style_of(options))
    return answer(question, work, asked, options)


def _work_for(name: str | None) -> Callable[..., tuple[SafeText, int]]:
    """Return what answers: for the path of a package, a function about what is installed of it."""
    if name is not None and os.path.exists(name) and _is_package(name):
        return _answer_about_package
    return _answer


class _Asked(NamedTuple):
    """What is to be resolved, by the names of the parameters."""

    name: str | None
    fail_on: tuple[str, ...]
    explain: bool
    text: bool
    style: Style


def _answer(question: SessionQuestion, asked: _Asked) -> tuple[SafeText, int]:
    """Return the text and the exit status; notes are written to standard error."""
    if runtime := question.only_runtime():
        sessions = [question.open_one(runtime, asked.name)]
        text = _of_one(question, sessions[0], asked)
    else:
        sessions, left_out = question.open_all(asked.name)
        text = _of_several(question, sessions, left_out, asked)
    return text, _status(sessions, asked)


def _status(sessions: Sequence[Session], asked: _Asked) -> int:
    from skilltool.explain.candidates import candidates
    from skilltool.explain.contained import defects

    if defects(sessions):
        return 2
    name, kinds = asked.name, set(asked.fail_on)
    loads = name is None or any(
        copy.outcome.startswith("loads") for session in sessions for copy in candidates(session, name)
    )
    failed = bool(sessions) and all(session.failure is not None for session in sessions)
    bad = any(
        ("shadowed" in kinds and session.shadowed)
        or ("skipped" in kinds and session.skipped)
        or ("warning" in kinds and session.warnings)
        for session in sessions
    )
    return int((failed and "never" not in kinds) or not loads or bad)


def _of_one(question: SessionQuestion, session: Session, asked: _Asked) -> SafeText:
    from skilltool.explain import resolve
    from skilltool.explain.candidates import candidates

    name = asked.name
    if name is not None and not candidates(session, name):
        explain_absence(session, name, question.given)
    if not asked.text:
        return dumps(resolve.data(session, name))
    if name is None:
        inform_of_other_skills(question.given, [session])
    return _outline(resolve.lines(session) if name is None else resolve.explain(session, name), asked.style)


def _outline(lines: Iterable[str], style: Style) -> SafeText:
    """Return lines that begin with a label, in colour and as wide as `style` says."""
    return flowed(safe_lines(lines, painted_outline if style.color else str), style.width)


def _of_several(
    question: SessionQuestion, sessions: list[Session], left_out: list[Runtime], asked: _Asked
) -> SafeText:
    from skilltool.explain import copies, resolve
    from skilltool.explain.contained import defects

    found = copies.copies(sessions, asked.name)
    broken = [session for session in sessions if defects([session])]
    if asked.name is not None and not found:
        explain_absences(sessions, asked.name, question.given)
    left = [runtime.id for runtime in left_out]
    if not asked.text:
        near = projects_near(question.given, sessions) if asked.name is None else {}
        described = [resolve.data(session, asked.name) for session in sessions if session not in broken]
        return dumps({**copies.data(sessions, left, found, described), "elsewhere": near})
    for session in sessions:
        for trouble in copies.troubles(session):
            note(trouble)
    if asked.explain:
        return _outline(_explained(sessions, asked.name), asked.style)
    shown, others = found, []
    if asked.name is None and not all(map(copies.is_other_file, found)):
        shown = [copy for copy in found if not copies.is_other_file(copy)]
        others = [copy for copy in found if copies.is_other_file(copy)]
    text = _table(sessions, shown, asked)
    if asked.name is None:
        inform_of_other_skills(question.given, sessions)
        for client, number in Counter(name for copy in others for name in copy.seen).items():
            files = "file" if number == 1 else "files"
            inform(f"{client} also loads {number} other {files}: `skilltool resolve --runtime {client}`")
        if left and sessions and not question.is_named:
            inform(f"{len(left)} runtimes have no skills directory here (`--runtime all` shows them)")
    return text


def _table(sessions: Sequence[Session], copies: list[Copy], asked: _Asked) -> SafeText:
    from skilltool.report import grid, resolved

    clients = list(dict.fromkeys(session.runtime.id for session in sessions))
    if not copies:
        if asked.name is None:
            note(f"no skills found for {listed(clients)}" if clients else NO_SKILLS)
        return safe_lines([])
    view = resolved.overview if asked.name is None else resolved.details
    return grid.text(list(view(copies, clients, asked.style)))


def _explained(sessions: Sequence[Session], name: str | None) -> Iterator[str]:
    """Yield the sentences of each session, one after another."""
    from skilltool.explain import resolve

    for number, session in enumerate(sessions):
        if name is None:
            yield from (["", *resolve.lines(session)] if number else resolve.lines(session))
        elif sentences := list(resolve.explain(session, name)):
            yield f"{session.runtime.id}:"
            yield from (f"  {sentence}" for sentence in sentences)


class _AskedOfInstaller(NamedTuple):
    """What is asked about an installer: the repository, the agents, and how to answer."""

    name: str
    agents: tuple[str, ...]
    fail_on: tuple[str, ...]
    text: bool
    style: Style


def _answer_about_installer(question: SessionQuestion, asked: _AskedOfInstaller) -> tuple[SafeText, int]:
    """Return the text and the exit status: 1 if the installer finds no skill, or if `--fail-on` says so."""
    from skilltool.explain import installed
    from skilltool.packages.installer import targets

    top = Path(asked.name)
    if not os.path.isdir(top):
        raise PathError(f"{asked.name}: no such directory")
    view, places = installed.installer_view(top), targets(asked.agents)
    failed = not view.skills and "never" not in asked.fail_on
    status = int(failed or (bool(view.passed) and "skipped" in asked.fail_on))
    if not asked.text:
        return dumps({**installed.data(view), **installed.installer_data(view, places)}), status
    from skilltool.report import grid, resolved

    return grid.text([*resolved.lines(view, asked.style), *resolved.targets(places, asked.style)]), status


class _AskedOfSingles(NamedTuple):
    """What is asked about skills that are installed alone: the repository, the installer, and their names."""

    name: str
    installer: str
    singles: tuple[str, ...]
    fail_on: tuple[str, ...]
    details: bool
    text: bool
    style: Style


def _answer_about_singles(question: SessionQuestion, asked: _AskedOfSingles) -> tuple[SafeText, int]:
    """Return the text and the exit status: 1 if something breaks and `--fail-on broken` says so."""
    from skilltool.needs.around import below
    from skilltool.needs.closure import closure, data
    from skilltool.report import needs

    if not os.path.isdir(asked.name):
        raise PathError(f"{asked.name}: no such directory")
    known = below(Path(asked.name))
    found = [closure(known, single, asked.installer) for single in asked.singles]
    status = int("broken" in asked.fail_on and any(each.breaks for each in found))
    if not asked.text:
        return dumps(data(found)), status
    return needs.closures(found, asked.style, details=asked.details), status


def _is_package(name: str) -> bool:
    """Return whether an argument is the path of a manifest, or of a directory with one."""
    from skilltool.explain.installed import manifests_in

    return bool(manifests_in(Path(name)))


def _answer_about_package(question: SessionQuestion, asked: Any) -> tuple[SafeText, int]:
    """Return the text and the exit status: 1 if nothing can be installed, or if `--fail-on` says so."""
    from skilltool.explain import installed

    manifest, runtime = _manifest_and_runtime(question, asked.name)
    view = installed.view(manifest, runtime)
    failed = view.is_empty and "never" not in asked.fail_on
    status = int(failed or (bool(view.passed) and "skipped" in asked.fail_on))
    if not asked.text:
        return dumps(installed.data(view)), status
    from skilltool.report import grid, resolved

    return grid.text(list(resolved.lines(view, asked.style))), status


def _manifest_and_runtime(question: SessionQuestion, name: str) -> tuple[Manifest, Runtime]:
    """Return the manifest and the runtime: the one that is named, else that of the first manifest."""
    from skilltool import runtimes
    from skilltool.explain.installed import manifests_in

    manifests = manifests_in(Path(name))
    has = ", ".join(f"{manifest.kind.file} ({manifest.kind.client})" for manifest in manifests)
    if question.runtimes:
        for runtime in question.runtimes:
            for manifest in manifests:
                if runtime.partition("@")[0] == manifest.kind.client.partition("@")[0]:
                    return manifest, runtimes.get(runtime)
        named = ", ".join(question.runtimes)
        raise SkilltoolError(f"{name} has no manifest for {named}; it has {has}")
    first = manifests[0]
    if first.kind.client not in runtimes.IDS:
        raise SkilltoolError(f"{name} only has manifests for unknown clients: {has}")
    note(f"runtime {first.kind.client}: {first.kind.file}")
    return first, runtimes.get(first.kind.client)
