"""What a file that does not start with frontmatter starts with instead, and where its frontmatter may be."""

from __future__ import annotations

from pathlib import Path

import pytest

from skilltool.rules.file import missing_frontmatter
from skilltool.runtimes import get
from tests.conftest import Skilltool
from tests.fix.texts import skill_of

KEYS = "---\nname: pdf-tools\ndescription: Fills in forms.\n---\n\nText.\n"
BELOW = "no frontmatter at the top of the file; a `---` with a key below it is on line"


def message(text: str) -> str:
    (finding,) = missing_frontmatter.check(skill_of(text), get("portable"))
    return finding.message


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"# PDF tools\n\n{KEYS}", f"{BELOW} 3"),
        (f"<!-- mine -->\n{KEYS}".replace("\n", "\r\n"), f"{BELOW} 2"),
        ("# PDF tools\n\n---\n\nText.\n\n---\nname: pdf-tools\n---\n", f"{BELOW} 7"),
        ("# PDF tools\n\n---\n\n## Steps\n", "file has no frontmatter"),
        ("# PDF tools\n\n---\n\n**Name**: pdf-tools\n", "file has no frontmatter"),
        ("# PDF tools\n\n---\nchannels/routing.md:62\n", "file has no frontmatter"),
        ("# PDF tools\n\n---\nNote that a: b\n", "file has no frontmatter"),
        ("name: pdf-tools\n\n---\n", "frontmatter has no `---` lines around it"),
        ("name: pdf-tools\nlicense: MIT\n---\n\n# A\n", "frontmatter has no `---` line above it"),
        ("", "file is empty"),
        (f"```yaml\n{KEYS}```\n", "whole file is inside a code fence"),
        (f"```yaml\n{KEYS}```\n\n# PDF tools\n", "frontmatter is inside a code fence"),
        ("```json\n{}\n```\n\n# PDF tools\n", "file has no frontmatter, but starts with a code block"),
        (f"# PDF tools\n\n```md\n{KEYS}```\n", "file has no frontmatter"),
        (f"# PDF tools\n\n```md\n{KEYS}```\n\n---\nname: pdf-tools\n---\n", f"{BELOW} 12"),
    ],
)
def test_only_a_line_with_a_key_below_it_is_taken_for_frontmatter_further_down(text: str, words: str) -> None:
    assert message(text) == words


def test_a_line_of_slashes_is_checked_in_no_time(skilltool: Skilltool, repo: Path) -> None:
    (repo / "pdf").mkdir()
    (repo / "pdf" / "SKILL.md").write_text("/" * 900_000 + " x", "utf-8")
    run = skilltool("lint", "--output-format", "concise")
    assert "file has no frontmatter" in run.stdout
    assert "stopped" not in run.stderr
