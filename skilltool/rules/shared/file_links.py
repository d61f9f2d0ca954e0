"""Tells links to files from text that only looks like one: placeholders, calls, examples in code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import copy
from functools import lru_cache
from itertools import tee

from skilltool.rules.shared.doubtful_links import pages_with_doubtful_links
from skilltool.rules.shared.hints import is_sample
from skilltool.rules.shared.link_targets import LocalTarget, local_target
from skilltool.rules.shared.overlays import is_overlay
from skilltool.rules.shared.regions import Regions, doubtful_prose, intended_code_blocks
from skilltool.rules.shared.written_links import html_links
from skilltool.skill.model import Skill
from skilltool.skill.texts import Text
from skilltool.text.markdown import Link

# Placeholders for a destination: `[title](url)`, `[name](your-link)`, `![chart](image)`.
_PLACEHOLDERS = frozenset({"file", "image", "img", "path", "ref", "source", "src", "target", "website"})
_PLACEHOLDER_PARTS = frozenset(
    {"here", "href", "link", "links", "placeholder", "tbd", "todo", "uri", "url", "xxx", "your"}
)
# `/deploy`, `/plugin:deploy`: one word after the slash, without an extension.
_COMMAND = re.compile(r"/[A-Za-z0-9][\w-]*(?::[A-Za-z0-9][\w-]*)*", re.ASCII)


def all_file_links(skill: Skill) -> Iterator[tuple[Text, Link, LocalTarget]]:
    """Yield the links of all pages to files, as `file_links` does; of pages without a doubtful one, none.

    Two rules ask, each up to its last finding: a link is looked at once, when the first of them comes to it.
    """
    return copy(_found(skill))


@lru_cache(maxsize=1)
def _found(skill: Skill) -> Iterator[tuple[Text, Link, LocalTarget]]:
    pages = pages_with_doubtful_links(skill)
    found = ((text, *each) for text in pages for each in file_links(skill, text))
    return tee(found, 1)[0]  # copies of it share what is found, and it keeps all


def file_links(skill: Skill, text: Text) -> Iterator[tuple[Link, LocalTarget]]:
    """Yield the links of a page to files, each with its target; examples of how to write a link are left out.

    So are all links of a file that is merged into another skill, because they lead from there, and those of
    pages that are copied to where the skill is used.
    """
    if is_overlay(skill) or is_sample(text.file):
        return
    code: Regions | None = None
    known: dict[tuple[str, bool], LocalTarget | None] = {}  # a body may have one destination 100,000 times
    for link in (*text.markdown.links, *html_links(text)):
        key = link.target, link.image
        if key not in known:
            known[key] = _file(skill, text, *key)
        target = known[key]
        if target is None or (not link.image and _is_call(text, link)):
            continue
        if code is None:
            intended = [block.span for block in intended_code_blocks(text)]
            code = Regions([*intended, *doubtful_prose(text)])
        if link.span.start not in code:
            yield link, target


def _file(skill: Skill, text: Text, destination: str, image: bool) -> LocalTarget | None:
    """Return the file to which a destination leads; None for a URL, a placeholder or a command."""
    target = local_target(destination, skill.name, text.directory)
    if target is None or (_is_placeholder(destination) and not skill.holds(target.path)):
        return None
    return None if not image and _is_command(skill, destination) else target


def _is_call(text: Text, link: Link) -> bool:
    """Return whether a link is program code that is not marked as code: `list[](size)`, `table[key](value)`."""
    written, start = text.source.text, link.span.start
    if written.startswith("[](", start):
        return True
    before = written[max(start - 1, 0) : start]
    return before.isalnum() and before.isascii() and link.target.isidentifier()


def _is_command(skill: Skill, target: str) -> bool:
    """Return whether a destination is a slash command, and not a file or directory in the root of the project."""
    return target[:1] == "/" and _COMMAND.fullmatch(target) is not None and not skill.exists_above(target[1:])


def _is_placeholder(target: str) -> bool:
    """Return whether a destination is a placeholder such as `url` or `path/to/page.md`.

    Placeholders have no dot. File names without a dot, such as LICENSE, are not placeholders.
    """
    if f"/{target}".find("/path/to/") >= 0:
        return True
    word = target.removeprefix("./").lower()
    if not word or any(mark in word for mark in "./#?"):
        return False
    parts = {part.rstrip("0123456789") for part in word.replace("_", "-").split("-")}
    return (
        word in _PLACEHOLDERS
        or word.endswith("url")
        or not parts.isdisjoint(_PLACEHOLDER_PARTS)
        or len(word) == 1
        or not word.isascii()
        or word.isdigit()
    )
