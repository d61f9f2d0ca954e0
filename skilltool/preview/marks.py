"""What does a client do with the characters of a SKILL.md: truncate, drop, substitute or run them?

Seen by comparing the source with what the client gives its model, so it holds for whatever client gives a
text. Where that text is another writing of the body, such as JSON, nothing is marked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import unescape
from itertools import groupby
from typing import NamedTuple

from skilltool.rules.shared.field_values import span_of_rest
from skilltool.rules.shared.text_maps import text_map_of
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.lazy_pattern import lazy_pattern

# What clients replace in a body: a command that runs, or a variable.
_PLACEHOLDER = lazy_pattern(r"(?P<command>!`[^`\n]+`)|\$\{\w+\}|\$ARGUMENTS(?:\[\d+\])?|\$[A-Za-z_]\w*|\$\d+")
_LEAST_SHOWN = 12  # characters of a description; fewer are in a listing by chance, such as in a name
_LEAST_ENDING = 60  # characters of the end of a description, which the path after it may repeat
_LEAST_KEPT = 0.1  # of the lines of a body; what has fewer is another writing of it
_CHANCE = 5  # lines
_MANY = 4  # lines in a row without which the text goes on: the client shortens it there
KINDS = {
    "truncated": "not shown: the client truncates the text here",
    "dropped": "not in the text that the model gets",
    "substituted": "replaced by the client",
    "run": "a command that the client runs and replaces with its output",
}
# The same of one client, for a key of marks: what comes before its name, and after it.
OF_CLIENT = {
    "truncated": ("not in the listing of", ": truncated here"),
    "dropped": ("not seen by", ""),
    "substituted": ("text replaced by", ""),
    "run": ("run by", ", which sends the output"),
}

_Lines = list[tuple[int, str]]  # each with its offset


class Mark(NamedTuple):
    """Characters of a source from `start` up to `end`, and what becomes of them: a key of `KINDS`."""

    start: int
    end: int
    kind: str


def marks(
    skill: Skill, runtime: Runtime, listed: str | None, text: str | None, is_cut: bool
) -> tuple[Mark, ...]:
    """Return what a client does with the text of a skill that it loads, in the order of the text.

    `listed` is what the listing has of the skill, `text` what the model gets of the body, None where there is
    none. `is_cut` says that the listing has only a part of the description.
    """
    found = [*_in_description(skill, listed)] if listed and is_cut else []
    if text is not None:
        found += _in_body(skill, runtime, text)
    return tuple(sorted(found))


def _in_description(skill: Skill, listed: str) -> Iterator[Mark]:
    """Yield the part of a description that the listing does not have, without the blanks around it."""
    part = listed_part(skill, listed)
    if part.size < len(part.whole):
        rest = span_of_rest(skill, ("description",), part.beginning)
        end = rest.end
        if part.ending:
            last = span_of_rest(skill, ("description",), part.whole[: -len(part.ending)])
            lost = skill.source.text[rest.start : last.start].rstrip()
            end = rest.start + len(lost) if lost else end  # else its place is not known
        yield Mark(rest.start, end, "truncated")


class ListedPart(NamedTuple):
    """What a listing has of a description: its `beginning`, and its `ending` where the middle is cut out."""

    beginning: str
    ending: str
    whole: str

    @property
    def size(self) -> int:
        """The number of code points that the listing has."""
        return len(self.beginning) + len(self.ending)


def listed_part(skill: Skill, listed: str) -> ListedPart:
    """Return what a listing has of a description; a few characters are there by chance."""
    written = (skill.frontmatter.text("description") or "").strip()
    return max((_part(written, each) for each in (listed, unescape(listed))), key=lambda part: part.size)


def _part(written: str, listed: str) -> ListedPart:
    shown = _beginning(written, listed)
    if len(shown) < _LEAST_SHOWN:
        return ListedPart("", "", written)
    after = listed[listed.index(shown) + len(shown) :]
    ending = _beginning(written[len(shown) :][::-1], after[::-1])[::-1]
    return ListedPart(shown, ending if len(ending) >= _LEAST_ENDING else "", written)


def _beginning(description: str, listed: str) -> str:
    """Return the longest beginning of a description that a listing has."""
    least, most = 0, len(description)
    while least < most:
        middle = (least + most + 1) // 2
        least, most = (middle, most) if description[:middle] in listed else (least, middle - 1)
    return description[:least]


def _in_body(skill: Skill, runtime: Runtime, text: str) -> Iterator[Mark]:
    """Yield what becomes of the lines of a body that the model does not get as they are."""
    start, whole = skill.frontmatter.envelope.body.start, skill.source.text
    got = {line.strip() for each in (text, unescape(text)) for line in each.splitlines()}
    lines = [(at, line) for at, line in _lines(whole, start) if line.strip()]
    blocks = list(_blocks(lines, frozenset(got)))
    if sum(map(len, blocks)) > len(lines) * (1 - _LEAST_KEPT):
        return
    reading = text_map_of(skill, runtime)
    commands = [command.at for command in reading.commands] if reading is not None else []
    yield from (Mark(first, last, "run") for first, last in commands)
    for block in blocks:
        if len(block) >= _MANY:
            yield Mark(block[0][0], _end(*block[-1]), "truncated")
        else:
            yield from (mark for at, line in block for mark in _in_line(at, line, commands))


def _blocks(lines: _Lines, got: frozenset[str]) -> Iterator[_Lines]:
    """Yield the lines in a row that are not among those that the model gets.

    Where many are missing, a few lines between them are there by chance, since they occur elsewhere, too.
    """
    found: list[tuple[int, int]] = []
    for is_kept, each in groupby(range(len(lines)), lambda number: lines[number][1].strip() in got):
        numbers = [*each]
        if is_kept:
            continue
        first, last = numbers[0], numbers[-1] + 1
        longest = max(last - first, found[-1][1] - found[-1][0]) if found else 0
        if longest >= _MANY and first - found[-1][1] <= _CHANCE:
            first = found.pop()[0]
        found.append((first, last))
    return (lines[first:last] for first, last in found)


def _in_line(at: int, line: str, commands: Sequence[tuple[int, int]]) -> Iterator[Mark]:
    """Yield what becomes of a line that the model gets differently, or not at all."""
    if any(first < at + len(line) and at < last for first, last in commands):
        return
    found = [*_PLACEHOLDER.finditer(line)]
    for match in found:
        kind = "run" if match["command"] else "substituted"
        yield Mark(at + match.start(), at + match.end(), kind)
    if not found:
        yield Mark(at + len(line) - len(line.lstrip()), _end(at, line), "dropped")


def _end(at: int, line: str) -> int:
    return at + len(line.rstrip())


def _lines(text: str, start: int) -> Iterator[tuple[int, str]]:
    for line in text[start:].split("\n"):
        yield start, line
        start += len(line) + 1
