"""What answers each message of the protocol; the server announces nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams

from skilltool.errors import SkilltoolError
from skilltool.server import editor_settings, model_text
from skilltool.server.code_actions import ACTION_KINDS, EditCapabilities, code_actions
from skilltool.server.completion import TRIGGER_CHARACTERS, completions
from skilltool.server.document_links import document_links
from skilltool.server.hover import definition, hover
from skilltool.server.server import Server
from skilltool.server.symbols import symbols
from skilltool.text.lazy_pattern import lazy_pattern

# What a document depends on: configuration, other skills, and the files of skills that links lead to.
_WATCHED = (
    "**/{.skilltool,skilltool,pyproject}.toml",
    "**/SKILL.md",
    "**/{scripts,references,assets}/**",
    "**/.claude-plugin/*.json",
)


def register(server: Server) -> None:
    """Register a handler for each message."""
    _register_documents(server)
    _register_requests(server)
    _register_commands(server)
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
        server.files_changed()

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

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    async def on_definition(params: lsp.DefinitionParams) -> lsp.Location | None:
        return await server.ask(params.text_document.uri, definition, params.position)

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def document_symbol(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol] | None:
        return await server.ask(params.text_document.uri, symbols)

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS, lsp.CodeLensOptions(resolve_provider=True))
    async def code_lens(params: lsp.CodeLensParams) -> list[lsp.CodeLens] | None:
        return await server.ask(params.text_document.uri, model_text.lenses)

    @server.feature(lsp.CODE_LENS_RESOLVE)
    async def resolve_lens(lens: lsp.CodeLens) -> lsp.CodeLens:
        if isinstance(lens.data, dict) and lens.command is None:
            uri, runtime = str(lens.data.get("uri")), str(lens.data.get("runtime"))
            words = await server.ask(uri, model_text.share, runtime)
            lens.command = lsp.Command(words or "", "")
        return lens

    options = lsp.DiagnosticOptions(
        identifier="skilltool", inter_file_dependencies=True, workspace_diagnostics=False
    )

    @server.feature(lsp.TEXT_DOCUMENT_DIAGNOSTIC, options)
    async def diagnostic(params: lsp.DocumentDiagnosticParams) -> lsp.RelatedFullDocumentDiagnosticReport:
        return lsp.RelatedFullDocumentDiagnosticReport(await server.diagnose(params.text_document.uri))


def _register_commands(server: Server) -> None:
    """Register the commands about what a model sees; their arguments are a URI and ids of runtimes.

    An editor that shows no text itself (`showsText` in its initialization options) gets it as a message.
    """

    @server.command(model_text.RENDER)
    async def render(*arguments: Any) -> dict[str, Any] | None:
        uri, *runtime = _words(arguments, 1, 2)
        found = await server.ask(uri, model_text.rendered, *runtime)
        server.show_text([] if found is None else [found])
        return found

    @server.command(model_text.COMPARE)
    async def compare(*arguments: Any) -> list[dict[str, Any]] | None:
        uri, names = _words(arguments[:1], 1, 1)[0], arguments[1] if len(arguments) > 1 else ()
        if not isinstance(names, list | tuple):
            raise JsonRpcInvalidParams("the second argument must be a list of runtimes")
        found = await server.ask(uri, model_text.compared, _words(names, 0, _MOST_COMPARED))
        server.show_text(found or [])
        return found

    @server.command(model_text.CLIENTS)
    async def clients(*arguments: Any) -> list[dict[str, Any]] | None:
        return await server.ask(_words(arguments, 1, 1)[0], model_text.clients)

    @server.command(model_text.MANUAL)
    async def manual_of(*arguments: Any) -> str | None:
        rule = _words(arguments, 1, 1)[0]
        return await server.scheduler.run_on_thread(lambda: _manual(rule))


_MOST_COMPARED = 40


def _words(arguments: Sequence[Any], least: int, most: int) -> list[str]:
    """Return arguments that are texts; raises `JsonRpcInvalidParams` for others, and for too few or many."""
    words = [word for word in arguments if isinstance(word, str)]
    if len(words) != len(arguments) or not least <= len(words) <= most:
        raise JsonRpcInvalidParams("the arguments must be a URI, and ids of runtimes or of a rule")
    return words


def _manual(rule: str) -> str | None:
    """Return the manual of a rule as Markdown, None if there is no such rule."""
    from skilltool.rules import manual

    try:
        page = manual.page(rule)
    except SkilltoolError:
        return None
    return f"# {page.rule}\n\n{page.summary}\n\n{page.body}\n"


def _register_watching(server: Server) -> None:
    @server.feature(lsp.INITIALIZE)
    def initialize(params: lsp.InitializeParams) -> None:
        given = params.initialization_options
        given = given if isinstance(given, dict) else {}
        scheme = str(given.get("manuals", ""))
        shows = _SCHEME.fullmatch(scheme) is not None
        server.editor = server.editor._replace(manuals=scheme if shows else "")
        server.shows_text = given.get("showsText") is True
        server.given_settings = given.get("settings")

    @server.feature(lsp.INITIALIZED)
    async def initialized(_params: lsp.InitializedParams) -> None:
        server.prepare()
        server.configure(server.given_settings)
        await _ask_for_settings(server)
        workspace = server.client_capabilities.workspace
        watched = workspace.did_change_watched_files if workspace else None
        if watched is None or not watched.dynamic_registration:
            return
        watchers = [lsp.FileSystemWatcher(pattern) for pattern in _WATCHED]
        options = lsp.DidChangeWatchedFilesRegistrationOptions(watchers)
        registration = lsp.Registration("files", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        await server.client_register_capability_async(lsp.RegistrationParams([registration]))

    @server.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def configuration(params: lsp.DidChangeConfigurationParams) -> None:
        if isinstance(params.settings, dict) and editor_settings.SECTION in params.settings:
            server.configure(params.settings[editor_settings.SECTION])
        else:
            await _ask_for_settings(server)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def changed_on_disk(_params: lsp.DidChangeWatchedFilesParams) -> None:
        server.files_changed()

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def changed_folders(_params: lsp.DidChangeWorkspaceFoldersParams) -> None:
        server.files_changed()

    every = lsp.FileOperationRegistrationOptions([lsp.FileOperationFilter(lsp.FileOperationPattern("**/*"))])

    @server.feature(lsp.WORKSPACE_DID_RENAME_FILES, every)
    def renamed(params: lsp.RenameFilesParams) -> None:
        server.close_within([file.old_uri for file in params.files])

    @server.feature(lsp.WORKSPACE_DID_DELETE_FILES, every)
    def deleted(params: lsp.DeleteFilesParams) -> None:
        server.close_within([file.uri for file in params.files])


_SCHEME = lazy_pattern(r"[a-z][a-z0-9+.-]{0,40}")


async def _ask_for_settings(server: Server) -> None:
    """Ask the editor for its settings, if it answers such questions."""
    workspace = server.client_capabilities.workspace
    if workspace is None or not workspace.configuration:
        return
    asked = lsp.ConfigurationParams([lsp.ConfigurationItem(section=editor_settings.SECTION)])
    found = await server.workspace_configuration_async(asked)
    server.configure(found[0] if found else None)
