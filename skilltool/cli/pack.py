"""`skilltool pack`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from skilltool.cli.options import Choice
from skilltool.cli.output import note, write, write_file
from skilltool.cli.signals import ended_by_sigterm

if TYPE_CHECKING:
    from skilltool.report import Report

_EPILOG = """\b
Examples:
  skilltool pack skills/pdf-tools                 pdf-tools.skill, a zip archive
  skilltool pack skills/pdf-tools --format tar.gz
  skilltool pack --check pdf-tools.skill          what is in an archive of somebody else's

The archive is the same to the byte on every machine. What git ignores, histories, .env files and caches
are left out, and that is said. Exit status: 1 if the skill has an error, or an archive is not fit to be
unpacked.
"""


@click.command("pack", epilog=_EPILOG)
@click.argument("path", metavar="SKILL", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Default: NAME.FORMAT.")
@click.option(
    "--format", "kind", type=Choice(["skill", "zip", "tar.gz"]), help="Default: as FILE is called, or skill."
)
@click.option(
    "--runtime",
    "runtimes",
    multiple=True,
    metavar="ID",
    help="Lint for it; default: configured, or portable.",
)
@click.option("--check", is_flag=True, help="SKILL is an archive: look at it, and lint what is inside.")
def command(path: Path, output: Path | None, kind: str | None, runtimes: tuple[str, ...], check: bool) -> int:
    """Make one reproducible archive of one skill, or check one."""
    if check and (output or kind):
        raise click.UsageError("--check only looks: it takes neither --output nor --format")
    with ended_by_sigterm():
        return _check(path, runtimes) if check else _pack(path, output, kind, runtimes)


def _pack(path: Path, output: Path | None, kind: str | None, runtimes: tuple[str, ...]) -> int:
    from skilltool import pack
    from skilltool.errors import PathError

    directory = path.parent if path.is_file() else path
    if not (directory / "SKILL.md").exists():
        raise PathError(f"{path}: no skill, there is no SKILL.md in it")
    kind = kind or next((each for each in pack.FORMATS if str(output).endswith(f".{each}")), "skill")
    target = output or Path(f"{directory.resolve().name}.{kind}")
    if _is_file_of(target, directory):
        raise PathError(f"{target}: a file of the skill, which the archive would replace; name another")
    if _worst_is_error(_shown(_linted(directory, directory, runtimes))):
        note(f"{path} was not packed: it has errors")
        return 1
    contents = pack.collect(directory, target)
    raw = pack.build_archive(contents, kind)
    write_file(target, raw)
    for left in contents.excluded:
        note(f"left out: {left}")
    files = {entry.path: len(entry.content) for entry in contents.entries}
    write(_summary(target, f"{contents.name}, {_count(files)}, {len(raw):,} bytes", files, raw))
    return 0


def _is_file_of(target: Path, directory: Path) -> bool:
    """Return whether the archive would replace a file of the skill that is no archive of an earlier run."""
    if not (target.is_file() and target.resolve().is_relative_to(directory.resolve())):
        return False
    with target.open("rb") as file:
        return not file.read(4).startswith((b"PK\3\4", b"\x1f\x8b"))


def _check(archive: Path, runtimes: tuple[str, ...]) -> int:
    from skilltool import pack
    from skilltool.pack.unpacking import InvalidArchiveError

    try:
        with pack.unpacked(archive) as found:
            report = _linted(found.directory, Path(), runtimes)
            name = found.directory.name
    except InvalidArchiveError as error:
        note(str(error))
        return 1
    inside = [each._replace(path=f"{name}/SKILL.md") for each in report.diagnostics]
    _shown(report._replace(diagnostics=inside))
    what = f"{name}, {_count(found.files)}, {found.size:,} bytes unpacked"
    write(_summary(archive, what, found.files, archive.read_bytes()))
    return int(_worst_is_error(report))


def _count(files: dict[str, int]) -> str:
    from skilltool.lint.result import count_of

    return count_of(len(files), "file")


def _summary(archive: Path, what: str, files: dict[str, int], raw: bytes) -> str:
    """Return what is said of an archive: what it holds, each file with its size, and its sum."""
    import hashlib

    from skilltool.report.printable import printable

    lines = [f"{printable(str(archive))}  {printable(what)}"]
    lines += [f"  {printable(name)}  {size:,} bytes" for name, size in files.items()]
    return "\n".join([*lines, f"sha256 {hashlib.sha256(raw).hexdigest()}", ""])


def _linted(directory: Path, start: Path, runtimes: tuple[str, ...]) -> Report:
    """Lint one skill, with the configuration that is nearest to `start`."""
    from skilltool.lint.config import find
    from skilltool.lint.run import check_one
    from skilltool.lint.settings import resolve

    return check_one(directory, resolve(find(start), {"runtimes": list(runtimes)} if runtimes else {}))


def _shown(made: Report) -> Report:
    """Print what was found on standard error, and return it."""
    from skilltool import report

    if made.diagnostics:
        click.echo(report.render(made, "concise"), nl=False, err=True)
    return made


def _worst_is_error(made: Report) -> bool:
    from skilltool.findings.finding import Severity

    return made.worst is Severity.ERROR
