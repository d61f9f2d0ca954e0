"""Results by content: a skill that has not changed since an earlier run is not checked again.

What a result depends on is written down while the rules look at a skill: its names, the files that were
read, paths above it that were looked for, and of the program the settings, the rules and the libraries.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from skilltool.lint.cache import snapshots
from skilltool.lint.cache.rows import Row, dumps, loads
from skilltool.lint.cache.snapshots import Snapshot, snapshot
from skilltool.lint.settings import Settings
from skilltool.rules.records import CheckedSkill

if TYPE_CHECKING:
    from skilltool.lint.cache.store import Store
    from skilltool.skill.model import Skill

__all__ = ["Kept", "opened", "row", "snapshot"]


def row(directory: Path, skill: Skill, checked: CheckedSkill, before: Snapshot) -> Row | None:
    """Return what to keep of a skill that has been checked since `before`; None where that is not safe."""
    looked = skill.dependencies
    if looked.unbounded or skill.unreadable is not None:
        return None
    files = [skill.file_name, *looked.files]
    if looked.everything:
        names = os.fsdecode(before.names).split("\0")
        files = [name for name in names if not name.endswith("/")]
    content = snapshots.content(directory, before.names, set(files))
    if content is None or snapshot(directory) != before:  # it was changed while it was checked
        return None
    asked = json.dumps([sorted(set(files)), looked.above])
    return Row(b"" if before.fresh else before.stat, content, asked, dumps(checked, skill.file_name))


class Kept:
    """The results of earlier runs with the same settings."""

    def __init__(self, store: Store) -> None:
        """Take an open store."""
        self._store = store

    @property
    def holds_any(self) -> bool:
        """Whether asking for a skill can have an answer."""
        return self._store.holds_any

    def get(self, directory: Path) -> CheckedSkill | None:
        """Return what was found in a skill (absolute path) when it was what it is now, else None."""
        kept = self._store.get(directory)
        now = snapshot(directory) if kept else None
        if kept is None or now is None:
            return None
        try:
            files, above = json.loads(kept.looked)
            if not snapshots.still_so(above):
                return None
            if not kept.stat or kept.stat != now.stat:
                if snapshots.content(directory, now.names, files) != kept.content:
                    return None
                if not now.fresh:
                    self.put(directory, kept._replace(stat=now.stat))
            return loads(kept.result, directory)
        except (ValueError, TypeError, AttributeError):  # a row that somebody else wrote
            return None

    def put(self, directory: Path, row: Row) -> None:
        """Keep a row for a skill."""
        self._store.put(directory, row)


@contextmanager
def opened(folder: Path, settings: Settings) -> Iterator[Kept]:
    """Open the cache in a folder for these settings; what goes wrong with it is no matter of the run's."""
    from skilltool.lint.cache.store import Store

    store = Store(folder, (settings.rules, settings.runtimes))
    try:
        yield Kept(store)
    finally:
        store.close()
