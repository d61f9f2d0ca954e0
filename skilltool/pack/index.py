"""The index of the skills that a web server offers: `.well-known/agent-skills/index.json`, version 0.2.0.

Source: cloudflare/agent-skills-discovery-rfc 1bd1167, README.md.
"""

from __future__ import annotations

import json
import re
from hashlib import sha256
from pathlib import Path
from typing import Any

from skilltool.errors import SkilltoolError
from skilltool.files.reading import MEBIBYTE, read_bounded
from skilltool.pack.entry_names import shown
from skilltool.text.json_places import JsonError, read
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Source

PLACE = "well-known"  # in schemas/uploads.json: how such an archive is laid out, and its limits
_SCHEMA = "https://schemas.agentskills.io/discovery/0.2.0/schema.json"
_NAME = lazy_pattern(r"[a-z0-9]++(?>(?:-[a-z0-9]++)*)")
_LONGEST_NAME, _LONGEST_DESCRIPTION = 64, 1_024  # characters


def folder_of(top: Path) -> Path:
    """Return where the index and its archives are, under the directory that a server offers as `/`."""
    return top / ".well-known" / "agent-skills"


def file_of(top: Path) -> Path:
    """Return the path of the index."""
    return folder_of(top) / "index.json"


def digest_of(raw: bytes) -> str:
    """Return the digest of an archive as an index has it."""
    return f"sha256:{sha256(raw).hexdigest()}"


def entry_for(name: str, description: str, file: str, raw: bytes) -> dict[str, str]:
    """Return the entry of an archive named `file` beside the index, with the skill's name and description.

    Raises `SkilltoolError` for a name or a description that an index does not take.
    """
    if len(name) > _LONGEST_NAME or not _NAME.fullmatch(name):
        raise SkilltoolError(
            f"an index accepts names of lowercase words joined by single hyphens, at most {_LONGEST_NAME}"
            f" characters long, not {shown(name)}"
        )
    if not description or len(description) > _LONGEST_DESCRIPTION:
        raise SkilltoolError(
            f"an index accepts descriptions of 1 to {_LONGEST_DESCRIPTION:,} characters, not"
            f" {len(description):,}"
        )
    return {
        "name": name,
        "type": "archive",
        "description": description,
        "url": file,
        "digest": digest_of(raw),
    }


def entries_of(top: Path) -> list[dict[str, Any]]:
    """Return the entries of an index, an empty list if there is none yet.

    Raises `SkilltoolError` for a file that is not an index of this version.
    """
    path = file_of(top)
    try:
        text = read_bounded(path, MEBIBYTE).decode("utf-8")
        data = read(text).data
    except FileNotFoundError:
        return []
    except JsonError as error:
        at = Source(text).position(error.span.start)
        raise SkilltoolError(f"{path}:{at.line}:{at.column}: {error.message}") from None
    except (OSError, ValueError) as error:
        raise SkilltoolError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    schema = data.get("$schema") if isinstance(data, dict) else None
    skills = data.get("skills") if isinstance(data, dict) else None
    if (
        schema != _SCHEMA
        or not isinstance(skills, list)
        or not all(isinstance(skill, dict) for skill in skills)
    ):
        raise SkilltoolError(f"{path}: is not an index of version 0.2.0, whose `$schema` is {_SCHEMA}")
    found: list[dict[str, Any]] = skills
    return found


def with_entry(entries: list[dict[str, Any]], entry: dict[str, str]) -> bytes:
    """Return the text of an index with one more entry, or another for its name; fields of others are kept."""
    others = [each for each in entries if each.get("name") != entry["name"]]
    before = next((each for each in entries if each.get("name") == entry["name"]), {})
    skills = sorted([*others, {**before, **entry}], key=lambda each: str(each.get("name")))
    return f"{json.dumps({'$schema': _SCHEMA, 'skills': skills}, indent=2, ensure_ascii=False)}\n".encode()


def mismatches(top: Path, file: str, digest: str, name: str, description: str) -> list[str]:
    """Return how the entry of an archive differs from it, each as a sentence; `file` is its name."""
    path = file_of(top)
    entry = next((each for each in entries_of(top) if _names(each, file)), None)
    if entry is None:
        return [f"{path} has no entry for {shown(file)}"]
    pairs = (("digest", digest), ("name", name), ("description", description))
    return [
        f"{path}: the {key} of {shown(file)} is {shown(str(entry.get(key)))}, "
        f"but the archive has {shown(value)}"
        for key, value in pairs
        if entry.get(key) != value
    ]


def _names(entry: dict[str, Any], file: str) -> bool:
    url = entry.get("url")
    return isinstance(url, str) and re.split("[?#]", url)[0].rpartition("/")[2] == file
