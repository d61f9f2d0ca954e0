"""Finds mentions of the skill's files in its body, outside links: in prose, in code spans and in commands."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from skilltool.rules.shared.skill_paths import (
    ANY_DIRECTORY,
    DIRECTORY_VARIABLES,
    ENDS,
    OWN_DIRECTORIES,
    OWNER,
    VARIABLE_PREFIXES,
)
from skilltool.skill.model import Skill
from skilltool.text.source import Span

_PATH = re.compile(r"[A-Za-z0-9_./-]{1,200}")
_EXTENSION = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,5}\Z")
_WORD = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$}{<>~/\\:@%-"
# Variables and placeholders for a skill's directory, and what such a variable says of its owner.
_SKILL_DIRECTORY = re.compile(rf"(?:{ANY_DIRECTORY})/\Z", re.IGNORECASE)
_OWNER = re.compile(OWNER, re.IGNORECASE)
# How a path from the root of a file system begins: it names one machine and no file of the skill.
_FROM_ROOT = re.compile(r"[/\\]|[A-Za-z]:")
# The ends of what may be before `skills/NAME/` for that to be a directory of its own: not `.acme-skills/NAME/`.
_BEFORE_DIRECTORY = ("", *"/\\:>@}")
_LOOK_BACK = 120
_MAX_MISSING = 500  # mentions of missing files in one body; the rest are ignored
# After a path, these say that it continues or is a pattern for several files.
_CONTINUES = frozenset("{<$[(%\u2026")


class Mention(NamedTuple):
    """A path below the skill that the body mentions; `explicit` if the text names the skill's directory."""

    path: str
    span: Span
    explicit: bool


@lru_cache(maxsize=4)
def mentions(skill: Skill) -> tuple[Mention, ...]:
    """Return all mentions of files in the order of the text, including those in links and comments."""
    return _sorted(_mentions(skill))


@lru_cache(maxsize=4)
def missing_mentions(skill: Skill) -> tuple[Mention, ...]:
    """Return the mentions of files that do not exist in the skill, at most `_MAX_MISSING`."""
    known: dict[str, bool] = {}
    return _sorted(islice(_mentions(skill, known), _MAX_MISSING))


def _sorted(found: Iterable[Mention]) -> tuple[Mention, ...]:
    return tuple({mention.span.start: mention for mention in sorted(found, key=_start)}.values())


def _start(mention: Mention) -> int:
    return mention.span.start


def _mentions(skill: Skill, known: dict[str, bool] | None = None) -> Iterator[Mention]:
    """Yield mentions; with `known`, a memory of which paths exist, only those of files that do not exist."""
    text, start = skill.source.text, skill.frontmatter.envelope.body.start
    for directory in OWN_DIRECTORIES:
        for at in _occurrences(text, directory, start):
            if known is not None and _exists(skill, text, at, known):
                continue
            before = _word_before(text, at)
            explicit = _ends_in_own_directory(skill, before)
            if explicit or before in {"", "./", "@", "@./"}:
                yield from _mention(text, at, explicit)
    for prefix in (*DIRECTORY_VARIABLES, f"skills/{skill.name}/"):
        for at in _occurrences(text, prefix, start):
            after = at + len(prefix)
            exists = known is not None and _exists(skill, text, after, known)
            if not exists and not _is_of_another(skill, _word_before(text, after)):
                yield from _mention(text, after, explicit=True)


def _ends_in_own_directory(skill: Skill, word: str) -> bool:
    """Return whether `word`, all that stands before a path, names the skill's directory."""
    if not word.endswith("/"):
        return False
    named = word[-2:-1] in ENDS and _SKILL_DIRECTORY.search(word) is not None
    return (named or word.endswith(f"skills/{skill.name}/")) and not _is_of_another(skill, word)


def _is_of_another(skill: Skill, word: str) -> bool:
    """Return whether `word` ends in the variable of another skill, or in a directory that only looks like the own."""
    owner = _OWNER.search(word)
    if owner is not None:
        return owner[1].lower() not in {*VARIABLE_PREFIXES, re.sub(r"\W", "_", skill.name.lower())}
    own = f"skills/{skill.name}/"
    parent = word.removesuffix(own)
    return parent != word and not (parent[-1:] in _BEFORE_DIRECTORY and not _FROM_ROOT.match(parent))


def _exists(skill: Skill, text: str, at: int, known: dict[str, bool]) -> bool:
    """Return whether the path at offset `at` exists in the skill, as most do; the quick answer before `_mention`."""
    match = _PATH.match(text, at)
    if match is None:
        return False
    path = match[0].rstrip("./-")
    if path not in known:
        known[path] = skill.holds(posixpath.normpath(path))
    return known[path]


def _occurrences(text: str, word: str, start: int) -> Iterator[int]:
    at = text.find(word, start)
    while at >= 0:
        yield at
        at = text.find(word, at + len(word))


def _word_before(text: str, at: int) -> str:
    before = text[max(at - _LOOK_BACK, 0) : at]
    return before[len(before.rstrip(_WORD)) :]


def _mention(text: str, at: int, explicit: bool) -> Iterator[Mention]:
    match = _PATH.match(text, at)
    if match is None or text[match.end() : match.end() + 1] in _CONTINUES:
        return
    written = match[0].rstrip("./-")
    path = posixpath.normpath(written)
    if _EXTENSION.search(written) and not path.startswith(("..", "/")):
        yield Mention(path, Span(at, at + len(written)), explicit)
