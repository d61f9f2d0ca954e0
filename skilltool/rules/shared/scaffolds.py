"""Tells whether a page belongs to a scaffold: files that a project copies as a whole, with words to be filled in."""

from __future__ import annotations

from skilltool.skill.model import Skill
from skilltool.text.lazy_pattern import lazy_pattern

_PLACEHOLDER = lazy_pattern(r"\A\{\{ ?[A-Za-z_][\w.-]{0,60} ?\}\}|\{\{ ?[A-Za-z_][\w.-]{0,60} ?\}\}\Z")
# What a skill has for itself, also where one of the pages in it is to be filled in.
_OWN = frozenset({"", "docs", "reference", "references", "resources", "rules", "scripts"})


def is_scaffold(skill: Skill, file: str) -> bool:
    """Return whether a page, other than the SKILL.md, is one with a placeholder as title, or lies with or below one."""
    pages = skill.once(_pages_to_fill_in)
    directories = {page.rpartition("/")[0] for page in pages} - _OWN
    return file in pages or any(file.startswith(f"{directory}/") for directory in directories)


def _pages_to_fill_in(skill: Skill) -> frozenset[str]:
    """Return the pages whose first heading begins or ends with a placeholder: `# {{project_name}}`."""
    pages = (text for text in skill.texts if text.file and text.is_page and "{{" in text.source.text)
    titles = ((text.file, text.markdown.headings[:1]) for text in pages)
    return frozenset(file for file, title in titles if title and _PLACEHOLDER.search(title[0].text))
