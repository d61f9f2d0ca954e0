"""The cheap question before links are read: does a page have any that may lead nowhere?"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from functools import lru_cache

from skilltool.rules.shared.hints import is_sample
from skilltool.rules.shared.link_targets import is_surely_valid
from skilltool.skill.model import Skill
from skilltool.skill.texts import Text

_PLAIN_PATH = re.compile(r"\w[\w./-]*", re.ASCII)
# Bounded, since lines are untrusted and can be a megabyte long.
_TAG = re.compile(
    r"<(?P<name>img|a)\s(?:[^<>\"']|\"[^\"<>]{0,300}\"|'[^'<>]{0,300}'){0,120}?"
    r"(?<![\w-])(?:src|href)\s{0,3}=\s{0,3}(?P<mark>[\"'])(?P<target>[^\"'<>\n]{1,300})(?P=mark)",
    re.IGNORECASE,
)
# The label of the definition of a link, after the marks of quotes and lists. It may have several lines.
_LABEL = re.compile(r"^[ \t>*+0-9.)-]*\[(?:[^\[\]\\]|\\.){1,999}\]:", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"\]\([ \t\r\n]*([^) \t\r\n]*)")


@lru_cache(maxsize=1)
def pages_with_doubtful_links(skill: Skill) -> tuple[Text, ...]:
    """Return the pages with a link that may lead to a file that does not exist."""
    return tuple(text for text in skill.texts if has_doubtful_links(skill, text))


def has_doubtful_links(skill: Skill, text: Text) -> bool:
    """Return whether a link of a page may lead to a file that does not exist; a cheap question.

    A destination follows `](` or is in a link definition or in HTML. Each text after `](` that can be a path is
    looked up; definitions, fragments, and destinations that may extend past the next whitespace or
    parenthesis are left to the Markdown parser.
    """
    body = text.body if text.is_page and not is_sample(text.file) else ""
    if "]:" in body and _LABEL.search(body) is not None:
        return True
    directory = text.directory
    targets = {*_INLINE.findall(body), *(found["target"] for found in html_tags(text) if body)}
    return any(
        not _exists(skill, target, directory) and not is_surely_valid(skill, target, directory)
        for target in targets
    )


def html_tags(text: Text) -> Iterator[re.Match[str]]:
    """Find the tags of links and images in a page, also those in code and comments; `target` is a group."""
    return _TAG.finditer(text.source.text, *text.body_span)


def _exists(skill: Skill, target: str, directory: str) -> bool:
    """Return True only for a path of plain characters to an existing file of the skill."""
    if _PLAIN_PATH.fullmatch(target) is None:
        return False
    return skill.holds(posixpath.normpath(posixpath.join(directory, target)))
