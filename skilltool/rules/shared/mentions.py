"""Files of the skill that its body names outside of links: in prose, in code spans and in commands."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from skilltool.rules.shared.own_files import MARKS, OWN_DIRECTORIES
from skilltool.skill.model import Skill
from skilltool.text.source import Span

_PATH = re.compile(r"[A-Za-z0-9_./-]{1,200}")
_EXTENSION = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,5}\Z")
_WORD = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$}{<>~/\\:@%-"
# What stands for the skill's own directory in runtimes that give it a name.
_OWN = re.compile(
    r"(?:\$\{?\w*SKILL_(?:DIR|ROOT|PATH)\}?|\$?\{baseDir\}|<skill[-_ ]?(?:dir|path|root)>)/\Z", re.IGNORECASE
)
_LOOK_BACK = 120
_MOST = 500  # missing files of one body that are looked at
# Behind a path, these say that it goes on or stands for several.
_GOES_ON = frozenset("{<$[(%\u2026")


class Mention(NamedTuple):
    """A path below the skill that the body names; `explicit` where it says that it is the skill's own."""

    path: str
    span: Span
    explicit: bool


@lru_cache(maxsize=4)
def mentions(skill: Skill) -> tuple[Mention, ...]:
    """Return each mention of a file, in the order of the text; links and comments are among them."""
    return _sorted(_mentions(skill))


@lru_cache(maxsize=4)
def missing(skill: Skill) -> tuple[Mention, ...]:
    """Return the first mentions of files that are not in the skill."""
    held: dict[str, bool] = {}
    return _sorted(islice(_mentions(skill, held), _MOST))


def _sorted(found: Iterable[Mention]) -> tuple[Mention, ...]:
    return tuple({mention.span.start: mention for mention in sorted(found, key=_start)}.values())


def _start(mention: Mention) -> int:
    return mention.span.start


def _mentions(skill: Skill, held: dict[str, bool] | None = None) -> Iterator[Mention]:
    """Yield mentions; with `held`, a memory of what the skill holds, only those of what it does not."""
    text, start = skill.source.text, skill.frontmatter.envelope.body.start
    for directory in OWN_DIRECTORIES:
        for at in _places(text, directory, start):
            if held is not None and _is_held(skill, text, at, held):
                continue
            before = _word_before(text, at)
            explicit = bool(_OWN.search(before)) or before.endswith(f"skills/{skill.name}/")
            if explicit or before in {"", "./"}:
                yield from _mention(text, at, explicit)
    for mark in (*MARKS, f"skills/{skill.name}/"):
        for at in _places(text, mark, start):
            if held is None or not _is_held(skill, text, at + len(mark), held):
                yield from _mention(text, at + len(mark), explicit=True)


def _is_held(skill: Skill, text: str, at: int, held: dict[str, bool]) -> bool:
    """Return whether the skill holds what stands at a place; most names of files are of files that are there."""
    match = _PATH.match(text, at)
    if match is None:
        return False
    path = match[0].rstrip("./-")
    if path not in held:
        held[path] = skill.holds(posixpath.normpath(path))
    return held[path]


def _places(text: str, word: str, start: int) -> Iterator[int]:
    at = text.find(word, start)
    while at >= 0:
        yield at
        at = text.find(word, at + len(word))


def _word_before(text: str, at: int) -> str:
    before = text[max(at - _LOOK_BACK, 0) : at]
    return before[len(before.rstrip(_WORD)) :]


def _mention(text: str, at: int, explicit: bool) -> Iterator[Mention]:
    match = _PATH.match(text, at)
    if match is None or text[match.end() : match.end() + 1] in _GOES_ON:
        return
    written = match[0].rstrip("./-")
    path = posixpath.normpath(written)
    if _EXTENSION.search(written) and not path.startswith(("..", "/")):
        yield Mention(path, Span(at, at + len(written)), explicit)
