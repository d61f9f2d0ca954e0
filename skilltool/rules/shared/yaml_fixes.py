"""Fixing frontmatter that is not valid YAML, where its author can have meant only one thing.

Each step fixes the line at which the parser stopped, and parses again. Either the whole block parses
in the end, or there is no fix. The causes are those found in real skills, most frequent first.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from skilltool.findings.finding import Edit, Fix, applied
from skilltool.rules.shared.yaml_interpretations import describe, interpretations
from skilltool.rules.shared.yaml_line_fixes import Chunk, fix_line
from skilltool.runtimes.edit_effects import reason_not_to_apply
from skilltool.skill.model import Skill
from skilltool.text.frontmatter.composing import compose
from skilltool.text.frontmatter.nodes import BoundError, Mapping, YamlError

_MAX_STEPS, _MAX_CHARACTERS = 200, 5_000_000  # how often, and how much in all, the block is parsed
_TOO_MANY = "not fixed automatically, because too many lines are invalid"
_LINE = re.compile(r"(?P<text>[^\r\n]*)(?P<end>\r\n|\n|\r|\Z)")
_GLUED = re.compile(r"(?:(?<=\n)|(?<=\r))---(?=[^-\s])")


class YamlFix(NamedTuple):
    """A fix with the lines that it writes; or no fix, and `why_not` for the help of the finding."""

    fix: Fix | None
    lines: tuple[str, ...] = ()
    why_not: str = ""


@lru_cache(maxsize=2)
def fix_yaml(skill: Skill) -> YamlFix | None:
    """Return what makes the frontmatter valid, or why that is ambiguous; None if nothing helpful is known.

    The fix is safe if its text leaves no doubt, and every runtime that loads the file now reads the same from
    it afterwards.
    """
    envelope = skill.frontmatter.envelope
    if envelope.opening is None or envelope.closing is None:
        return None
    if glued := split_glued_marker(skill):
        return YamlFix(glued, ("---",))
    chunks = _chunks(skill.source.text, envelope.block.start, envelope.block.end)
    steps = min(_MAX_STEPS, _MAX_CHARACTERS // (envelope.block.end - envelope.block.start + 1) + 1)
    for _ in range(steps):
        try:
            root = compose("".join(each.text + each.line_end for each in chunks)).root
        except BoundError:
            return None
        except YamlError as error:
            if not fix_line(chunks, error):
                found = interpretations(chunks, error)
                return YamlFix(None, why_not=describe(found)) if found else None
        else:
            return _as_fix(skill, chunks) if isinstance(root, Mapping) else None
    return YamlFix(None, why_not=_TOO_MANY)


def split_glued_marker(skill: Skill) -> Fix | None:
    """Return the fix that ends the line after `---` where text follows it (`---# Title`).

    None unless there is exactly one such line, and the text above it is a valid mapping.
    """
    text, opening = skill.source.text, skill.frontmatter.opening
    start = skill.source.line_span(opening.start).end
    found = list(_GLUED.finditer(text, start))
    if len(found) != 1:
        return None
    try:
        if not isinstance(compose(text[start : found[0].start()]).root, Mapping):
            return None
    except YamlError:
        return None
    at = found[0].end()
    return Fix(safe=True, edits=(Edit(at, at, "\r\n" if skill.source.newline == "\r\n" else "\n"),))


def _chunks(text: str, start: int, end: int) -> list[Chunk]:
    found: list[Chunk] = []
    while start < end:
        line = _LINE.match(text, start, end)
        if line is None or line.end() == start:
            break
        found.append(Chunk(line.start(), line.end("text"), line["text"], line["end"], line["text"]))
        start = line.end()
    return found


def _as_fix(skill: Skill, chunks: list[Chunk]) -> YamlFix | None:
    changed = [each for each in chunks if each.text != each.original]
    edits = tuple(map(_smallest_edit, changed))
    if not edits:
        return None
    after = applied(skill.source.text, edits)
    safe = (
        not any(each.is_guess for each in changed)
        and reason_not_to_apply(skill.name, skill.source.text, after, safe=True) is None
    )
    return YamlFix(Fix(safe, edits), tuple(each.text.strip() for each in changed))


def _smallest_edit(chunk: Chunk) -> Edit:
    """Return the edit of a chunk without the text that old and new start and end with."""
    old, new = chunk.original, chunk.text
    head = next(
        (i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new))
    )
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return Edit(chunk.start + head, chunk.end - tail, new[head : len(new) - tail])
