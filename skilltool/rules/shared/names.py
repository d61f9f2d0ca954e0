"""Skill names: the valid one closest to what the author wrote, and names that Windows reserves."""

from __future__ import annotations

import re
from unicodedata import combining, normalize

from skilltool.bounds import current_skill
from skilltool.skill import schema
from skilltool.skill.model import Skill, load_skill
from skilltool.text.lazy_pattern import lazy_pattern

# https://learn.microsoft.com/windows/win32/fileio/naming-a-file, checked 2026-11-21
_DEVICE = lazy_pattern(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])", re.IGNORECASE)


def to_kebab_case(name: str) -> str:
    """Return `name` as lowercase ASCII words joined by single hyphens, accents removed; "" if nothing is left."""
    plain = "".join(each for each in normalize("NFKD", name) if not combining(each))
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z][a-z])", "-", plain)
    return re.sub(r"[^a-z0-9]+", "-", spaced.lower()).strip("-")


def is_portable(name: str) -> bool:
    """Return whether every runtime allows `name`, because it is valid by the schema of the common ground."""
    return schema.surely_valid({"name": name, "description": name}, "skill")


def suggested_name(name: str, directory: str) -> str:
    """Return the valid name closest to `name` for a skill in `directory`; "" if there is none.

    The directory's own name comes first where it is the same word but for case and separators.
    """
    if _letters(name) == _letters(directory) and is_portable(directory):
        return directory
    foreign = any(each.isalpha() and not each.isascii() for each in normalize("NFKD", name))
    found = "" if foreign else to_kebab_case(name)
    return found if is_portable(found) else ""


def is_taken(skill: Skill, name: str) -> bool:
    """Return whether a skill beside this one has `name` as its name and as its directory's."""
    other = skill.surroundings.neighbour(name)
    if other is None or name.casefold() == skill.name.casefold():
        return False
    skill.dependencies.unbounded = True  # another skill's file decides
    with current_skill.beside() as enter:
        try:
            return not enter(other) and load_skill(other).frontmatter.text("name") == name
        except OSError:
            return False


_MOST_NAMED = 2  # skills in a message


def named_by(skill: Skill, name: str) -> str | None:
    """Return which skills beside this one, and which lists of skills, have its `name`, as the end of a sentence.

    None if none does. A word without a hyphen counts only as code, in quotes, or after a slash.
    """
    quoted = (
        rf"[`\"'/:]{re.escape(name)}[`\"']" if "-" not in name else rf"(?<![\w-]){re.escape(name)}(?![\w-])"
    )
    mention = re.compile(quoted)
    found = [other for other, text in skill.surroundings.beside() if name in text and mention.search(text)]
    found += [path for path, text in skill.surroundings.lists() if f'"{name}"' in text]
    if not found:
        return None
    shown = [f"`{other}`" for other in found[:_MOST_NAMED]]
    if len(found) > _MOST_NAMED:
        shown.append(f"{len(found) - _MOST_NAMED} more")
    return " and ".join((", ".join(shown[:-1]), shown[-1])) if len(shown) > 1 else shown[0]


def _letters(name: str) -> str:
    return re.sub(r"[\W_]", "", normalize("NFKC", name)).casefold()


def is_windows_device(name: str) -> bool:
    """Return whether Windows reserves `name` for a device, so that no file or directory can have it."""
    return _DEVICE.fullmatch(name) is not None
