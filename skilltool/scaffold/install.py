"""Moves a new skill into place, so that a run that fails or is killed leaves the old one intact.

All work is done in a staging directory `.skilltool-PID-...` next to the target. With `force` the old skill is
moved into it, the new one out of it, and only then is it deleted. The next run recovers what a killed run
left, also above the root, where the staging directory is if the root did not exist.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from skilltool.errors import SkilltoolError
from skilltool.files import writing

_OLD = "old"
_RANDOM = "[a-z0-9_]{8}"  # what `tempfile.mkdtemp` appends to a prefix
_LEVELS = 3  # from the deepest root of a runtime, `.kodelet/skills`, to the project


@contextmanager
def staging_directory(root: Path) -> Iterator[Path]:
    """Create an empty directory on the file system of `root`, which need not exist; delete it at the end.

    Raises `SkilltoolError` if it cannot be created.
    """
    existing = [path for path in (root, *root.parents) if path.is_dir()]
    for directory in existing[:_LEVELS]:
        _recover(directory)
    try:
        staging = Path(tempfile.mkdtemp(prefix=writing.temporary_prefix(), dir=existing[0]))
    except OSError as error:
        raise SkilltoolError(f"{existing[0]}: {error.strerror}") from None
    try:
        yield staging
    finally:
        _delete(staging)


def ensure_free(target: Path, force: bool) -> None:
    """Raise `SkilltoolError` if the target exists and must not be replaced."""
    if os.path.lexists(target) and not force:
        raise SkilltoolError(f"{target} already exists; use --force to replace it, or choose another name")


def install(rendered: Path, target: Path, staging: Path, force: bool) -> None:
    """Move the directory `rendered` from the staging directory to `target`; raises `SkilltoolError`.

    An existing target is replaced only with `force`, and is restored if the new one cannot be moved in.
    """
    ensure_free(target, force)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if not os.path.lexists(target):
            rendered.rename(target)
            return
        old = staging / _OLD / target.name
        old.parent.mkdir()
        target.rename(old)
        try:
            rendered.rename(target)
        except BaseException:
            if not os.path.lexists(target):
                old.rename(target)
            raise
    except OSError as error:
        raise SkilltoolError(f"{target}: {error.strerror}; nothing was changed") from None


def _recover(directory: Path) -> None:
    """Delete the staging directories of killed runs, after restoring the old skills that are missing."""
    for staging in filter(Path.is_dir, writing.stale_temporaries(directory, _RANDOM)):
        for old in (staging / _OLD).glob("*"):
            if not os.path.lexists(directory / old.name):
                old.rename(directory / old.name)
        _delete(staging)


def _delete(directory: Path) -> None:
    """Delete a staging directory, with folders in it that are not writable."""
    for folder, folders, _files in os.walk(directory):
        for path in (Path(folder, each) for each in folders):
            if not path.is_symlink():
                path.chmod(0o700)
    shutil.rmtree(directory, ignore_errors=True)
