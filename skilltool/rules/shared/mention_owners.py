"""Tells by the words before a path whether it belongs to another skill: "in the `forms` skill: `scripts/x.py`"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from skilltool.rules.shared.regions import Regions
from skilltool.skill.model import Skill
from skilltool.skill.skill_file import FILE_NAME

_WINDOW = 2000  # characters before the path
# `the reader's scripts/x.py` belongs to somebody else; the `'s` may be on the line before.
_POSSESSIVE = re.compile(r"['\u2019]s\s+[`\"(*]*\Z")
# So does a path after the name of another skill, up to the end of the sentence: "the `forms` skill
# (`scripts/x.py`)", or "`skills/forms/SKILL.md` and `references/x.md`".
_REST = r"(?![^\n]*[.;] )"
_QUOTED = re.compile(
    r"(?:[`*\"\u201c]([\w:-]{1,80})[`*\"\u201d]{1,3}(?: [A-Z]\w{1,30})? (?:skill|plugin)\b"
    rf"|\b([\w-]{{1,80}})/SKILL\.md){_REST}"
)
# Without quotes a word before "skill" may say which kind of skill it is, and "its" may mean anything else:
# these count where a skill of that name is in the repository.
_PLAIN = re.compile(
    rf"\b(?:the|from|in|of|with|via|use|using) ([\w-]{{1,80}}) (?:skill|plugin)\b{_REST}", re.IGNORECASE
)
_ITS = re.compile(
    r"[`*]([\w:-]{1,80})[`*]{1,3},?(?: (?:skill|plugin))? ?[\u2014\u2013(:,-]{0,2} ?its\s[^.;\n]{0,60}\Z"
)
# A line that begins a block of its own, and a line of a list, a table or code, which the text before it introduces.
_BLOCK = re.compile(r"[ \t>]{0,20}(?:[-*+][ \t]|\d{1,3}[.)][ \t]|[#|]|```|~~~)")


def belongs_to_another(skill: Skill, at: int, fences: Regions) -> bool:
    """Return whether the words before offset `at`, where a path begins, name another skill as its owner.

    `fences` are the fenced code blocks of the body.
    """
    text = skill.source.text[max(at - _WINDOW, 0) : at]
    if _POSSESSIVE.search(text[-40:]):
        return True
    return any(_names_another(skill, words) for words in _introductions(text, at in fences))


def _names_another(skill: Skill, words: str) -> bool:
    """Return whether the words name another skill."""
    quoted = _QUOTED.search(words)
    if quoted is not None and skill.name not in quoted.groups():
        return True
    weak = (found[1] for pattern in (_PLAIN, _ITS) if (found := pattern.search(words)) is not None)
    return any(name != skill.name and _is_skill(skill, name) for name in weak)


def _is_skill(skill: Skill, name: str) -> bool:
    """Return whether a skill called `name` is beside this one, or in the `skills` of a directory above."""
    return any(skill.exists_above(f"{parent}{name}/{FILE_NAME}") for parent in ("", "skills/"))


def _introductions(text: str, in_fence: bool) -> Iterator[str]:
    """Yield the sentence that `text` ends in, and the text with a colon that introduces its list, table or code."""
    lines = text.split("\n")
    if in_fence:
        while len(lines) > 1 and not lines[-1].lstrip(" \t>").startswith(("```", "~~~")):
            lines.pop()
    sentence = _last_sentence(lines)
    yield sentence
    in_block = _BLOCK.match(sentence) is not None
    while lines and (not lines[-1].strip() or (in_block and _continues_block(lines[-1]))):
        lines.pop()
    if lines and lines[-1].rstrip(" \t*_").endswith(":"):
        yield _last_sentence(lines)


def _continues_block(line: str) -> bool:
    return line[:1] in " \t" or _BLOCK.match(line) is not None


def _last_sentence(lines: list[str]) -> str:
    """Remove the lines of the last paragraph or list item, and return them as one."""
    taken = [lines.pop()]
    while lines and lines[-1].strip() and not _BLOCK.match(taken[-1]):
        taken.append(lines.pop())
    return " ".join(line.strip() for line in reversed(taken))
