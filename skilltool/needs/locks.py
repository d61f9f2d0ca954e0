"""What installers say that they installed: from where, and whether it was changed here since.

| lock | by | what tells of a change |
|---|---|---|
| `skills-lock.json` | npx skills, in a project | a hash of the files at the source |
| `~/.agents/.skill-lock.json` | npx skills and gh skill, for a user | the name of git's tree at the source |

`gh skill` writes where a skill comes from into its SKILL.md, so that this file is never that of the source;
and npx skills leaves out `metadata.json`. Where a copy may differ for such a reason, that is what is said.

Source: skills 1.7.4, dist/cli.mjs, read and run; cli/cli, internal/skills, read.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from hashlib import sha1
from pathlib import Path
from typing import Any, NamedTuple

from skilltool.errors import PathError
from skilltool.files.reading import MEBIBYTE, read_bounded
from skilltool.packages.installer import content_hash, directory_name, table
from skilltool.text import frontmatter
from skilltool.text.source import Source

PROJECT, USER = "skills-lock.json", ".skill-lock.json"
SAME, CHANGED, ABSENT, UNKNOWN = "as installed", "changed", "not installed here", "unknown"
_MOST = 2_000  # skills of one lock
_MOST_FILES, _MOST_BYTES = 10_000, 64 * MEBIBYTE
_LEFT_OUT = "differs from its source, or npx skills left out some of its files"
_REWRITTEN = "gh skill rewrote its SKILL.md, so it cannot be compared with its source"


class Locked(NamedTuple):
    """A skill of a lock: its source and revision as written, where it is installed, and in which state.

    `directory` is None where no copy is found. `why` says more of a state.
    """

    name: str
    source: str
    ref: str
    directory: str | None
    state: str
    why: str = ""


def locked(path: Path) -> list[Locked]:
    """Return the skills of a lock file in the order of their names; raises `PathError`."""
    try:
        data = json.loads(read_bounded(path, 16 * MEBIBYTE))
    except OSError as error:
        raise PathError(f"{path}: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise PathError(f"{path}: not JSON") from None
    skills = data.get("skills") if isinstance(data, dict) else None
    if not isinstance(skills, dict):
        raise PathError(f"{path}: not an npx skills or gh skill lock file: it has no `skills`")
    top = Path(os.path.realpath(path.parent))
    top = top.parent if path.name == USER else top
    rows = [(name, entry) for name, entry in sorted(skills.items())[:_MOST] if isinstance(entry, dict)]
    return [each for name, entry in rows for each in _states(name, entry, top)]


def _states(name: str, entry: dict[str, Any], top: Path) -> Iterator[Locked]:
    source = str(entry.get("sourceUrl") or entry.get("source") or "?")
    ref = str(entry.get("pinnedRef") or entry.get("ref") or "")
    copies = list(_copies(name, top))
    for directory in copies:
        yield Locked(name, source, ref, directory, *_state(Path(directory), entry))
    if not copies:
        yield Locked(name, source, ref, None, ABSENT)


def _copies(name: str, top: Path) -> Iterator[str]:
    """Yield the directories of a project or home in which a skill is installed, links left out."""
    named = [each[kind] for each in table()["agents"] for kind in ("project", "global")]
    places = [table()["shared"], *(place.removeprefix("~/") for place in named if place)]
    for place in dict.fromkeys(places):
        directory = top / place / directory_name(name)
        is_own = directory.is_dir() and not any(each.is_symlink() for each in (directory, directory.parent))
        if is_own and os.path.lexists(directory / "SKILL.md"):
            yield directory.as_posix()


def _state(directory: Path, entry: dict[str, Any]) -> tuple[str, str]:
    computed, tree = entry.get("computedHash"), entry.get("skillFolderHash")
    if isinstance(computed, str) and computed:
        found = content_hash(directory.as_posix())
        if found is None:
            return UNKNOWN, "some of its files cannot be read"
        return (SAME, "") if found == computed else (CHANGED, _LEFT_OUT)
    if isinstance(tree, str) and tree:
        if _is_of_gh(directory):
            return UNKNOWN, _REWRITTEN
        found = tree_name(directory)
        return (SAME, "") if found == tree else (CHANGED, _LEFT_OUT)
    return UNKNOWN, "the lock file has no hash for it"


def _is_of_gh(directory: Path) -> bool:
    """Return whether gh skill has written into the SKILL.md where it is from."""
    try:
        text = Source.decode(read_bounded(directory / "SKILL.md", MEBIBYTE))
    except OSError:
        return False
    metadata = (frontmatter.read(text).data or {}).get("metadata")
    return isinstance(metadata, dict) and any(str(key).startswith("github-") for key in metadata)


def tree_name(directory: Path, depth: int = 0) -> str | None:
    """Return the name (SHA-1) that git gives to the tree of a directory; None for what cannot be read."""
    entries: list[tuple[bytes, bytes]] = []
    try:
        for child in directory.iterdir():
            if child.name == ".git" or depth > 32 or len(entries) > _MOST_FILES:
                continue
            raw = os.fsencode(child.name)
            if child.is_symlink():
                entries.append((raw, b"120000 " + raw + b"\0" + _blob(os.fsencode(child.readlink()))))
            elif child.is_dir():
                inner = tree_name(child, depth + 1)
                if inner is None:
                    return None
                entries.append((raw + b"/", b"40000 " + raw + b"\0" + bytes.fromhex(inner)))
            else:
                mode = b"100755 " if os.access(child, os.X_OK) else b"100644 "
                entries.append((raw, mode + raw + b"\0" + _blob(read_bounded(child, _MOST_BYTES))))
    except OSError:
        return None
    body = b"".join(entry for _, entry in sorted(entries))
    return sha1(b"tree %d\0" % len(body) + body, usedforsecurity=False).hexdigest()


def _blob(raw: bytes) -> bytes:
    return sha1(b"blob %d\0" % len(raw) + raw, usedforsecurity=False).digest()
