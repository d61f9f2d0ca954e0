"""Moving a new skill into place, so that a run that fails or is ended leaves what was there.

All work is done in a directory `.skilltool-PID-...` beside the target. With `force` the old skill is moved
into it, the new one out of it, and only then is it deleted. What a killed run leaves, the next clears up,
also above the root, where it lies if there was no root yet.
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
_RANDOM = "[a-z0-9_]{8}"  # what `tempfile.mkdtemp` puts behind a prefix
_LEVELS = 3  # from the deepest root of a runtime, `.kodelet/skills`, to the project


@contextmanager
def workshop(root: Path) -> Iterator[Path]:
    """Give an empty directory on the file system of `root`, which need not exist; delete it at the end.

    Raises `SkilltoolError` where none can be made.
    """
    above = [path for path in (root, *root.parents) if path.is_dir()]
    for place in above[:_LEVELS]:
        _clear_up(place)
    try:
        directory = Path(tempfile.mkdtemp(prefix=writing.temporary_prefix(), dir=above[0]))
    except OSError as error:
        raise SkilltoolError(f"{above[0]}: {error.strerror}") from None
    try:
        yield directory
    finally:
        _delete(directory)


def ensure_free(target: Path, force: bool) -> None:
    """Raise `SkilltoolError` if something stands where a new skill belongs, and must not be replaced."""
    if os.path.lexists(target) and not force:
        raise SkilltoolError(f"{target} exists; use --force to replace it, or another name")


def move(made: Path, target: Path, shop: Path, force: bool) -> None:
    """Move the directory `made`, which is in the workshop `shop`, to `target`; raises `SkilltoolError`.

    An existing target is replaced only with `force`, and comes back if the new one cannot be moved in.
    """
    ensure_free(target, force)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if not os.path.lexists(target):
            made.rename(target)
            return
        old = shop / _OLD / target.name
        old.parent.mkdir()
        target.rename(old)
        try:
            made.rename(target)
        except BaseException:
            if not os.path.lexists(target):
                old.rename(target)
            raise
    except OSError as error:
        raise SkilltoolError(f"{target}: {error.strerror}; nothing was changed") from None


def _clear_up(place: Path) -> None:
    """Remove what killed runs left in a directory; an old skill that is gone from it comes back."""
    for left in filter(Path.is_dir, writing.stale_temporaries(place, _RANDOM)):
        for old in (left / _OLD).glob("*"):
            if not os.path.lexists(place / old.name):
                old.rename(place / old.name)
        _delete(left)


def _delete(directory: Path) -> None:
    """Delete a directory of ours, also what lies in folders that nobody may write to."""
    for folder, folders, _files in os.walk(directory):
        for path in (Path(folder, each) for each in folders):
            if not path.is_symlink():
                path.chmod(0o700)
    shutil.rmtree(directory, ignore_errors=True)
