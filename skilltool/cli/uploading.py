"""Does a place to upload to take an archive? `--upload` of `skilltool pack`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from skilltool.cli.output import inform, note
from skilltool.pack.uploads import Upload, excesses, packed


def fits(place: Upload, directory: Path, files: Mapping[str, int], size: int, in_folder: bool) -> bool:
    """Print what a place does not take of an archive, or that it takes it; return whether it does.

    `directory` is that of the skill, `files` has the size of each file, `size` is that of the archive.
    """
    found = excesses(place, packed(directory, files, size, in_folder))
    for said in found:
        note(said)
    if not found:
        inform(
            f"within the {len(place.limits)} known limits of {place.name} ({place.evidence}: {place.source})"
        )
    return not found
