"""How one line of frontmatter is mended on which a YAML reader stumbled, where it can only have meant one thing."""

from __future__ import annotations

import re
from dataclasses import dataclass

from skilltool.text.frontmatter.nodes import YamlError
from skilltool.text.frontmatter.quoting import quoted

# A line `key: value`, and what else a line can be.
ENTRY = re.compile(
    r"(?P<head>(?P<indent>[ ]*)(?:- +)*(?P<key>[A-Za-z_][\w.-]*)[ \t]*:)(?P<gap>[ \t]+)(?P<value>\S.*?)[ \t]*$"
)
KEY_LINE = re.compile(r"[ \t]*(?:- +)?[\"']?[A-Za-z_][\w.-]*[\"']?[ \t]*:(?:[ \t]|$)")
QUOTED = re.compile(r"""(?P<mark>["'])(?P<text>(?:[^"\\]|\\.)*?)(?P=mark)""")
_ROW = re.compile(r"""(?:"[^"\\]*"|'[^']*')(?:[ \t]*,[ \t]*(?:"[^"\\]*"|'[^']*'))+""")
_TEXTS = frozenset({"name", "description"})  # in these, quotes and commas may as well be of a sentence
_BLOCK_TEXT = re.compile(r"[|>][-+]?[ \t]+(?P<text>[^#\s].*)$")
_HALVES = re.compile(r"\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})")
_KNOWN_ESCAPES = frozenset('0abtnvfre "/\\N_LPxuU\t')


@dataclass(slots=True)
class Chunk:
    """Some lines of the block: where they stand in the file, and their text now, without the last line end."""

    start: int
    end: int
    text: str
    line_end: str
    before: str


def mend(chunks: list[Chunk], error: YamlError) -> bool:
    """Mend what the reader stumbled over; return False where there is no single way."""
    index = index_of(chunks, error.start)
    if index is None:
        return False
    chunk = chunks[index]
    if "escape" in error.problem or "hexdecimal" in error.problem:
        return _escape(chunk)
    if chunk.text.lstrip(" ").startswith("\t") and chunk.text.strip():
        body = chunk.text.lstrip()
        return _set(chunk, chunk.text[: len(chunk.text) - len(body)].expandtabs(2) + body)
    entry = ENTRY.match(chunk.text)
    if entry and not more_lines(chunks, index, entry):
        return _set(chunk, _value(entry))
    if entry:
        return _with_more(chunks, index, entry)
    return _stray(chunks, index)


def index_of(chunks: list[Chunk], at: int) -> int | None:
    """Return in which chunk an offset into the block is, None where there is none."""
    passed = 0
    for number, chunk in enumerate(chunks):
        passed += len(chunk.text) + len(chunk.line_end)
        if at < passed:
            return number
    return len(chunks) - 1 if chunks else None


def _set(chunk: Chunk, text: str | None) -> bool:
    if text is None or text == chunk.text:
        return False
    chunk.text = text
    return True


def more_lines(chunks: list[Chunk], index: int, entry: re.Match[str]) -> int:
    """Return how many indented lines follow that may continue the value of an entry."""
    indent, count = len(entry["indent"]), 0
    for chunk in chunks[index + 1 :]:
        stripped = chunk.text.lstrip(" ")
        if not stripped or len(chunk.text) - len(stripped) <= indent or stripped.startswith("#"):
            break
        count += 1
    return count


def _value(entry: re.Match[str]) -> str | None:
    """Return the line of an entry with its value in quotes, None where the value has two readings."""
    value, head = entry["value"], entry["head"] + entry["gap"]
    if " #" in value or "\t#" in value:
        return None  # a comment, or not
    if block := _BLOCK_TEXT.match(value):
        return head + quoted(block["text"])
    if _ROW.fullmatch(value):
        return None if entry["key"] in _TEXTS else f"{head}[{value}]"
    if value[0] in "\"'":
        inner = _without_quotes(value)
        return None if inner is None else head + quoted(inner)
    if value[0] == "[" and (listed := _list(value)):
        return head + listed
    if value[0] in "[{" and not _is_words(value):
        return None
    return head + quoted(value)


def _without_quotes(value: str) -> str | None:
    """Return the text of a value that begins with a quote and does not end as it should."""
    mark = value[0]
    inner = value[1:-1]
    if len(value) > 2 and value[-1] == mark and not _is_quotations(value, mark):
        return None if "\\" in inner else inner.replace("''", "'") if mark == "'" else inner
    behind = QUOTED.match(value)
    return value if behind and "\\" not in value else None


def _is_quotations(value: str, mark: str) -> bool:
    """Return whether a value that begins and ends with a quote does so with two quotations: `"a" or "b"`."""
    second = value.find(mark, 1)
    closes = not value[second - 1].isspace() and value[second + 1 : second + 2] in {" ", "\t", ",", ";", ":"}
    return closes and value.count(mark) % 2 == 0


def _list(value: str) -> str | None:
    """Return a list of plain words with quotes around those that begin with a mark (`@types/x`)."""
    if value[-1] != "]" or re.search(r"[\[\]{}\"']", value[1:-1]):
        return None
    words = [word.strip() for word in value[1:-1].split(",")]
    if not all(words):
        return None
    return f"[{', '.join(quoted(word) if word[0] in '@`%*&!' else word for word in words)}]"


def _is_words(value: str) -> bool:
    """Return whether a value in brackets is text: placeholders (`[a] [b]`, `{name} of`), and no list or map."""
    close = {"[": "]", "{": "}"}[value[0]]
    first, _, rest = value[1:].partition(close)
    return bool(rest.strip()) and not re.search(r"[\"':,]", first)


def _with_more(chunks: list[Chunk], index: int, entry: re.Match[str]) -> bool:
    """Mend a value that goes on in indented lines: text only becomes one quoted line."""
    count = more_lines(chunks, index, entry)
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
    before = "".join(each.before + each.line_end for each in chunks[index : index + count]) + last.before
    chunks[index : index + count + 1] = [Chunk(first.start, last.end, text, last.line_end, before)]


def _stray(chunks: list[Chunk], index: int) -> bool:
    """Mend a line that is no entry: it continues the value above, or a blank is missing in it."""
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
        return _with_more(chunks, above, entry)
    ends = chunks[index - 1].text.rstrip()
    if (
        index - 1 != above
        or ends.endswith((".", "!", "?", ":", "\u3002", "\uff01", '"', "'"))
        or entry["value"][0] in "|>[{"
    ):
        return False  # it may as well be a sentence of the body
    return _set(chunk, f"  {chunk.text}")


def _escape(chunk: Chunk) -> bool:
    """Mend escapes that YAML does not have: halves of a character, or a backslash that is none."""
    joined = _HALVES.sub(_character, chunk.text)
    if joined != chunk.text:
        return _set(chunk, joined)
    entry = ENTRY.match(chunk.text)
    value = entry["value"] if entry else ""
    if entry is None or len(value) < 2 or value[0] != '"' or value[-1] != '"':
        return False
    inner = value[1:-1]
    if set(re.findall(r"\\(.)", inner)) & _KNOWN_ESCAPES:
        return False  # `\n` may be a line end, or the beginning of a name
    return _set(chunk, entry["head"] + entry["gap"] + quoted(inner))


def _character(pair: re.Match[str]) -> str:
    high, low = int(pair[1], 16), int(pair[2], 16)
    return chr(0x10000 + ((high - 0xD800) << 10) + low - 0xDC00)
