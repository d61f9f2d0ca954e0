"""`skilltool pack`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

from skilltool.cli.completion import complete_skill_directories
from skilltool.cli.help import Command, option
from skilltool.cli.options import Choice, quiet_option, runtimes_option, time_limit_option
from skilltool.cli.output import inform, note, write_error, write_file, write_summary
from skilltool.cli.signals import ended_by_sigterm
from skilltool.errors import PathError
from skilltool.files.one_run import one_run
from skilltool.pack.index import PLACE as WELL_KNOWN
from skilltool.pack.index import entries_of, entry_for, file_of, folder_of, mismatches, with_entry
from skilltool.pack.uploads import Packed, Upload, excesses, packed, uploads
from skilltool.skill.skill_file import FILE_NAME

if TYPE_CHECKING:
    from skilltool.pack.contents import Contents
    from skilltool.report import Report

_EPILOG = """\b
Examples:
  skilltool pack skills/pdf-tools         write pdf-tools.skill
  skilltool pack skills/pdf-tools --format tar.gz
  skilltool pack --check pdf-tools.skill  list, check and lint an archive
  skilltool pack --upload claude.ai skills/pdf-tools
  skilltool pack --index public skills/pdf-tools
  skilltool pack --mcp acme skills/pdf-tools    write the entry that an MCP server needs

