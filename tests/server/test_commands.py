"""Commands, the lines above a document, settings of the editor, pulled findings, and files that go."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from tests.conftest import MakeSkill
from tests.server.conftest import BAD, DESCRIPTION, Edit
from tests.server.editor import Editor, abilities, editing

TEXT = f"---\nname: forms\n{DESCRIPTION}\n---\n\n# Forms\n\nFill in: $ARGUMENTS\n"


@pytest.fixture
def file(repo: Path, make_skill: MakeSkill) -> Path:
    """A skill of Claude Code."""
    return make_skill(repo / ".claude" / "skills" / "forms", TEXT) / "SKILL.md"


def test_commands_say_what_models_see_of_the_text_in_the_editor(edit: Edit, file: Path) -> None:
    async def session(editor: Editor) -> list[Any]:
        await editor.open(file, TEXT.replace("Fill in:", "Complete:"))
        uri = file.as_uri()
        return [
            await editor.run("skilltool.clients", uri),
            await editor.run("skilltool.render", uri),
            await editor.run("skilltool.render", uri, "codex"),
            await editor.run("skilltool.compare", uri, ["claude-code", "gemini-cli"]),
            await editor.run("skilltool.manual", "broken-link"),
            await editor.run("skilltool.manual", "nothing"),
        ]

    clients, own, codex, two, manual, nothing = edit(session)
    assert (clients[0]["id"], clients[0]["owns"]) == ("claude-code", True)
    assert "gemini-cli" in [client["id"] for client in clients]
    assert (own["runtime"], own["problem"]) == ("claude-code", None)
    assert own["text"].startswith("Base directory for this skill:")
    assert "Complete: " in own["text"]
    assert codex["text"].endswith("Complete: $ARGUMENTS\n")
    assert [each["runtime"] for each in two] == ["claude-code", "gemini-cli"]
    assert manual.startswith("# broken-link\n\n")
    assert nothing is None


def test_an_editor_that_shows_no_text_gets_it_as_a_message(edit: Edit, file: Path) -> None:
    async def session(editor: Editor) -> list[str]:
        await editor.open(file, TEXT.replace("Fill in:", "\x1b[31mFill in:"))
        await editor.run("skilltool.render", file.as_uri(), "codex")
        await editor.run("skilltool.render", file.as_uri(), "nobody")
        await editor.until(lambda: len(editor.shown) == 2)
        return list(editor.shown)

    text, error = edit(session)
    assert text.startswith("codex:\n---\nname: forms\n")
    assert "\\x1b[31mFill" in text
    assert error.startswith("unknown runtime `nobody`")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("skilltool.render", []),
        ("skilltool.render", [1]),
        ("skilltool.render", ["file:///a", "b", "c"]),
        ("skilltool.compare", ["file:///a", "codex"]),
        ("skilltool.manual", [None]),
    ],
)
def test_wrong_arguments_are_errors(command: str, arguments: list[object]) -> None:
    async def session() -> str:
        async with editing(Path.cwd()) as editor:
            with pytest.raises(JsonRpcException):
                await editor.run(command, *arguments)
        return editor.stderr

    assert asyncio.run(session()).count("\n") == 1


def test_the_lines_above_a_skill_say_what_it_takes_of_the_listing(
    edit: Edit, file: Path, make_skill: MakeSkill
) -> None:
    make_skill(file.parent.parent / "more", TEXT.replace("name: forms", "name: more"))

    async def session(editor: Editor) -> tuple[list[str], list[str]]:
        await editor.open(file)
        first = await editor.lenses(file)
        await editor.change(file, 2, TEXT.replace("Use when", f"{'long ' * 400}Use when"))
        return first, await editor.lenses(file)

    first, second = edit(session)
    assert first == [
        "What the model sees in claude-code",
        "Compare clients",
        "<1% of claude-code's listing; all 2 skills: <1%",
    ]
    assert second[2] == "5% of claude-code's listing, truncated; all 2 skills: 5%"


@pytest.mark.slow
def test_settings_of_the_editor_are_read_and_checked(file: Path) -> None:
    capabilities = abilities()
    capabilities.workspace.configuration = True

    async def session() -> tuple[list[list[str]], list[str]]:
        options = {"settings": {"ignore": ["unknown-field"], "select": 3, "colour": "red"}}
        async with editing(Path.cwd(), capabilities, options) as editor:
            editor.settings = {"ignore": "unknown-field,broken-link", "runtimes": ["codex", "nobody"]}
            await editor.open(file, BAD)
            await editor.until(lambda: len(editor.shown) == 3)
            found = [[each.code for each in await editor.change(file, 2, BAD + "\n")]]
            editor.settings = {"ignore": None, "path": "/x", "runtimes": ["codex"]}
            editor.client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams({}))
            await asyncio.sleep(0.2)
            found.append([each.code for each in await editor.change(file, 3, BAD)])
            pushed = {"skilltool": {"select": ["broken-link"]}}
            editor.client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams(pushed))
            found.append([each.code for each in await editor.change(file, 4, BAD + "\n")])
            return found, editor.shown

    (ignored, all_rules, selected), shown = asyncio.run(session())
    assert "broken-link" not in ignored
    assert "broken-link" in all_rules
    assert selected == ["broken-link"]
    assert shown[0] == "the editor's setting `skilltool.select` is ignored: must be a list of names"
    assert shown[1].startswith("the editor's setting `skilltool.colour` is unknown; known settings: ")
    assert shown[2].startswith(
        "the editor's setting `skilltool.runtimes` is ignored: unknown runtime `nobody`"
    )


@pytest.mark.slow
def test_an_editor_that_asks_for_findings_is_sent_none(file: Path) -> None:
    capabilities = abilities()
    capabilities.text_document = lsp.TextDocumentClientCapabilities(
        diagnostic=lsp.DiagnosticClientCapabilities()
    )
    capabilities.workspace.diagnostics = lsp.DiagnosticWorkspaceClientCapabilities(refresh_support=True)

    async def session() -> list[Any]:
        async with editing(Path.cwd(), capabilities) as editor:
            editor.send(file.as_uri(), BAD)
            first = await editor.pulled(file)
            (file.parent / "gone.md").touch()
            editor.changed(file.parent / "gone.md")
            await editor.until(lambda: editor.refreshed)
            second = await editor.pulled(file)
            nothing = await editor.pulled(file.parent / "never-opened.md")
            return [first, second, nothing, list(editor.published)]

    first, second, nothing, published = asyncio.run(session())
    assert set(first) - set(second) == {"broken-link"}
    assert (nothing, published) == ([], [])


def test_a_mistake_that_clients_take_differently_is_one_finding(edit: Edit, file: Path) -> None:
    long = TEXT.replace(DESCRIPTION, f"description: {'Fills in forms. ' * 80}")
    other = file.parents[3] / ".agents" / "skills" / "forms"
    other.mkdir(parents=True)
    (other / "SKILL.md").write_text(long, "utf-8")

    async def session(editor: Editor) -> list[str]:
        return [each.code for each in await editor.open(other / "SKILL.md")]

    assert edit(session).count("long-description") == 1


@pytest.mark.slow
def test_findings_lead_to_the_manual_where_the_editor_shows_manuals(file: Path) -> None:
    async def session(options: object) -> set[str | None]:
        async with editing(Path.cwd(), options=options) as editor:
            found = await editor.open(file, BAD)
            return {
                each.code_description and each.code_description.href
                for each in found
                if each.code == "broken-link"
            }

    assert asyncio.run(session({"manuals": "skilltool-manual"})) == {"skilltool-manual:/rules/broken-link.md"}
    assert asyncio.run(session({"manuals": "java script:"})) == {None}
    assert asyncio.run(session(["no object"])) == {None}


def test_files_that_are_renamed_or_deleted_lose_their_findings(edit: Edit, file: Path) -> None:
    async def session(editor: Editor) -> list[Any]:
        await editor.open(file, BAD)
        moved = file.parent.with_name("moved")
        file.parent.rename(moved)
        renames = [lsp.FileRename(file.parent.as_uri(), moved.as_uri())]
        editor.client.workspace_did_rename_files(lsp.RenameFilesParams(renames))
        await editor.until(lambda: not editor.published[-1].diagnostics)
        await editor.open(moved / "SKILL.md", BAD)
        shutil.rmtree(moved)
        gone = lsp.DeleteFilesParams([lsp.FileDelete((moved / "SKILL.md").as_uri())])
        editor.client.workspace_did_delete_files(gone)
        await editor.until(lambda: not editor.published[-1].diagnostics)
        return [each.uri for each in editor.published if not each.diagnostics]

    withdrawn = [uri for uri in edit(session) if uri.startswith(file.parents[1].as_uri())]
    assert [uri.split("/")[-2] for uri in withdrawn] == ["forms", "moved"]


def test_skills_of_several_folders_have_their_own_configuration(
    edit: Edit, tmp_path: Path, make_skill: MakeSkill
) -> None:
    files = []
    for name, ignored in (("one", "broken-link"), ("two", "missing-file-mention")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "skilltool.toml").write_text(f'ignore = ["{ignored}"]\n', "utf-8")
        files.append(make_skill(tmp_path / name / "skills" / "forms", BAD) / "SKILL.md")

    async def session(editor: Editor) -> list[bool]:
        added = [lsp.WorkspaceFolder((tmp_path / name).as_uri(), name) for name in ("one", "two")]
        event = lsp.WorkspaceFoldersChangeEvent(added, [])
        editor.client.workspace_did_change_workspace_folders(lsp.DidChangeWorkspaceFoldersParams(event))
        found = [await editor.open(each) for each in files]
        return ["broken-link" in [each.code for each in some] for some in found]

    assert edit(session) == [False, True]
