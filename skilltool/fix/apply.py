"""Write planned edits to disk: whatever happens, each file is either the old one or the new one."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from skilltool.bounds.raised import InternalReason
from skilltool.files.exchanging import move_without_replacing
from skilltool.files.replacing import replace_if_unchanged
from skilltool.fix.planned_edits import FixOutcome, PlannedEdit
from skilltool.fix.renames import check_rename, path_after
from skilltool.text.source import Source


def apply(planned: FixOutcome) -> FixOutcome:
    """Write the planned edits and return what was done.

    A file that cannot be written is left unchanged, becomes a problem beside those of the plan, and does not
    keep the others from being written.
    """
    done = FixOutcome(problems=list(planned.problems), skills=planned.skills)
    for edit in planned.edits:
        try:
            _write(edit)
        except OSError as error:
            what = "directory" if edit.renames_directory else "file"
            done.problems.append(f"{edit.path}: {error.strerror or error}; the {what} was left unchanged")
        except Exception as error:  # a defect of ours in one skill must not keep others from being written
            done.problems.append(f"{edit.path}: {InternalReason.of(error, 'the fix')}")
        else:
            done.edits.append(edit)
    return done


def paths_after(paths: Sequence[Path], done: FixOutcome) -> Iterator[Path]:
    """Yield the paths that a user named, files and directories, by their names after the renames."""
    renames = [edit.renamed for edit in done.edits if edit.rename]
    for path in paths:
        absolute = Path(os.path.abspath(path))
        now = path_after(absolute, renames)
        yield path if now == absolute else now


def _write(edit: PlannedEdit) -> None:
    """Write one edit; raises OSError, also where the file or the name has changed since it was planned."""
    file = edit.file
    if edit.after != edit.before and Source.decode(file.read_bytes()).text != edit.before:
        raise OSError(errno.EBUSY, "it has changed since it was read")
    if edit.rename is not None:
        source, target = check_rename(edit.directory, edit.rename)
        if target.exists():  # the same file, where case makes no difference
            source.rename(target)
        else:
            move_without_replacing(source, target)
        file = target
    try:
        if edit.after != edit.before:
            before, after = (text.encode("utf-8", "surrogatepass") for text in (edit.before, edit.after))
            replace_if_unchanged(file, before, after)
    except OSError:
        if edit.rename is not None:
            target.rename(source)
        raise
