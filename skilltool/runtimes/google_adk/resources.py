"""Which files of a skill does google-adk give the model, below `references`, `assets` and `scripts`?

Source: `google/adk/skills/_utils.py` of google-adk 2.13.0, and runs of it. It reads them all when the skill
is loaded; here one is read when it is asked for.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Final

from skilltool.runtimes.loading import decoded, is_file_here, is_link_here, read_bytes
from skilltool.runtimes.values import LoadedSkill

FOLDERS = ("references/", "assets/", "scripts/")
# Stands for a file that is not UTF-8: its content is sent beside the answer.
BINARY: Final = object()
_COMPILED = "__pycache__"


def resource(skill: LoadedSkill, path: str) -> str | object | None:
    """Return the text of a file, `BINARY`, or None without one; raises `Refusal` if it is not read here."""
    folder, _, name = path.partition("/")
    file = _file(Path(skill.display_path) / folder, name)
    if file is None:
        return None
    try:
        return decoded(read_bytes(file))
    except UnicodeDecodeError:
        return None if folder == "scripts" else BINARY
    except OSError:
        return None


def _file(top: Path, name: str) -> Path | None:
    """Return the file with this name: as `rglob` finds it, which enters no linked directory."""
    parts = PurePosixPath(name).parts
    if name != "/".join(parts) or not parts or ".." in parts or "\0" in name or name.startswith("/"):
        return None
    file = top.joinpath(*parts)
    if _COMPILED in file.parts or not is_file_here(file):
        return None
    linked = any(is_link_here(top.joinpath(*parts[:count])) for count in range(1, len(parts)))
    return None if linked else file
