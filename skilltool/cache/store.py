"""Rows in one SQLite file, safe under concurrent runs, a killed run and a damaged file.

A damaged file is deleted and made anew; a file that cannot be opened or written now is left alone, and the
run goes on without it. Nothing here is raised to the caller.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import time
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from skilltool import __version__
from skilltool.cache.rows import Row
from skilltool.landmarks import real

FILE = "results-2.sqlite3"  # the number is that of the tables' form
_BESIDE = ("", "-journal", "-shm", "-wal")
_WAIT = 2.0  # seconds for another run's lock
_BATCH = 500  # rows in a transaction
_KEPT = 60 * 24 * 3600  # seconds; results that no run has written for so long are dropped
_CONTEXTS = 16  # combinations of settings and versions of which results are kept
_TABLES = """
CREATE TABLE IF NOT EXISTS runs (id INTEGER PRIMARY KEY, context TEXT UNIQUE NOT NULL);
CREATE TABLE IF NOT EXISTS results (
    run INTEGER NOT NULL, skill BLOB NOT NULL, stat BLOB NOT NULL, content BLOB NOT NULL,
    looked TEXT NOT NULL, result TEXT NOT NULL, written INTEGER NOT NULL, PRIMARY KEY (run, skill)
) WITHOUT ROWID;
"""


class Store:
    """The rows of one context: settings, in any JSON-like form, beside the versions of all that judges."""

    def __init__(self, folder: Path, settings: Any) -> None:
        """Open or make the file in `folder`."""
        self._path = folder / FILE
        self._context = json.dumps([settings, _program()], default=sorted)
        self._pending: list[tuple[Any, ...]] = []
        self._db: sqlite3.Connection | None = None
        self._run = 0
        self.holds_any = False
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._open()
        except OSError:
            return
        except sqlite3.OperationalError:
            self._give_up()
        except sqlite3.DatabaseError:
            self._rebuild()

    def get(self, directory: Path) -> Row | None:
        """Return the row of a skill (absolute path), None if there is none."""
        found = self._ask(
            "SELECT stat, content, looked, result FROM results WHERE run = ? AND skill = ?",
            (self._run, _key(directory)),
        )
        return Row(*found) if found else None

    def put(self, directory: Path, row: Row) -> None:
        """Keep a row; it is written with others."""
        self._pending.append((self._run, _key(directory), *row, int(time.time())))
        if len(self._pending) >= _BATCH:
            self._flush()

    def close(self) -> None:
        """Write what is pending, and close the file."""
        self._flush()
        if self._db is not None:
            with suppress(sqlite3.Error):
                self._db.close()
            self._db = None

    def _open(self) -> None:
        self._db = db = sqlite3.connect(self._path, timeout=_WAIT, isolation_level=None)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        known = db.execute("SELECT count(*) FROM sqlite_master WHERE name IN ('runs', 'results')").fetchone()
        if known[0] < 2:
            db.executescript(_TABLES)
        row = db.execute("SELECT id FROM runs WHERE context = ?", (self._context,)).fetchone()
        if row is None:
            self._start_context(db)
            row = db.execute("SELECT id FROM runs WHERE context = ?", (self._context,)).fetchone()
        self._run = row[0]
        first = db.execute("SELECT 1 FROM results WHERE run = ? LIMIT 1", (self._run,)).fetchone()
        self.holds_any = first is not None

    def _start_context(self, db: sqlite3.Connection) -> None:
        """Begin a context that is new; that is seldom, and the time to drop what is old."""
        db.execute("INSERT OR IGNORE INTO runs (context) VALUES (?)", (self._context,))
        db.execute("DELETE FROM results WHERE written < ?", (int(time.time()) - _KEPT,))
        db.execute(
            "DELETE FROM results WHERE run NOT IN (SELECT id FROM runs ORDER BY id DESC LIMIT ?)",
            (_CONTEXTS,),
        )
        db.execute(
            "DELETE FROM runs WHERE id NOT IN (SELECT DISTINCT run FROM results) AND context != ?",
            (self._context,),
        )

    def _ask(self, statement: str, values: tuple[Any, ...]) -> Any:
        if self._db is None:
            return None
        try:
            return self._db.execute(statement, values).fetchone()
        except sqlite3.OperationalError:
            self._give_up()
        except sqlite3.DatabaseError:
            self._rebuild()
        return None

    def _flush(self) -> None:
        rows, self._pending = self._pending, []
        if self._db is None or not rows:
            return
        try:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
            self._db.execute("COMMIT")
        except sqlite3.OperationalError:  # another run writes, or the disk is full
            self._give_up()
        except sqlite3.DatabaseError:
            self._rebuild()

    def _give_up(self) -> None:
        if self._db is not None:
            with suppress(sqlite3.Error):
                self._db.close()
        self._db = None
        self.holds_any = False

    def _rebuild(self) -> None:
        self._give_up()
        remove(self._path.parent)
        try:
            self._open()
        except (OSError, sqlite3.Error):
            self._give_up()


def remove(folder: Path) -> int:
    """Delete the cache in a folder, and nothing else there; return how many bytes that were."""
    size = 0
    for ending in _BESIDE:
        path = folder / f"{FILE}{ending}"
        with suppress(OSError):
            size += path.lstat().st_size
            path.unlink()
    return size


def _key(directory: Path) -> bytes:
    """Return what a skill is kept under: its path, and where links on the way to it lead."""
    place = os.fspath(directory)
    return os.fsencode(place) + b"\0" + os.fsencode(real(place))


def _program() -> list[Any]:
    """Return what identifies the program: versions, and sizes and times of our own files.

    Version numbers alone would not tell an editable install that was changed.
    """
    package = Path(__file__).parents[1]
    yaml = find_spec("yaml")
    site = Path(yaml.origin).parents[1] if yaml and yaml.origin else package
    libraries = sorted(name for name in os.listdir(site) if name.endswith(".dist-info"))
    return [__version__, sys.version, libraries, _stamp(package), _stamp(package.parent / "schemas")]


def _stamp(top: Path) -> list[int]:
    """Return how many files lie below a directory, their size in all, and when the last was changed."""
    count = size = newest = 0
    pending = [os.fspath(top)] if top.is_dir() else []
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if entry.name != "__pycache__":
                        pending.append(entry.path)
                    continue
                status = entry.stat()
                count, size, newest = count + 1, size + status.st_size, max(newest, status.st_mtime_ns)
    return [count, size, newest]
