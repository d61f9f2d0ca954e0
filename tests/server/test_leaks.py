"""No answer to an editor shows a secret of the skill."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types as lsp

from tests.findings.test_leaks import leaks, project
from tests.server.conftest import Edit
from tests.server.editor import Editor

__all__ = ["project"]


@pytest.mark.slow
def test_no_finding_hover_or_title_shows_a_secret(edit: Edit, project: Path) -> None:
    directory = project / ".claude" / "skills" / "forms"

    async def session(editor: Editor) -> list[object]:
        shown: list[object] = []
        for file in (directory / "SKILL.md", directory / "references" / "page.md", directory / "key.json"):
            shown += await editor.open(file)
            shown += [action.title for action in await editor.actions(file)]
        file = directory / "SKILL.md"
        return [*shown, *[await editor.hover(file, line, column) for line in range(6) for column in (2, 8)]]

    answers = edit(session)
    found = [each for each in answers if isinstance(each, lsp.Diagnostic)]
    assert "literal-secret" in {each.code for each in found}
    assert any("ghp_*" in str(each) for each in answers)
    assert [each for each in answers if leaks(repr(each))] == []
