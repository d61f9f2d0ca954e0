"""What the server does for each message of the client."""

from __future__ import annotations

from lsprotocol import types as lsp

from skilltool.server.actions import KINDS, actions
from skilltool.server.completion import TRIGGERS, completions
from skilltool.server.edits import Abilities
from skilltool.server.hover import hover
from skilltool.server.links import links
from skilltool.server.server import PAUSE, Server

_CONFIGURATION = "**/{.skilltool,skilltool,pyproject}.toml"


def register(server: Server) -> None:
    """Tell the server which messages it answers; what is not here, it does not offer."""
    _follow_documents(server)
    _answer(server)
    _watch(server)


def _follow_documents(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: lsp.DidOpenTextDocumentParams) -> None:
        server.opened(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: lsp.DidChangeTextDocumentParams) -> None:
        server.opened(params.text_document.uri, PAUSE)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def did_save(params: lsp.DidSaveTextDocumentParams) -> None:
        for uri in list(server.documents):  # one skill's file can be what another's link leads to
            server.check(uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: lsp.DidCloseTextDocumentParams) -> None:
        server.closed(params.text_document.uri)

    @server.feature(lsp.SHUTDOWN)
    def shutdown(_params: None) -> None:
        server.asked_to_stop = True
        server.work.end()


def _answer(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=[*KINDS]))
    async def code_action(params: lsp.CodeActionParams) -> list[lsp.CodeAction] | None:
        abilities = Abilities.of(server.client_capabilities)
        uri, only = params.text_document.uri, params.context.only
        return await server.ask(uri, lambda analysis: actions(analysis, params.range, only, abilities))

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def on_hover(params: lsp.HoverParams) -> lsp.Hover | None:
        return await server.ask(params.text_document.uri, lambda analysis: hover(analysis, params.position))

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[*TRIGGERS]))
    async def completion(params: lsp.CompletionParams) -> list[lsp.CompletionItem] | None:
        uri = params.text_document.uri
        return await server.ask(uri, lambda analysis: completions(analysis, params.position))

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_LINK)
    async def document_link(params: lsp.DocumentLinkParams) -> list[lsp.DocumentLink] | None:
        return await server.ask(params.text_document.uri, links)


def _watch(server: Server) -> None:
    @server.feature(lsp.INITIALIZED)
    async def initialized(_params: lsp.InitializedParams) -> None:
        workspace = server.client_capabilities.workspace
        watched = workspace.did_change_watched_files if workspace else None
        if watched is None or not watched.dynamic_registration:
            return
        options = lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher(_CONFIGURATION)])
        wanted = lsp.Registration("configuration", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        await server.client_register_capability_async(lsp.RegistrationParams([wanted]))

    @server.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def ignored(_params: lsp.DidChangeConfigurationParams) -> None:
        """Do nothing: configuration is in files, and some clients send theirs unasked."""

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def changed_on_disk(_params: lsp.DidChangeWatchedFilesParams) -> None:
        for uri in list(server.documents):
            server.check(uri)
