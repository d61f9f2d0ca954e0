"""`--index` of `skilltool pack`: an archive beside the index of a web server, and its entry there."""

from __future__ import annotations

from pathlib import Path

from skilltool.cli.output import note, write_file
from skilltool.errors import PathError
from skilltool.pack import index
from skilltool.pack.uploads import Packed


def publish(top: Path, target: Path, raw: bytes, packed: Packed) -> None:
    """Write an archive and its entry in the index below `top`.

    Nothing is written if the index cannot be read or does not take the skill; raises `SkilltoolError`.
    """
    entry = index.entry_for(packed.name, packed.description, target.name, raw)
    text = index.with_entry(index.entries_of(top), entry)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PathError(f"{target.parent}: {error.strerror}") from None
    write_file(target, raw)
    write_file(index.file_of(top), text)


def is_as_indexed(top: Path, archive: Path, digest: str, packed: Packed) -> bool:
    """Print how the entry of an archive in the index below `top` differs; return whether it does not."""
    found = index.mismatches(top, archive.name, digest, packed.name, packed.description)
    for said in found:
        note(said)
    return not found
