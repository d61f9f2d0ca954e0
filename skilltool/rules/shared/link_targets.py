"""Resolves link targets to paths and fragments inside a skill, for the rules about links."""

from __future__ import annotations

import posixpath
import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from skilltool.rules.shared.skill_paths import OWN_DIRECTORY, VARIABLE_HINTS
from skilltool.skill.model import Skill
from skilltool.skill.texts import Text

if TYPE_CHECKING:
    from skilltool.text.markdown import Markdown

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
# `<name>`, `{id}`, `$DIR`, `*.md` and `...` are for the reader to fill in.
_PLACEHOLDER = re.compile(r"[<>{}$*|]|\.\.\.|\u2026")
_OWN_DIRECTORY = re.compile(rf"\A(?:{OWN_DIRECTORY})/+(?=.)", re.IGNORECASE)
# A line of a file, as editors write it (`page.md:12`, `page.md:12:5`), or after `#`, as web sites do.
_LINE = re.compile(r"(?<=\w):\d+(?:[:-]\d+)?\Z")
_LINES = re.compile(r"l\d+(?:c\d+)?(?:-l?\d+(?:c\d+)?)?|:~:.*")
_HEADING_ID = re.compile(r"\{[^{}]{0,80}?#([^\s{}]{1,80})[^{}]{0,80}\}\s*\Z")  # `# Heading {#id}`
_URL = re.compile(r"https?://[^(<\\]*\Z")  # which Markdown reads to its end
_SPECIAL = re.compile(r"[(<\\&#]")
_HTML_ID = r"\b(?:id|name)\s*=\s*[\"']?([^\s\"'>]+)"
_VARIATION = "\ufe0f"  # selects the emoji form of a character; authors leave it out of anchors


class LocalTarget(NamedTuple):
    """The target of a link to a file: a normalized path with `/` (`.` for the file itself) and a fragment.

    `escapes` is True if the path is absolute, or leads above the directory it is relative to.
    """

    path: str
    fragment: str
    escapes: bool


@lru_cache(maxsize=1024)
def local_target(target: str, name: str = "", directory: str = "") -> LocalTarget | None:
    """Resolve a link target to a path below the skill; None for URLs and placeholders.

    `name` is the name of the skill's directory: a path that leaves and re-enters it (`../NAME/page.md`)
    does not escape. `directory` is that of the page with the link, below the skill.
    """
    if any(hint in target for hint in VARIABLE_HINTS):
        written, target = target, _OWN_DIRECTORY.sub("", target)
        directory = "" if target != written else directory
    on_disk = target[:8].lower() == "file:///"  # a file on the author's machine
    if not target or (_SCHEME.match(target) and not on_disk) or _PLACEHOLDER.search(target):
        return None
    target = target[7:] if on_disk else target
    written, _, fragment = target.partition("#")
    path = _LINE.sub("", _unquoted(written.partition("?")[0]))
    normal = posixpath.normpath(path)
    if directory and path and not path.startswith("~/"):
        normal = posixpath.normpath(posixpath.join(directory, path))
    if name and f"{normal}/".startswith(f"../{name}/"):
        normal = normal[len(name) + 4 :] or "."
    escapes = path.startswith(("/", "~/")) or normal == ".." or normal.startswith("../")
    return LocalTarget(normal, _folded(_unquoted(fragment)), escapes)


def is_surely_valid(skill: Skill, target: str, directory: str = "") -> bool:
    """Return True only for a simple link destination that is a URL or a file of the skill.

    False means that the destination needs the exact check.
    """
    if _URL.match(target):
        return True
    if _SPECIAL.search(target):
        return False
    resolved = local_target(target, "", directory)
    return resolved is None or (not resolved.escapes and skill.holds(resolved.path))


@lru_cache(maxsize=4)
def page_anchors(text: Text) -> set[str]:
    """Return the anchors of a page, both as CommonMark reads it and with code blocks as the author meant them."""
    from skilltool.rules.shared.regions import intended_code_blocks
    from skilltool.text import markdown

    found = anchors(text.markdown)
    body, start, at = text.body, text.body_span.start, 0
    prose: list[str] = []
    for block in intended_code_blocks(text):
        prose.append(body[at : block.span.start - start])
        at = block.span.end - start
    return found | anchors(markdown.read("".join([*prose, body[at:]]))) if at else found


def anchors(document: Markdown) -> set[str]:
    """Return every fragment that a link to `document` can use: of headings, of HTML ids, and `top`."""
    from skilltool.text import markdown

    found = {_folded(anchor) for anchor in markdown.anchors(heading.text for heading in document.headings)}
    found.update(_folded(m[1]) for html in document.html for m in re.finditer(_HTML_ID, html, re.IGNORECASE))
    found.update(_folded(m[1]) for heading in document.headings if (m := _HEADING_ID.search(heading.text)))
    return found | {"top"}


def is_line_fragment(fragment: str) -> bool:
    """Return whether a fragment selects lines or words of a page (`L3-L5`, `:~:text=`) instead of a heading."""
    return _LINES.fullmatch(fragment) is not None


def _folded(fragment: str) -> str:
    return fragment.casefold().replace(_VARIATION, "")


def _unquoted(text: str) -> str:
    if "%" not in text:
        return text
    from urllib.parse import unquote

    return unquote(text)
