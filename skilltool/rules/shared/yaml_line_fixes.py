"""Fixing the line of frontmatter at which the YAML parser stopped, where it can have meant only one thing."""

from __future__ import annotations

import re
from dataclasses import dataclass

from skilltool.text.frontmatter.nodes import YamlError
from skilltool.text.frontmatter.scalars import quoted

# A `key: value` line, a line with a key, and a quoted string.
ENTRY = re.compile(
    r"(?P<head>(?P<indent>[ ]*)(?:- +)*(?P<key>[A-Za-z_][\w.-]*)[ \t]*:)(?P<gap>[ \t]+)(?P<value>\S.*?)[ \t]*$"
)
KEY_LINE = re.compile(r"[ \t]*(?:- +)?[\"']?[A-Za-z_][\w.-]*[\"']?[ \t]*:(?:[ \t]|$)")
QUOTED = re.compile(r"""(?P<mark>["'])(?P<text>(?:[^"\\]|\\.)*?)(?P=mark)""")
_ROW = re.compile(r"""(?:"[^"\\]*"|'[^']*')(?:[ \t]*,[ \t]*(?:"[^"\\]*"|'[^']*'))+""")
_PROSE = frozenset({"name", "description"})  # quotes and commas in these may belong to a sentence
_BLOCK_TEXT = re.compile(r"[|>][-+]?[ \t]+(?P<text>[^#\s].*)$")
_WORD = re.compile(r"[\w.-]+", re.ASCII)
_SURROGATES = re.compile(r"\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})")
_KNOWN_ESCAPES = frozenset('0abtnvfre "/\\N_LPxuU\t')


@dataclass(slots=True)
class Chunk:
    """One line of the block, or several that were joined.

    `start` and `end` are offsets into the file; `text` is the text as fixed so far and `original` as the
    file has it, both without the last line ending, `line_end`. `is_guess` says that the author may have meant
    something else.
    """

    start: int
    end: int
    text: str
    line_end: str
    original: str
    is_guess: bool = False


def fix_line(chunks: list[Chunk], error: YamlError) -> bool:
    """Fix the chunk at which the parser stopped; return False, with nothing changed, if that is ambiguous."""
    index = index_of(chunks, error.start)
    if index is None:
        return False
    chunk = chunks[index]
    if "escape" in error.problem or "hexdecimal" in error.problem:
        return _fix_escapes(chunk)
    if chunk.text.lstrip(" ").startswith("\t") and chunk.text.strip():
        body = chunk.text.lstrip()
        return _set_text(chunk, chunk.text[: len(chunk.text) - len(body)].expandtabs(2) + body)
    entry = ENTRY.match(chunk.text)
    if entry and not count_continuation_lines(chunks, index, entry):
        return _set_text(chunk, _quote_value(entry))
    if entry:
        return _fix_continued(chunks, index, entry)
    return _fix_stray(chunks, index)


def index_of(chunks: list[Chunk], at: int) -> int | None:
    """Return the index of the chunk that contains an offset into the block as fixed so far; None without chunks."""
    passed = 0
    for number, chunk in enumerate(chunks):
        passed += len(chunk.text) + len(chunk.line_end)
        if at < passed:
            return number
    return len(chunks) - 1 if chunks else None


def _set_text(chunk: Chunk, text: str | None) -> bool:
    if text is None or text == chunk.text:
        return False
    chunk.text = text
    return True


def count_continuation_lines(chunks: list[Chunk], index: int, entry: re.Match[str]) -> int:
    """Count the indented lines after an entry that may continue its value."""
    indent, count = len(entry["indent"]), 0
    for chunk in chunks[index + 1 :]:
        stripped = chunk.text.lstrip(" ")
        if not stripped or len(chunk.text) - len(stripped) <= indent or stripped.startswith("#"):
            break
        count += 1
    return count


def _quote_value(entry: re.Match[str]) -> str | None:
    """Return the line of an entry with its value quoted, None if the value is ambiguous."""
    value, head = entry["value"], entry["head"] + entry["gap"]
    if " #" in value or "\t#" in value:
        return None  # may or may not be a comment
    if block := _BLOCK_TEXT.match(value):
        return head + quoted(block["text"])
    if _ROW.fullmatch(value):
        return None if entry["key"] in _PROSE else f"{head}[{value}]"
    if value[0] in "\"'":
        inner = _without_quotes(value)
        return None if inner is None else head + quoted(inner)
    if value[0] == "[" and (items := _quote_items(value)):
        return head + items
    if value[0] in "[{" and not _is_prose(value):
        return None
    return head + quoted(value)


def _without_quotes(value: str) -> str | None:
    """Return the text of a value that starts with a quote but is not a valid quoted string; None if ambiguous."""
    mark = value[0]
    inner = value[1:-1]
    if len(value) > 2 and value[-1] == mark and not _is_quotations(value, mark):
        return None if "\\" in inner else inner.replace("''", "'") if mark == "'" else inner
    quotation = QUOTED.match(value)
    return value if quotation and "\\" not in value else None


