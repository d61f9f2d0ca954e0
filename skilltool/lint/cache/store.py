"""Stores rows in one SQLite file, and survives concurrent runs, killed runs and a damaged file.

A damaged file is deleted and recreated; a file that cannot be opened or written now is left alone, and the
run goes on without a cache. No error is raised to the caller.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import time
import zlib
from collections.abc import Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from skilltool import __version__
from skilltool.files.paths import cached_realpath, display_path
from skilltool.findings.diagnostic import Diagnostic, Excerpt, Location, Told
from skilltool.findings.finding import Edit, Fix, Severity
from skilltool.rules.records import CheckedSkill, IgnoreComment, Record
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Position


class Row(NamedTuple):
    """The cached result of one skill, or of one task about all skills of a run.

    `signature` stands for the sizes, times and inodes of a skill's files, empty if they are too fresh to be
    trusted; `digest` is that of everything the result depends on, which `dependencies` lists as JSON;
    `result` is the result as JSON, of a skill without paths, which depend on the working directory.
    """

    signature: bytes
    digest: bytes
    dependencies: str
    result: str


_FILE = Diagnostic._fields.index("file") - 1  # in what is stored of a diagnostic, which has no path


def dumps(checked: CheckedSkill, file_name: str) -> str:
    """Serialize the result of a skill to JSON in ASCII."""
    record = checked.record
    data = [
        file_name,
        [record.skill, record.name, record.location, record.keywords, record.described, record.expected],
        [diagnostic[1:] for diagnostic in checked.diagnostics],
        [comment[1:] for comment in checked.comments],
    ]
    return json.dumps(data, separators=(",", ":"))


def loads(text: str, directory: Path) -> CheckedSkill:
    """Deserialize the output of `dumps` for a skill in `directory`; raises ValueError for any other text."""
    try:
        file_name, record, diagnostics, comments = json.loads(text)
        absolute = os.fspath(directory)
        path = _path(absolute, file_name, "")
        skill, name, location, keywords, described, expected = record
        return CheckedSkill(
            Record(
                path,
                absolute.replace(os.sep, "/"),
                skill,
                name,
                _location(location),
                tuple(keywords),
                described,
                tuple((file, name) for file, name in expected),
            ),
            tuple(
                _diagnostic(_path(absolute, file_name, diagnostic[_FILE]), *diagnostic)
                for diagnostic in diagnostics
            ),
            tuple(_comment(_path(absolute, file_name, comment[-1]), *comment) for comment in comments),
        )
    except (TypeError, IndexError, AttributeError) as error:
        raise ValueError(str(error)) from None


def loads_diagnostics(data: Any) -> tuple[Diagnostic, ...]:
    """Return the diagnostics that were written to JSON as they are, with their paths; raises ValueError."""
    try:
        return tuple(_diagnostic(path, *rest) for path, *rest in data)
    except (TypeError, IndexError, AttributeError) as error:
        raise ValueError(str(error)) from None


def _path(directory: str, own: str, file: str) -> str:
    """Return a file of the skill as reports print it; `own` is what an empty path means."""
    return display_path(os.path.join(directory, file or own))


def _location(data: Any) -> Location:
    start, end, excerpt, digest = data
    return Location(Position(*start), Position(*end), Excerpt(*excerpt), digest)


def _diagnostic(
    path: str,
    location: Any,
    rule: str,
    severity: int,
    message: str,
    help_text: str | None,
    skill: str,
    runtimes: Any,
    fix: Any,
    bom: bool,
    ordinal: int,
    notes: Any,
    also: Any,
    file: str,
    cause: str,
) -> Diagnostic:
    where, level = _location(location), Severity(severity)
    said = tuple((tuple(names), text) for names, text in notes)
    begin = (path, where, rule, level, message, help_text, skill, tuple(runtimes))
    told = tuple(Told(*entry) for entry in also)
    return Diagnostic(*begin, _fix(fix), bom, ordinal, said, told, file, cause)


def _fix(data: Any) -> Fix | None:
    if data is None:
        return None
    safe, edits, rename = data
    return Fix(safe, tuple(Edit(*edit) for edit in edits), tuple(rename) if rename else None)


def _comment(
    path: str, skill: str, rules: Any, reason: str, location: Any, first: int, last: int | None, file: str
) -> IgnoreComment:
    return IgnoreComment(path, skill, tuple(rules), reason, _location(location), first, last, file)


FILE = "results-6.sqlite3"  # the version of the tables; increase it when they change
_CACHE_FILE = lazy_pattern(r"results-[0-9]+\.sqlite3(?:-journal|-shm|-wal)?")
_LOCK_TIMEOUT = 2.0  # seconds to wait for another run
_BATCH = 500  # rows per transaction
_MAX_AGE = 60 * 24 * 3600  # seconds since a result was written, after which it is deleted
_MAX_CONTEXTS = 16  # combinations of settings and versions with results in the file
_TABLES = """
CREATE TABLE IF NOT EXISTS runs (id INTEGER PRIMARY KEY, context TEXT UNIQUE NOT NULL);
CREATE TABLE IF NOT EXISTS results (
    run INTEGER NOT NULL, skill BLOB NOT NULL, signature BLOB NOT NULL, digest BLOB NOT NULL,
    dependencies TEXT NOT NULL, result TEXT NOT NULL, checksum INTEGER NOT NULL, written INTEGER NOT NULL,
    PRIMARY KEY (run, skill)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS left_over (
    skill BLOB PRIMARY KEY, place INTEGER NOT NULL, written INTEGER NOT NULL
) WITHOUT ROWID;
"""
_TABLE_NAMES = ("runs", "results", "left_over")
# The errors of a damaged file; the sqlite3 module fails to decode SQLite's own texts if they are not UTF-8.
_DAMAGED = (sqlite3.Error, UnicodeDecodeError)


class Store:
    """The rows of one context: the settings and the version of everything that can change a result."""

    def __init__(self, folder: Path, settings: Any) -> None:
        """Open or create the file in `folder`; `settings` is any value that `json.dumps` takes, or sets."""
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

    def get(self, directory: Path | bytes) -> Row | None:
        """Return the row of a skill (absolute path) or of a task; None if there is none or it is damaged."""
        key = _key(directory)
        found = self._fetch(
            "SELECT signature, digest, dependencies, result, checksum FROM results"
            " WHERE run = ? AND skill = ?",
            (self._run, key),
        )
        if not found:
            return None
        signature, digest, dependencies, result, checksum = found[0]
        try:
            row = Row(signature, digest, dependencies.decode(), result.decode())
            return row if self._checksum(key, row) == checksum else None
        except (ValueError, AttributeError, TypeError):  # damaged bytes can have any type
            return None

    def put(self, directory: Path | bytes, row: Row) -> None:
        """Store the row of a skill (absolute path) or of a task; rows are written in batches."""
        key = _key(directory)
        self._pending.append((key, *row, self._checksum(key, row), int(time.time())))
        if len(self._pending) >= _BATCH:
            self._flush()

    def left_over(self, directories: Sequence[Path]) -> list[Path]:
        """Return which of these skills the last run of fixes had no time for, in the order of that run."""
        found = self._fetch("SELECT skill FROM left_over ORDER BY place", ())
        by_key = {_key(directory): directory for directory in directories} if found else {}
        return [by_key[key] for (key,) in found if key in by_key]

    def leave_over(self, directories: Sequence[Path], left: Sequence[Path]) -> None:
        """Note which of these skills a run of fixes had no time for, in its order."""
        now = int(time.time())
        rows = [(_key(directory), place, now) for place, directory in enumerate(left)]
        self._change(
            ("DELETE FROM left_over WHERE skill = ?", [(_key(directory),) for directory in directories]),
            ("INSERT INTO left_over VALUES (?, ?, ?)", rows),
        )

    def close(self) -> None:
        """Write the pending rows and close the file."""
        self._flush()
        if self._db is not None:
            with suppress(sqlite3.Error):
                self._db.close()
            self._db = None

    def _checksum(self, key: bytes, row: Row) -> int:
        """Return a checksum of a row, its key and its context: SQLite does not detect a changed byte."""
        texts = (part.encode() for part in (self._context, row.dependencies, row.result))
        return zlib.crc32(b"\0".join((*texts, key, row.signature, row.digest)))

    def _open(self) -> None:
        self._db = db = sqlite3.connect(self._path, timeout=_LOCK_TIMEOUT, isolation_level=None)
        db.text_factory = bytes
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        known = db.execute(
            "SELECT count(*) FROM sqlite_master WHERE name IN (?, ?, ?)", _TABLE_NAMES
        ).fetchone()
        if known[0] < len(_TABLE_NAMES):
            db.executescript(_TABLES)
        row = db.execute("SELECT id FROM runs WHERE context = ?", (self._context,)).fetchone()
        if row is None:
            self._start_context(db)
            row = db.execute("SELECT id FROM runs WHERE context = ?", (self._context,)).fetchone()
        self._run = row[0]
        first = db.execute("SELECT 1 FROM results WHERE run = ? LIMIT 1", (self._run,)).fetchone()
        self.holds_any = first is not None

    def _start_context(self, db: sqlite3.Connection) -> None:
        """Add a new context; this is rare, so old results are deleted at the same time."""
        db.execute("INSERT OR IGNORE INTO runs (context) VALUES (?)", (self._context,))
        for table in ("results", "left_over"):
            db.execute(f"DELETE FROM {table} WHERE written < ?", (int(time.time()) - _MAX_AGE,))
        db.execute(
            "DELETE FROM results WHERE run NOT IN (SELECT id FROM runs ORDER BY id DESC LIMIT ?)",
            (_MAX_CONTEXTS,),
        )
        db.execute(
            "DELETE FROM runs WHERE id NOT IN (SELECT DISTINCT run FROM results) AND context != ?",
            (self._context,),
        )

    def _fetch(self, statement: str, values: tuple[Any, ...]) -> list[Any]:
        if self._db is None:
            return []
        try:
            return self._db.execute(statement, values).fetchall()
        except sqlite3.OperationalError:
            self._give_up()
        except _DAMAGED:
            self._rebuild()
        return []

    def _flush(self) -> None:
        rows, self._pending = self._pending, []
        if rows:
            # Insert the id of the context here, not in `put`: a recreated file has another one.
            self._change((f"INSERT OR REPLACE INTO results VALUES ({self._run}, ?, ?, ?, ?, ?, ?, ?)", rows))

    def _change(self, *statements: tuple[str, Sequence[tuple[Any, ...]]]) -> None:
        """Run each statement for each of its rows, all or none."""
        if self._db is None:
            return
        try:
            self._db.execute("BEGIN IMMEDIATE")
            for statement, rows in statements:
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
    """Delete the cache files of every version in a folder; return their size in bytes.

    Raises OSError for a file that cannot be deleted.
    """
    size = 0
    for path in sorted(folder.glob("results-*")):
        if _CACHE_FILE.fullmatch(path.name):
            with suppress(FileNotFoundError):
                length = path.lstat().st_size
                path.unlink()
                size += length
    return size


def _key(directory: Path | bytes) -> bytes:
    """Return the key of a skill: its path, and the real path after resolving links; a task has its own."""
    if isinstance(directory, bytes):
        return directory
    path = os.fspath(directory)
    return os.fsencode(path) + b"\0" + os.fsencode(cached_realpath(path))


def _program() -> list[Any]:
    """Return what identifies the program: versions, and the sizes and times of its own files.

    Version numbers alone would not detect changes in an editable install. In any other, the list of its
    files that pip wrote stands for them.
    """
    package = Path(__file__).parents[2]
    yaml = find_spec("yaml")
    site = Path(yaml.origin).parents[1] if yaml and yaml.origin else package
    libraries = sorted(name for name in os.listdir(site) if name.endswith(".dist-info"))
    record = package.parent / f"{package.name}-{__version__}.dist-info" / "RECORD"
    if record.is_file():
        status = record.stat()
        return [__version__, sys.version, libraries, status.st_size, status.st_mtime_ns]
    return [__version__, sys.version, libraries, _stamp(package), _stamp(package.parent / "schemas")]


def _stamp(top: Path) -> list[int]:
    """Return the number of files under a directory, their total size, and the newest modification time."""
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
