"""What do the settings of pi say about skills: paths to add, and patterns that take some away?

Source: `dist/core/package-manager.js` of pi 1.5.2. `!GLOB` takes away, `+PATH` brings back, `-PATH`
takes away for good; anything else is a path to add. Of minimatch's globs, alternatives, `*`, `?`, `**` and
brackets are known here.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

from skilltool.emulation.picomatch import matches_path
from skilltool.runtimes.loading import bytes_beside_skills
from skilltool.runtimes.values import Refusal
from skilltool.skill.skill_file import FILE_NAME

_SIGNS = ("!", "+", "-")


def entries(file: Path) -> list[str]:
    """Return what a settings file has under `skills`; nothing if it cannot be read."""
    try:
        found = json.loads(bytes_beside_skills(file))
    except (OSError, ValueError, Refusal, RecursionError):
        return []
    given = found.get("skills") if isinstance(found, dict) else None
    return [each for each in given if isinstance(each, str)] if isinstance(given, list) else []


def added(given: Sequence[str], base: Path, home: Path) -> list[Path]:
    """Return the paths to add, absolute; they are relative to the directory of the settings."""
    plain = [each for each in given if not each.startswith(_SIGNS) and not {"*", "?"} & set(each)]
    return [absolute(each, base, home) for each in plain]


def absolute(path: str, base: Path, home: Path) -> Path:
    """Return a path of the settings or the command line as an absolute one."""
    text = path.strip()
    expanded = str(home) + text[1:] if text == "~" or text.startswith("~/") else text
    return Path(os.path.normpath(base / expanded))


def is_enabled(file: Path, given: Sequence[str], base: Path) -> bool:
    """Return whether the patterns of the settings leave a file that was found in one of the usual roots."""
    enabled = not any(_matches(file, each[1:], base) for each in given if each.startswith("!"))
    if any(_is_exactly(file, each[1:], base) for each in given if each.startswith("+")):
        enabled = True
    return enabled and not any(_is_exactly(file, each[1:], base) for each in given if each.startswith("-"))


def is_wanted(file: Path, given: Sequence[str], base: Path) -> bool:
    """Return whether the patterns of the settings leave a file of a path that they add."""
    globs = [each for each in given if not each.startswith(_SIGNS) and {"*", "?"} & set(each)]
    forced = any(_is_exactly(file, each[1:], base) for each in given if each.startswith("+"))
    wanted = not globs or any(_matches(file, each, base) for each in globs)
    return forced or (wanted and is_enabled(file, given, base))


def _paths(file: Path, base: Path) -> list[str]:
    """Return the names of a file that patterns are compared with: also those of its skill's directory."""
    found = [file, file.parent] if file.name == FILE_NAME else [file]
    return [path for each in found for path in (os.path.relpath(each, base), os.fspath(each))]


def _matches(file: Path, glob: str, base: Path) -> bool:
    names = [file.name, *([file.parent.name] if file.name == FILE_NAME else [])]
    return any(_glob(glob, path) for path in (*names, *_paths(file, base)))


def _glob(glob: str, path: str) -> bool:
    """Return whether a glob matches; a part that begins with a dot needs one in the glob."""
    dotted = any(part.startswith(".") for part in path.split("/"))
    if dotted and not any(part.startswith(".") for part in glob.split("/")):
        return False
    return matches_path([glob.removeprefix("/")], path.removeprefix("/"))


def _is_exactly(file: Path, path: str, base: Path) -> bool:
    return path.removeprefix("./") in _paths(file, base)
