"""What links of a body point at, for the rules that follow them."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, NamedTuple

from skilltool.skill.model import Skill

if TYPE_CHECKING:
    from skilltool.text.markdown import Markdown

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
# `<name>`, `{id}`, `$DIR`, `*.md` and `...` stand for something that the reader fills in.
_PLACEHOLDER = re.compile(r"[<>{}$*|]|\.\.\.|\u2026")
# A line of a file, as editors write it (`page.md:12`, `page.md:12:5`), or as sites do behind `#`.
_LINE = re.compile(r"(?<=\w):\d+(?:[:-]\d+)?\Z")
_LINES = re.compile(r"l\d+(?:c\d+)?(?:-l?\d+(?:c\d+)?)?|:~:.*")
_GIVEN = re.compile(r"\{[^{}]{0,80}?#([^\s{}]{1,80})[^{}]{0,80}\}\s*\Z")  # `# Heading {#id}`
_INTRICATE = re.compile(r"[(<\\&#]")
_ID = r"\b(?:id|name)\s*=\s*[\"']?([^\s\"'>]+)"
_VARIATION = "\ufe0f"  # asks for the emoji form of a character; writers of anchors leave it out


class Local(NamedTuple):
    """A link to a file: its normalized path with `/` (`.` for the file itself) and its fragment.

    `escapes` says that the path is absolute or leads above the directory it starts from.
    """

    path: str
    fragment: str
    escapes: bool


def local(target: str, name: str = "") -> Local | None:
    """Return what a link target means below the skill, or None for addresses and placeholders.

    `name` is the skill's directory: a path that leaves it and comes back (`../NAME/page.md`) stays inside.
    """
    on_disk = target[:8].lower() == "file:///"  # an address of a file of the author's machine
    if not target or (_SCHEME.match(target) and not on_disk) or _PLACEHOLDER.search(target):
        return None
    target = target[7:] if on_disk else target
    written, _, fragment = target.partition("#")
    path = _LINE.sub("", _unquoted(written.partition("?")[0]))
    normal = posixpath.normpath(path)
    if name and f"{normal}/".startswith(f"../{name}/"):
        normal = normal[len(name) + 4 :] or "."
    escapes = path.startswith(("/", "~/")) or normal == ".." or normal.startswith("../")
    return Local(normal, _folded(_unquoted(fragment)), escapes)


def is_plainly_fine(skill: Skill, target: str) -> bool:
    """Return True only for a written destination that is an address, or a file of the skill."""
    if _INTRICATE.search(target):
        return False
    place = local(target)
    return place is None or (not place.escapes and skill.holds(place.path))


def own_anchors(skill: Skill) -> set[str]:
    """Return the fragments that lead somewhere in the body; its headings are those that its author meant."""
    from skilltool.rules.shared.regions import meant_as_code
    from skilltool.text import markdown

    found = anchors(skill.markdown)
    start, at, prose = skill.frontmatter.envelope.body.start, 0, ""
    for block in meant_as_code(skill):
        prose += skill.body[at : block.span.start - start]
        at = block.span.end - start
    return found | anchors(markdown.read(prose + skill.body[at:])) if at else found


def anchors(document: Markdown) -> set[str]:
    """Return every fragment that leads somewhere in a document: headings, and ids of its HTML."""
    from skilltool.text import markdown

    found = {_folded(anchor) for anchor in markdown.anchors(heading.text for heading in document.headings)}
    found.update(_folded(m[1]) for html in document.html for m in re.finditer(_ID, html, re.IGNORECASE))
    found.update(_folded(m[1]) for heading in document.headings if (m := _GIVEN.search(heading.text)))
    return found | {"top"}


def names_lines(fragment: str) -> bool:
    """Return whether a fragment leads to lines or words of a page, and not to a heading."""
    return _LINES.fullmatch(fragment) is not None


def _folded(fragment: str) -> str:
    return fragment.casefold().replace(_VARIATION, "")


def _unquoted(text: str) -> str:
    if "%" not in text:
        return text
    from urllib.parse import unquote

    return unquote(text)
