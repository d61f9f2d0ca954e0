"""`skilltool resolve`."""

from __future__ import annotations

from pathlib import Path

import click

from skilltool.cli.color import use_color
from skilltool.cli.dead_ends import explain_absence
from skilltool.cli.help import Command, option
from skilltool.cli.highlight import painted_outline
from skilltool.cli.options import Choice, color_option, format_option, output_file_option
from skilltool.cli.output import escaped, note, write, write_file
from skilltool.cli.session import chosen_runtime, open_session, session_options

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
    import json

    from skilltool.inspect import resolve
    from skilltool.inspect.resolve.candidates import candidates

    runtime, why = chosen_runtime(runtime_id, project, home, name)
    if why:
        note(f"runtime {runtime.id}: {why}")
    session = open_session(runtime, project, home, roots, settings, user_settings)
    if output_format == "json":
        text = json.dumps(resolve.data(session, name), indent=2) + "\n"
    else:
        text = escaped(resolve.text(session) if name is None else resolve.explain(session, name))
        if output_file is None and use_color(color):
            text = painted_outline(text)
    if output_file is None:
        write(text)
    else:
        write_file(output_file, text.encode("utf-8", "backslashreplace"))
    copies = candidates(session, name) if name is not None else []
    if name is not None and not copies:
        explain_absence(session, name)
    found = {"shadowed": session.shadowed, "skipped": session.skipped, "warning": session.warnings}
    loads = name is None or any(copy.outcome.startswith("loads") for copy in copies)
    failed = session.failure is not None and "never" not in fail_on
    return int(failed or not loads or any(found.get(kind) for kind in fail_on))
