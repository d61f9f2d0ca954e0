"""`skilltool pack`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from skilltool.cli import completing
from skilltool.cli.help import Command, option
from skilltool.cli.options import Choice, quiet_option, split_at_commas, time_limit_option
from skilltool.cli.output import inform, note, write_error, write_file, write_summary
from skilltool.cli.signals import ended_by_sigterm
from skilltool.cli.uploading import fits
from skilltool.pack.index import PLACE as WELL_KNOWN
from skilltool.pack.uploads import packed, uploads

if TYPE_CHECKING:
    from skilltool.pack.contents import Contents
    from skilltool.pack.uploads import Upload
    from skilltool.report import Report

_EPILOG = """\b
Examples:
  skilltool pack skills/pdf-tools         write pdf-tools.skill
  skilltool pack skills/pdf-tools --format tar.gz
  skilltool pack --check pdf-tools.skill  list, check and lint an archive
  skilltool pack --upload claude.ai skills/pdf-tools
  skilltool pack --index public skills/pdf-tools

The archive is byte for byte the same on every machine. Files that git ignores, version control directories,
.env files and caches are left out and reported. The exit status is 1 if the skill has an error, or if an
archive is not safe to unpack, has a file that pack leaves out or refuses, or exceeds a limit.
With --upload this includes the known limits of that place, with --index what a server's index says of it.
"""


@click.command("pack", cls=Command, epilog=_EPILOG)
@click.argument(
    "path",
    metavar="SKILL",
    type=click.Path(path_type=Path),
    shell_complete=completing.skill_directories,
)
@option(
    "Output",
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The archive to write. [default: NAME.FORMAT]",
)
@option(
    "Output",
    "--format",
    "kind",
    type=Choice(["skill", "zip", "tar.gz"]),
    metavar="FORMAT",
    help="Format of the archive; skill is a zip. [default: from the name of FILE, else skill]",
)
@option(
    "Runtime",
    "--runtime",
    "runtimes",
    multiple=True,
    callback=split_at_commas,
    metavar="IDS",
    shell_complete=completing.runtimes,
    help="Lint for these runtimes, separated by commas. [default: the configured ones, else auto]",
)
@option(
    "Output",
    "--upload",
    "place",
    type=Choice(sorted(uploads())),
    metavar="PLACE",
    help="Pack as this place takes it, and check its limits.",
)
@option(
    "Output",
    "--index",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write the archive to .well-known/agent-skills in DIR, and its entry to the index there; with "
    "--check, compare the archive with its entry.",
)
@option("Output", "--check", is_flag=True, help="Check the archive SKILL instead of writing one.")
@time_limit_option
@quiet_option
def command(
    path: Path,
    output: Path | None,
    kind: str | None,
    runtimes: tuple[str, ...],
    place: str | None,
    index: Path | None,
    check: bool,
) -> int:
    """Lint the skill in the directory SKILL and build an archive of it, or check an archive."""
    if check and (output or kind):
        raise click.UsageError("--check cannot be used together with --output or --format")
    if index and (output or place not in {None, WELL_KNOWN}):
        raise click.UsageError("--index names the archive and its layout, instead of --output and --upload")
    there = uploads()[WELL_KNOWN] if index else uploads()[place] if place else None
    with ended_by_sigterm():
        if not check:
            return _pack(path, output, kind, runtimes, there, index)
        if there is not None and path.is_dir():
            return _check_directory(path, runtimes, there)
        return _check(path, runtimes, there, index)


def _pack(
    path: Path,
    output: Path | None,
    kind: str | None,
    runtimes: tuple[str, ...],
    place: Upload | None,
    index: Path | None,
) -> int:
    from skilltool import pack
    from skilltool.cli.indexing import publish
    from skilltool.cli.pack_target import archive_of, skill_directory
    from skilltool.pack.index import folder_of

    directory = skill_directory(path)
    target, kind = archive_of(directory, output, kind, place)
    target = folder_of(index) / target.name if index else target
    if _has_error(_print_findings(_lint(directory, directory, runtimes))):
        note(f"{path} was not packed: the skill has errors")
        return 1
    contents = pack.collect(directory, target)
    raw = pack.build_archive(contents, kind, place is None or place.in_folder)
    if place is not None and not fits(place, directory, contents.sizes, len(raw), place.in_folder):
        note(f"{path} was not packed: {place.name} does not take it")
        return 1
    if index is None:
        write_file(target, raw)
    else:
        publish(index, target, raw, packed(directory, contents.sizes, len(raw), in_folder=False))
    _describe(target, contents, raw)
    return 0


def _check_directory(path: Path, runtimes: tuple[str, ...], place: Upload) -> int:
    """Check what would be packed for a place, and write nothing."""
    from skilltool import pack
    from skilltool.cli.pack_target import archive_of, skill_directory

    directory = skill_directory(path)
    target, kind = archive_of(directory, None, None, place)
    report = _print_findings(_lint(directory, directory, runtimes))
    contents = pack.collect(directory, target)
    raw = pack.build_archive(contents, kind, place.in_folder)
    fit = fits(place, directory, contents.sizes, len(raw), place.in_folder)
    _describe(path, contents, raw)
    return int(_has_error(report) or not fit)


def _describe(where: Path, contents: Contents, raw: bytes) -> None:
    """Say what was left out, and print the summary of an archive."""
    from hashlib import sha256

    if contents.note is not None:
        note(contents.note)
    for excluded in contents.excluded:
        inform(f"left out: {excluded}")
    files = contents.sizes
    what = f"{contents.name}, {_count(files)}, {len(raw):,} bytes"
    write_summary(_summary(where, what, files, sha256(raw).hexdigest()))


def _check(archive: Path, runtimes: tuple[str, ...], place: Upload | None, index: Path | None) -> int:
    from skilltool import pack
    from skilltool.cli.indexing import is_as_indexed
    from skilltool.pack.tally import InvalidArchiveError

    try:
        with pack.unpacked(archive, at_root=place is not None) as found:
            report = _lint(found.directory, Path(), runtimes)
            name = found.directory.name
            size = archive.stat().st_size
            fit = place is None or fits(place, found.directory, found.files, size, found.in_folder)
            if index is not None:
                inside = packed(found.directory, found.files, size, found.in_folder)
                fit = is_as_indexed(index, archive, f"sha256:{found.sha256}", inside) and fit
    except InvalidArchiveError as error:
        note(str(error))
        return 1
    where = f"{name}/SKILL.md" if found.in_folder else "SKILL.md"
    diagnostics = [each._replace(path=where) for each in report.diagnostics]
    _print_findings(report._replace(diagnostics=diagnostics))
    what = f"{name}, {_count(found.files)}, {found.size:,} bytes unpacked"
    write_summary(_summary(archive, what, found.files, found.sha256))
    return int(_has_error(report) or not fit)


def _count(files: dict[str, int]) -> str:
    from skilltool.lint.result import count_of

    return count_of(len(files), "file")


def _summary(archive: Path, what: str, files: dict[str, int], checksum: str) -> list[str]:
    """Return the lines that describe an archive: its contents, the size of each file, and its checksum."""
    lines = [f"  {name}  {size:,} bytes" for name, size in files.items()]
    return [f"{archive}  {what}", *lines, f"sha256 {checksum}"]


def _lint(directory: Path, start: Path, runtimes: tuple[str, ...]) -> Report:
    """Lint one skill with the nearest configuration at or above `start`."""
    from skilltool.lint.check_alone import check_one
    from skilltool.lint.config import find
    from skilltool.lint.settings import resolve

    return check_one(directory, resolve(find(start), {"runtimes": list(runtimes)} if runtimes else {}))


def _print_findings(made: Report) -> Report:
    """Print the findings of a report to standard error, and return the report."""
    from skilltool import report

    if made.diagnostics:
        write_error(report.render(made, "concise"))
    return made


def _has_error(made: Report) -> bool:
    from skilltool.findings.finding import Severity

    return made.worst is Severity.ERROR
