"""Planned edits as a unified diff that `git apply` takes.

Source: git 2.47, Documentation/diff-generate-patch.txt (headers) and quote.c (names in quotes).
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from skilltool.bounds.budget import GivenUpError
from skilltool.bounds.pool import WorkerPool
from skilltool.files.paths import display_path
from skilltool.files.repository import is_repository_root
from skilltool.findings.secrets import without_secrets
from skilltool.fix.edits import FixOutcome, PlannedEdit, files_below, path_after
from skilltool.text.lazy_pattern import lazy_pattern

_LINE = lazy_pattern(r"[^\n]*\n|[^\n]+")
_SPECIAL = lazy_pattern('[\x00-\x1f\x7f"\\\\\ud800-\udfff]')
_ESCAPED = {"\a": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r", '"': '"', "\\": "\\"}


class Entry(NamedTuple):
    """One file: its path before and after, with `/`, and its text before and after, where that changes.

    `changes` are the lines of a unified diff of the two texts, with those for the names of the files.
    """

    old: str
    new: str
    before: str = ""
    after: str = ""
    changes: Sequence[str] = ()


def diff(outcome: FixOutcome, pool: WorkerPool | None = None) -> str:
    """Return all planned edits as one diff; a file reached through a link is named by its real path.

    A skill whose budget, which `pool` has, does not suffice to compare its texts is left out and given up.
    """
    with pool or WorkerPool() as processes:
        return _diff(outcome, processes)


def _diff(outcome: FixOutcome, pool: WorkerPool) -> str:
    changes: dict[int, Sequence[str]] = {}
    for edit in outcome.edits:
        try:
            same = edit.before == edit.after
            changes[id(edit)] = () if same else pool.call(edit.directory, _changes, edit.before, edit.after)
        except GivenUpError as error:
            outcome.given_up[edit.directory] = error.reason
    outcome.edits = [edit for edit in outcome.edits if edit.directory not in outcome.given_up]
    texts = {_in_diff(edit): edit for edit in outcome.edits if not edit.renames_directory}
    moves = [edit.renamed for edit in outcome.edits if edit.renames_directory]
    files = dict.fromkeys([*texts, *(file for source, _ in moves for file in files_below(source))])
    entries = (_entry(file, texts.get(file), moves) for file in files)
    return unified_diff(
        entry._replace(changes=changes[id(texts[file])]) if file in texts else entry
        for file, entry in zip(files, entries, strict=True)
    )


def _changes(before: str, after: str) -> list[str]:
    """Return the lines of a unified diff, which hides secrets."""
    old, new = _LINE.findall(without_secrets(before)), _LINE.findall(without_secrets(after))
    return list(difflib.unified_diff(old, new))


def _in_diff(edit: PlannedEdit) -> Path:
    """Return the file that a diff names: git does not write through a link, but can rename one."""
    is_link = edit.rename is None and edit.file.is_symlink()
    return Path(os.path.realpath(edit.file)) if is_link else edit.file


def _entry(file: Path, edit: PlannedEdit | None, moves: Sequence[tuple[Path, Path]]) -> Entry:
    own = [edit.renamed] if edit and edit.rename else []
    old, new = display_path(file), display_path(path_after(file, [*own, *moves]))
    return Entry(old, new, edit.before, edit.after) if edit else Entry(old, new)


def unified_diff(entries: Iterable[Entry]) -> str:
    """Return the diff of these files.

    Paths are relative to the working directory; those of renamed files to the root of their repository, as
    git wants them; those outside the working directory begin with `/`, as `git diff --no-index` prints them.
    """
    prefix = _prefix()
    # git reads a header as long as lines can belong to it, and would take `---` of the next file for one.
    in_order = sorted(entries, key=lambda entry: entry.old != entry.new)
    return "".join(line for entry in in_order for line in _lines(entry, prefix))


def _prefix() -> str:
    """Return the working directory relative to the root of its repository: empty, or ending with `/`."""
    here = Path.cwd()
    top = next((path for path in (here, *here.parents) if is_repository_root(path)), here)
    return "" if top == here else f"{here.relative_to(top).as_posix()}/"


def _lines(entry: Entry, prefix: str) -> Iterator[str]:
    old, new = entry.old, entry.new
    if old != new:
        old, new = (path if path.startswith("/") else f"{prefix}{path}" for path in (old, new))
        yield f"diff --git {_name(old, 'a/')} {_name(new, 'b/')}\n"
        if entry.before == entry.after:
            yield "similarity index 100%\n"
        yield f"rename from {_name(old)}\nrename to {_name(new)}\n"
    for number, line in enumerate(entry.changes):
        if number < 2:
            name = _name(new if number else old, "b/" if number else "a/")
            # A blank would end the name, so a tab does, as in git.
            yield f"{line[:3]} {name}{chr(9) if ' ' in name else ''}\n"
        else:
            yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _name(path: str, side: str = "") -> str:
    """Return a path as git writes it: quoted, with escapes, where a character would end it."""
    name = side + path.lstrip("/")
    quoted = _SPECIAL.sub(_escape, name)
    return name if quoted == name else f'"{quoted}"'


def _escape(match: re.Match[str]) -> str:
    known = _ESCAPED.get(match[0])
    return f"\\{known}" if known else "".join(f"\\{byte:03o}" for byte in os.fsencode(match[0]))
