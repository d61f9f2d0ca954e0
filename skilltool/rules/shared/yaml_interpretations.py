"""What an invalid line of frontmatter can have meant, where there is more than one way to fix it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from skilltool.rules.shared.wording import backticked
from skilltool.rules.shared.yaml_line_fixes import (
    ENTRY,
    KEY_LINE,
    QUOTED,
    Chunk,
    count_continuation_lines,
    index_of,
)
from skilltool.text.frontmatter.composing import compose
from skilltool.text.frontmatter.nodes import Mapping, Node, Scalar, Sequence, YamlError
from skilltool.text.frontmatter.scalars import quoted

_MAX_WIDTH = 70  # characters of a line or value in the help
_COMMENT = re.compile(r"[ \t]+#.*")
_UNKNOWN_ESCAPE = re.compile(r"""\\(\\|["/0abtnvfreNLP_ ]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4})|\\""")


class Interpretation(NamedTuple):
    """Valid lines that the author may have meant, and the values that they parse to, as JSON."""

    lines: tuple[str, ...]
    value: str


def interpretations(chunks: list[Chunk], error: YamlError) -> tuple[Interpretation, ...]:
    """Return what the line at which the parser stopped can have meant; nothing unless there are two ways or more."""
    stopped = index_of(chunks, error.start)
    found = None if stopped is None else _enclosing_entry(chunks, stopped)
    if stopped is None or found is None:
        return ()
    index, entry = found
    if stopped > index and entry["value"][0] in "[{":
        return ()  # a comma or a bracket is missing: no other line means that
    count = count_continuation_lines(chunks, index, entry)
    following = [_original_text(chunk).strip() for chunk in chunks[index + 1 : index + 1 + count]]
    escape = "escape" in error.problem or "hexdecimal" in error.problem
    possible = _with_escapes(entry) if escape else _rewritten(entry, following)
    valid = tuple(each for lines in dict.fromkeys(possible) if (each := _parse(lines)) is not None)
    return valid if len(valid) > 1 else ()


def describe(found: tuple[Interpretation, ...]) -> str:
    """Return the end of a help text: why there is no fix, how to write each interpretation and what it means."""
    each = (
        f"{backticked(' / '.join(one.lines), _MAX_WIDTH)} reads as {backticked(one.value, _MAX_WIDTH)}"
        for one in found
    )
    return f"not fixed automatically, because it is ambiguous: {', '.join(each)}"


def _enclosing_entry(chunks: list[Chunk], index: int) -> tuple[int, re.Match[str]] | None:
    """Return index and match of a line's entry; for an indented line, of the entry above that it may continue."""
    entry = ENTRY.match(_original_text(chunks[index]))
    for above in range(index - 1, -1, -1) if entry is None or entry["indent"] else ():
        found = ENTRY.match(_original_text(chunks[above]))
        if found and not found["indent"]:
            return (above, found) if count_continuation_lines(chunks, above, found) >= index - above else None
        if not chunks[above].text[:1].isspace():
            break
    return None if entry is None else (index, entry)


def _original_text(chunk: Chunk) -> str:
    """Return a line as the file has it; where several lines were joined, the joined line."""
    return chunk.text if re.search(r"[\r\n]", chunk.original) else chunk.original


def _parse(lines: tuple[str, ...]) -> Interpretation | None:
    try:
        root = compose("\n".join(lines) + "\n").root
    except YamlError:
        return None
    if not isinstance(root, Mapping):
        return None
    values = [_plain(value) for _key, value in root.entries]
    return Interpretation(lines, " / ".join(json.dumps(value, ensure_ascii=False) for value in values))


def _plain(node: Node) -> object:
    if isinstance(node, Sequence):
        return [_plain(item) for item in node.items]
    return node.value if isinstance(node, Scalar) else "..."


def _with_escapes(entry: re.Match[str]) -> Iterator[tuple[str, ...]]:
    """Yield a double-quoted text with every backslash literal, then with valid escapes kept as escapes."""
    value = entry["value"]
    if len(value) > 2 and value[0] == value[-1] == '"':
        yield (_write(entry, value[1:-1]),)
        doubled = _UNKNOWN_ESCAPE.sub(lambda found: found[0] if found[1] else "\\\\", value)
        yield (f"{entry['key']}: {doubled}",)


def _rewritten(entry: re.Match[str], following: list[str]) -> Iterator[tuple[str, ...]]:
    """Yield the ways to write an entry and the indented lines after it, the simplest first."""
    value = entry["value"]
    first, comment = value[0], _COMMENT.search(value)
    if first in "\"'" and QUOTED.match(value) is None:
        yield (_write(entry, value[1:]),)
        yield (_write(entry, " ".join([value[1:], *following])),)
    elif first in "\"'" and value[-1] == first:
        yield (_write(entry, value.replace(first, "")),)
    elif first in "[{":
        yield (f"{entry['key']}: {value}{']' if first == '[' else '}'}",)
    yield (_write(entry, " ".join([value, *following])),)
    if comment and first not in "\"'[{|>":
        yield (f"{_write(entry, value[: comment.start()])}{comment[0]}",)
    if following and all(KEY_LINE.match(line) for line in following) and first not in "\"'[{|>":
        separate = filter(None, map(ENTRY.match, following))
        yield (_write(entry, value), *(_write(each, each["value"]) for each in separate))


def _write(entry: re.Match[str], text: str) -> str:
    return f"{entry['key']}: {quoted(text)}"
