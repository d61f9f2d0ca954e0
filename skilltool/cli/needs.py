"""`skilltool needs`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from skilltool.cli.answer import in_other_process
from skilltool.cli.color import use_color
from skilltool.cli.completion import complete_skill_directories
from skilltool.cli.help import Command, option
from skilltool.cli.options import (
    Choice,
    color_option,
    output_file_option,
    split_at_commas,
    time_limit_option,
)
from skilltool.cli.output import inform, note, write, write_file
from skilltool.cli.signals import ended_by_sigterm
from skilltool.errors import SkilltoolError, nearest
from skilltool.files.one_run import one_run
from skilltool.text.printable import SafeText

if TYPE_CHECKING:
    from collections.abc import Iterable

    from skilltool.needs.around import Around, Known
    from skilltool.needs.record import Record
    from skilltool.report.style import Style

_EPILOG = """\b
Examples:
  skilltool needs                          one line for each skill under this directory
  skilltool needs pdf-tools                what one skill refers to and asks for, and where
  skilltool needs --output-format mermaid  the graph of all skills
  skilltool needs --since main             what was added or removed since a revision
  skilltool needs --since main --fail-on-new network,tools
  skilltool needs new/pdf-tools --compared-to .claude/skills/pdf-tools
  skilltool needs --lock skills-lock.json  the installed skills, and whether they were changed

skilltool only reads text. It does not run or fetch anything. Programs may do things that the text does not
show.

\b
Exit status:
  0  the report is complete, whatever it shows
  1  a kind in --fail-on-new has a new entry
  2  a skill or revision cannot be read
