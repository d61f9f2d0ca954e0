"""Recognizing frontmatter that every known runtime accepts, which is cheaper than asking each of them."""

from __future__ import annotations

import re

from skilltool.skill import schema
from skilltool.skill.model import Skill
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.frontmatter import Frontmatter, yaml11_value
from skilltool.text.source import Source

# Lines that every known parser reads alike: `key: value`, and metadata one level down.
# A value that begins as a list, a mapping, an anchor, a tag or a block is not plain.
_LINE = re.compile(
    r"(?:name|description|license|compatibility): \S.*|metadata:|  [A-Za-z][\w-]*: [^\s\[{&*!|>%@`].*"
)
_VALUE = re.compile(r"""[A-Za-z][^:#"'\\]*|"[^:#"\\]+"|'[^:#'"]+'""")


def is_plain(skill: Skill) -> bool:
    """Return True only for a skill that no known runtime rejects or reads differently.

    That is: ASCII without tabs, line feeds, `---` markers as the strictest parser wants them, no duplicate key, each
    value on one line and a string in every YAML version, the directory's name, and every length within limits.
    """
    frontmatter, source = skill.frontmatter, skill.source
    return (
        skill.file_name == FILE_NAME
        and source.text.startswith("---\n")
        and "\r" not in source.text
        and not source.invalid
        and not frontmatter.problems
        and not frontmatter.envelope.padding
        and _has_plain_lines(frontmatter, source)
        and _has_plain_values(frontmatter, source)
        and _fits(skill)
    )


def _has_plain_lines(frontmatter: Frontmatter, source: Source) -> bool:
    envelope = frontmatter.envelope
    block = source[envelope.block]
    ended = envelope.closing is not None and source.text.startswith("\n", envelope.closing.end)
    plain = ended and block.isascii() and not any(mark in block for mark in ("---", "#", "\t"))
    return plain and all(_LINE.fullmatch(line) for line in block.split("\n")[:-1])


def _has_plain_values(frontmatter: Frontmatter, source: Source) -> bool:
    return all(
        _VALUE.fullmatch(source[scalar.span])
        and (not scalar.plain or isinstance(yaml11_value(scalar.text), str))
        for _path, scalar in frontmatter.scalars
    )


def _fits(skill: Skill) -> bool:
    """Return whether every field is within the limits of the common ground, and the name is the directory's."""
    data = skill.frontmatter.data
    return data is not None and schema.surely_valid(data, "skill") and data["name"] == skill.name
