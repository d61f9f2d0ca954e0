"""Which line of a frontmatter costs Claude Code all fields, and why does its repair not help there?"""

from __future__ import annotations

import re
from typing import NamedTuple

from skilltool.emulation.bun_yaml import BunYamlError, load
from skilltool.runtimes.claude_code.manifest import LINE, repaired

_BLOCK = re.compile(r"[|>][-+0-9]*\s*(?:#.*)?")
_IN_CRLF = "values are repaired only in files without CRLF line ends"
_BESIDE_BLOCK = "values are repaired only where no field is a `|` or `>` block"


class Fault(NamedTuple):
    """Where the parser stops: the offset of that line, None if it is unknown.

    `unrepaired` is why a value is not put in quotes that would be in another file, as a clause.
    """

    offset: int | None
    unrepaired: str | None = None


def fault_in(yaml: str, start: int) -> Fault:
    """Return the fault of YAML that fails, also once it is repaired; `start` is its offset in the file."""
    lines, fixed = yaml.split("\n"), repaired(yaml)
    changed = {n for n, both in enumerate(zip(lines, fixed.split("\n"), strict=True)) if both[0] != both[1]}
    first, second = _stops_at(yaml), _stops_at(fixed)
    broken_block = any(_is_block(lines[number]) for number in changed)
    line = second if first is None or (first in changed and not broken_block) else first
    if line is None or line >= len(lines):
        return Fault(None, _hindrance(yaml, broken_block))
    before = sum(len(each) + 1 for each in lines[:line])
    indent = len(lines[line]) - len(lines[line].lstrip())
    return Fault(start + before + indent, _hindrance(yaml, broken_block))


def _hindrance(yaml: str, broken_block: bool) -> str | None:
    if "\r\n" in yaml and _stops_at(repaired(yaml.replace("\r\n", "\n"))) is None:
        return _IN_CRLF
    if broken_block and _stops_at(_repaired_but_blocks(yaml)) is None:
        return _BESIDE_BLOCK
    return None


def _repaired_but_blocks(yaml: str) -> str:
    pairs = zip(yaml.split("\n"), repaired(yaml).split("\n"), strict=True)
    return "\n".join(line if _is_block(line) else fixed for line, fixed in pairs)


def _is_block(line: str) -> bool:
    found = LINE.fullmatch(line)
    return found is not None and _BLOCK.fullmatch(found["value"]) is not None


def _stops_at(yaml: str) -> int | None:
    """Return the index of the line at which the parser stops; None if it does not, or does not say where."""
    try:
        load(yaml)
    except BunYamlError as error:
        return yaml.count("\n", 0, error.offset) if error.offset is not None else None
    return None
