"""Repairs of frontmatter that is not YAML, where its author can only have meant one thing.

Each step mends the line on which the reader stumbled, and reads again; either the whole block can be read at
the end, or nothing is offered. The causes are those of real skills, the most frequent first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from skilltool.findings.finding import Edit, Fix, applied
from skilltool.rules.shared.yaml_mends import Chunk, mend
from skilltool.rules.shared.yaml_readings import listed, readings
from skilltool.runtimes.edit_effects import reason_not_to_apply
from skilltool.skill.model import Skill
from skilltool.text.frontmatter.composing import compose
from skilltool.text.frontmatter.nodes import BoundError, Mapping, YamlError

_STEPS, _CHARACTERS = 200, 5_000_000  # how often, and how much, the block is read
_TOO_LONG = "no fix is offered, because too many lines are no YAML"
_LINE = re.compile(r"(?P<text>[^\r\n]*)(?P<end>\r\n|\n|\r|\Z)")
_GLUED = re.compile(r"(?:(?<=\n)|(?<=\r))---(?=[^-\s])")


@dataclass(frozen=True, slots=True)
class Repair:
    """A fix of the frontmatter, and the lines as they read then; or why there is none, in words for a user."""

    fix: Fix | None
    lines: tuple[str, ...] = ()
    why_not: str = ""


def repair(skill: Skill) -> Repair | None:
    """Return what makes the frontmatter readable, or what it can mean; None where nothing is known.

    The fix is safe if every runtime that takes the file now reads the same in it then.
    """
    envelope = skill.frontmatter.envelope
    if envelope.opening is None or envelope.closing is None:
        return None
    if glued := glued_fence(skill):
        return Repair(glued, ("---",))
    chunks = _chunks(skill.source.text, envelope.block.start, envelope.block.end)
    most = min(_STEPS, _CHARACTERS // (envelope.block.end - envelope.block.start + 1) + 1)
    for _ in range(most):
        try:
            root = compose("".join(each.text + each.line_end for each in chunks)).root
        except BoundError:
            return None
        except YamlError as error:
            if not mend(chunks, error):
                found = readings(chunks, error)
                return Repair(None, why_not=listed(found)) if found else None
        else:
            return _as_repair(skill, chunks) if isinstance(root, Mapping) else None
    return Repair(None, why_not=_TOO_LONG)


def glued_fence(skill: Skill) -> Fix | None:
    """Return the fix that ends the frontmatter where `---` stands at the beginning of a line of text.

    Only where what is above it is readable, and one such line is there.
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


def _as_repair(skill: Skill, chunks: list[Chunk]) -> Repair | None:
    changed = [each for each in chunks if each.text != each.before]
    edits = tuple(map(_trimmed, changed))
    if not edits:
        return None
    safe = (
        reason_not_to_apply(skill.name, skill.source.text, applied(skill.source.text, edits), safe=True)
        is None
    )
    return Repair(Fix(safe, edits), tuple(each.text.strip() for each in changed))


def _trimmed(chunk: Chunk) -> Edit:
    """Return the edit of a chunk without what both texts begin and end with."""
    old, new = chunk.before, chunk.text
    head = next(
        (i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new))
    )
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return Edit(chunk.start + head, chunk.end - tail, new[head : len(new) - tail])
