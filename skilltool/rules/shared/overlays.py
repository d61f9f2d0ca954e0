"""Recognizes files that are no skill of their own: parts between named comments, to be merged into another one."""

from __future__ import annotations

import re

from skilltool.skill.model import Skill

# `<!-- setup:start -->` and `<!-- setup:end -->`, as build tools write them around a part.
_MARK = re.compile(r"<!--[ \t]*(?P<part>[\w./:-]{1,80})[:-](?P<edge>start|begin|end)[ \t]*-->", re.IGNORECASE)


def is_overlay(skill: Skill) -> bool:
    """Return whether the whole file is parts between a start and an end comment, without frontmatter."""
    text = skill.source.text
    if skill.frontmatter.envelope.opening is not None or not text.lstrip().startswith("<!--"):
        return False
    part, at = None, 0
    for mark in _MARK.finditer(text):
        is_end = mark["edge"].lower() == "end"
        if is_end and mark["part"] == part:
            part, at = None, mark.end()
        elif not is_end and part is None:
            if text[at : mark.start()].strip():
                return False
            part = mark["part"]
    return part is None and at > 0 and not text[at:].strip()
