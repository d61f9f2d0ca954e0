"""`skilltool preview`."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from skilltool.cli import progress
from skilltool.cli.completion import complete_skills
from skilltool.cli.help import Command, option
from skilltool.cli.options import cache_directory, quiet_option
from skilltool.cli.output import inform, note, write_file
from skilltool.cli.sessions import (
    SessionOptions,
    SessionQuestion,
    configured_runtimes,
    named_runtimes,
    session_opener,
    session_options,
    watched_directories,
    watched_files,
)
from skilltool.errors import SkilltoolError
from skilltool.files.paths import display_path

if TYPE_CHECKING:
    from skilltool.lint.settings import Settings
    from skilltool.packages.registration import Setup
    from skilltool.preview.model import Project
    from skilltool.preview.worker import Worker
    from skilltool.runtimes.base import Runtime, Session

_EPILOG = """\b
Examples:
  skilltool preview                       the skills of this project, in your browser
  skilltool preview .claude/skills/pdf    show this skill first
  skilltool preview --runtime claude-code,codex
  skilltool preview --export preview.html a single file to share for review

The page updates on every save. The server answers only requests from this machine and sends none of its own.
"""


@click.command("preview", cls=Command, epilog=_EPILOG)
@click.argument("path", metavar="[PATH]", required=False, shell_complete=complete_skills)
@session_options
@option(
    "Page",
    "--port",
    type=click.IntRange(0, 65535),
    metavar="N",
    help="Listen on this port; 0 means any free port.",
)
@option("Page", "--no-open", is_flag=True, help="Do not open a browser.")
@option(
    "Page",
    "--export",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write a self-contained HTML file and exit.",
)
@option(
    "Page",
    "--routing",
    "routed",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help="Also show the routing results in FILE, written by `skilltool route --output-format json`.",
)
@option(
    "Page",
    "--args",
    "arguments",
    metavar="TEXT",
    help="With --export: pass these arguments to each skill.",
)
@quiet_option
def command(
    path: str | None,
    port: int | None,
    no_open: bool,
    export: Path | None,
    routed: Path | None,
    arguments: str | None,
    **options: Any,
) -> int:
    """Show skills in a browser, with findings and what each client's model reads.

    PATH is a project directory, or the directory of a skill to show first. By default, show the
    configured clients, or the clients whose directories contain skills.
    """
    if export is None and arguments is not None:
        raise click.UsageError("--args needs --export; the page has a field for arguments")
    if export is not None and (port is not None or no_open):
        raise click.UsageError("--export cannot be used together with --port or --no-open")
    source, skill = _source_and_skill(SessionQuestion.of(options), path)
    if export is not None:
        return _export(source, export, arguments or "", routed)
    return _serve(source, skill, port, not no_open, routed)


def _source_and_skill(question: SessionQuestion, path: str | None) -> tuple[CommandSource, Path | None]:
    """Return what is read, and the skill that is shown first, if the path names one."""
    from skilltool.explain.find_skill import skill_at

    given = question.given
    skill = None if path is None else skill_at(Path(path))
    if path is not None and skill is None and not os.path.isdir(path):
        raise SkilltoolError(f"{path}: no such directory")
    if skill is not None:
        if not skill.is_relative_to(os.path.abspath(given.top)):
            given = given._replace(project=skill.parent)
    elif path is not None and given.project is not None:
        raise click.UsageError("PATH and --project both name a project; use only one")
    elif path is not None:
        given = given._replace(project=Path(path))
    return CommandSource(given.top, question.runtimes, given, cache_directory(None)), skill


@contextmanager
def _worker(source: CommandSource) -> Iterator[Worker]:
    from skilltool.preview.worker import Where, Worker

    worker = Worker(Where(source, os.getcwd()))  # noqa: PTH109 - a text, sent to the process
    try:
        yield worker
    finally:
        worker.end()


def _export(source: CommandSource, file: Path, arguments: str, routed: Path | None) -> int:
    from skilltool.preview.export import exported
    from skilltool.preview.matrix import counted_rows
    from skilltool.preview.routing import read

    routing = None if routed is None else read(routed)
    with _worker(source) as worker:
        with progress.waiting("reading skills") as line:
            project = worker.refresh(line)
        with progress.shown("writing") as bar:
            document = exported(project, lambda name: worker.page(name, arguments), bar, routing)
    write_file(file, document.encode("utf-8", "replace"))
    for problem in project.problems:
        note(problem)
    inform(f"wrote {file}: {counted_rows(project)}, {round(len(document) / 1e3):,} kB")
    return 2 if project.problems else 0


def _serve(
    source: CommandSource, skill: Path | None, port: int | None, opens: bool, routed: Path | None
) -> int:
    serving = _serving()
    if routed is not None:
        from skilltool.preview.routing import read

        read(routed)
    where = serving.bound(port)
    with _worker(source) as worker, where:
        with progress.waiting("reading skills") as line:  # no thread draws it: a process can be forked
            project = worker.refresh(line)
        address = f"http://{serving.HOST}:{where.getsockname()[1]}"
        first = next((row.id for row in project.rows if Path(row.directory) == skill), None)
        address = f"{address}/skill/{first}" if first else f"{address}/"

        def began() -> None:
            inform(f"{_summary(project)}; see {address} (press Ctrl-C to stop)")
            if opens:
                import webbrowser

                webbrowser.open(address)

        watched = (list(source.watched()), list(source.watched_files()), source.cache)
        serving.serve(worker, project, where, watched, _report, began, routed)
    return 0


def _serving() -> Any:
    """Return the module that serves; raises `SkilltoolError` where its packages are not installed."""
    try:
        from skilltool.preview import serving
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "skilltool":
            raise
        raise SkilltoolError(
            f"the preview needs {error.name}; install it with: pip install 'skilltool[preview]', "
            "or write a file with --export FILE"
        ) from None
    return serving


def _report(project: Project | str) -> None:
    """Say on the terminal what was read after a change, or why it could not be."""
    if isinstance(project, str):
        note(project)
    else:
        inform(f"reloaded at {time.strftime('%H:%M:%S')}: {_summary(project)}")


def _summary(project: Project) -> str:
    from skilltool.preview.matrix import counted_rows

    return project.summary or counted_rows(project)


class CommandSource(NamedTuple):
    """The options of the command; what they stand for is read again each time."""

    top: Path
    ids: tuple[str, ...]
    given: SessionOptions
    cache: Path | None

    @property
    def project(self) -> Path:
        """The directory of the project, absolute."""
        return Path(os.path.abspath(self.top))

    def settings(self) -> Settings:
        """Return the settings of `lint` for the project."""
        from skilltool.lint import config, settings

        options = {"paths": (self.top,), "runtimes": self.ids, "allow-empty": True, "cache": self.cache}
        options["looks-up"] = self.given.project is None
        return settings.resolve(config.find(self.top), options)

    def runtimes(self) -> Sequence[Runtime]:
        """Return the runtimes that the command line or the configuration names."""
        return named_runtimes(self.ids) or configured_runtimes(self.top)

    def open(self, runtime: Runtime, setup: Setup | None) -> Session:
        """Open a session with the values of the options, which may be told of skills."""
        return session_opener(self.given)(runtime, setup)

    def command(self, name: str, runtime: str, arguments: str) -> str:
        """Return the `skilltool render` that prints the text of a skill, named by key or path."""
        words = ["skilltool", "render", name, "--runtime", runtime]
        if self.given.project is not None:
            words += ["--project", display_path(self.given.project)]
        if self.given.home is not None:
            words += ["--home", display_path(self.given.home)]
        for entry in self.given.roots:
            words += ["--root", entry]
        for entry in self.given.settings:
            words += ["--set", entry]
        words += [] if self.given.user_settings else ["--no-user-settings"]
        words += ["--args", arguments] if arguments else []
        return join(words)

    def watched(self) -> Iterator[Path]:
        """Yield the directories in which a change counts."""
        yield self.project
        yield from watched_directories(self.ids, self.given)

    def watched_files(self) -> Iterator[Path]:
        """Yield the files in which a change counts, too: our configuration, and the settings of clients."""
        return watched_files(self.given, self.watched())
