"""An editor for tests: the language client of pygls, which talks to a real server process."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient
from pygls.workspace import PositionCodec, TextDocument

SECONDS = 30.0
EVERYTHING = lsp.Range(lsp.Position(0, 0), lsp.Position(1_000_000, 0))


def abilities(
    encodings: Sequence[str] = (), renames: bool = True, versions: bool = True, watches: bool = False
) -> lsp.ClientCapabilities:
    """What the editor can do."""
    operations = [lsp.ResourceOperationKind.Rename] if renames else []
    edit = lsp.WorkspaceEditClientCapabilities(document_changes=versions, resource_operations=operations)
    kinds = [lsp.PositionEncodingKind(name) for name in encodings] or None
    return lsp.ClientCapabilities(
        workspace=lsp.WorkspaceClientCapabilities(
            workspace_edit=edit,
            did_change_watched_files=lsp.DidChangeWatchedFilesClientCapabilities(
                dynamic_registration=watches
            ),
        ),
        general=lsp.GeneralClientCapabilities(position_encodings=kinds),
    )


def at(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Return a text without its `|`, and the line and character of each."""
    pieces = text.split("|")
    before = ["".join(pieces[: number + 1]) for number in range(len(pieces) - 1)]
    places = [(piece.count("\n"), len(piece.rpartition("\n")[2])) for piece in before]
    return "".join(pieces), places


