"""Which messages of the client the server handles, and how."""

from __future__ import annotations

from lsprotocol import types as lsp

from skilltool.server.code_actions import ACTION_KINDS, code_actions
from skilltool.server.completion import TRIGGER_CHARACTERS, completions
from skilltool.server.document_links import document_links
from skilltool.server.hover import hover
from skilltool.server.server import Server
from skilltool.server.workspace_edits import EditCapabilities

_CONFIGURATION = "**/{.skilltool,skilltool,pyproject}.toml"


def register(server: Server) -> None:
    """Register a handler for each message; the server announces no other capability."""
    _register_documents(server)
    _register_requests(server)
    _register_watching(server)


def _register_documents(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: lsp.DidOpenTextDocumentParams) -> None:
        server.update_document(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: lsp.DidChangeTextDocumentParams) -> None:
        server.update_document(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def did_save(params: lsp.DidSaveTextDocumentParams) -> None:
        for uri in list(server.documents):  # a link of one skill may lead to a file of another
            server.schedule_check(uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: lsp.DidCloseTextDocumentParams) -> None:
        server.close_document(params.text_document.uri)

    @server.feature(lsp.SHUTDOWN)
    def shutdown(_params: None) -> None:
        server.shutdown_requested = True
        server.scheduler.shutdown()
        server.worker.stop()


def _register_requests(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=[*ACTION_KINDS]))
    async def code_action(params: lsp.CodeActionParams) -> list[lsp.CodeAction] | None:
        capabilities = EditCapabilities.of(server.client_capabilities)
        uri, only = params.text_document.uri, params.context.only
        return await server.ask(uri, code_actions, params.range, only, capabilities)

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def on_hover(params: lsp.HoverParams) -> lsp.Hover | None:
        return await server.ask(params.text_document.uri, hover, params.position)

    @server.feature(
        lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[*TRIGGER_CHARACTERS])
    )
    async def completion(params: lsp.CompletionParams) -> list[lsp.CompletionItem] | None:
        return await server.ask(params.text_document.uri, completions, params.position)

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_LINK)
    async def document_link(params: lsp.DocumentLinkParams) -> list[lsp.DocumentLink] | None:
        return await server.ask(params.text_document.uri, document_links)


def _register_watching(server: Server) -> None:
    @server.feature(lsp.INITIALIZED)
    async def initialized(_params: lsp.InitializedParams) -> None:
        server.prepare()
        workspace = server.client_capabilities.workspace
        watched = workspace.did_change_watched_files if workspace else None
        if watched is None or not watched.dynamic_registration:
            return
        options = lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher(_CONFIGURATION)])
        registration = lsp.Registration("configuration", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        await server.client_register_capability_async(lsp.RegistrationParams([registration]))

    @server.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def ignored(_params: lsp.DidChangeConfigurationParams) -> None:
        """Do nothing: configuration is in files, and some clients send settings unasked."""

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def changed_on_disk(_params: lsp.DidChangeWatchedFilesParams) -> None:
        for uri in list(server.documents):
            server.schedule_check(uri)
