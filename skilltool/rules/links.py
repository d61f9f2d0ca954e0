"""What links of a body point at, for the rules that follow them."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, NamedTuple

from skilltool.skill import Skill

if TYPE_CHECKING:
    from skilltool.markdown import Markdown

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
# `<name>`, `{id}`, `$DIR`, `*.md` and `...` stand for something that the reader fills in.
_PLACEHOLDER = re.compile(r"[<>{}$*|]|\.\.\.|\u2026")
_INTRICATE = re.compile(r"[(<\\&#]")
_ID = re.compile(r"\b(?:id|name)\s*=\s*[\"']?([^\s\"'>]+)", re.IGNORECASE)
_VARIATION = "\ufe0f"  # asks for the emoji form of a character; writers of anchors leave it out


class Local(NamedTuple):
    """A link to a file: its normalized path with `/` (`.` for the file itself) and its fragment.

    `escapes` says that the path is absolute or leads above the directory it starts from.
    """

    path: str
    fragment: str
    escapes: bool


def local(target: str) -> Local | None:
    """Return what a link target means below the skill, or None for addresses and placeholders."""
    if not target or _SCHEME.match(target) or _PLACEHOLDER.search(target):
        return None
    written, _, fragment = target.partition("#")
    path = _unquoted(written.partition("?")[0])
    normal = posixpath.normpath(path)
    escapes = path.startswith(("/", "~/")) or normal == ".." or normal.startswith("../")
    return Local(normal, _folded(_unquoted(fragment)), escapes)


def is_plainly_fine(skill: Skill, target: str) -> bool:
    """Return True only for a written destination that is an address, or a file of the skill."""
    if _INTRICATE.search(target):
        return False
    place = local(target)
    return place is None or (not place.escapes and skill.holds(place.path))


def anchors(document: Markdown) -> set[str]:
    """Return every fragment that leads somewhere in a document: headings, and ids of its HTML."""
    from skilltool import markdown

    found = {_folded(anchor) for anchor in markdown.anchors(heading.text for heading in document.headings)}
    found.update(_folded(m[1]) for html in document.html for m in _ID.finditer(html))
    return found | {"top"}


def _folded(fragment: str) -> str:
    return fragment.casefold().replace(_VARIATION, "")


def _unquoted(text: str) -> str:
    if "%" not in text:
        return text
    from urllib.parse import unquote

    return unquote(text)
