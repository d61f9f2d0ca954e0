"""Does an edit of a SKILL.md change what some runtime reads in it?"""

from __future__ import annotations

from dataclasses import dataclass

from skilltool import runtimes
from skilltool.runtimes.values import Refusal
from skilltool.skill.model import Skill
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.source import Source


@dataclass(frozen=True, slots=True)
class Reading:
    """What one runtime reads in a file: name, description, and the lines of the body without their ends."""

    name: object
    description: object
    body: tuple[str, ...]


def reason_not_to_apply(directory: str, before: str, after: str, safe: bool) -> str | None:
    """Return why an edit must not be applied, as a clause without a full stop; None if it may be.

    `before` and `after` are the whole text, `directory` is the name of the skill's directory. An edit must
    leave the frontmatter valid YAML, and every runtime that loads the file must still load it; with `safe`,
    each must also read the same name, description and lines of the body.
    """
    old, new = readings_by_runtime(before, directory), readings_by_runtime(after, directory)
    for name, reading in old.items():
        if name not in new:
            return f"`{name}` would no longer load it or its fields"
        if not safe:
            continue
        for part in ("name", "description", "body"):
            if getattr(reading, part) != getattr(new[name], part):
                return f"`{name}` would read a different {part}"
    was, now = (Skill(directory, FILE_NAME, Source(text)).frontmatter for text in (before, after))
    if now.data is None and (was.data is not None or was.problems != now.problems):
        return "it would not be valid YAML"
    return None


def readings_by_runtime(text: str, directory: str) -> dict[str, Reading]:
    """Return what each runtime reads in the text of a SKILL.md, by id.

    Runtimes that refuse the file, or load it without any of its fields, are left out.
    """
    raw = text.encode("utf-8", "surrogatepass")
    found: dict[str, Reading] = {}
    for runtime in map(runtimes.get, runtimes.BARE):
        if runtime.parse is None:
            continue
        try:
            fields = runtime.parse(raw, directory)
        except Refusal:
            continue
        if fields.get("fields_lost"):
            continue
        body = tuple(str(fields.get("body", "")).splitlines())
        found[runtime.id] = Reading(fields.get("name"), fields.get("description"), body)
    return found
