r"""Text of others, made safe to print: to a terminal, a pipe or the log of a CI job.

Control characters, line and paragraph separators, bidirectional controls, tag characters and
lone surrogates become visible escapes (`\x1b`, `\u202e`); a tab becomes one space
(in the excerpt of a report as many as it is wide).

A CI runner obeys commands in what a job prints. GitHub's takes a line for one that begins with `::`, after
spaces, or that holds `##[` anywhere (github.com/actions/runner, src/Runner.Common/ActionCommand.cs,
`TryParseV2` and `TryParse`); Azure's and TeamCity's look for `##vso[`, `##[` and `##teamcity[` anywhere. Of
these the first `:` and the second `#` are escaped.

`printable` is for a part of a line. What is printed is a `SafeText`, which only the functions below and the
report formats make, so that a type checker finds a text that nobody made safe.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NewType, TypeVar

SafeText = NewType("SafeText", str)
"""Whole lines to print as they are: their only escape sequences are our own, and no runner obeys them."""
AnyText = TypeVar("AnyText", str, SafeText)

# U+200C and U+200D join letters and emoji; every other invisible format character is escaped.
_HIDDEN_CHARACTERS = (
    "\x00-\x08\x0a-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
)
_ANYWHERE = r"(?<=#)#(?=(?i:vso|teamcity)?\[)"
# Compiled on first use: most text needs neither.
_HIDDEN = f"[{_HIDDEN_CHARACTERS}]|{_ANYWHERE}"
_COMMAND = rf"(?m)^(?P<start>(?:[^\S\n]|\x1b\[[\d;]*m|\x1b\]8;[^\x1b\n]*\x1b\\)*):(?=:)|{_ANYWHERE}"


def printable(text: str) -> str:
    """Return `text` on one line, with every character visible or harmless; twice is the same as once."""
    text = text.replace("\t", " ")
    return text if _is_harmless(text) else re.sub(_HIDDEN, _escape, text)


def _is_harmless(text: str) -> bool:
    """Return True only for a text with nothing to escape: Unicode prints no hidden character."""
    return text.isprintable() and "##" not in text


def printable_characters(text: str) -> list[str]:
    """Return `printable(text)` as a list with one string per code point of `text`."""
    characters = list(text.replace("\t", " "))
    if not _is_harmless(text):
        for match in re.finditer(_HIDDEN, text):
            characters[match.start()] = _escape(match)
    return characters


def safe_lines(lines: Iterable[str], paint: Callable[[str], str] = str) -> SafeText:
    r"""Return one printed line for each of `lines`; a line end within one becomes `\x0a`.

    `paint` adds colour to the whole, after it was made safe.
    """
    text = "".join(f"{printable(line)}\n" for line in lines)
    return SafeText(paint(without_commands(text)))


def safe_text(text: str, paint: Callable[[str], str] = str, in_terminal: bool = False) -> SafeText:
    """Return a text that has its line ends for a reason, such as a diff; tabs are kept.

    Text of others in a line of ours goes through `safe_lines`, where it cannot begin another line. With
    `in_terminal` a line may begin with `::`, as Markdown's containers do.
    """
    lines = "\n".join(re.sub(_HIDDEN, _escape, line) for line in text.split("\n"))
    return SafeText(paint(lines if in_terminal else without_commands(lines)))


def without_commands(text: str) -> SafeText:
    """Return text of printable lines, in colour or not, in which a CI runner finds no command."""
    return SafeText(re.sub(_COMMAND, _escape_command, text) if "::" in text or "##" in text else text)


# The first and the last of the characters of one cell, and of two, that combine with nothing: wcwidth, which
# agrees, takes 30 ms to import, and a pattern of them 5 ms to compile.
_NARROW = (
    *("\x20\x7e", "\xa0\xac", "\xae\u024f", "\u2010\u2027", "\u2030\u205e", "\u2190\u22ff"),
    *("\u2500\u257f", "\u2713\u2718"),
)
_WIDE = (
    *("\u3001\u3020", "\u3041\u3096", "\u30a1\u30fa", "\u4e00\u9fff", "\uac00\ud7a3", "\uff01\uff60"),
    *("\u2705\u2705", "\u274c\u274c", "\U0001f4a0\U0001f4fc", "\U0001f600\U0001f64f"),
    "\U0001f680\U0001f6c5",
)


@lru_cache(maxsize=4096)
def _cells(character: str) -> int:
    """Return the cells of a character that combines with nothing; 0 for any other."""
    for cells, ranges in enumerate((_NARROW, _WIDE), 1):
        if any(pair[0] <= character <= pair[1] for pair in ranges):
            return cells
    return 0


@lru_cache(maxsize=1024)  # reports ask character by character
def display_width(text: str) -> int:
    """Return how many terminal cells `printable(text)` takes."""
    text = printable(text)
    if text.isascii():
        return len(text)
    if is_common(text):
        return sum(map(_cells, text))
    from wcwidth import wcswidth

    return max(int(wcswidth(text)), 0)


def columns(text: str) -> int:
    """Return how many terminal columns the lines of a text take, and one for each line end."""
    return sum(map(display_width, text.split("\n"))) + text.count("\n")


def is_common(text: str) -> bool:
    """Return True only for printable text of which no character combines with another one."""
    return all(map(_cells, set(text)))


_OURS = r"\x1b\[[\d;]*m|\x1b\]8;[^\x1b\n]*\x1b\\"  # colours and hyperlinks


_LEAST = 20  # cells of a line that is indented


def flowed(text: AnyText, width: int | None, hang: int | None = None) -> AnyText:
    """Return lines of ours, in colour or not, broken between words where they are wider than a terminal.

    What is left of a line begins in the cell `hang`, by default two cells after the beginning of its text. A
    word that is too wide for that begins further left; one that is wider than the terminal stays where it is.
    `width` is None where the reader has no terminal. Safe text stays safe: no new line is a runner's command.
    """
    if width is None:
        return text
    return SafeText("\n".join(_broken(line, width, hang) for line in text.split("\n")))


def _broken(line: str, width: int, hang: int | None) -> str:
    bare = re.sub(_OURS, "", line)
    if display_width(bare) <= width:
        return line
    mark = re.match(r" *(?:= )?", bare)
    indent = (mark.end() if mark else 0) + 2 if hang is None else hang
    indent = min(indent, max(width - _LEAST, 2))
    lines, used = [""], 0
    for word in _words(line, width - indent):
        size = display_width(re.sub(_OURS, "", word))
        start = word.lstrip(" ")
        bare_size = size - (len(word) - len(start))
        if lines[-1].strip() and used + size > width >= bare_size and not start.startswith("::"):
            before = min(indent, width - bare_size)
            lines.append(" " * before + start)
            used = before + bare_size
        else:
            lines[-1] += word
            used += size
    return "\n".join(lines)


def _words(line: str, room: int) -> Iterator[str]:
    """Yield the words of a line, each with the spaces before it; code in backticks is one, if it fits."""
    for word in re.findall(r" *(?:[^ `]|`[^`]*`|`)+| +$", line):
        if display_width(re.sub(_OURS, "", word)) <= room:
            yield word
        else:
            yield from re.findall(r" *[^ ]+", word)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _escape_command(match: re.Match[str]) -> str:
    return f"{match['start'] or ''}\\x{ord(match[0][-1]):02x}"
