"""Files that skills are made from: their frontmatter has gaps where a skill's has text."""

from __future__ import annotations

import re
from pathlib import Path

_NAMES = re.compile(r"template|skeleton|scaffold|boilerplate|cookiecutter|\{\{", re.IGNORECASE)
_DEPTH = 3  # `templates/KIND/NAME`
# `name: {{name}}`, `name: <skill-name>`, `name: [NAME]`, `name: ${NAME}`, `name: __NAME__`
_GAP = re.compile(rb"^name:[ \t]*[\"']?(?:\{|<|\[|\$\{|%|__)", re.MULTILINE)
_HEAD = 1024


def is_template(top: str, directory: str, file: str) -> bool:
    """Return whether a directory below `top` is a template by its path, and its skill has no name yet."""
    parts = Path(directory[len(top) :]).parts[-_DEPTH:]
    if not any(_NAMES.search(part) for part in parts):
        return False
    path = Path(directory, file)
    try:
        if path.is_symlink() or not path.is_file():
            return False
        with path.open("rb") as stream:
            return _GAP.search(stream.read(_HEAD)) is not None
    except OSError:
        return False
