"""`skilltool resolve`."""

from __future__ import annotations

from pathlib import Path

import click

from skilltool.cli.color import use_color
from skilltool.cli.dead_ends import explain_absence
from skilltool.cli.help import Command, option
from skilltool.cli.highlight import painted_outline
from skilltool.cli.options import Choice, color_option, format_option, output_file_option
from skilltool.cli.output import write, write_file
from skilltool.cli.session import SessionQuestion, session_options
from skilltool.cli.watched import watched
from skilltool.report.as_json import dumps
from skilltool.text.printable import SafeText, safe_lines

_EPILOG = """\b
Examples:
  skilltool resolve --runtime kodelet      every skill that is loaded or not
  skilltool resolve pdf --runtime kodelet  every copy of one skill
  skilltool resolve --runtime portable --root a --root b
  skilltool resolve --runtime kodelet --set allowed=pdf,docx
"""


@click.command("resolve", cls=Command, epilog=_EPILOG)
@click.argument("name", required=False)
@session_options
@option(
    "Exit status",
    "--fail-on",
    type=Choice(["shadowed", "skipped", "warning", "never"]),
    multiple=True,
    metavar="STATE",
    help="Exit 1 if there are shadowed skills, skipped skills or warnings; may be repeated.",
)
@output_file_option
@format_option
@color_option
def command(
    name: str | None,
    runtime_id: str | None,
    project: Path | None,
    home: Path | None,
    roots: tuple[str, ...],
    settings: tuple[str, ...],
    user_settings: bool,
    fail_on: tuple[str, ...],
    output_file: Path | None,
    output_format: str,
    color: str,
) -> int:
    """Show what each root of a runtime contains, which copy of each skill loads, and why.

    With NAME (a key, a name, a folder, or the path of a skill's directory), show only its copies. The exit
    status is 1 if none of them loads, or if the runtime cannot load any skill at all.
    """
    question = SessionQuestion(runtime_id, project, home, roots, settings, user_settings)
    painted = output_format == "text" and output_file is None and use_color(color)
    text, status = watched(_answer, question, name, fail_on, output_format, painted)
    if output_file is None:
        write(text)
    else:
        write_file(output_file, text.encode())
    return status


def _answer(
    question: SessionQuestion, name: str | None, fail_on: tuple[str, ...], output_format: str, painted: bool
) -> tuple[SafeText, int]:
    """Return the text and the exit status; notes are written to standard error."""
    from skilltool.inspect import resolve
    from skilltool.inspect.resolve.candidates import candidates

    session = question.open(name)
    if output_format == "json":
        text = dumps(resolve.data(session, name))
    else:
        lines = resolve.lines(session) if name is None else resolve.explain(session, name)
        text = safe_lines(lines, painted_outline if painted else str)
    copies = candidates(session, name) if name is not None else []
    if name is not None and not copies:
        explain_absence(session, name)
    found = {"shadowed": session.shadowed, "skipped": session.skipped, "warning": session.warnings}
    loads = name is None or any(copy.outcome.startswith("loads") for copy in copies)
    failed = session.failure is not None and "never" not in fail_on
    return text, int(failed or not loads or any(found.get(kind) for kind in fail_on))
