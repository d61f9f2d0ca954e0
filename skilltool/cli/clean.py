"""`skilltool clean`."""

from __future__ import annotations

from pathlib import Path

import click

from skilltool.cli.options import cache_dir_option, cache_directory
from skilltool.cli.output import write
from skilltool.errors import PathError

_EPILOG = """\b
Examples:
  skilltool clean                         what earlier runs have kept for this user
  skilltool clean --cache-dir .cache      of runs with that option

Only results are kept, and each is used only while a skill is what it was: nothing
but time is lost.
"""


@click.command("clean", epilog=_EPILOG)
@cache_dir_option
def command(cache_dir: Path | None) -> int:
    """Delete the results that earlier runs have kept."""
    from skilltool.lint.cache import store

    folder = cache_directory(cache_dir)
    try:
        size = store.remove(folder)
    except OSError as error:
        raise PathError(f"{error.filename}: {error.strerror}") from None
    write(f"{folder}: {size:,} bytes deleted\n" if size else f"{folder}: nothing to delete\n")
    return 0
