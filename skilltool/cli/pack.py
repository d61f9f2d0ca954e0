"""`skilltool pack`."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

from skilltool.cli import completing
from skilltool.cli.help import Command, option
from skilltool.cli.options import Choice, quiet_option, split_at_commas
from skilltool.cli.output import inform, note, write_error, write_file, write_summary
from skilltool.cli.signals import ended_by_sigterm

if TYPE_CHECKING:
    from skilltool.report import Report

_EPILOG = """\b
Examples:
  skilltool pack skills/pdf-tools         write pdf-tools.skill
  skilltool pack skills/pdf-tools --format tar.gz
  skilltool pack --check pdf-tools.skill  list, check and lint an archive

The archive is byte for byte the same on every machine. Files that git ignores, version control directories,
.env files and caches are left out and reported. The exit status is 1 if the skill has an error, or if an
archive is not safe to unpack, has a file that pack leaves out or refuses, or exceeds a limit.
"""


@click.command("pack", cls=Command, epilog=_EPILOG)
@click.argument(
    "path",
    metavar="SKILL",
    type=click.Path(path_type=Path),
    shell_complete=completing.skill_directories,
)
@click.option(
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
@click.option(
    "--runtime",
    "runtimes",
    multiple=True,
    callback=split_at_commas,
    metavar="IDS",
    shell_complete=completing.runtimes,
    help="Lint for these runtimes, separated by commas. [default: the configured ones, else auto]",
)
@click.option("--check", is_flag=True, help="Check the archive SKILL instead of writing one.")
@quiet_option
def command(path: Path, output: Path | None, kind: str | None, runtimes: tuple[str, ...], check: bool) -> int:
    """Lint the skill in the directory SKILL and build an archive of it, or check an archive."""
    if check and (output or kind):
        raise click.UsageError("--check cannot be used together with --output or --format")
    with ended_by_sigterm():
        return _check(path, runtimes) if check else _pack(path, output, kind, runtimes)


def _pack(path: Path, output: Path | None, kind: str | None, runtimes: tuple[str, ...]) -> int:
    from hashlib import sha256

    from skilltool import pack
    from skilltool.errors import PathError

    directory = path.parent if path.is_file() else path
    if not path.exists():
        raise PathError(f"{path}: no such file or directory{_alike(path)}")
    if not (directory / "SKILL.md").exists():
        raise PathError(f"{path}: not a skill directory, it contains no SKILL.md{_inside(directory)}")
    target = output or Path(f"{directory.resolve().name}.{kind or 'skill'}")
    if _is_file_of(target, directory):
        raise PathError(f"{target}: the archive would replace a file of the skill; choose another name")
    kind = kind or _kind_of(output)
    if _has_error(_print_findings(_lint(directory, directory, runtimes))):
        note(f"{path} was not packed: the skill has errors")
        return 1
    contents = pack.collect(directory, target)
    raw = pack.build_archive(contents, kind)
    write_file(target, raw)
    if contents.note is not None:
        note(contents.note)
    for excluded in contents.excluded:
        inform(f"left out: {excluded}")
    files = {entry.path: len(entry.content) for entry in contents.entries}
    what = f"{contents.name}, {_count(files)}, {len(raw):,} bytes"
    write_summary(_summary(target, what, files, sha256(raw).hexdigest()))
    return 0


def _alike(path: Path) -> str:
    """Return a hint that names the skills below this directory whose names are like a path's, or no hint.

    A home directory, or one that contains it, is not searched.
    """
    from skilltool.errors import suggestions
    from skilltool.files.paths import display_path
    from skilltool.runtimes.home import user_home
    from skilltool.skill.discovery import discover

    if user_home().is_relative_to(Path.cwd()):
        return ""
    skills = {skill.name: skill for skill in discover([Path()]).skills}
    found = [quote(display_path(skills[name])) for name in suggestions(path.name, skills)]
    return f"; did you mean {' or '.join(found)}?" if found else ""


def _inside(directory: Path) -> str:
    """Return a hint that names a skill below a directory that is none, or how to find skills."""
    from skilltool.files.paths import display_path
    from skilltool.skill.discovery import discover

    found = [display_path(skill) for skill in discover([directory]).skills]
    if not found:
        return "; name a directory that does (`skilltool new` creates one)"
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    return f"; did you mean `skilltool pack {quote(found[0])}`{more}?"


def _kind_of(output: Path | None) -> str:
    """Return the format of the archive's name; raises `UsageError` for the ending of another format."""
    from skilltool.pack import FORMATS

    if output is None or not output.suffix:
        return "skill"
    kind = next((each for each in FORMATS if output.name.endswith(f".{each}")), None)
    if kind is None:
        endings = ", ".join(f".{each}" for each in FORMATS)
        raise click.UsageError(
            f"--output {output}: no format of skilltool has this ending; use one of {endings}, or --format"
        )
    return kind


def _is_file_of(target: Path, directory: Path) -> bool:
    """Return whether `target` is a file of the skill, other than an archive (of an earlier run)."""
    if not (target.is_file() and target.resolve().is_relative_to(directory.resolve())):
        return False
    with target.open("rb") as file:
        return not file.read(4).startswith((b"PK\3\4", b"\x1f\x8b"))


def _check(archive: Path, runtimes: tuple[str, ...]) -> int:
    from skilltool import pack
    from skilltool.pack.tally import InvalidArchiveError

    try:
        with pack.unpacked(archive) as found:
            report = _lint(found.directory, Path(), runtimes)
            name = found.directory.name
    except InvalidArchiveError as error:
        note(str(error))
        return 1
    inside = [each._replace(path=f"{name}/SKILL.md") for each in report.diagnostics]
    _print_findings(report._replace(diagnostics=inside))
    what = f"{name}, {_count(found.files)}, {found.size:,} bytes unpacked"
    write_summary(_summary(archive, what, found.files, found.sha256))
    return int(_has_error(report))


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
