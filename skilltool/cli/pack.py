"""`skilltool pack`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from skilltool.cli.options import Choice
from skilltool.cli.output import note, write, write_file

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
@click.option("--format", "kind", type=Choice(["skill", "zip", "tar.gz"]), default="skill", show_default=True)
@click.option("--runtime", "runtimes", multiple=True, metavar="ID", help="Lint for it; default: portable.")
@click.option("--check", is_flag=True, help="SKILL is an archive: look at it, and lint what is inside.")
def command(path: Path, output: Path | None, kind: str, runtimes: tuple[str, ...], check: bool) -> int:
    """Make one reproducible archive of one skill, or check one."""
    return _check(path, runtimes) if check else _pack(path, output, kind, runtimes)


def _pack(path: Path, output: Path | None, kind: str, runtimes: tuple[str, ...]) -> int:
    import hashlib

    from skilltool import pack
    from skilltool.errors import PathError
    from skilltool.report.base import counted
    from skilltool.report.printable import printable

    directory = path.parent if path.is_file() else path
    if not (directory / "SKILL.md").exists():
        raise PathError(f"{path}: no skill, there is no SKILL.md in it")
    if _worst_is_error(_linted(directory, runtimes)):
        note(f"{path} was not packed: it has errors")
        return 1
    contents = pack.collected(directory)
    raw = pack.written(contents, kind)
    target = output or Path(f"{contents.name}.{kind}")
    write_file(target, raw)
    for left in contents.left_out:
        note(f"left out: {left}")
    what = f"{contents.name}, {counted(len(contents.entries), 'file')}, {len(raw):,} bytes"
    lines = [f"{printable(str(target))}  {what}"]
    lines += [f"  {printable(entry.path)}  {len(entry.content):,} bytes" for entry in contents.entries]
    lines += [f"sha256 {hashlib.sha256(raw).hexdigest()}"]
    write("\n".join(lines) + "\n")
    return 0


def _check(archive: Path, runtimes: tuple[str, ...]) -> int:
    import hashlib

    from skilltool import pack
    from skilltool.pack.checking import UnfitError
    from skilltool.report.base import counted
    from skilltool.report.printable import printable

    try:
        with pack.inside(archive) as found:
            report = _linted(found.directory, runtimes)
            name = found.directory.name
    except UnfitError as error:
        note(str(error))
        return 1
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    what = f"{printable(name)}, {counted(found.files, 'file')}, {found.size:,} bytes unpacked"
    write(f"{printable(str(archive))}  {what}\n")
    write(f"sha256 {digest}\n")
    return int(_worst_is_error(report))


def _linted(directory: Path, runtimes: tuple[str, ...]) -> Report:
    """Lint one skill and print what is found on standard error, by paths inside the skill."""
    from skilltool import report
    from skilltool.check import check_directory
    from skilltool.config import Config
    from skilltool.settings import resolve

    chosen = resolve(Config(), {"runtimes": list(runtimes)} if runtimes else {})
    checked = check_directory(directory.resolve(), chosen)
    name = directory.resolve().name
    found = [each._replace(path=f"{name}/{each.path.rpartition('/')[2]}") for each in checked.diagnostics]
    made = report.Report(sorted(found, key=lambda each: each.order), 1, chosen.runtimes)
    if found:
        click.echo(report.render(made, "concise"), nl=False, err=True)
    return made


def _worst_is_error(made: Report) -> bool:
    from skilltool.diagnostic import Severity

    return made.worst is Severity.ERROR
