"""The language server publishes the findings of `lint`, for the text in the editor."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from tests.conftest import MakeSkill, Skilltool
from tests.server.conftest import BAD, DESCRIPTION, Edit
from tests.server.editor import Editor, abilities


def lint(skilltool: Skilltool, *arguments: str) -> list[dict]:
    return json.loads(skilltool("lint", *arguments, "--output-format", "json").stdout)["diagnostics"]


@pytest.mark.slow
def test_findings_are_those_of_lint_for_the_text_in_the_editor(
    edit: Edit, skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    file = make_skill(repo / "forms") / "SKILL.md"
    clean = file.read_text("utf-8")

    async def session(editor: Editor) -> list[lsp.Diagnostic]:
        assert await editor.open(file) == []
        broken = await editor.change(file, 2, BAD)
        assert await editor.change(file, 3, clean) == []
        assert (await editor.change(file, 4, BAD)) == broken
        editor.close(file)
        await editor.until(lambda: len(editor.published) == 5)
        assert list(editor.published[-1].diagnostics) == []
        return broken

    broken = edit(session)
    assert file.read_text("utf-8") == clean
    file.write_text(BAD, "utf-8")
    said = lint(skilltool, "forms")
    assert len(said) > 1
    severities = {"error": lsp.DiagnosticSeverity.Error, "warning": lsp.DiagnosticSeverity.Warning}
    for mine, other in zip(broken, said, strict=True):
        assert mine.code == other["rule"]
        assert mine.severity == severities.get(other["severity"], lsp.DiagnosticSeverity.Information)
        assert mine.message.split("\n")[0] == other["message"]
        assert mine.range.start == lsp.Position(other["line"] - 1, other["column"] - 1)
        assert mine.range.end == lsp.Position(other["end_line"] - 1, other["end_column"] - 1)
        assert (mine.source, mine.code_description) == ("skilltool", None)


@pytest.mark.slow
def test_a_runtime_judges_the_text_in_the_editor(edit: Edit, repo: Path, make_skill: MakeSkill) -> None:
    (repo / "skilltool.toml").write_text('runtimes = ["kodelet", "agent"]\n', "utf-8")
    file = make_skill(repo / "forms") / "SKILL.md"
    slow = f"---\nname: forms\n{DESCRIPTION}\ntriggers:\n  patterns: ['(a+)+$']\n---\n\n# Forms\n"

    async def session(editor: Editor) -> None:
        found = await editor.open(file, file.read_text("utf-8").replace("name: forms", "name: 2026"))
        assert "wrong-type" in {each.code for each in found}
        # A pattern is tried in a process of its own, which must not touch the conversation.
        assert "slow-trigger-pattern" in {each.code for each in await editor.change(file, 2, slow)}

    edit(session)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("offered", "chosen", "width"),
    [([], "utf-16", 2), (["utf-8", "utf-16"], "utf-8", 4), (["utf-32"], "utf-32", 1)],
)
def test_positions_count_in_the_negotiated_units(
    edit: Edit, repo: Path, make_skill: MakeSkill, offered: list[str], chosen: str, width: int
) -> None:
    file = make_skill(repo / "forms") / "SKILL.md"
    # Neither U+2028 nor a form feed ends a line of the protocol.
    text = f"---\nname: forms\n{DESCRIPTION}\n---\n\n# Forms \u2028\x0c\n\n😀 [x](gone.md) 😀 [y](there.md)\n"
    (file.parent / "there.md").touch()

    async def session(editor: Editor) -> None:
        assert editor.encoding == chosen
        (found,) = await editor.open(file, text)
        begin = width + len(" [x](")
        assert found.range == lsp.Range(lsp.Position(7, begin), lsp.Position(7, begin + len("gone.md")))
        (link,) = await editor.links(file)
        begin += len("gone.md) ") + width + len(" [y](")
        assert link.range == lsp.Range(lsp.Position(7, begin), lsp.Position(7, begin + len("there.md")))
        emoji = text.replace("name: forms", "name: 😀forms")
        (_, found) = sorted(
            await editor.change(file, 2, emoji), key=lambda each: each.range.start, reverse=True
        )
        assert found.range.end.character == len("name: forms") + width
        assert await editor.hover(file, 1, found.range.end.character) is not None

    edit(session, abilities(encodings=offered))


@pytest.mark.slow
def test_settings_and_suppressions_apply_as_in_lint(
    edit: Edit, skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    file = make_skill(repo / "skills" / "forms", BAD) / "SKILL.md"
    vendored = make_skill(repo / "vendor" / "forms", BAD) / "SKILL.md"
    settings = repo / "pyproject.toml"
    per_file = '[tool.skilltool.per-file-ignores]\n"skills/" = ["broken-link"]\n'
    severity = '[tool.skilltool.severity]\ninvalid-yaml = "info"\n'
    settings.write_text(f'[tool.skilltool]\nexclude = ["vendor/"]\n{per_file}{severity}', "utf-8")
    commented = BAD.replace("---\n", "---\n# skilltool: ignore[invalid-yaml] an example\n", 1)

    async def session(editor: Editor) -> None:
        (found,) = await editor.open(file)
        assert (found.code, found.severity) == ("invalid-yaml", lsp.DiagnosticSeverity.Information)
        assert await editor.open(vendored) == []
        assert await editor.change(file, 2, commented) == []
        settings.write_text("[tool.skilltool]\nexclud = []\n", "utf-8")
        assert await editor.change(file, 3, BAD) == []
        assert any("unknown key `exclud`" in text for text in editor.shown)
        settings.write_text('[tool.skilltool]\nselect = ["broken-link"]\n', "utf-8")
        editor.save(file)
        await editor.until(lambda: len(editor.published[-1].diagnostics) == 1)
        assert editor.published[-1].diagnostics[0].code == "broken-link"
        settings.write_text('[tool.skilltool]\nbaseline = "accepted.json"\n', "utf-8")
        skilltool("baseline", "-o", "accepted.json")
        assert await editor.change(file, 4, BAD) == []

    edit(session)


@pytest.mark.slow
def test_a_configuration_that_changes_on_disk_applies_at_once(
    edit: Edit, repo: Path, make_skill: MakeSkill
) -> None:
    file = make_skill(repo / "forms", BAD) / "SKILL.md"

    async def session(editor: Editor) -> None:
        await editor.until(lambda: editor.watched)
        assert editor.watched[0] == "**/{.skilltool,skilltool,pyproject}.toml"
        assert "**/SKILL.md" in editor.watched
        assert len(await editor.open(file)) > 1
        (repo / "skilltool.toml").write_text('select = ["broken-link"]\n', "utf-8")
        editor.changed(repo / "skilltool.toml")
        await editor.until(lambda: len(editor.published) == 2)
        assert [each.code for each in editor.published[-1].diagnostics] == ["broken-link"]

    edit(session, abilities(watches=True))


def test_a_file_that_is_not_a_skill_has_no_findings(edit: Edit, repo: Path, make_skill: MakeSkill) -> None:
    skill = make_skill(repo / "forms", BAD)
    page = repo / "pages" / "references.md"
    page.parent.mkdir()
    page.write_text("[x](gone.md)\n", "utf-8")
    docs = make_skill(repo / "docs", "# A page about skills\n", file_name="skill.md") / "skill.md"

    async def session(editor: Editor) -> None:
        editor.send(page.as_uri(), page.read_text("utf-8"))
        editor.send("untitled:SKILL.md", BAD)
        editor.send("https://example.org/SKILL.md", BAD)
        assert await editor.open(docs) == []
        assert await editor.open(skill / "SKILL.md") != []
        assert {each.uri for each in editor.published} == {docs.as_uri(), (skill / "SKILL.md").as_uri()}
        assert await editor.hover(page, 0, 0) is None
        assert await editor.actions(page) == []

    edit(session)


@pytest.mark.slow
def test_a_file_that_was_never_saved_is_checked_by_its_text(edit: Edit, repo: Path) -> None:
    file = repo / "not yet" / "there" / "SKILL.md"

    async def session(editor: Editor) -> None:
        text = f"---\nname: there\n{DESCRIPTION}\n---\n\n# Forms\n"
        assert await editor.open(file, text) == []
        assert "invalid-yaml" in {each.code for each in await editor.change(file, 2, BAD)}
        assert await editor.hover(file, 1, 7) is None
        assert await editor.links(file) == []

    edit(session)
