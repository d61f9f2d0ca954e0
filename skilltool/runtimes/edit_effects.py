"""Does an edit of a SKILL.md change what some runtime reads in it?"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cache

from skilltool import runtimes
from skilltool.runtimes.values import Manifest, Refusal
from skilltool.skill.model import Skill
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.source import Source

Parser = Callable[[bytes, str | None], Manifest]


@dataclass(frozen=True, slots=True)
class Reading:
    """What one runtime reads in a file: name, description, and the lines of the body without their ends.

    Blank lines at the start and the end of the body are left out: some editions keep the one that separates
    it from the frontmatter, or keep it only after CRLF, and a model reads the same. `by_lines` tells that the
    runtime took what is not YAML line by line, marks and all, which is not what anybody meant.
    """

    name: object
    description: object
    body: tuple[str, ...]
    by_lines: bool = False


def reason_not_to_apply(
    directory: str, before: str, after: str, safe: bool, ids: Collection[str] = runtimes.ALWAYS_ASKED
) -> str | None:
    """Return why an edit must not be applied, as a clause without a full stop; None if it may be.

    `before` and `after` are the whole text, `directory` is the name of the skill's directory. An edit must
    leave the frontmatter valid YAML, and every runtime of `ids` that loads the file must still load it; with
    `safe`, each must also read the same name, description and lines of the body, but for the case of letters
    in the body: a link to a file is corrected so.
    """
    old, new = (readings_by_runtime(text, directory, ids) for text in (before, after))
    for name, reading in old.items():
        if name not in new:
            return f"`{name}` would no longer load it or its fields"
        if not safe or reading.by_lines:
            continue
        for part in ("name", "description", "body"):
            was, now = getattr(reading, part), getattr(new[name], part)
            if was != now and not (part == "body" and _differ_in_case_only(was, now)):
                return f"`{name}` would read a different {part}"
    old_block, new_block = (Skill(directory, FILE_NAME, Source(text)).frontmatter for text in (before, after))
    if new_block.data is None and (old_block.data is not None or old_block.problems != new_block.problems):
        return "it would not be valid YAML"
    return None


def _differ_in_case_only(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return [line.casefold() for line in one] == [line.casefold() for line in other]


def readings_by_runtime(
    text: str, directory: str, ids: Collection[str] = runtimes.ALWAYS_ASKED
) -> dict[str, Reading]:
    """Return what each runtime of `ids` reads in the text of a SKILL.md.

    Runtimes that refuse the file, or load it without any of its fields, are left out. Of editions that share
    a parser there is one, the bare id if it is among them.
    """
    raw = text.encode("utf-8", "surrogatepass")
    readings: dict[str, Reading] = {}
    for name, parse in _parsers(tuple(ids)):
        try:
            manifest = parse(raw, directory)
        except Refusal:
            continue
        if manifest.fields_lost:
            continue
        lines = "\n".join(str(manifest.body).splitlines()).strip("\n").split("\n")
        readings[name] = Reading(manifest.name, manifest.description, tuple(lines), manifest.by_lines)
    return readings


@cache
def _parsers(ids: tuple[str, ...]) -> tuple[tuple[str, Parser], ...]:
    """Return the ids, bare ones first, each with its parser; no parser twice."""
    ids_by_parser: dict[Parser, str] = {}
    for name in sorted(ids, key=lambda name: "@" in name):
        parse = runtimes.get(name).parse
        if parse is not None:
            ids_by_parser.setdefault(parse, name)
    return tuple((name, parse) for parse, name in ids_by_parser.items())
