"""What is said of frontmatter that is no YAML: the cause, and its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from skilltool.rules import RULES
from skilltool.runtimes import get
from skilltool.skill.model import load_skill


@pytest.mark.parametrize(
    ("lines", "message", "place"),
    [
        ("tags: [a, b", "the list that begins here is never closed", (2, 7)),
        ("tags: [a, b\nauthor: x", "the list that begins here is never closed", (2, 7)),
        ('metadata: {"a": 1\nauthor: x', "the mapping that begins here is never closed", (2, 11)),
        ("hint: [a] b", "the value begins with `[`, but is no list", (2, 11)),
        ("needs: >=1.0", "the value begins with `>`, which YAML reads as a mark", (2, 9)),
        ("needs: **/*.py", "the value begins with `*`, which YAML reads as a mark", (2, 9)),
        ('tools: "a", "b"', "text stands behind the closing quote", (2, 11)),
        ("text: a: b", "a value without quotes holds `: `", (2, 8)),
    ],
)
def test_the_cause_is_named(lines: str, message: str, place: tuple[int, int], tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "SKILL.md").write_text(f"---\n{lines}\nname: a\ndescription: b\n---\n\nGo.\n", "utf-8")
    loaded = load_skill(tmp_path / "a")
    [finding] = RULES["invalid-yaml"].check(loaded, get("portable"))
    position = loaded.source.position(finding.span.start)
    assert (finding.message, (position.line, position.column)) == (message, place)
