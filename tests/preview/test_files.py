"""Which pages of a skill refer to each of its files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from skilltool.preview import files
from skilltool.preview.files import files_of
from skilltool.preview.html import Addresses, Choice, skill_page
from skilltool.preview.model import Page, Row
from skilltool.skill.model import load_skill
from tests.preview.browsing import exact

TEXT = """---
name: pdf
description: Fills in forms. Use when asked.
license: Proprietary. LICENSE.txt has complete terms
---

See [the guide](guide.md), then read FORMS.md and run `scripts/fill.py`. Go on with go/README.md.
"""
FILES = {
    "SKILL.md": TEXT,
    "guide.md": "See notes.md, and all.md.",
    "more.md": "See all.md.",
    "forms.md": "all.md.",
    "notes.md": "Notes",
    "all.md": "All",
    "LICENSE.txt": "MIT",
    "NOTICE": "MIT",
    "run": "Run",
    "scripts/fill.py": "print()",
    "scripts/__init__.py": "",
    "go/README.md": "Go",
    "java/README.md": "Java",
    "old-forms.md": "Old",
}


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    for path, text in FILES.items():
        file = tmp_path / "pdf" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    (tmp_path / "pdf/away.md").symlink_to("../secret.md")
    return tmp_path / "pdf"


def shown(directory: Path) -> dict[str, str]:
    """Return what the table on a skill's page says of each file."""
    row = Row("pdf", "pdf", "pdf", str(directory), "", {})
    page = Page(row, None, 0, None, (), (), tuple(files_of(load_skill(directory))), "", frozenset())
    html = skill_page(page, Addresses(is_export=True), Choice(()))
    found = re.findall(r"<tr><td>([^<]*)</td>.*?<td>(.*?)</td></tr>", html, re.DOTALL)
    return {exact(path): exact(said) for path, said in found}


def test_each_file_says_which_pages_refer_to_it(directory: Path) -> None:
    assert shown(directory) == {
        "SKILL.md": "",
        "guide.md": "SKILL.md",
        "LICENSE.txt": "SKILL.md",
        "scripts/fill.py": "SKILL.md",
        "forms.md": "SKILL.md, as FORMS.md, with other letter case",
        "notes.md": "guide.md",
        "all.md": "forms.md, guide.md and 1 more",
        "go/README.md": "SKILL.md",
        "java/README.md": "not by name, perhaps by its directory",
        "scripts/__init__.py": "not by name, perhaps by its directory",
        "NOTICE": "not by name, perhaps by its directory",
        "run": "not by name, perhaps by its directory",
        "more.md": "not referenced",
        "old-forms.md": "not referenced",
        "away.md": "link to ../secret.md, points outside the skill",
    }


def test_too_much_text_is_not_searched(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_MOST_SEARCHED", 1000)
    found = shown(directory)
    assert (found["guide.md"], found["more.md"]) == ("SKILL.md", "not referenced")
    assert found["notes.md"] == "not known: too many files"
