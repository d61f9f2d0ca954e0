"""Files of the skill that its body names outside of links: in prose, in code spans and in commands."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from skilltool.skill import Skill
from skilltool.source import Span

# The directories of the open specification (https://agentskills.io/specification).
_OWN_DIRECTORIES = ("scripts/", "references/", "assets/")
_PATH = re.compile(r"[A-Za-z0-9_./-]{1,200}")
_EXTENSION = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,5}\Z")
_BEFORE = re.compile(r"[A-Za-z0-9_.$}{<>~/\\:@%-]*\Z")
# What stands for the skill's own directory in runtimes that give it a name.
_OWN = re.compile(
    r"(?:\$\{?\w*SKILL_(?:DIR|ROOT|PATH)\}?|\$?\{baseDir\}|<skill[-_ ]?(?:dir|path|root)>)/\Z", re.IGNORECASE
)
_MARKS = ("{baseDir}/", "SKILL_DIR}/", "SKILL_DIR/", "SKILL_ROOT}/", "SKILL_ROOT/")
_LOOK_BACK = 120
_MOST = 500  # missing files of one body that are looked at
# Behind a path, these say that it goes on or stands for several.
_GOES_ON = frozenset("{<$[(%\u2026")


@dataclass(frozen=True, slots=True)
class Mention:
    """A path below the skill that the body names; `explicit` where it says that it is the skill's own."""

    path: str
    span: Span
    explicit: bool


@lru_cache(maxsize=4)
def mentions(skill: Skill) -> tuple[Mention, ...]:
    """Return each mention of a file, in the order of the text; links and comments are among them."""
    found = {mention.span.start: mention for mention in _mentions(skill)}
    return tuple(found[start] for start in sorted(found))


@lru_cache(maxsize=4)
def missing(skill: Skill) -> tuple[Mention, ...]:
    """Return the first mentions of files that are not in the skill."""
    found = (mention for mention in mentions(skill) if not skill.holds(mention.path))
    return tuple(islice(found, _MOST))


def _mentions(skill: Skill) -> Iterator[Mention]:
    text, start = skill.source.text, skill.frontmatter.envelope.body.start
    for directory in _OWN_DIRECTORIES:
        for at in _places(text, directory, start):
            before = _word_before(text, at)
            explicit = bool(_OWN.search(before)) or before.endswith(f"skills/{skill.name}/")
            if explicit or before in {"", "./"}:
                yield from _mention(text, at, explicit)
    for mark in (*_MARKS, f"skills/{skill.name}/"):
        for at in _places(text, mark, start):
            yield from _mention(text, at + len(mark), explicit=True)


def _places(text: str, word: str, start: int) -> Iterator[int]:
    at = text.find(word, start)
    while at >= 0:
        yield at
        at = text.find(word, at + len(word))


def _word_before(text: str, at: int) -> str:
    match = _BEFORE.search(text[max(at - _LOOK_BACK, 0) : at])
    return match[0] if match else ""


def _mention(text: str, at: int, explicit: bool) -> Iterator[Mention]:
    match = _PATH.match(text, at)
    if match is None or text[match.end() : match.end() + 1] in _GOES_ON:
        return
    written = match[0].rstrip("./-")
    path = posixpath.normpath(written)
    if _EXTENSION.search(written) and not path.startswith(("..", "/")):
        yield Mention(path, Span(at, at + len(written)), explicit)
