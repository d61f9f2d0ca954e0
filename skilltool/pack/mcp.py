"""The entry of a skill that an MCP server offers: URIs, frontmatter, digests and sizes of its files.

Source: SEP-2640 (final, 2026-09-13), modelcontextprotocol/ext-skills, specification/stable/skills.mdx.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from hashlib import sha256
from typing import Any
from urllib.parse import quote

from skilltool.errors import SkilltoolError
from skilltool.pack.contents import Contents
from skilltool.pack.entry_names import shown
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text import frontmatter
from skilltool.text.frontmatter.nodes import Alias, Mapping, Node, Scalar, Sequence
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Source

MOST_RESOURCES, MOST_BYTES = 512, 16 * 1024 * 1024
RESERVED = "io.modelcontextprotocol/"  # begins the keys of `metadata` that are the protocol's
_NAME = lazy_pattern(r"[a-z0-9]++(?>(?:-[a-z0-9]++)*)")
_LONGEST_NAME, _LONGEST_DESCRIPTION = 64, 1_024  # characters
_PREFIX = lazy_pattern(r"[a-z0-9][a-z0-9.-]*(?:/[A-Za-z0-9._~-]+)*")


def entry(contents: Contents, prefix: str = "") -> dict[str, Any]:
    """Return the entry of a skill for `skills/list`: its URI, its frontmatter as JSON, and its resources.

    `prefix` is the path of the skill before its name, such as the name of a server. Raises `SkilltoolError`
    for a prefix that is none.
    """
    if prefix and not _PREFIX.fullmatch(prefix):
        raise SkilltoolError(
            f"{shown(prefix)} is not the beginning of a skill's path: use `acme` or `acme/forms`"
        )
    base = "skill://" + "/".join(filter(None, (prefix, quote(contents.name, safe="-._~"))))
    resources = [
        {
            "uri": f"{base}/{quote(each.path, safe='/-._~')}",
            "digest": f"sha256:{sha256(each.content).hexdigest()}",
            "size": len(each.content),
        }
        for each in contents.entries
    ]
    fields = frontmatter.read(Source.decode(_skill_file(contents))).data or {}
    return {"uri": f"{base}/{FILE_NAME}", "frontmatter": fields, "resources": resources}


def text_of(found: dict[str, Any]) -> bytes:
    """Return an entry as the text of a file."""
    return f"{json.dumps(found, indent=2, ensure_ascii=False, allow_nan=False)}\n".encode()


def problems(contents: Contents) -> list[str]:
    """Return why a host would not take the entry of a skill, each as a sentence."""
    return list(_problems(contents))


def _problems(contents: Contents) -> Iterator[str]:
    read = frontmatter.read(Source.decode(_skill_file(contents)))
    if read.data is None or read.root is None:
        yield "the frontmatter of SKILL.md cannot be read"
        return
    name, description = read.data.get("name"), read.data.get("description")
    if not isinstance(name, str) or len(name) > _LONGEST_NAME or not _NAME.fullmatch(name):
        yield f"`name` is {shown(str(name))}, not lower-case words joined by single hyphens"
    elif name != contents.name:
        yield f"`name` is {shown(name)}, and the URI ends in the directory, {shown(contents.name)}"
    if not isinstance(description, str) or not description.strip():
        yield "`description` is missing or empty"
    elif len(description) > _LONGEST_DESCRIPTION:
        yield f"`description` has {len(description):,} characters, and may have {_LONGEST_DESCRIPTION:,}"
    for path, why in unlike_json(read.root):
        yield f"`{path}` {why}"
    metadata = read.data.get("metadata")
    for key in metadata if isinstance(metadata, dict) else ():
        if key.startswith(RESERVED):
            yield f"`metadata` has the key {shown(key)}, which is reserved for the protocol"
    size = sum(contents.sizes.values())
    if len(contents.entries) > MOST_RESOURCES:
        yield f"the skill has {len(contents.entries):,} files, and hosts take {MOST_RESOURCES}"
    if size > MOST_BYTES:
        yield f"the skill has {size:,} bytes, and hosts take {MOST_BYTES:,}"


def unlike_json(node: Node, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield the values of a frontmatter that JSON does not carry, by their paths, and why."""
    if isinstance(node, Alias):
        yield path, f"is the alias *{node.name}, which JSON does not have"
    elif isinstance(node, Scalar):
        if node.tag is not None:
            yield path, f"has the tag {node.tag}, which JSON does not have"
        elif isinstance(node.value, float) and not math.isfinite(node.value):
            yield path, f"is {node.text}, which JSON does not have"
        elif node.plain and _DATE.fullmatch(node.text):
            yield path, f"is {node.text}, a date to some parsers and text to others; quote it"
    elif isinstance(node, Sequence):
        for number, item in enumerate(node.items):
            yield from unlike_json(item, f"{path}[{number}]")
    elif isinstance(node, Mapping):
        for key, value in node.entries:
            if not isinstance(key, Scalar):
                yield path or "frontmatter", "has a key that is not text"
            elif key.plain and not isinstance(key.value, str):
                yield path or "frontmatter", f"has the key {key.text}, which is not text"
            if isinstance(key, Scalar):
                yield from unlike_json(value, f"{path}.{key.text}" if path else key.text)


_DATE = lazy_pattern(r"\d{4}-\d{1,2}-\d{1,2}(?:[Tt ].{1,40})?")


def _skill_file(contents: Contents) -> bytes:
    return next(each.content for each in contents.entries if each.path == FILE_NAME)
