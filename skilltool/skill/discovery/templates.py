"""Recognizes templates for skills, whose frontmatter has placeholders where a skill has text."""

from __future__ import annotations

import re
from pathlib import Path

_NAMES = re.compile(r"template|skeleton|scaffold|boilerplate|cookiecutter|\{\{", re.IGNORECASE)
_MAX_DEPTH = 3  # `templates/KIND/NAME`
# `name: {{name}}`, `name: <skill-name>`, `name: [NAME]`, `name: ${NAME}`, `name: __NAME__`
_PLACEHOLDER_NAME = re.compile(rb"^name:[ \t]*[\"']?(?:\{|<|\[|\$\{|%|__)", re.MULTILINE)
_HEAD = 1024  # bytes at the start of the file that are searched


def is_template(top: str, directory: str, file: str) -> bool:
    """Return whether `directory` is a template: by its path below `top` and a placeholder name in `file`."""
    parts = Path(directory[len(top) :]).parts[-_MAX_DEPTH:]
    if not any(_NAMES.search(part) for part in parts):
        return False
    path = Path(directory, file)
    try:
        if path.is_symlink() or not path.is_file():
            return False
        with path.open("rb") as stream:
            return _PLACEHOLDER_NAME.search(stream.read(_HEAD)) is not None
    except OSError:
        return False
