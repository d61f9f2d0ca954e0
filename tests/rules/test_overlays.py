"""Files that a build merges into another skill: what is one, and what is said of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from skilltool.findings.finding import Severity
from skilltool.rules import RULES
from skilltool.runtimes import get
from skilltool.skill.model import load_skill

PART = "<!-- setup:start -->\nSee [it](gone.md).\n<!-- setup:end -->\n"


def severities(directory: Path, text: str, runtime: str = "portable") -> list[Severity | None]:
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "SKILL.md").write_text(text, "utf-8")
    loaded = load_skill(directory)
    found = [*RULES["missing-frontmatter"].check(loaded, get(runtime))]
    links = [*RULES["broken-link"].check(loaded, get(runtime))]
    is_info = [finding.severity for finding in found] == [Severity.INFO]
    assert bool(links) != is_info or runtime != "portable" or "gone" not in text
    return [finding.severity for finding in found]


@pytest.mark.parametrize(
    "text",
    [
        PART,
        PART * 2,
        f"\n{PART}\n<!--a.b:run:BEGIN-->\n<!-- note -->\n<!--a.b:run:END-->\n\n",
        PART.replace(":", "-"),
    ],
)
def test_parts_between_comments_are_an_info_where_no_runtime_reads_them(text: str, tmp_path: Path) -> None:
    assert severities(tmp_path / "forms", text) == [Severity.INFO]
    assert severities(tmp_path / "flavors" / "forms", text, "kodelet") == [Severity.INFO]
    assert severities(tmp_path / ".kodelet" / "skills" / "forms", text, "kodelet") == [None]


@pytest.mark.parametrize(
    "text",
    [
        "<!-- License: MIT -->\n# Forms\n\nSee [it](gone.md).\n",
        f"{PART}# Forms\n",
        f"# Forms\n{PART}",
        PART.replace("setup:end", "other:end"),
        PART.replace("<!-- setup:end -->", ""),
        f"{PART}\n---\nname: forms\ndescription: Fills in forms.\n---\n",
    ],
)
def test_other_files_that_start_with_a_comment_lack_their_frontmatter(text: str, tmp_path: Path) -> None:
    assert severities(tmp_path / "forms", text) == [None]
