"""The server: open documents, their analyses, and what is published to the client."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import unquote

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcInternalError, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol

from skilltool import __version__
from skilltool.bounds.budget import GivenUpError, InternalError, InternalReason, OverBudgetError
from skilltool.errors import SkilltoolError
from skilltool.server.code_actions import ACTION_KINDS, EditCapabilities, code_actions
from skilltool.server.diagnostics import given_up_diagnostic, published
from skilltool.server.document import Document, path_from_uri
from skilltool.server.document_links import document_links
from skilltool.server.help import TRIGGER_CHARACTERS, completions, hover
from skilltool.server.worker import Question, Scheduler, Worker
from skilltool.skill.discovery.walk import skill_around
from skilltool.skill.skill_file import may_be_skill
from skilltool.text.printable import printable


class Protocol(LanguageServerProtocol):
    """Answers every request, even an unreadable one, and rejects changes to documents that are not open."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Return a message as the type of its method.

        Raises `JsonRpcInvalidParams` for one that does not fit, after answering it if it was a request.
        """
        try:
            return super().structure_message(data)
        except JsonRpcException:
            wrong = JsonRpcInvalidParams(f"invalid parameters for {data.get('method', 'a response')}")
            if "method" in data and isinstance(data.get("id"), int | str):
                self._send_response(data["id"], error=wrong.to_response_error())
            raise wrong from None

    def handle_message(self, message: Any) -> None:
        """Dispatch a message; raises `JsonRpcInvalidParams` for a change to a document that is not open."""
        if getattr(message, "method", None) == lsp.TEXT_DOCUMENT_DID_CHANGE:
            uri = message.params.text_document.uri
            # pygls 2.0 keeps URIs as they were sent, later versions unquote them.
            if self.workspace.text_documents.keys().isdisjoint((uri, unquote(uri))):
                raise JsonRpcInvalidParams(f"document is not open: {uri}")
        super().handle_message(message)


Answer = TypeVar("Answer")
_PAUSE = 0.15  # at most so many seconds without typing before a text is checked
_LOG = logging.getLogger(__name__)


class Server(LanguageServer):
    """A session with one client.

    Documents are synchronised as whole texts: for partial changes pygls counts lines at characters that do
    not end a line in the protocol (U+2028, form feed).
    """

    def __init__(self) -> None:
        """Start without documents."""
        whole = lsp.TextDocumentSyncKind.Full
        super().__init__("skilltool", __version__, text_document_sync_kind=whole, protocol_cls=Protocol)
        self.documents: dict[str, Document] = {}
        self.shutdown_requested = False
        self._states: dict[str, int] = {}
        self._pauses: dict[str, float] = {}
        self.worker = Worker()
        self._shown_errors: set[str] = set()
        self.scheduler = Scheduler(self.report_internal_error)

    def prepare(self) -> None:
        """Start the process that answers, while the client opens its first document."""
        self.scheduler.submit(self.worker.start)

    def update_document(self, uri: str) -> None:
        """Take the text that the editor has now, and check it after a pause.

        The pause is as long as the last check of the document took: a few milliseconds for most, while one
        that takes long is not checked with every letter.
        """
        path = path_from_uri(uri)
        if path is None:
            return
        current = self.workspace.get_text_document(uri)
        document = Document.of(uri, path, current.version, current.source)
        if not (may_be_skill(path) or skill_around(path) or document.is_manifest):
            return
        self.documents[uri] = document
        self.schedule_check(uri, self._pauses.get(uri, 0.0))

    def close_document(self, uri: str) -> None:
        """Forget a document and withdraw its findings."""
        if self.documents.pop(uri, None) is not None:
            self.scheduler.cancel(uri)
            self.worker.close(uri)
            self._pauses.pop(uri, None)
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    def schedule_check(self, uri: str, pause: float = 0.0) -> None:
        """Check a document again, together with the files around it as they then are on disk."""
        self._states[uri] = self._states.get(uri, 0) + 1
        self.scheduler.schedule(uri, pause, lambda: self._check(uri))

    async def _check(self, uri: str) -> None:
        document = self.documents.get(uri)
        if document is None:
            return
        began = time.monotonic()
        try:
            answer = await self._answer(document, published)
        except GivenUpError as error:
            answer = [given_up_diagnostic(error.reason)], ()
            if isinstance(error, InternalError):
                self.report_internal_error(error)
        if uri in self.documents:
            self._pauses[uri] = min(time.monotonic() - began, _PAUSE)
        if self.documents.get(uri) is not document:
            return
        if answer is None:  # not a skill, or the configuration is invalid, which has been shown
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, [], document.version))
            return
        self._shown_errors.clear()  # an error that was fixed and comes back is shown again
        diagnostics, problems = answer
        self.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(uri, diagnostics, document.version)
        )
        for problem in problems:
            self.log_to_client(lsp.MessageType.Error, problem)

    async def ask(self, uri: str, function: Callable[..., Answer], *arguments: object) -> Answer | None:
        """Return what a function of a module says of a document, from its `Analysis` and the `arguments`.

        None if the document is not a skill, has changed in the meantime, or takes too long, which its
        findings say. A manifest has only findings.
        """
        document = self.documents.get(uri)
        if document is None or document.is_manifest:
            return None
        try:
            return await self._answer(document, function, *arguments)
        except OverBudgetError:
            return None

    async def _answer(
        self, document: Document, function: Callable[..., Answer], *arguments: object
    ) -> Answer | None:
        encoding = self.workspace.position_encoding or lsp.PositionEncodingKind.Utf16

        def job() -> Answer | SkilltoolError | None:
            if self.documents.get(document.uri) is not document:
                return None
            state = self._states.get(document.uri, 0)
            try:
                question = Question(document, state, encoding, function, arguments)
                answer: Answer | None = self.worker.ask(question)
            except SkilltoolError as error:
                return error
            return answer

        answer = await self.scheduler.run_on_thread(job)
        if isinstance(answer, SkilltoolError):
            self.show_error_once(str(answer))
            return None
        return answer

    def show_error_once(self, text: str) -> None:
        """Show an error that the user has to fix elsewhere, such as an invalid configuration."""
        if text not in self._shown_errors:
            self._shown_errors.add(text)
            self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, printable(text)))

    def log_to_client(self, level: lsp.MessageType, text: str) -> None:
        """Write one line to the client's log and to standard error."""
        text = printable(text)
        _LOG.error(text)
        self.window_log_message(lsp.LogMessageParams(level, f"skilltool: {text}"))

    def report_internal_error(self, error: BaseException) -> None:
        """Log a defect of skilltool, with its traceback on standard error; the session goes on."""
        _LOG.error("internal error", exc_info=error)
        text = f"skilltool: {InternalReason.of(error)}"
        self.window_log_message(lsp.LogMessageParams(lsp.MessageType.Error, printable(text)))

    def report_server_error(self, error: Exception, source: object) -> None:
        """Log what pygls caught: an exception in a handler, or a message that it could not read.

        A request already has its error response.
        """
        if isinstance(error, JsonRpcInternalError):
            _LOG.error("\n".join((error.data or {}).get("traceback", ())))
            self.report_internal_error(error)
        else:
            self.log_to_client(
                lsp.MessageType.Warning, f"ignored an invalid message from the editor: {error}"
            )


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
