"""What is wrong in a page to which nothing in the skill leads a model is a note."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Skilltool

HEAD = "---\nname: pdf-tools\ndescription: Fills in PDF forms. Use when the user mentions a form.\n---\n\n"


@pytest.mark.parametrize(
    ("files", "severity"),
    [
        ({"SKILL.md": "Read [the guide](guide.md)."}, "warning"),
        ({"SKILL.md": "Read the pages in `docs/`.", "docs/guide.md": ""}, "warning"),
        ({"SKILL.md": "Read more.md.", "more.md": "Then guide.md."}, "warning"),
        ({"SKILL.md": "Fill in the form."}, "info"),
        ({"SKILL.md": "Fill in the form.", "CHANGELOG.md": "- guide.md added"}, "info"),
        ({"SKILL.md": "Fill in the form.", "agents/guide.md": ""}, "warning"),
    ],
)
def test_only_pages_that_are_mentioned_have_warnings(
    repo: Path, skilltool: Skilltool, files: dict[str, str], severity: str
) -> None:
    skill = repo / "skills" / "pdf-tools"
    guide = next((name for name in files if name.endswith("/guide.md")), "guide.md")
    for name, text in {**files, guide: "[fields](fields.md)\n"}.items():
        (skill / name).parent.mkdir(parents=True, exist_ok=True)
        (skill / name).write_text(f"{HEAD if name == 'SKILL.md' else ''}{text}\n", "utf-8")
    run = skilltool("lint", "--output-format", "json", cwd=repo)
    (found,) = (each for each in json.loads(run.stdout)["diagnostics"] if each["path"].endswith("guide.md"))
    assert (found["rule"], found["severity"]) == ("broken-link", severity)