The archive is byte-for-byte identical on every machine. Files that git ignores, version control directories,
.env files and caches are left out and reported. The exit status is 1 if the skill has an error, or if an
archive is not safe to unpack, contains a file that pack would leave out or reject, or exceeds a limit.
--upload also checks the known limits of an upload service, and --index checks the entry in the server's
index.
"""


@click.command("pack", cls=Command, epilog=_EPILOG)
@click.argument(
    "path",
    metavar="SKILL",
    type=click.Path(path_type=Path),
    shell_complete=complete_skill_directories,
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
    help="Archive format; `skill` is a zip file. [default: from the extension of FILE, else skill]",
)
@runtimes_option(
    "Lint for these runtimes (comma-separated). [default: the configured runtimes, else auto]", "Runtime"
)
@option(
    "Output",
    "--upload",
    "place",
    type=Choice(sorted(uploads())),
    metavar="SERVICE",
    help="Pack for this upload service and check its limits.",
)
@option(
    "Output",
    "--index",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write the archive and its index entry to .well-known/agent-skills in DIR. With --check: compare "
    "the archive with its entry in the index.",
)
@option(
    "Output",
    "--mcp",
    "server",
    metavar="PATH",
    help="Instead of an archive, write NAME.mcp.json: the entry that an MCP server needs to offer the skill "
    "as skill://PATH/NAME (SEP-2640). With --check: only check the skill.",
)
@option("Output", "--check", is_flag=True, help="Treat SKILL as an archive: check it and write nothing.")
@time_limit_option
@quiet_option
@one_run()
def command(
    path: Path,
    output: Path | None,
    kind: str | None,
    runtimes: tuple[str, ...],
    place: str | None,
    index: Path | None,
    server: str | None,
    check: bool,
) -> int:
    """Lint the skill in the directory SKILL and pack it into an archive, or check an archive."""
    if check and (output or kind):
        raise click.UsageError("--check cannot be used together with --output or --format")
    if index and (output or place not in {None, WELL_KNOWN}):
        raise click.UsageError("--index cannot be used together with --output or --upload")
    if server is not None:
        if index or place or kind:
            raise click.UsageError("--mcp cannot be used together with --index, --upload or --format")
        with ended_by_sigterm():
            return _pack_for_server(path, output, runtimes, server, check)
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

    directory = _skill_directory(path)
    target, kind = _archive_of(directory, output, kind, place)
    target = folder_of(index) / target.name if index else target
    if _has_error(_print_findings(_lint(directory, directory, runtimes))):
        note(f"{path} was not packed: the skill has errors")
        return 1
    contents = pack.collect(directory, target)
    raw = pack.build_archive(contents, kind, place is None or place.in_folder)
    if place is not None and not _fits(place, directory, contents.sizes, len(raw), place.in_folder):
        note(f"{path} was not packed: {place.name} does not accept it")
        return 1
    if index is None:
        write_file(target, raw)
    else:
        _publish(index, target, raw, packed(directory, contents.sizes, len(raw), in_folder=False))
    _describe(target, contents, raw)
    return 0


def _pack_for_server(
    path: Path, output: Path | None, runtimes: tuple[str, ...], server: str, check: bool
) -> int:
    """Write the entry of a skill for an MCP server, or only check it; 1 if a host would not take it."""
    from skilltool import pack
    from skilltool.pack import mcp

    directory = _skill_directory(path)
    target = output or Path(f"{directory.resolve().name}.mcp.json")
    if not check and _is_file_of(target, directory, mcp.START):
        raise PathError(f"{target}: would replace a file in the skill; choose a different name")
    contents = pack.collect(directory, target)
    found = mcp.problems(contents)
    for problem in found:
        note(problem)
    if found or _has_error(_print_findings(_lint(directory, directory, runtimes))):
        note(f"{path} was not packed: {'MCP hosts do not accept it' if found else 'the skill has errors'}")
        return 1
    _say_what_is_left_out(contents)
    made = mcp.entry(contents, server)
    if not check:
        write_file(target, mcp.text_of(made))
    where = path if check else target
    count = _count(contents.sizes)
    write_summary([f"{where}  {made['uri']}, {count}, {sum(contents.sizes.values()):,} bytes"])
    return 0


def _check_directory(path: Path, runtimes: tuple[str, ...], place: Upload) -> int:
    """Check what would be packed for a place, and write nothing."""
    from skilltool import pack

    directory = _skill_directory(path)
    target, kind = _archive_of(directory, None, None, place)
    report = _print_findings(_lint(directory, directory, runtimes))
    contents = pack.collect(directory, target)
    raw = pack.build_archive(contents, kind, place.in_folder)
    fit = _fits(place, directory, contents.sizes, len(raw), place.in_folder)
    _describe(path, contents, raw)
    return int(_has_error(report) or not fit)


def _describe(where: Path, contents: Contents, raw: bytes) -> None:
    """Say what was left out, and print the summary of an archive."""
    from hashlib import sha256

    _say_what_is_left_out(contents)
    files = contents.sizes
    what = f"{contents.name}, {_count(files)}, {len(raw):,} bytes"
    write_summary(_summary(where, what, files, sha256(raw).hexdigest()))


def _say_what_is_left_out(contents: Contents) -> None:
    if contents.note is not None:
        note(contents.note)
    for excluded in contents.excluded:
        inform(f"left out: {excluded}")


def _check(archive: Path, runtimes: tuple[str, ...], place: Upload | None, index: Path | None) -> int:
    from skilltool import pack
    from skilltool.pack.reading import InvalidArchiveError

    try:
        with pack.unpacked(archive, at_root=place is not None) as unpacked_skill:
            report = _lint(unpacked_skill.directory, Path(), runtimes)
            name = unpacked_skill.directory.name
            size = archive.stat().st_size
            fit = place is None or _fits(
                place, unpacked_skill.directory, unpacked_skill.files, size, unpacked_skill.in_folder
            )
            if index is not None:
                inside = packed(
                    unpacked_skill.directory, unpacked_skill.files, size, unpacked_skill.in_folder
                )
                fit = _is_as_indexed(index, archive, f"sha256:{unpacked_skill.sha256}", inside) and fit
    except InvalidArchiveError as error:
        note(str(error))
        return 1
    where = f"{name}/SKILL.md" if unpacked_skill.in_folder else "SKILL.md"
    diagnostics = [diagnostic._replace(path=where) for diagnostic in report.diagnostics]
    _print_findings(report._replace(diagnostics=diagnostics))
    what = f"{name}, {_count(unpacked_skill.files)}, {unpacked_skill.size:,} bytes unpacked"
    write_summary(_summary(archive, what, unpacked_skill.files, unpacked_skill.sha256))
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


def _skill_directory(path: Path) -> Path:
    """Return the directory of a skill, from a path to it or to its SKILL.md; raises `PathError`."""
    directory = path.parent if path.is_file() else path
    if not path.exists():
        raise PathError(f"{path}: no such file or directory{_did_you_mean(path)}")
    if path.is_file() and path.name.lower() != FILE_NAME.lower():
        raise PathError(f"{path}: is neither a skill directory nor a {FILE_NAME}{_meant_by(path)}")
    if not (directory / FILE_NAME).exists():
        raise PathError(
            f"{path}: not a skill directory: it contains no {FILE_NAME}{_skill_inside(directory)}"
        )
    return directory


def _archive_of(
    directory: Path, output: Path | None, kind: str | None, place: Upload | None
) -> tuple[Path, str]:
    """Return the archive to write and its format; `output` and `kind` are those of the options.

    Raises `UsageError` for a format that the place does not take, `PathError` for a file of the skill.
    """
    if output is not None:
        _refuse_file_of(directory, output)
    kind = kind or _kind_of(output) or (place.formats[0] if place else "skill")
    if place is not None and kind not in place.formats:
        raise click.UsageError(f"--upload {place.name} accepts {' or '.join(place.formats)}, not {kind}")
    target = output or Path(f"{directory.resolve().name}.{kind}")
    _refuse_file_of(directory, target)
    return target, kind


def _refuse_file_of(directory: Path, target: Path) -> None:
    if _is_file_of(target, directory):
        raise PathError(f"{target}: the archive would replace a file in the skill; choose a different name")


def _did_you_mean(path: Path) -> str:
    """Return a hint that names the skills under this directory whose names are like a path's, or no hint.

    A home directory, or one that contains it, is not searched.
    """
    from skilltool.errors import suggestions
    from skilltool.files.paths import display_path
    from skilltool.runtimes.home import holds_home
    from skilltool.skill.discovery import discover

    if holds_home(Path.cwd()):
        return ""
    skills = {skill.name: skill for skill in discover([Path()]).skills}
    found = [quote(display_path(skills[name])) for name in suggestions(path.name, skills)]
    return f"; did you mean {' or '.join(found)}?" if found else ""


def _meant_by(file: Path) -> str:
    """Return a hint for what `pack` itself writes, or no hint."""
    from skilltool.pack import mcp

    if _starts_with(file, _ARCHIVES):
        return f"; use `skilltool pack --check {quote(str(file))}` to check an archive"
    if _starts_with(file, (mcp.START,)):
        return ", but an entry for an MCP server; name the skill's directory instead"
    return ""


def _skill_inside(directory: Path) -> str:
    """Return a hint that names a skill under a directory that is none, or how to find skills."""
    from skilltool.files.paths import display_path
    from skilltool.skill.discovery import discover

    found = [display_path(skill) for skill in discover([directory]).skills]
    if not found:
        return "; name a directory that does (`skilltool new` creates one)"
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    return f"; did you mean `skilltool pack {quote(found[0])}`{more}?"


def _kind_of(output: Path | None) -> str | None:
    """Return the format by the ending of a name, if it has one; raises `UsageError` for another ending."""
    from skilltool.pack import FORMATS

    if output is None or not output.suffix:
        return None
    kind = next((each for each in FORMATS if output.name.endswith(f".{each}")), None)
    if kind is None:
        endings = ", ".join(f".{each}" for each in FORMATS)
        raise click.UsageError(
            f"--output {output}: unknown archive extension; use one of {endings}, or set --format"
        )
    return kind


_ARCHIVES = (b"PK\3\4", b"\x1f\x8b")


def _is_file_of(target: Path, directory: Path, *outputs: bytes) -> bool:
    """Return whether `target` is a file of the skill, other than an output of an earlier run.

    An output starts with one of the `outputs`, an archive unless any are given.
    """
    if not (target.is_file() and target.resolve().is_relative_to(directory.resolve())):
        return False
    return not _starts_with(target, outputs or _ARCHIVES)


def _starts_with(path: Path, starts: tuple[bytes, ...]) -> bool:
    with path.open("rb") as file:
        return file.read(max(map(len, starts))).startswith(starts)


def _fits(place: Upload, directory: Path, files: Mapping[str, int], size: int, in_folder: bool) -> bool:
    """Print what a place does not take of an archive, or that it takes it; return whether it does.

    `directory` is that of the skill, `files` has the size of each file, `size` is that of the archive.
    """
    found = excesses(place, packed(directory, files, size, in_folder))
    for said in found:
        note(said)
    if not found:
        inform(
            f"within the {len(place.limits)} known limits of {place.name} ({place.evidence}: {place.source})"
        )
    return not found


def _publish(top: Path, target: Path, raw: bytes, packed: Packed) -> None:
    """Write an archive and its entry in the index under `top`.

    Nothing is written if the index cannot be read or does not take the skill; raises `SkilltoolError`.
    """
    entry = entry_for(packed.name, packed.description, target.name, raw)
    text = with_entry(entries_of(top), entry)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PathError(f"{target.parent}: {error.strerror}") from None
    write_file(target, raw)
    write_file(file_of(top), text)


def _is_as_indexed(top: Path, archive: Path, digest: str, packed: Packed) -> bool:
    """Print how the entry of an archive in the index under `top` differs; return whether it does not."""
    found = mismatches(top, archive.name, digest, packed.name, packed.description)
    for said in found:
        note(said)
    return not found