"""
_KINDS = (
    *(
        "network",
        "commands",
        "packages",
        "environment",
        "credentials",
        "paths",
        "tools",
        "load-time",
        "links",
    ),
    *("references", "not-read", "all"),
)


def _kinds(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    names = split_at_commas(ctx, param, values)
    for name in names:
        if name not in _KINDS:
            hint = nearest(name, _KINDS)
            meant = f"; did you mean '{hint}'?" if hint else f"; choose from {', '.join(_KINDS)}"
            raise click.BadParameter(f"'{name}' is not a kind{meant}")
    return names


@click.command("needs", cls=Command, epilog=_EPILOG)
@click.argument("skills", metavar="[SKILL]...", nargs=-1, shell_complete=complete_skill_directories)
@option(
    "Text",
    "--since",
    metavar="REV",
    help="Show what was added or removed since a git revision, such as `main`, and which old names are "
    "still in use.",
)
@option(
    "Text",
    "--compared-to",
    "earlier",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="DIR",
    help="Show what was added or removed compared with the skill or skills in this directory.",
)
@option(
    "Text",
    "--lock",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Show the skills in a lock file written by `npx skills` or `gh skill`, and whether they were "
    "modified locally.",
)
@option("Text", "--details", is_flag=True, help="Show everything about each skill, with every file and line.")
@option(
    "Exit status",
    "--fail-on-new",
    "fail_on",
    multiple=True,
    callback=_kinds,
    metavar="KINDS",
    help=f"With --since or --compared-to: exit 1 if there is anything new of these kinds (comma-separated): "
    f"{', '.join(_KINDS)}.",
)
@output_file_option
@option(
    "Output",
    "--output-format",
    type=Choice(["text", "json", "dot", "mermaid", "github", "markdown"]),
    default="text",
    show_default=True,
    metavar="FORMAT",
    help="Text for people; JSON for programs; dot or mermaid for a graph. For changes: github for "
    "annotations and markdown for a comment.",
)
@time_limit_option
@color_option
@one_run()
def command(skills: tuple[str, ...], **options: Any) -> int:
    """Show what a skill refers to and asks for, and where.

    SKILL is a skill's name or path, or a directory of skills. References to other skills are looked up in the
    same repository.
    """
    since, earlier, form = options["since"], options["earlier"], options["output_format"]
    if since is not None and earlier is not None:
        raise click.UsageError("--since cannot be used together with --compared-to")
    compares = since is not None or earlier is not None
    if options["lock"] is not None and (skills or compares or form not in ("text", "json")):
        raise click.UsageError(
            "--lock cannot be used with SKILL, --since or --compared-to; it prints only text or JSON"
        )
    if not compares and (options["fail_on"] or form in ("github", "markdown")):
        raise click.UsageError(
            "--fail-on-new and the formats github and markdown need --since or --compared-to"
        )
    if compares and form in ("dot", "mermaid"):
        raise click.UsageError(f"--output-format {form} cannot show changes")
    asked = _Asked(
        skills, since, earlier, options["lock"], options["details"], options["fail_on"], form, _style(options)
    )
    defects: list[str] = []
    with ended_by_sigterm():
        text, status = in_other_process(_answer, asked, defects=defects)
    file: Path | None = options["output_file"]
    write(text) if file is None else write_file(file, text.encode())
    for defect in defects:
        note(defect)
    return 2 if defects else status


def _style(options: dict[str, Any]) -> Style:
    from skilltool.report.style import PLAIN, Style, terminal_width

    if options["output_file"] is not None:
        return PLAIN
    return Style(color=use_color(options["color"]), width=terminal_width())


class _Asked(NamedTuple):
    """What is asked, and how to answer."""

    skills: tuple[str, ...]
    since: str | None
    earlier: Path | None
    lock: Path | None
    details: bool
    fail_on: tuple[str, ...]
    form: str
    style: Style


def _answer(asked: _Asked) -> tuple[SafeText, int]:
    """Return the text and the exit status."""
    from skilltool.needs.around import NONE_HERE, around, at_home, chosen

    if asked.lock is not None:
        return _about_lock(asked.lock, asked)
    known = around([Path(each) for each in asked.skills] or [Path()])
    if not known.skills and (home := at_home()) is not None:
        inform("no skills in this project; showing the skills in your home directory")
        known = home
    if not known.skills:
        raise SkilltoolError(f"no skills found: {NONE_HERE}; name a skill or a different path")
    wanted = chosen(asked.skills, known)
    if asked.since is not None:
        return _since(asked.since, known, wanted, asked)
    if asked.earlier is not None:
        from skilltool.needs.around import below
        from skilltool.needs.earlier import apart, former_names

        before = below(asked.earlier)
        known, wanted = apart(known, wanted, before)
        known.former = former_names(known, before, is_revision=False)
        return _changes(known, wanted, before, os.fspath(asked.earlier), asked)
    return _now(known, wanted, asked)


def _about_lock(lock: Path, asked: _Asked) -> tuple[SafeText, int]:
    from skilltool.needs.locks import locked
    from skilltool.report import needs
    from skilltool.report.as_json import dumps

    rows = locked(lock)
    if asked.form == "json":
        return dumps({"schema_version": 1, "locked": [row._asdict() for row in rows]}), 0
    return needs.locks(rows, asked.style), 0


def _now(known: Around, wanted: list[Known], asked: _Asked) -> tuple[SafeText, int]:
    from skilltool.needs import record
    from skilltool.report import needs
    from skilltool.report.as_json import dumps

    found = record.records(known, wanted)
    edges = record.edges(found)
    shown = [each for each in found if each.known in wanted]
    status = _unread(shown)
    if asked.form == "json":
        return dumps(record.data(shown, edges)), status
    directories = {each.known.shown for each in shown}
    near = [edge for edge in edges if edge.start in directories or edge.end in directories]
    if asked.form in ("dot", "mermaid"):
        graph = needs.dot if asked.form == "dot" else needs.mermaid
        return graph(near, sorted(directories), notes=asked.details), status
    return needs.text(shown, edges, asked.style, details=asked.details), status


def _unread(found: Iterable[Record]) -> int:
    """Return 2 after a note for each skill that could not be read, else 0."""
    bad = [each for each in found if each.failure is not None]
    for each in bad:
        note(f"{each.known.shown}: not read: {each.failure}")
    return 2 if bad else 0


def _since(since: str, known: Around, wanted: list[Known], asked: _Asked) -> tuple[SafeText, int]:
    from skilltool.needs.earlier import earlier, former_names

    with earlier(known, since) as before:
        known.former = former_names(known, before, is_revision=True)
        return _changes(known, wanted, before, since, asked)


def _changes(
    known: Around, wanted: list[Known], before: Around, name: str, asked: _Asked
) -> tuple[SafeText, int]:
    from skilltool.needs import changes, record
    from skilltool.needs.earlier import MOST_BYTES, pairs
    from skilltool.report import needs
    from skilltool.report.as_json import dumps

    most = MOST_BYTES if asked.since is not None else None
    found = []
    for old, new in pairs(
        known, wanted, before, is_revision=asked.since is not None, is_all=not asked.skills
    ):
        was = None if old is None else record.record_of(old, before)
        now = None if new is None else record.record_of(new, known)
        found.append(changes.change(was, now, most))
    failing = changes.failing(found, asked.fail_on)
    status = _unread(each.after for each in found if each.after is not None) or int(bool(failing))
    for each, change in failing if asked.form not in ("github", "json") else ():
        note(f"new: {each.known.shown}/{change.file}:{change.line}: {change.statement}")
    if asked.form == "json":
        return dumps({"schema_version": record.SCHEMA_VERSION, **changes.data(found, name)}), status
    if asked.form == "github":
        return needs.github(found, failing), status
    if asked.form == "markdown":
        return needs.markdown(found, name), status
    return needs.changes(found, asked.style), status
