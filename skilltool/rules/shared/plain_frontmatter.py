"""Recognizing frontmatter that every known runtime accepts, which is cheaper than asking each of them."""

from __future__ import annotations

import re

from skilltool.skill import schema
from skilltool.skill.model import Skill
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.frontmatter import Frontmatter, yaml11_value
from skilltool.text.frontmatter.composing import is_printable
from skilltool.text.source import Source

# Lines that every known parser reads alike: `key: value`, and metadata one level down.
# A value that begins as a list, a mapping, an anchor, a tag or a block is not plain.
_LINES = re.compile(
    r"(?:(?:name|description|license|compatibility|allowed-tools): \S.*\n"
    r"|metadata:\n(?P<indent> {2,8})[A-Za-z][\w-]*: [^\s\[{&*!|>%@`].*\n"
    r"(?:(?P=indent)[A-Za-z][\w-]*: [^\s\[{&*!|>%@`].*\n)*)+"
)
# Fields of clients that nobody in the common ground refuses with these values: three numbers, a boolean, words.
_MORE_LINES = re.compile(
    r"^(?:version: [0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}|(?:disable-model-invocation|user-invocable): (?:true|false)"
    r"|(?:argument-hint|tools): [A-Za-z][A-Za-z ,-]*[a-z])\n",
    re.MULTILINE,
)
_LETTER = re.compile(r"\w")
# Unquoted: no colon or hash that means something to a parser, no `<`, which begins what some delete, and no
# quote at the end, which some take off.
_VALUE = re.compile(
    r"""[^\W\d_](?>(?:[^:#\\<]++|:(?=[^\s:<])|(?<=\S)#)*)(?<!["'])"""
    r"""|"[^\s#"\\<](?:[^#"\\<]*[^\s#"\\<])?"|'[^\s#'"<](?:[^#'"<]*[^\s#'"<])?'"""
)


def is_plain(skill: Skill) -> bool:
    """Return True only for a skill that no known runtime rejects or reads differently.

    That is: printable characters, line feeds, `---` markers as the strictest parser wants them, no duplicate key,
    each value on one line and a string in every YAML version, the directory's name, every length within limits,
    a body.
    """
    return skill.once(_is_plain)


def _is_plain(skill: Skill) -> bool:
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
        and _LETTER.search(skill.body) is not None
    )


def surely_loads(skill: Skill) -> bool:
    """Return True only for a skill that the common ground loads: plain but for simple fields of clients."""
    if is_plain(skill):
        return True
    block = skill.frontmatter.envelope.block
    text = skill.source.text
    without, found = _MORE_LINES.subn("", text[block.start : block.end])
    if not found or skill.frontmatter.problems or skill.source.invalid:
        return False
    return is_plain(skill.with_text(Source(text[: block.start] + without + text[block.end :])))


def _has_plain_lines(frontmatter: Frontmatter, source: Source) -> bool:
    envelope = frontmatter.envelope
    block = source[envelope.block]
    ended = envelope.closing is not None and source.text.startswith("\n", envelope.closing.end)
    plain = ended and "---" not in block and " #" not in block and is_printable(block)
    return plain and _LINES.fullmatch(block) is not None


def _has_plain_values(frontmatter: Frontmatter, source: Source) -> bool:
    return all(
        _VALUE.fullmatch(source[scalar.span])
        and (not scalar.plain or isinstance(yaml11_value(scalar.text), str))
        for _path, scalar in frontmatter.scalars
    )


def _fits(skill: Skill) -> bool:
    """Return whether every field is within the limits of the common ground, and the name is the directory's."""
    data = skill.frontmatter.data
    if data is None or schema.may_be_violated(skill.frontmatter, "skill"):
        return False
    return data["name"] == skill.name
