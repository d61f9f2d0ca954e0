"""Tells whether a page was copied from elsewhere, so that its defects are not the author's."""

from __future__ import annotations

import re

from skilltool.text.lazy_pattern import lazy_pattern

# `> Source: https://...` above or below the title; `url: https://...` only in the frontmatter, since the text of
# a page may name the address of what it is about.
_FROM = lazy_pattern(
    r"^[ \t>*_#<!-]{0,12}(?:(?:upstream )?source|origin(?:al)?|canonical|upstream"
    r"|(?:copied|downloaded|(?:auto-)?fetched|mirrored|retrieved|scraped|synced|taken|vendored) from)"
    r"(?:[ _-]?(?:url|link|page))?[\"']?[*_]{0,2}:?[*_]{0,2}[ \t]{1,4}[\"'<\[(]{0,2}https?://",
    re.MULTILINE | re.IGNORECASE,
)
# `<!-- Source: shop/agent-skills - skills/deploy/SKILL.md -->`: a repository and a path in it.
_FROM_REPOSITORY = lazy_pattern(
    r"^<!--[ \t]{0,4}source:[ \t]{1,4}[\w-]{1,40}/[\w-]{1,100}(?:@|[ \t]{1,4}[-\u2013\u2014][ \t]{1,4}[\w.-]{1,100}/)",
    re.MULTILINE | re.IGNORECASE,
)
_MIRROR = lazy_pattern(
    r"^[ \t>*_]{0,8}this (?:page |file |document |skill )?is an? (?:\w+ )?(?:copy|mirror) of [^\n]{0,200}https?://",
    re.MULTILINE | re.IGNORECASE,
)
_FIELD = lazy_pattern(r"\A---\r?\n(?:(?!---)[^\n]{0,500}\n){0,30}?(?:url|link):[ \t]{1,4}[\"']?https?://")
# What a program makes of a web page: metadata of its head, the invisible links of headings to themselves, the
# buttons beside its title, and a count of its pages.
_CRAWLED = lazy_pattern(
    r"^[ \t]*[\"']?og:\w|^#{1,6} [^\n]{0,200}\[\u200b?\]\(#|^Copy page(?:Copy page)?\r?$"
    r"|^\*\*Pages:\*\* \d+\r?$",
    re.MULTILINE,
)
_BEGINNING = 1_000  # characters of a page that may say where it is from
# What Skill Seekers copies from a library's repository, what web sites offer to models, and what people call copies.
_NAMES = lazy_pattern(
    r"(?:\A|/)references/github/|(?:\A|/)llms[\w-]*\.(?:txt|md)\Z|(?:\A|[/_-])upstream(?:/|\.\w{1,5}\Z)",
    re.IGNORECASE,
)


def is_copied(file: str, text: str) -> bool:
    """Return whether the name or the beginning of a page, other than a SKILL.md, says that it was copied."""
    beginning = text[:_BEGINNING]
    says_so = (
        any(each.search(beginning) for each in (_FROM, _FROM_REPOSITORY, _MIRROR, _FIELD, _CRAWLED))
        or _NAMES.search(file) is not None
    )
    return bool(file) and says_so
