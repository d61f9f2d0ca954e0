"""What each runtime reads in one text, and whether another text may take its place."""

from __future__ import annotations

from dataclasses import dataclass

from skilltool import runtimes
from skilltool.runtimes.values import Refusal
from skilltool.skill.model import Skill
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.source import Source


@dataclass(frozen=True, slots=True)
class Reading:
    """What one runtime makes of a file."""

    name: object
    description: object
    body: tuple[str, ...]


def objection(directory: str, before: str, after: str, safe: bool) -> str | None:
    """Return why a text must not take the place of another, None where it may.

    `directory` is the name of the skill's directory; `safe` demands that no runtime reads another name,
    description or body.
    """
    old, new = readings(before, directory), readings(after, directory)
    for name, reading in old.items():
        if name not in new:
            return f"`{name}` would no longer load it"
        if not safe:
            continue
        for part in ("name", "description", "body"):
            if getattr(reading, part) != getattr(new[name], part):
                return f"`{name}` would read another {part}"
    was, now = (Skill(directory, FILE_NAME, Source(text)).frontmatter for text in (before, after))
    if now.data is None and (was.data is not None or was.problems != now.problems):
        return "it would not be valid YAML"
    return None


def readings(text: str, directory: str) -> dict[str, Reading]:
    """Return what each runtime reads in a SKILL.md, by id; those that refuse it are left out."""
    raw = text.encode("utf-8", "surrogatepass")
    found: dict[str, Reading] = {}
    for runtime in map(runtimes.get, runtimes.BARE):
        if runtime.parse is None:
            continue
        try:
            fields = runtime.parse(raw, directory)
        except Refusal:
            continue
        body = tuple(str(fields.get("body", "")).splitlines())
        found[runtime.id] = Reading(fields.get("name"), fields.get("description"), body)
    return found
