"""Links that lead somewhere, told from those that only show how one is written."""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.rules.shared.links import Local, local
from skilltool.rules.shared.regions import Regions, meant_as_code
from skilltool.skill.model import Skill
from skilltool.text.markdown import Link

# What stands where a destination would: `[title](url)`, `[name](your-link)`, `![chart](image)`.
_FORMS = frozenset({"file", "image", "img", "path", "ref", "source", "src", "target", "website"})
_FORM_PARTS = frozenset(
    {"here", "href", "link", "links", "placeholder", "tbd", "todo", "uri", "url", "xxx", "your"}
)


def written(skill: Skill) -> Iterator[tuple[Link, Local]]:
    """Yield the links to files, with what they mean, but for those that only show how one is written."""
    shown: Regions | None = None
    for link in skill.markdown.links:
        place = local(link.target, skill.name)
        if place is None or (_is_form(link.target) and not skill.holds(place.path)):
            continue
        if not link.image and _is_a_call(skill, link):
            continue
        if shown is None:
            shown = Regions(block.span for block in meant_as_code(skill))
        if link.span.start not in shown:
            yield link, place


def _is_a_call(skill: Skill, link: Link) -> bool:
    """Return whether a link is code of a program outside of code: `list[](size)`, `table[key](value)`."""
    text = skill.source.text
    if text.startswith("[](", link.span.start):
        return True
    before = text[max(link.span.start - 1, 0) : link.span.start]
    return before.isascii() and before.isalnum() and link.target.isidentifier()


def _is_form(target: str) -> bool:
    """Return whether a destination is a word in the place of one: it has no dot, as the name of a file has.

    Names without a dot that files do have, as LICENSE, are no such words.
    """
    if f"/{target}".find("/path/to/") >= 0:
        return True
    word = target.removeprefix("./").lower()
    if not word or any(mark in word for mark in "./#?"):
        return False
    parts = {part.rstrip("0123456789") for part in word.replace("_", "-").split("-")}
    return (
        word in _FORMS
        or word.endswith("url")
        or not parts.isdisjoint(_FORM_PARTS)
        or len(word) == 1
        or not word.isascii()
        or word.isdigit()
    )