def _is_quotations(value: str, mark: str) -> bool:
    """Return whether a value is prose that starts and ends with two separate quotations: `"a" or "b"`."""
    second = value.find(mark, 1)
    closes = not value[second - 1].isspace() and value[second + 1 : second + 2] in {" ", "\t", ",", ";", ":"}
    return closes and value.count(mark) % 2 == 0


def _quote_items(value: str) -> str | None:
    """Return a flow list with quotes around the words that start with YAML syntax (`@types/x`)."""
    if value[-1] != "]" or re.search(r"[\[\]{}\"']", value[1:-1]):
        return None
    words = [word.strip() for word in value[1:-1].split(",")]
    if not all(words):
        return None
    return f"[{', '.join(quoted(word) if word[0] in '@`%*&!' else word for word in words)}]"


def _is_prose(value: str) -> bool:
    """Return whether a value in brackets is prose (`[a] [b]`, `{name} of`), not a list or a mapping."""
    close = {"[": "]", "{": "}"}[value[0]]
    first, _, rest = value[1:].partition(close)
    return bool(rest.strip()) and not re.search(r"[\"':,]", first)


def _fix_continued(chunks: list[Chunk], index: int, entry: re.Match[str]) -> bool:
    """Join a value with the indented lines that continue it, quoted; return False unless all of it is plain text."""
    count = count_continuation_lines(chunks, index, entry)
    rest = [chunk.text.strip() for chunk in chunks[index + 1 : index + 1 + count]]
    if any(KEY_LINE.match(line) or line.startswith("- ") or " #" in line for line in rest):
        return False
    value = entry["value"]
    if block := _BLOCK_TEXT.match(value):
        value = block["text"]
    elif value[0] in "\"'":
        closed = QUOTED.fullmatch(value)
        if closed is None or "\\" in value:
            return False
        value = closed["text"]
    elif value[0] in "[{|>" or " #" in value:
        return False
    _join(chunks, index, count, entry["head"] + entry["gap"] + quoted(" ".join([value, *rest])))
    return True


def _join(chunks: list[Chunk], index: int, count: int, text: str) -> None:
    first, last = chunks[index], chunks[index + count]
    original = (
        "".join(each.original + each.line_end for each in chunks[index : index + count]) + last.original
    )
    is_guess = any(each.is_guess for each in chunks[index : index + count + 1])
    chunks[index : index + count + 1] = [
        Chunk(first.start, last.end, text, last.line_end, original, is_guess)
    ]


def _fix_stray(chunks: list[Chunk], index: int) -> bool:
    """Indent a line that is not an entry but continues the value above; return False if that is unlikely.

    A value of one word is not a sentence that goes on. After any other without a comma at its end this is a
    guess: a line that is not indented may belong to the body.
    """
    chunk = chunks[index]
    text = chunk.text.strip()
    above = next((n for n in range(index - 1, -1, -1) if ENTRY.match(chunks[n].text)), None)
    if above is None or not text or text.startswith(("-", "#", "<<<", "===", ">>>")) or KEY_LINE.match(text):
        return False
    entry = ENTRY.match(chunks[above].text)
    between = chunks[above + 1 : index + 1]
    if entry is None or entry["indent"] or any(KEY_LINE.match(each.text) for each in between):
        return False
    if chunk.text[:1] in " \t":
        return _fix_continued(chunks, above, entry)
    ends = chunks[index - 1].text.rstrip()
    if (
        index - 1 != above
        or ends.endswith((".", "!", "?", ":", "\u3002", "\uff01", '"', "'"))
        or entry["value"][0] in "|>[{"
        or _WORD.fullmatch(entry["value"])
        or chunk.text.startswith("%")
    ):
        return False  # may be a sentence of the body
    chunk.is_guess = not ends.endswith((",", "\uff0c", "\u3001"))
    return _set_text(chunk, f"  {chunk.text}")


def _fix_escapes(chunk: Chunk) -> bool:
    """Fix escapes that YAML does not have: join surrogate pairs, or take every backslash literally."""
    joined = _SURROGATES.sub(_character, chunk.text)
    if joined != chunk.text:
        return _set_text(chunk, joined)
    entry = ENTRY.match(chunk.text)
    value = entry["value"] if entry else ""
    if entry is None or len(value) < 2 or value[0] != '"' or value[-1] != '"':
        return False
    inner = value[1:-1]
    if set(re.findall(r"\\(.)", inner)) & _KNOWN_ESCAPES:
        return False  # `\n` may be a line break, or the start of a name in a path
    return _set_text(chunk, entry["head"] + entry["gap"] + quoted(inner))


def _character(pair: re.Match[str]) -> str:
    high, low = int(pair[1], 16), int(pair[2], 16)
    return chr(0x10000 + ((high - 0xD800) << 10) + low - 0xDC00)
