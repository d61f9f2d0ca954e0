"""`skilltool needs`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from skilltool.cli.answer import in_other_process
from skilltool.cli.color import use_color
from skilltool.cli.completion import complete_skill_directories
from skilltool.cli.help import Command, option
from skilltool.cli.options import Choice, color_option, output_file_option, time_limit_option
from skilltool.cli.output import note, write, write_file
from skilltool.errors import SkilltoolError
from skilltool.files.one_run import one_run
from skilltool.text.printable import SafeText

if TYPE_CHECKING:
    from skilltool.needs.around import Around
    from skilltool.report.style import Style

_EPILOG = """\b
Examples:
  skilltool needs                          a line for each skill below this directory
  skilltool needs pdf-tools                what one skill refers to, with places
  skilltool needs skills/pdf-tools --output-format json
  skilltool needs --output-format mermaid  the graph of all skills
  skilltool needs --since main             also names that skills had before

Nothing of a skill is run or fetched. What is shown was seen in the text; what a program does otherwise
is not known.
"""


@click.command("needs", cls=Command, epilog=_EPILOG)
@click.argument("skills", metavar="[SKILL]...", nargs=-1, shell_complete=complete_skill_directories)
@option(
    "Text",
    "--since",
    metavar="REV",
    help="Compare with a git revision, such as `main`.",
)
@option("Text", "--details", is_flag=True, help="Show everything about each skill.")
@output_file_option
@option(
    "Output",
    "--output-format",
    type=Choice(["text", "json", "dot", "mermaid"]),
    default="text",
    show_default=True,
    metavar="FORMAT",
    help="Text for people, JSON for programs, or a graph for Graphviz or Mermaid.",
)
@time_limit_option
@color_option
@one_run()
def command(skills: tuple[str, ...], since: str | None, details: bool, **options: Any) -> int:
    """Show what a skill refers to and asks for, and where.

    SKILL is the name of a skill, or the path of a skill or of a directory of skills. Other skills are those
    of the same repository.
    """
    asked = _Asked(skills, since, details, options["output_format"], _style(options))
    defects: list[str] = []
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
    details: bool
    form: str
    style: Style


def _answer(asked: _Asked) -> tuple[SafeText, int]:
    """Return the text and the exit status."""
    from skilltool.needs import record
    from skilltool.needs.around import around, chosen
    from skilltool.report import needs
    from skilltool.report.as_json import dumps

    known = around([Path(each) for each in asked.skills] or [Path()])
    if not known.skills:
        raise SkilltoolError("no skills found: no directory here contains a SKILL.md; name another path")
    wanted = chosen(asked.skills, known)
    if asked.since is not None:
        _learn_former_names(known, asked.since)
    found = record.records(known, wanted)
    edges = record.edges(found)
    shown = [each for each in found if each.known in wanted]
    if asked.form == "json":
        return dumps(record.data(shown, edges)), 0
    directories = {each.known.shown for each in shown}
    near = [edge for edge in edges if edge.start in directories or edge.end in directories]
    if asked.form in ("dot", "mermaid"):
        graph = needs.dot if asked.form == "dot" else needs.mermaid
        return graph(near, notes=asked.details), 0
    return needs.text(shown, edges, asked.style, details=asked.details), 0


def _learn_former_names(known: Around, revision: str) -> None:
    """Fill in the names that skills had in a revision and that none has now."""
    from skilltool.needs.earlier import earlier, former_names

    with earlier(known, revision) as before:
        known.former = former_names(known, before)
