"""Rows in one SQLite file, safe under concurrent runs, a killed run and a damaged file.

A damaged file is deleted and made anew; a file that cannot be opened or written now is left alone, and the
run goes on without it. Nothing here is raised to the caller.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
import sys
import time
import zlib
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from skilltool import __version__
from skilltool.files.paths import cached_realpath
from skilltool.lint.cache.rows import Row

FILE = "results-3.sqlite3"  # the number is that of the tables' form
_OURS = re.compile(r"results-[0-9]+\.sqlite3(?:-journal|-shm|-wal)?")
_WAIT = 2.0  # seconds for another run's lock
_BATCH = 500  # rows in a transaction
_KEPT = 60 * 24 * 3600  # seconds; results that no run has written for so long are dropped
_CONTEXTS = 16  # combinations of settings and versions of which results are kept
_TABLES = """
CREATE TABLE IF NOT EXISTS runs (id INTEGER PRIMARY KEY, context TEXT UNIQUE NOT NULL);
CREATE TABLE IF NOT EXISTS results (
    run INTEGER NOT NULL, skill BLOB NOT NULL, stat BLOB NOT NULL, content BLOB NOT NULL,
    looked TEXT NOT NULL, result TEXT NOT NULL, sum INTEGER NOT NULL, written INTEGER NOT NULL,
    PRIMARY KEY (run, skill)
) WITHOUT ROWID;
"""
# What SQLite raises for a damaged file; text of its own that is no UTF-8 it does not expect either.
_DAMAGED = (sqlite3.Error, UnicodeDecodeError)


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
        except _DAMAGED:
            self._rebuild()

    def get(self, directory: Path) -> Row | None:
        """Return the row of a skill (absolute path), None if there is none or it is not what was written."""
        key = _key(directory)
        found = self._ask(
            "SELECT stat, content, looked, result, sum FROM results WHERE run = ? AND skill = ?",
            (self._run, key),
        )
        if found is None:
            return None
        stat, content, looked, result, total = found
        try:
            row = Row(stat, content, looked.decode(), result.decode())
            return row if self._sum(key, row) == total else None
        except (ValueError, AttributeError, TypeError):  # what SQLite gives of damaged bytes
            return None

    def put(self, directory: Path, row: Row) -> None:
        """Keep a row; it is written with others."""
        key = _key(directory)
        self._pending.append((key, *row, self._sum(key, row), int(time.time())))
        if len(self._pending) >= _BATCH:
            self._flush()

    def close(self) -> None:
        """Write what is pending, and close the file."""
        self._flush()
        if self._db is not None:
            with suppress(sqlite3.Error):
                self._db.close()
            self._db = None

    def _sum(self, key: bytes, row: Row) -> int:
        """Return a sum of a row and all that it belongs to: SQLite itself does not notice a changed byte."""
        texts = (part.encode() for part in (self._context, row.looked, row.result))
        return zlib.crc32(b"\0".join((*texts, key, row.stat, row.content)))

    def _open(self) -> None:
        self._db = db = sqlite3.connect(self._path, timeout=_WAIT, isolation_level=None)
        db.text_factory = bytes
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
        except _DAMAGED:
            self._rebuild()
        return None

    def _flush(self) -> None:
        rows, self._pending = self._pending, []
        if self._db is None or not rows:
            return
        try:
            self._db.execute("BEGIN IMMEDIATE")
            # The context's number is put in last: a file that was made anew has another one.
            statement = f"INSERT OR REPLACE INTO results VALUES ({self._run}, ?, ?, ?, ?, ?, ?, ?)"
            self._db.executemany(statement, rows)
            self._db.execute("COMMIT")
        except sqlite3.OperationalError:  # another run writes, or the disk is full
            self._give_up()
        except _DAMAGED:
            self._rebuild()

    def _give_up(self) -> None:
        if self._db is not None:
            with suppress(sqlite3.Error):
                self._db.close()
        self._db = None
        self.holds_any = False

    def _rebuild(self) -> None:
        self._give_up()
        try:
            remove(self._path.parent)
            self._open()
        except (OSError, *_DAMAGED):
            self._give_up()


def remove(folder: Path) -> int:
    """Delete the caches in a folder, and nothing else there; return how many bytes that were.

    Raises OSError for one that cannot be deleted.
    """
    size = 0
    for path in sorted(folder.glob("results-*")):
        if _OURS.fullmatch(path.name):
            with suppress(FileNotFoundError):
                length = path.lstat().st_size
                path.unlink()
                size += length
    return size


def _key(directory: Path) -> bytes:
    """Return what a skill is kept under: its path, and where links on the way to it lead."""
    place = os.fspath(directory)
    return os.fsencode(place) + b"\0" + os.fsencode(cached_realpath(place))


def _program() -> list[Any]:
    """Return what identifies the program: versions, and sizes and times of our own files.

    Version numbers alone would not tell an editable install that was changed.
    """
    package = Path(__file__).parents[2]
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
