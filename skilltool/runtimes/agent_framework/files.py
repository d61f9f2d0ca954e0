"""Which files of a skill does Agent Framework offer: resources and scripts, by their suffix?

Source: `agent_framework/_skills.py` of agent-framework-core 1.23.0, and runs of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from skilltool.runtimes.loading import children, is_directory_here, is_file_here, is_link_here
from skilltool.runtimes.values import Refusal
from skilltool.skill.skill_file import FILE_NAME

_SUFFIXES = {
    "resource": frozenset({".md", ".json", ".yaml", ".yml", ".csv", ".xml", ".txt"}),
    "script": frozenset({".py"}),
}
_LINK = "symbolic link or reparse point detected in path under skill directory"
_MOST_ENTRIES = 20_000


class Files(NamedTuple):
    """The paths of files below a skill with `/`, sorted, and what is logged about others."""

    resources: tuple[str, ...]
    scripts: tuple[str, ...]
    warnings: tuple[str, ...]


def files_of(directory: Path, depth: int) -> Files:
    """Return the files of a skill down to `depth`: 1 is the directory itself.

    Raises `Refusal` where the framework ends: it loses the file of a name with a backslash.
    """
    found: dict[str, list[str]] = {}
    warnings: list[str] = []
    for kind in _SUFFIXES:
        paths = found[kind] = []
        for path, warning in _walk(directory, directory, kind, depth):
            if warning is not None:
                warnings.append(warning)
            else:
                paths.append(path.relative_to(directory).as_posix().replace("\\", "/"))
        paths.sort()
    for name in found["resource"]:
        if not is_file_here(directory / name):
            raise Refusal(
                f"Resource file '{name}' not found in skill directory '{directory}'.", kind="ValueError"
            )
    return Files(tuple(found["resource"]), tuple(found["script"]), tuple(warnings))


def _walk(directory: Path, top: Path, kind: str, depth: int) -> Iterator[tuple[Path, str | None]]:
    """Yield the files of a kind, and with a warning what is passed over."""
    try:
        entries = children(directory)[:_MOST_ENTRIES]
    except OSError:
        where = f"{kind} directory '{directory}' in skill directory '{top}'"
        yield directory, f"Failed to list {where}; skipping."
        return
    below = []
    for entry in entries:
        if is_directory_here(entry):
            below.append(entry)
        elif is_file_here(entry) and _counts(entry, kind):
            yield entry, f"Skipping {kind} '{entry}': {_LINK} '{top}'" if is_link_here(entry) else None
    for entry in below if depth > 1 else ():
        if is_link_here(entry):
            yield entry, f"Skipping {kind} directory '{entry}': {_LINK} '{top}'"
        else:
            yield from _walk(entry, top, kind, depth - 1)


def _counts(file: Path, kind: str) -> bool:
    is_skill = kind == "resource" and file.name.upper() == FILE_NAME.upper()
    return not is_skill and PurePosixPath(file.name).suffix.lower() in _SUFFIXES[kind]
