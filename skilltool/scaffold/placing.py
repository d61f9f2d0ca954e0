"""Moving a new skill into place, so that a run that fails or is ended leaves what was there.

All work is done in a directory `.skilltool-PID-...` beside the target. With `force` the old skill is moved
into it, the new one out of it, and only then is it deleted. What a killed run leaves, the next clears up.
"""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from skilltool import writing
from skilltool.errors import SkilltoolError

_OLD = "old"


@contextmanager
def workshop(root: Path) -> Iterator[Path]:
    """Give an empty directory on the file system of `root`, which need not exist; delete it at the end.

    A SIGTERM meanwhile ends the program as an interrupt does, so that nothing is left behind.
    """
    place = next(path for path in (root, *root.parents) if path.is_dir())
    _clear_up(place)
    try:
        directory = Path(tempfile.mkdtemp(prefix=writing.own_prefix(), dir=place))
    except OSError as error:
        raise SkilltoolError(f"{place}: {error.strerror}") from None
    before = signal.signal(signal.SIGTERM, _interrupted)
    try:
        yield directory
    finally:
        shutil.rmtree(directory, ignore_errors=True)
        signal.signal(signal.SIGTERM, before)


def _interrupted(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def move(made: Path, target: Path, shop: Path, force: bool) -> None:
    """Move the directory `made`, which is in the workshop `shop`, to `target`; raises `SkilltoolError`.

    An existing target is replaced only with `force`, and comes back if the new one cannot be moved in.
    """
    if os.path.lexists(target) and not force:
        raise SkilltoolError(f"{target} exists; use --force to replace it, or another name")
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
    for left in filter(Path.is_dir, writing.leftovers(place)):
        for old in (left / _OLD).glob("*"):
            if not os.path.lexists(place / old.name):
                old.rename(place / old.name)
        shutil.rmtree(left, ignore_errors=True)