class Editor:
    """One session: what was published, shown and logged, in the order of arrival."""

    def __init__(self, client: LanguageClient) -> None:
        self.client = client
        self.published: list[lsp.PublishDiagnosticsParams] = []
        self.shown: list[str] = []
        self.logged: list[str] = []
        self.watched: list[str] = []
        self.arrived = asyncio.Event()
        self.encoding = "utf-16"
        client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda p: self._took(self.published, p))
        client.feature(lsp.WINDOW_SHOW_MESSAGE)(lambda p: self._took(self.shown, p.message))
        client.feature(lsp.CLIENT_REGISTER_CAPABILITY)(lambda p: self._watches(p))
        self.settings: object = None
        client.feature(lsp.WORKSPACE_CONFIGURATION)(lambda p: [self.settings for _ in p.items])
        client.feature(lsp.WORKSPACE_DIAGNOSTIC_REFRESH)(lambda _: self._took(self.refreshed, True))
        self.refreshed: list[bool] = []
        client.feature(lsp.WINDOW_LOG_MESSAGE)(lambda p: self._took(self.logged, p.message))

    def _watches(self, params: lsp.RegistrationParams) -> None:
        for each in params.registrations:
            assert each.method == lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES
            for watcher in each.register_options["watchers"]:
                self._took(self.watched, watcher["globPattern"])

    def changed(self, file: Path) -> None:
        """Say that a file that is watched has changed."""
        event = lsp.FileEvent(file.as_uri(), lsp.FileChangeType.Changed)
        self.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams([event]))

    def _took(self, where: list, what: object) -> None:
        where.append(what)
        self.arrived.set()

    def forget(self) -> None:
        """Forget what came until now."""
        for each in (self.published, self.shown, self.logged):
            each.clear()

    async def until(self, happened) -> None:
        """Wait until something has happened."""
        while not happened():
            self.arrived.clear()
            await asyncio.wait_for(self.arrived.wait(), SECONDS)

    def send(self, uri: str, text: str) -> None:
        """Open a document without waiting for findings."""
        item = lsp.TextDocumentItem(uri, "markdown", 1, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

    def save(self, file: Path) -> None:
        """Say that a file was saved."""
        identifier = lsp.TextDocumentIdentifier(file.as_uri())
        self.client.text_document_did_save(lsp.DidSaveTextDocumentParams(identifier))

    def close(self, file: Path) -> None:
        """Close a file."""
        identifier = lsp.TextDocumentIdentifier(file.as_uri())
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(identifier))

    async def open(self, file: Path, text: str | None = None) -> list[lsp.Diagnostic]:
        """Open a file with the text in it, or another; return what is published for it."""
        held = file.read_bytes().decode() if text is None else text
        self.send(file.as_uri(), held)
        return await self.findings(file, 1)

    def type(self, file: Path, version: int, text: str) -> None:
        """Change the whole text without waiting for findings."""
        identifier = lsp.VersionedTextDocumentIdentifier(version, file.as_uri())
        change = lsp.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(identifier, [change]))

    async def change(self, file: Path, version: int, text: str) -> list[lsp.Diagnostic]:
        """Change the whole text; return what is published for it."""
        self.type(file, version, text)
        return await self.findings(file, version)

    async def findings(self, file: Path, version: int) -> list[lsp.Diagnostic]:
        """Return what is published for one version of a file."""
        await self.until(lambda: (file.as_uri(), version) in [(p.uri, p.version) for p in self.published])
        mine = [p for p in self.published if (p.uri, p.version) == (file.as_uri(), version)]
        return list(mine[-1].diagnostics)

    async def actions(
        self, file: Path, where: lsp.Range = EVERYTHING, only: list[str] | None = None
    ) -> list[lsp.CodeAction]:
        """Request the code actions for a range."""
        context = lsp.CodeActionContext(diagnostics=[], only=only)
        params = lsp.CodeActionParams(lsp.TextDocumentIdentifier(file.as_uri()), where, context)
        return await self.client.text_document_code_action_async(params) or []

    async def hover(self, file: Path, line: int, character: int) -> str | None:
        """Request the hover at a position."""
        where = lsp.Position(line, character)
        params = lsp.HoverParams(lsp.TextDocumentIdentifier(file.as_uri()), where)
        found = await self.client.text_document_hover_async(params)
        return found.contents.value if found else None

    async def complete(self, file: Path, line: int, character: int) -> dict[str, str]:
        """Request completions at a position; return the text of each edit by its label."""
        where = lsp.Position(line, character)
        params = lsp.CompletionParams(lsp.TextDocumentIdentifier(file.as_uri()), where)
        found = await self.client.text_document_completion_async(params) or []
        return {item.label: item.text_edit.new_text for item in found}

    async def definition(self, file: Path, line: int, character: int) -> tuple[str, int] | None:
        """Request the definition at a position; return the name of its file and the line, from 0."""
        where = lsp.Position(line, character)
        params = lsp.DefinitionParams(lsp.TextDocumentIdentifier(file.as_uri()), where)
        found = await self.client.text_document_definition_async(params)
        return found and (found.uri, found.range.start.line)

    async def outline(self, file: Path) -> list[lsp.DocumentSymbol]:
        """Ask for the symbols of a document."""
        params = lsp.DocumentSymbolParams(lsp.TextDocumentIdentifier(file.as_uri()))
        return await self.client.text_document_document_symbol_async(params) or []

    async def lenses(self, file: Path) -> list[str]:
        """Ask for the lines above a document, and for those that are not complete."""
        params = lsp.CodeLensParams(lsp.TextDocumentIdentifier(file.as_uri()))
        found = await self.client.text_document_code_lens_async(params) or []
        done = [each if each.command else await self.client.code_lens_resolve_async(each) for each in found]
        return [each.command.title for each in done]

    async def run(self, command: str, *arguments: object) -> object:
        """Let the server run a command."""
        params = lsp.ExecuteCommandParams(command, list(arguments))
        return await self.client.workspace_execute_command_async(params)

    async def pulled(self, file: Path) -> list[str]:
        """Ask for the findings of a document; return the rules."""
        params = lsp.DocumentDiagnosticParams(lsp.TextDocumentIdentifier(file.as_uri()))
        report = await self.client.text_document_diagnostic_async(params)
        return [each.code for each in report.items]

    async def links(self, file: Path) -> list[lsp.DocumentLink]:
        """Ask for the links of a document."""
        params = lsp.DocumentLinkParams(lsp.TextDocumentIdentifier(file.as_uri()))
        return await self.client.text_document_document_link_async(params) or []

    def applied(self, file: Path, text: str, action: lsp.CodeAction) -> str:
        """Return the text after the edits of an action, which others apply from the last one upwards."""
        edit = action.edit
        if edit.changes:
            edits = edit.changes[file.as_uri()]
        else:
            steps = [step for step in edit.document_changes if isinstance(step, lsp.TextDocumentEdit)]
            edits = [each for step in steps for each in step.edits]
        codec = PositionCodec(self.encoding)
        document = TextDocument(file.as_uri(), text, 1, position_codec=codec)
        for each in sorted(edits, key=lambda e: e.range.start, reverse=True):
            document.apply_change(lsp.TextDocumentContentChangePartial(each.range, each.new_text))
        return document.source


@asynccontextmanager
async def editing(
    cwd: Path, capabilities: lsp.ClientCapabilities | None = None, options: object = None
) -> AsyncIterator[Editor]:
    """Start a server, initialize it, and shut it down as the protocol requires; its status must be 0."""
    client = LanguageClient("editor", "1")
    editor = Editor(client)
    await client.start_io(sys.executable, "-m", "skilltool", "server", cwd=cwd)
    params = lsp.InitializeParams(capabilities or abilities(), initialization_options=options)
    answer = await client.initialize_async(params)
    editor.encoding = answer.capabilities.position_encoding
    client.initialized(lsp.InitializedParams())
    try:
        yield editor
    finally:
        await client.shutdown_async(None)
        client.exit(None)
        process = client._server
        assert await asyncio.wait_for(process.wait(), SECONDS) == 0
        editor.stderr = (await process.stderr.read()).decode()
        process._transport.close()
        await client.stop()
