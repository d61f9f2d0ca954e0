"""`skilltool resolve`."""

from __future__ import annotations

from pathlib import Path

import click

from skilltool.cli.options import Choice
from skilltool.cli.output import note, shown, write, write_file
from skilltool.cli.session import chosen_runtime, open_session, session_options

_EPILOG = """\b
Examples:
  skilltool resolve --runtime kodelet            all roots, winners, losers and reasons
  skilltool resolve pdf --runtime kodelet        what becomes of each copy of one name
  skilltool resolve --runtime portable --root a --root b
  skilltool resolve --runtime kodelet --set allowed=pdf,docx --output-format json
"""


@click.command("resolve", epilog=_EPILOG)
@click.argument("name", required=False)
@session_options
@click.option(
    "--fail-on",
    type=Choice(["shadowed", "skipped", "warning", "never"]),
    multiple=True,
    help="Exit 1 if there are any.",
)
@click.option(
    "-o", "--output-file", type=click.Path(path_type=Path), metavar="FILE", help="Write it to a file."
)
@click.option(
    "--output-format", type=Choice(["text", "json"]), default="text", help="Text, or JSON for programs."
)
def command(
    name: str | None,
    runtime_id: str | None,
    project: Path | None,
    home: Path | None,
    roots: tuple[str, ...],
    settings: tuple[str, ...],
    fail_on: tuple[str, ...],
    output_file: Path | None,
    output_format: str,
) -> int:
    """Show what each root of a runtime holds, which copy of a name wins, and why.

    With NAME (a key, a name, a folder, or the path of a skill's directory) only its copies; exit status 1 if
    none of them loads. It is 1, too, if the runtime fails to load its skills as a whole.
    """
    import json

    from skilltool.inspect import resolve
    from skilltool.inspect.resolve.candidates import candidates

    runtime, why = chosen_runtime(runtime_id, project, name)
    if why:
        note(f"runtime {runtime.id}: {why}")
    session = open_session(runtime, project, home, roots, settings)
    if output_format == "json":
        text = json.dumps(resolve.data(session, name), indent=2) + "\n"
    else:
        text = shown(resolve.text(session) if name is None else resolve.explain(session, name))
    if output_file is None:
        write(text)
    else:
        write_file(output_file, text.encode("utf-8", "backslashreplace"))
    copies = candidates(session, name) if name is not None else []
    if name is not None and not copies:
        note(f"no root of {runtime.id} holds anything called `{name}`")
    found = {"shadowed": session.shadowed, "skipped": session.skipped, "warning": session.warnings}
    loads = name is None or any(copy.outcome.startswith("loads") for copy in copies)
    failed = session.failure is not None and "never" not in fail_on
    return int(failed or not loads or any(found.get(kind) for kind in fail_on))
