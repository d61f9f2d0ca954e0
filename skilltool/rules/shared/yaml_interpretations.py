"""What a line of frontmatter can have meant that is no YAML and could be mended in several ways."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from skilltool.rules.shared.wording import backticked
from skilltool.rules.shared.yaml_line_fixes import ENTRY, KEY_LINE, QUOTED, Chunk, index_of, more_lines
from skilltool.text.frontmatter.composing import compose
from skilltool.text.frontmatter.nodes import Mapping, Node, Scalar, Sequence, YamlError
from skilltool.text.frontmatter.quoting import quoted

_SHOWN = 70  # characters of a line
_COMMENT = re.compile(r"[ \t]+#.*")
_UNKNOWN_ESCAPE = re.compile(r"""\\(\\|["/0abtnvfreNLP_ ]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4})|\\""")


class Reading(NamedTuple):
    """Lines that could take the place of others, and what they are read as."""

    lines: tuple[str, ...]
    value: str


def readings(chunks: list[Chunk], error: YamlError) -> tuple[Reading, ...]:
    """Return what the line can have meant over which the reader stumbled; nothing where that is not two things."""
    index = index_of(chunks, error.start)
    found = None if index is None else _outermost(chunks, index)
    if found is None:
        return ()
    index, entry = found
    count = more_lines(chunks, index, entry)
    behind = [_original(chunk).strip() for chunk in chunks[index + 1 : index + 1 + count]]
    escape = "escape" in error.problem or "hexdecimal" in error.problem
    possible = _escapes(entry) if escape else _lines(entry, behind)
    known = tuple(each for lines in dict.fromkeys(possible) if (each := _read(lines)) is not None)
    return known if len(known) > 1 else ()


def _outermost(chunks: list[Chunk], index: int) -> tuple[int, re.Match[str]] | None:
    """Return the entry of a line; of an indented one, the entry above whose text it may continue."""
    entry = ENTRY.match(_original(chunks[index]))
    for above in range(index - 1, -1, -1) if entry is None or entry["indent"] else ():
        found = ENTRY.match(_original(chunks[above]))
        if found and not found["indent"]:
            return (above, found) if more_lines(chunks, above, found) >= index - above else None
        if not chunks[above].text[:1].isspace():
            break
    return None if entry is None else (index, entry)


def _original(chunk: Chunk) -> str:
    """Return a line as it was before others were mended with it."""
    return chunk.text if re.search(r"[\r\n]", chunk.before) else chunk.before


def listed(found: tuple[Reading, ...]) -> str:
    """Return readings in words for a user: how each is written, and what it is read as."""
    each = (
        f"{backticked(' / '.join(one.lines), _SHOWN)} is {backticked(one.value, _SHOWN)}" for one in found
    )
    return f"it can mean several things: {', '.join(each)}"


def _read(lines: tuple[str, ...]) -> Reading | None:
    try:
        root = compose("\n".join(lines) + "\n").root
    except YamlError:
        return None
    if not isinstance(root, Mapping):
        return None
    values = [_plain(value) for _key, value in root.entries]
    return Reading(lines, " / ".join(json.dumps(value, ensure_ascii=False) for value in values))


def _plain(node: Node) -> object:
    if isinstance(node, Sequence):
        return [_plain(item) for item in node.items]
    return node.value if isinstance(node, Scalar) else "..."


def _escapes(entry: re.Match[str]) -> Iterator[tuple[str, ...]]:
    """Yield a text in double quotes with every backslash as it is, and with those that begin an escape as that."""
    value = entry["value"]
    if len(value) > 2 and value[0] == value[-1] == '"':
        yield (_entry(entry, value[1:-1]),)
        doubled = _UNKNOWN_ESCAPE.sub(lambda found: found[0] if found[1] else "\\\\", value)
        yield (f"{entry['key']}: {doubled}",)


def _lines(entry: re.Match[str], behind: list[str]) -> Iterator[tuple[str, ...]]:
    """Yield how an entry and the indented lines behind it can be written, the simplest first."""
    value = entry["value"]
    first, comment = value[0], _COMMENT.search(value)
    if first in "\"'" and QUOTED.match(value) is None:
        yield (_entry(entry, value[1:]),)
        yield (_entry(entry, " ".join([value[1:], *behind])),)
    elif first in "\"'" and value[-1] == first:
        yield (_entry(entry, value.replace(first, "")),)
    elif first in "[{":
        yield (f"{entry['key']}: {value}{']' if first == '[' else '}'}",)
    yield (_entry(entry, " ".join([value, *behind])),)
    if comment and first not in "\"'[{|>":
        yield (f"{_entry(entry, value[: comment.start()])}{comment[0]}",)
    if behind and all(KEY_LINE.match(line) for line in behind) and first not in "\"'[{|>":
        below = filter(None, map(ENTRY.match, behind))
        yield (_entry(entry, value), *(_entry(each, each["value"]) for each in below))


def _entry(entry: re.Match[str], text: str) -> str:
    return f"{entry['key']}: {quoted(text)}"
