"""mcp-skills: what an MCP server can offer as a skill, by SEP-2640; no host was run.

A host reads the frontmatter as JSON, compares it with the file field by field, and each file with its digest.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from skilltool.runtimes.base import Root, Runtime
from skilltool.runtimes.loading import TOO_LARGE, scan_roots
from skilltool.runtimes.values import LoadedSkill, Refused
from skilltool.skill.skill_file import FILE_NAME, read_skill_file
from skilltool.skill.tree import read as read_tree
from skilltool.text import frontmatter
from skilltool.text.frontmatter.nodes import Alias, Mapping, Node, Scalar, Sequence
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Source

_SPECIFICATION = (
    "SEP-2640 (final, 2026-09-13), modelcontextprotocol/ext-skills, specification/stable/skills.mdx"
)
MOST_RESOURCES, MOST_BYTES = 512, 16 * 1024 * 1024
RESERVED = "io.modelcontextprotocol/"  # begins the keys of `metadata` that are the protocol's
_NAME = lazy_pattern(r"[a-z0-9]++(?>(?:-[a-z0-9]++)*)")
_LONGEST_NAME, _LONGEST_DESCRIPTION = 64, 1_024  # characters
_LONGEST_SHOWN = 60
_DATE = lazy_pattern(r"\d{4}-\d{1,2}-\d{1,2}(?:[Tt ].{1,40})?")


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one directory that a server offers as it is."""
    raw, size, unreadable = read_skill_file(directory / FILE_NAME, directory)
    if unreadable is not None:
        return Refused(directory, None, f"{FILE_NAME} cannot be read: {unreadable}")
    if size and not raw:
        return Refused(directory, None, TOO_LARGE)
    tree = read_tree(directory)
    total = sum(_size(directory / path) for path in tree.files)
    why = next(problems(directory.name, raw, len(tree.files), total), None)
    if why is not None:
        return Refused(directory, None, why)
    source = Source.decode(raw)
    read = frontmatter.read(source)
    name, description = read.text("name") or "", read.text("description") or ""
    body = source[read.envelope.body]
    return LoadedSkill(name, name, description, directory, body, display_path=str(directory))


def _size(path: Path) -> int:
    try:
        return path.lstat().st_size
    except OSError:
        return 0


def _shown(text: str) -> str:
    line = " ".join(text.split())
    return f"`{line if len(line) <= _LONGEST_SHOWN else line[: _LONGEST_SHOWN - 1] + chr(0x2026)}`"


def problems(directory: str, raw: bytes, files: int, size: int) -> Iterator[str]:
    """Yield why a host would not take a skill, each as a sentence.

    `directory` is the name of its directory, `raw` its SKILL.md, `files` and `size` are those of all files.
    """
    read = frontmatter.read(Source.decode(raw))
    if read.data is None or read.root is None:
        yield "the frontmatter of SKILL.md cannot be read"
        return
    name, description = read.data.get("name"), read.data.get("description")
    if not isinstance(name, str) or len(name) > _LONGEST_NAME or not _NAME.fullmatch(name):
        yield f"`name` is {_shown(str(name))}, not lower-case words joined by single hyphens"
    elif name != directory:
        yield f"`name` is {_shown(name)}, but the URI ends in the name of the directory, {_shown(directory)}"
    if not isinstance(description, str) or not description.strip():
        yield "`description` is missing or empty"
    elif len(description) > _LONGEST_DESCRIPTION:
        yield f"`description` has {len(description):,} characters, and may have {_LONGEST_DESCRIPTION:,}"
    for path, why in unlike_json(read.root):
        yield f"`{path}` {why}"
    metadata = read.data.get("metadata")
    for key in metadata if isinstance(metadata, dict) else ():
        if key.startswith(RESERVED):
            yield f"`metadata` has the key {_shown(key)}, which is reserved for the protocol"
    if files > MOST_RESOURCES:
        yield f"the skill has {files:,} files, and hosts take {MOST_RESOURCES}"
    if size > MOST_BYTES:
        yield f"the skill has {size:,} bytes, and hosts take {MOST_BYTES:,}"


def unlike_json(node: Node, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield the values of a frontmatter that JSON does not carry, by their paths, and why."""
    if isinstance(node, Alias):
        yield path, f"is the alias *{node.name}, which JSON cannot represent"
    elif isinstance(node, Scalar):
        if node.tag is not None:
            yield path, f"has the tag {node.tag}, which JSON cannot represent"
        elif isinstance(node.value, float) and not math.isfinite(node.value):
            yield path, f"is {node.text}, which JSON cannot represent"
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


MCP_SKILLS_2026_09 = Runtime(
    id="mcp-skills@2026-09",
    title="Skills over the Model Context Protocol, a format that servers implement",
    docs=f"https://modelcontextprotocol.io, {_SPECIFICATION}",
    verified="2026-11-23, docs: the specification was read, but no host was run",
    evidence="docs",
    schema="mcp-skills",
    roots=(Root(role="server", path_template="{project}/skills"),),
    facts={
        "key": "`name` in the frontmatter, which must equal the last part of the URI before `SKILL.md`",
        "duplicates": "none: skills with the same name have different paths",
        "parser": "the server provides the frontmatter as JSON; a host compares it with the file",
        "discovery": "what the server lists in `skills/list`; skilltool reads the directories in `skills/`",
        "arguments": "not part of the format",
        "tool": "not part of the format",
        "loading": "not part of the format",
    },
    sources=dict.fromkeys(
        ("roots", "key", "duplicates", "parser", "discovery", "arguments", "tool", "loading", "limits"),
        _SPECIFICATION,
    ),
    scan=partial(scan_roots, load=load),
    load=load,
)
