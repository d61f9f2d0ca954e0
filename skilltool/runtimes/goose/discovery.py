"""Where does goose look for skills, and how does it read one?

Source: `crates/goose/src/skills/mod.rs` of block/goose at 013ab848, and `parse_frontmatter` in `sources.rs`.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from skilltool.emulation import rust
from skilltool.emulation.serde_yaml import MAP, STRING, TEXT, SerdeYamlError, Struct, read
from skilltool.runtimes.base import Session
from skilltool.runtimes.loading import (
    TOO_LARGE,
    anywhere_in,
    is_directory_here,
    is_here,
    read_bytes,
    scan_roots,
)
from skilltool.runtimes.values import SILENTLY, LoadedSkill, Log, Refusal, Refused, not_read
from skilltool.skill.read_file import MAX_BYTES
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.frontmatter.nodes import BoundError, Node, Scalar, Sequence

NOT_ENTERED = frozenset({".git", ".hg", ".svn"})
_FIELDS = Struct("SkillFrontmatter", {"name": TEXT, "description": STRING, "metadata": MAP})
_DASHES = "---"


def parse(raw: bytes, directory: str | None) -> dict[str, Any]:
    """Return `name`, `description`, `body` and the names of `arguments` of a SKILL.md; raises `Refusal`."""
    if len(raw) > MAX_BYTES:
        raise Refusal(None, TOO_LARGE)
    try:
        parts = raw.decode("utf-8").split(_DASHES)
    except UnicodeDecodeError as error:
        raise Refusal("stream did not contain valid UTF-8", f"byte {error.start} is not UTF-8") from None
    if len(parts) < 3:
        raise Refusal(None, f"it does not have `{_DASHES}` twice {SILENTLY}")
    try:
        fields = read(rust.trim(parts[1]), _FIELDS)
    except BoundError as error:
        raise not_read(error) from None
    except SerdeYamlError as error:
        words = str(error)
        raise Refusal(f"Failed to parse skill frontmatter: {words}", words, library=words) from None
    name = fields.get("name")
    if not name:
        raise Refusal(f"Skill at '{directory}' is missing a required 'name' in frontmatter, skipping")
    if "/" in name:
        raise Refusal(f"Skill name '{name}' contains '/', skipping")
    return {
        "name": name,
        "description": fields.get("description") or "",
        "body": rust.trim(_DASHES.join(parts[2:])),
        "arguments": _names(fields.get("metadata", {}).get("arguments")),
    }


def _names(node: Node | None) -> list[str]:
    """Return the texts in a list; numbers and the like are none."""
    items = node.items if isinstance(node, Sequence) else ()
    return [
        item.text for item in items if isinstance(item, Scalar) and isinstance(item.value, str) and item.text
    ]


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory."""
    file = directory / FILE_NAME
    if not is_here(file) or is_directory_here(file):
        return Refused(directory, None, f"it has no {FILE_NAME} {SILENTLY}")
    real = directory.resolve()
    try:
        found = parse(read_bytes(file), str(real))
    except OSError as error:
        words = rust.io_error(error)
        return Refused(directory, f"Failed to read skill file {file}: {words}", f"it cannot be read: {words}")
    except Refusal as refusal:
        message, why, library = refusal.message, refusal.why, refusal.library
        return Refused(directory, message, why, library=library)
    name, description, body = found["name"], found["description"], found["body"]
    extra = {"arguments": found["arguments"]}
    return LoadedSkill(name, name, description, directory, body, "", str(real), extra)


def scan(session: Session) -> None:
    """Fill a session: each root at any depth, the first copy of a name wins."""
    find = partial(anywhere_in, passed_over=NOT_ENTERED)
    scan_roots(session, load, find)
    session.logs += [Log("WARN", "goose", each.message, True) for each in session.skipped if each.message]
