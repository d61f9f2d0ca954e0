"""The entry of a skill that an MCP server offers: URIs, frontmatter, digests and sizes of its files.

Source: SEP-2640 (final, 2026-09-13), modelcontextprotocol/ext-skills, specification/stable/skills.mdx.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any
from urllib.parse import quote

from skilltool.errors import SkilltoolError
from skilltool.pack.contents import Contents
from skilltool.pack.entry_names import shown
from skilltool.runtimes import mcp_skills
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text import frontmatter
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Source

START = b'{\n  "uri": "skill://'  # of the text of an entry
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
    sizes = contents.sizes
    return list(mcp_skills.problems(contents.name, _skill_file(contents), len(sizes), sum(sizes.values())))


def _skill_file(contents: Contents) -> bytes:
    return next(each.content for each in contents.entries if each.path == FILE_NAME)
