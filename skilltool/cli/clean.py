"""`skilltool clean`."""

from __future__ import annotations

from pathlib import Path

import click

from skilltool.cli.help import Command, option
from skilltool.cli.options import cache_directory, quiet_option
from skilltool.cli.output import write_summary
from skilltool.errors import PathError

_EPILOG = """\b
Examples:
  skilltool clean                         delete the user's cache
  skilltool clean --cache-dir .cache      delete a cache elsewhere

The cache contains the results of `skilltool lint` and the answers that `skilltool route` got from models.
The next run then checks every skill and sends every request again.
"""


@click.command("clean", cls=Command, epilog=_EPILOG)
@option(
    "Cache and processes",
    "--cache-dir",
    type=click.Path(path_type=Path),
    envvar="SKILLTOOL_CACHE_DIR",
    metavar="DIR",
    help="Delete this cache directory instead of the user's.",
)
@quiet_option
def command(cache_dir: Path | None) -> int:
    """Delete the cached results of earlier runs of `lint` and `route --model`."""
    from skilltool.lint.cache import store
    from skilltool.route import answers

    folder = cache_directory(cache_dir)
    if folder is None:
        write_summary(["there is no home directory, so there is no cache"])
        return 0
    try:
        size = store.remove(folder) + answers.remove(folder)
    except OSError as error:
        raise PathError(f"{error.filename}: {error.strerror}") from None
    write_summary([f"{folder}: {f'{size:,} bytes deleted' if size else 'nothing to delete'}"])
    return 0
