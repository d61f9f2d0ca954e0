"""How does Claude Code read one file: where its frontmatter ends, how its YAML is repaired, what fields mean?

Source: requests that version 2.1.329 sent for skills of ours. Its YAML is that of Bun (`emulation.bun_yaml`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, NamedTuple

from skilltool.emulation.bun_yaml import BunYamlError, load, text_of
from skilltool.emulation.javascript import first_units, length, trim
from skilltool.runtimes.loading import TOO_LARGE
from skilltool.runtimes.values import Manifest, Refusal, not_read
from skilltool.skill.skill_file import MAX_BYTES
from skilltool.text.frontmatter.nodes import BoundError
from skilltool.text.lazy_pattern import lazy_pattern

# White space as JavaScript's `\s` has it.
_S = r"[\t\n\v\f\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]"
_FRONTMATTER = lazy_pattern(rf"---{_S}*\n(?P<yaml>[\s\S]*?)---{_S}*\n?")
LINE = lazy_pattern(rf"(?P<key>[a-zA-Z_-]+):{_S}+(?P<value>[^\n\r\u2028\u2029]+)")
_NEEDS_QUOTES = lazy_pattern(r"[{}\[\]*&#!|>%@`]|: ")
_TABS = lazy_pattern(r"^\t+", re.MULTILINE)
_HEADING = lazy_pattern(rf"#+{_S}+")
_LONGEST_LINE, _CUT_LINE = 100, 97
_HALF_PAIR = lazy_pattern("[\ud800-\udbff]\\Z")  # which the listing does not show
_YES, _NO = frozenset({"true", "yes", "on", "1"}), frozenset({"false", "no", "off", "0"})


class File(NamedTuple):
    """One file as Claude Code splits and reads it.

    `fields` is empty where the frontmatter is missing, holds something else than keys, or fails as YAML; then
    `problem` is the parser's message. `repaired` tells that the YAML is valid only with the values in quotes
    that Claude Code adds.
    """

    fields: dict[str, Any]
    body: str
    problem: str | None = None
    repaired: bool = False


def decoded(raw: bytes) -> str:
    """Return the text of a file: UTF-8 with U+FFFD for what is not, with its byte order mark."""
    return raw.decode("utf-8", "replace")


def split(text: str) -> re.Match[str] | None:
    """Split a text at the first `---` after its first line; `yaml` is what is before, None without any."""
    return _FRONTMATTER.match(text)


@lru_cache(maxsize=2)
def read(text: str) -> File:
    """Split a text, and read its frontmatter; the result is shared by all who ask, and nobody changes it.

    A byte order mark goes with the frontmatter, and stays where there is none.
    Raises `Refusal` for YAML that exceeds skilltool's bounds.
    """
    match = split(text.removeprefix("\ufeff"))
    if match is None:
        return File({}, text)
    body = match.string[match.end() :]
    try:
        return File(_mapping(load(match["yaml"])), body)
    except BoundError as error:
        raise not_read(error) from None
    except BunYamlError:
        pass
    try:
        return File(_mapping(load(repaired(match["yaml"]))), body, repaired=True)
    except BoundError as error:
        raise not_read(error) from None
    except BunYamlError as error:
        return File({}, body, f"YAML Parse error: {error}")


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def repaired(yaml: str) -> str:
    """Return YAML with spaces for tabs that indent, and with values in quotes that YAML would take apart.

    A line `key: value` is concerned if its key has only letters, `-` and `_`, and its value holds `: ` or a
    special character and is not in quotes. A line that ends in a carriage return never is.
    """
    spaced = _TABS.sub(lambda tabs: "  " * len(tabs[0]), yaml)
    return "\n".join(map(_quoted, spaced.split("\n")))


def _quoted(line: str) -> str:
    match = LINE.fullmatch(line)
    if match is None or not _NEEDS_QUOTES.search(value := match["value"]):
        return line
    if value[0] == value[-1] and value[0] in "\"'":
        return line
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'{match["key"]}: "{escaped}"'


def text_field(fields: dict[str, Any], name: str) -> str | None:
    """Return a field that counts as text: strings, numbers and booleans; None for anything else."""
    value = fields.get(name)
    return text_of(value) if isinstance(value, str | int | float) else None


def switch(fields: dict[str, Any], name: str) -> bool | None:
    """Return a field as a switch: `true`, `yes`, `on`, `1` and their opposites in any case, else None."""
    word = (text_field(fields, name) or "").strip().lower()
    return True if word in _YES else False if word in _NO else None


def description(fields: dict[str, Any]) -> str | None:
    """Return the description of the frontmatter, None if it has none."""
    return trim(text_field(fields, "description") or "") or None


def first_line(body: str) -> str | None:
    """Return what stands in for a description: the first line of the body that is not empty, shortened."""
    line = next(filter(None, map(trim, body.split("\n"))), None)
    if line is None:
        return None
    text = _HEADING.sub("", line, count=1) if _HEADING.match(line) else line
    if length(text) <= _LONGEST_LINE:
        return text
    return f"{_HALF_PAIR.sub(' ', first_units(text, _CUT_LINE))}..."


def sent_units(text: str, count: int) -> str:
    """Return the first UTF-16 units of a text as they are sent: half of a pair becomes U+FFFD."""
    cut = first_units(text, count)
    return cut.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def when_to_use(fields: dict[str, Any]) -> str | None:
    """Return `when_to_use`, a list joined by commas; None if it is missing or empty."""
    value = fields.get("when_to_use")
    return (text_of(value) or None) if isinstance(value, list) else text_field(fields, "when_to_use") or None


def parse(raw: bytes, directory: str | None) -> Manifest:
    """Return name, description and body of a SKILL.md; it refuses none for what it says."""
    if len(raw) > MAX_BYTES:
        raise Refusal(None, TOO_LARGE)
    file = read(decoded(raw))
    name = text_field(file.fields, "name") or directory
    shown = description(file.fields) or first_line(file.body) or "Skill"
    return Manifest(name, shown, file.body, file.fields, fields_lost=file.problem is not None)


_BLOCK = lazy_pattern(r"[|>][-+0-9]*\s*(?:#.*)?")
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
    match = LINE.fullmatch(line)
    return match is not None and _BLOCK.fullmatch(match["value"]) is not None


def _stops_at(yaml: str) -> int | None:
    """Return the index of the line at which the parser stops; None if it does not, or does not say where."""
    try:
        load(yaml)
    except BunYamlError as error:
        return yaml.count("\n", 0, error.offset) if error.offset is not None else None
    return None
