"""A patch of texts and names of files, as `git apply` takes it.

Source: git 2.47, Documentation/diff-generate-patch.txt (headers) and quote.c (names in quotes).
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from skilltool.files.repository import is_repository_root

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_SPECIAL = re.compile('[\x00-\x1f\x7f"\\\\\ud800-\udfff]')
_ESCAPED = {"\a": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r", '"': '"', "\\": "\\"}


class Entry(NamedTuple):
    """What becomes of one file: its path now and then, with `/`, and its text, if that is another one."""

    old: str
    new: str
    before: str = ""
    after: str = ""


def unified_diff(entries: Iterable[Entry]) -> str:
    """Return the patch.

    Paths are from the working directory. What has a new name stands as git takes it, from the root of its
    repository. What is outside of the working directory is from `/`, as `git diff --no-index` has it.
    """
    prefix = _prefix()
    # A header of git's goes on as long as lines can belong to it, also with `---` of another file.
    in_order = sorted(entries, key=lambda entry: entry.old != entry.new)
    return "".join(line for entry in in_order for line in _lines(entry, prefix))


def _prefix() -> str:
    """Return the working directory from the root of its repository: empty, or with `/` at the end."""
    here = Path.cwd()
    top = next((each for each in (here, *here.parents) if is_repository_root(each)), here)
    return "" if top == here else f"{here.relative_to(top).as_posix()}/"


def _lines(entry: Entry, prefix: str) -> Iterator[str]:
    old, new = entry.old, entry.new
    if old != new:
        old, new = (path if path.startswith("/") else f"{prefix}{path}" for path in (old, new))
        yield f"diff --git {_name(old, 'a/')} {_name(new, 'b/')}\n"
        if entry.before == entry.after:
            yield "similarity index 100%\n"
        yield f"rename from {_name(old)}\nrename to {_name(new)}\n"
    before, after = (_LINE.findall(text) for text in (entry.before, entry.after))
    for number, line in enumerate(difflib.unified_diff(before, after)):
        if number < 2:
            name = _name(new if number else old, "b/" if number else "a/")
            # A blank would end the name; git, too, ends it with a tab then.
            yield f"{line[:3]} {name}{chr(9) if ' ' in name else ''}\n"
        else:
            yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _name(path: str, side: str = "") -> str:
    """Return a path as git writes it: in quotes, with escapes, where it holds what would end it."""
    name = side + path.lstrip("/")
    quoted = _SPECIAL.sub(_escape, name)
    return name if quoted == name else f'"{quoted}"'


def _escape(found: re.Match[str]) -> str:
    known = _ESCAPED.get(found[0])
    return f"\\{known}" if known else "".join(f"\\{byte:03o}" for byte in os.fsencode(found[0]))
