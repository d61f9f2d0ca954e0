"""Recognizing frontmatter that every known runtime accepts, which is cheaper than asking each of them."""

from __future__ import annotations

import re
from collections.abc import Collection

from skilltool.skill import schema
from skilltool.skill.model import Skill
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.frontmatter import Frontmatter, yaml11_value
from skilltool.text.frontmatter.nodes import Mapping, Node, Scalar
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Source

_FIELDS = frozenset({"name", "description", "license", "compatibility", "allowed-tools"})
# Values of clients' fields that nobody in the common ground refuses: three numbers, a boolean, words.
_VERSION, _BOOLEAN = r"[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}", "true|false"
_WORDS = "[A-Za-z][A-Za-z ,-]*[a-z]"
_FIELDS_OF_CLIENTS = {
    "version": _VERSION,
    "disable-model-invocation": _BOOLEAN,
    "user-invocable": _BOOLEAN,
    "argument-hint": _WORDS,
    "tools": _WORDS,
}
# The name that Claude Code keeps for the skills of an account: it loads none that is called so.
_RESERVED = "anthropic-skills"
_INDENTS = (0, *range(2, 9))  # columns before a key: of a field, and under `metadata`
_KEY = lazy_pattern(r"[A-Za-z][\w-]*")
_LETTER = lazy_pattern(r"\w")
# Unquoted: no colon or hash that means something to a parser, no `<`, which begins what some delete, and no
# quote at the end, which some take off.
_VALUE = lazy_pattern(
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


def surely_loads(skill: Skill) -> bool:
    """Return True only for a skill that the common ground loads: plain but for simple fields of clients."""
    return skill.once(_is_plain_but_for_clients)


def _is_plain(skill: Skill) -> bool:
    return _is_accepted(skill, ())


def _is_plain_but_for_clients(skill: Skill) -> bool:
    frontmatter, source = skill.frontmatter, skill.source
    if is_plain(skill) or frontmatter.root is None:
        return is_plain(skill)
    simple = [key for key, value in frontmatter.root.entries if _is_field_of_client(key, value, source)]
    return bool(simple) and _is_accepted(skill, [key.text for key in simple if isinstance(key, Scalar)])


def _is_field_of_client(key: Node, value: Node, source: Source) -> bool:
    if not (isinstance(key, Scalar) and isinstance(value, Scalar) and value.plain):
        return False
    pattern = _FIELDS_OF_CLIENTS.get(key.text)
    line_ends = source.text.startswith("\n", value.span.end)
    has_one_space = value.span.start == key.span.end + 2
    return (
        pattern is not None and has_one_space and line_ends and re.fullmatch(pattern, value.text) is not None
    )


def _is_accepted(skill: Skill, besides: Collection[str]) -> bool:
    """Return whether every known runtime accepts a skill if it accepts the fields `besides`."""
    frontmatter, source = skill.frontmatter, skill.source
    return (
        skill.file_name == FILE_NAME
        and source.text.startswith("---\n")
        and "\r" not in source.text
        and not source.invalid
        and frontmatter.is_plain
        and not frontmatter.problems
        and not frontmatter.envelope.padding
        and _has_plain_lines(frontmatter, source, besides)
        and _has_plain_values(frontmatter, source, besides)
        and _fits(skill, besides)
        and _LETTER.search(skill.body) is not None
    )


def _has_plain_lines(frontmatter: Frontmatter, source: Source, besides: Collection[str]) -> bool:
    """Return whether each line is a known field, or an entry of `metadata`, with one space before its value."""
    envelope, root = frontmatter.envelope, frontmatter.root
    block = source[envelope.block]
    ended = envelope.closing is not None and source.text.startswith("\n", envelope.closing.end)
    if root is None or not ended or "---" in block or " #" in block:
        return False
    lines = 0
    for key, value in root.entries:
        name = key.text if isinstance(key, Scalar) else ""
        below = value.entries if isinstance(value, Mapping) else ()
        lines += 1 + len(below)
        if name in besides:
            continue
        if below and (name != "metadata" or not source.text.startswith(":\n", key.span.end)):
            return False
        if not below and name not in _FIELDS:
            return False
        if not all(_is_plain_entry(*entry, source) for entry in below or [(key, value)]):
            return False
    return lines == block.count("\n")  # no comment, no empty line


def _is_plain_entry(key: Node, value: Node, source: Source) -> bool:
    has_one_space = value.span.start == key.span.end + 2
    indent = key.span.start - source.text.rindex("\n", 0, key.span.start) - 1
    is_name = _KEY.fullmatch(source[key.span]) is not None
    return isinstance(value, Scalar) and has_one_space and is_name and indent in _INDENTS


def _has_plain_values(frontmatter: Frontmatter, source: Source, besides: Collection[str]) -> bool:
    return all(
        _VALUE.fullmatch(source[scalar.span])
        and (not scalar.plain or isinstance(yaml11_value(scalar.text), str))
        for path, scalar in frontmatter.scalars
        if path[0] not in besides
    )


def _fits(skill: Skill, besides: Collection[str]) -> bool:
    """Return whether every field is within the limits of the common ground, and the name is the directory's."""
    data = skill.frontmatter.data or {}
    data = {key: value for key, value in data.items() if key not in besides} if besides else data
    named = data.get("name") == skill.name != _RESERVED
    return named and schema.surely_valid(data, "skill")
