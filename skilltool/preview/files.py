"""Lists the files of one skill, each with the pages that refer to it by its name."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from skilltool.bounds.budget import OverBudgetError
from skilltool.explain.cost import named_paths
from skilltool.preview.model import File
from skilltool.rules.shared.mentions import orphan_files
from skilltool.skill.model import Skill
from skilltool.skill.skill_file import FILE_NAME

_MOST_SEARCHED = 200_000_000  # characters, all files together: more takes longer than a page may
_MOST_PAGES = 2  # that are named for a file


def files_of(skill: Skill) -> Iterator[File]:
    """Yield the files of a skill: SKILL.md, then the others, then links."""
    referrers = _Referrers(skill)
    for path in sorted(skill.tree.files, key=lambda path: (path != skill.file_name, path)):
        found = skill.file(path)
        kind, note = referrers.of(path)
        yield File(path, _size(found), kind, note, served=found is not None)
    for link in skill.tree.links:
        where = "points outside the skill" if link.escapes else "inside the skill"
        yield File(link.path, None, "link", f"link to {link.target}, {where}", served=False)


def _size(path: Path | None) -> int | None:
    try:
        return None if path is None else path.stat().st_size
    except OSError:
        return None


class _Referrers:
    """Says which pages of a skill refer to a file."""

    def __init__(self, skill: Skill) -> None:
        self._skill = skill
        self._named = named_paths(skill)
        try:
            self._orphans = frozenset(orphan_files(skill))
        except OverBudgetError:
            self._orphans = frozenset()
        texts = {text.file or FILE_NAME: text.source.text for text in skill.texts}
        is_too_much = sum(map(len, texts.values())) * len(skill.tree.files) > _MOST_SEARCHED
        self._texts = {} if is_too_much else texts
        self._names = Counter(map(posixpath.basename, skill.tree.files))

    def of(self, path: str) -> tuple[str, str]:
        """Return who refers to a file, as in `File`, with its note."""
        if path == self._skill.file_name:
            return FILE_NAME, ""
        if path in self._named:
            return "body", ""
        if not self._texts:
            return "nothing" if path in self._orphans else "unknown", ""
        name = self._written(path)
        pages = [page for page, text in self._texts.items() if page != path and _found(name, text)]
        if FILE_NAME in pages:
            return "body", ""
        if pages:
            more = f" and {len(pages) - _MOST_PAGES} more" if len(pages) > _MOST_PAGES else ""
            return "text", ", ".join(pages[:_MOST_PAGES]) + more
        other = _found(name, self._texts.get(FILE_NAME, ""), re.IGNORECASE) if "." in name else ""
        if other and posixpath.basename(other) not in self._names:
            return "case", other
        return "nothing" if path in self._orphans else "other", ""

    def _written(self, path: str) -> str:
        """Return how a text writes a file: its name, with its directory where the name alone says little.

        Empty for a file at the top whose name is a word, such as `run`.
        """
        parent, name = posixpath.split(path)
        is_word = "." not in name and name.islower()
        if not is_word and self._names[name] == 1:
            return name
        if parent:
            return f"{posixpath.basename(parent)}/{name}"
        return "" if is_word else name


def _found(name: str, text: str, flags: int = 0) -> str:
    """Return a name as the text has it, empty if it does not."""
    if not name or (not flags and name not in text):
        return ""
    match = re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-]|\.\w)", text, flags)
    return match[0] if match is not None else ""
