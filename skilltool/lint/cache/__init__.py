"""Has this skill changed since it was last checked? If not, its cached result is used.

While the rules check a skill, the dependencies of the result are recorded: the names in its directory, the
files that were read, the paths above it that were tested, and the settings of its project that a runtime
reads. Our own settings, rules and libraries count for all.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skilltool.findings.secrets import without_secrets
from skilltool.lint.cache import snapshots
from skilltool.lint.cache.snapshots import Snapshot, snapshot
from skilltool.lint.cache.store import Row, dumps, loads
from skilltool.lint.cache.tasks import KeptTask
from skilltool.lint.settings import Settings
from skilltool.lint.targets import cache_key
from skilltool.rules.records import CheckedSkill
from skilltool.skill.surroundings import state_below
from skilltool.skill.tree import bytes_of, digest_of

if TYPE_CHECKING:
    from skilltool.lint.cache.store import Store
    from skilltool.skill.model import Skill

__all__ = ["KeptTask", "ResultCache", "make_row", "open_cache", "snapshot"]


def make_row(
    directory: Path, skill: Skill, checked: CheckedSkill, before: Snapshot, audience: Sequence[str] = ()
) -> Row | None:
    """Return the row for a skill checked after the snapshot `before`; None if it must not be cached.

    `audience` says for whom it was checked, where that depends on where it lies.
    """
    read = skill.dependencies
    if read.unbounded or skill.unreadable is not None:
        return None
    files = [skill.file_name, *read.files]
    if read.everything:
        names = os.fsdecode(before.names).partition("\0\0")[0].split("\0")
        files = [name for name in names if not name.endswith("/")]
    digest = snapshots.content_digest(directory, before.names, set(files))
    if digest is None or before.differs_from(snapshot(directory)):  # the skill changed during the check
        return None
    below = [[*where, state] for where, state in read.below.items()]
    dependencies = json.dumps([sorted(set(files)), read.above, read.contents, below, list(audience)])
    if without_secrets(dependencies) != dependencies:  # a path that was tested has one
        return None
    signature = b"" if before.fresh else before.signature
    return Row(signature, digest, dependencies, dumps(checked, skill.file_name))


class ResultCache:
    """What earlier runs found with the same settings, and what one had no time to fix, by directory."""

    def __init__(self, store: Store, settings: Settings) -> None:
        """Take an open store, and the settings of the run."""
        self._store = store
        self._settings = settings
        self._digests: dict[str, str | None] = {}  # of files that many skills depend on

    @property
    def holds_any(self) -> bool:
        """Whether there is any result, so that looking one up is worthwhile."""
        return self._store.holds_any

    def get(self, directory: Path) -> CheckedSkill | None:
        """Return the result for a skill (absolute path), or None if there is none or it is out of date."""
        row = self._store.get(directory)
        now = snapshot(directory) if row else None
        if row is None or now is None:
            return None
        try:
            files, above, contents, below, audience = json.loads(row.dependencies)
            if audience != cache_key(self._settings, directory) or not snapshots.existence_unchanged(above):
                return None
            if not self._contents_unchanged(contents):
                return None
            if any(state_below(top, pattern) != state for top, pattern, state in below):
                return None
            if not row.signature or row.signature != now.signature:
                if snapshots.content_digest(directory, now.names, files) != row.digest:
                    return None
                if not now.fresh:
                    self.put(directory, row._replace(signature=now.signature))
            return loads(row.result, directory)
        except (ValueError, TypeError, AttributeError):  # a row that another program wrote
            return None

    def _contents_unchanged(self, contents: Mapping[str, str | None]) -> bool:
        """Return whether each file outside the skill still holds what it held, or is still not there."""
        for path in contents.keys() - self._digests.keys():
            self._digests[path] = digest_of(bytes_of(Path(path)))
        return all(self._digests[path] == digest for path, digest in contents.items())

    def put(self, directory: Path, row: Row) -> None:
        """Store the row of a skill."""
        self._store.put(directory, row)

    def task(self, name: str, *about: Any) -> KeptTask:
        """Return what is kept of a task about all skills of a run, which `about` tells from others."""
        return KeptTask(self._store, self._settings, name, about)

    def left_over(self, directories: Sequence[Path]) -> list[Path]:
        """Return which of these skills the last run of fixes had no time for, in the order of that run."""
        return self._store.left_over(directories)

    def leave_over(self, directories: Sequence[Path], left: Sequence[Path]) -> None:
        """Note which of these skills a run of fixes had no time for, in its order."""
        self._store.leave_over(directories, left)


@contextmanager
def open_cache(folder: Path, settings: Settings) -> Iterator[ResultCache]:
    """Open the cache in a folder for these settings; its errors never fail the run."""
    from skilltool.lint.cache.store import Store

    store = Store(folder, (settings.rules, settings.runtimes, settings.name_source, settings.max_length))
    try:
        yield ResultCache(store, settings)
    finally:
        store.close()
