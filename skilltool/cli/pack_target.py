"""Which skill and which archive does `skilltool pack` mean, and what did its user mean instead?"""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

from skilltool.errors import PathError

if TYPE_CHECKING:
    from skilltool.pack.uploads import Upload


def skill_directory(path: Path) -> Path:
    """Return the directory of a skill, from a path to it or to its SKILL.md; raises `PathError`."""
    directory = path.parent if path.is_file() else path
    if not path.exists():
        raise PathError(f"{path}: no such file or directory{_alike(path)}")
    if not (directory / "SKILL.md").exists():
        raise PathError(f"{path}: not a skill directory, it contains no SKILL.md{_inside(directory)}")
    return directory


def archive_of(
    directory: Path, output: Path | None, kind: str | None, place: Upload | None
) -> tuple[Path, str]:
    """Return the archive to write and its format; `output` and `kind` are those of the options.

    Raises `UsageError` for a format that the place does not take, `PathError` for a file of the skill.
    """
    if output is not None:
        _refuse_file_of(directory, output)
    kind = kind or _kind_of(output) or (place.formats[0] if place else "skill")
    if place is not None and kind not in place.formats:
        raise click.UsageError(f"--upload {place.name} takes {' or '.join(place.formats)}, not {kind}")
    target = output or Path(f"{directory.resolve().name}.{kind}")
    _refuse_file_of(directory, target)
    return target, kind


def _refuse_file_of(directory: Path, target: Path) -> None:
    if _is_file_of(target, directory):
        raise PathError(f"{target}: the archive would replace a file of the skill; choose another name")


def _alike(path: Path) -> str:
    """Return a hint that names the skills below this directory whose names are like a path's, or no hint.

    A home directory, or one that contains it, is not searched.
    """
    from skilltool.errors import suggestions
    from skilltool.files.paths import display_path
    from skilltool.runtimes.home import user_home
    from skilltool.skill.discovery import discover

    if user_home().is_relative_to(Path.cwd()):
        return ""
    skills = {skill.name: skill for skill in discover([Path()]).skills}
    found = [quote(display_path(skills[name])) for name in suggestions(path.name, skills)]
    return f"; did you mean {' or '.join(found)}?" if found else ""


def _inside(directory: Path) -> str:
    """Return a hint that names a skill below a directory that is none, or how to find skills."""
    from skilltool.files.paths import display_path
    from skilltool.skill.discovery import discover

    found = [display_path(skill) for skill in discover([directory]).skills]
    if not found:
        return "; name a directory that does (`skilltool new` creates one)"
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    return f"; did you mean `skilltool pack {quote(found[0])}`{more}?"


def _kind_of(output: Path | None) -> str | None:
    """Return the format by the ending of a name, if it has one; raises `UsageError` for another ending."""
    from skilltool.pack import FORMATS

    if output is None or not output.suffix:
        return None
    kind = next((each for each in FORMATS if output.name.endswith(f".{each}")), None)
    if kind is None:
        endings = ", ".join(f".{each}" for each in FORMATS)
        raise click.UsageError(
            f"--output {output}: no format of skilltool has this ending; use one of {endings}, or --format"
        )
    return kind


def _is_file_of(target: Path, directory: Path) -> bool:
    """Return whether `target` is a file of the skill, other than an archive (of an earlier run)."""
    if not (target.is_file() and target.resolve().is_relative_to(directory.resolve())):
        return False
    with target.open("rb") as file:
        return not file.read(4).startswith((b"PK\3\4", b"\x1f\x8b"))
