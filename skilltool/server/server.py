"""The server: open documents, their analyses, and what is published to the client."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import unquote

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcInternalError, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol

from skilltool import __version__
from skilltool.bounds.budget import GivenUpError, InternalError, InternalReason, OverBudgetError
from skilltool.errors import SkilltoolError
from skilltool.server import editor_settings
from skilltool.server.analysis import Editor
from skilltool.server.diagnostics import given_up_diagnostic, published
from skilltool.server.document import Document, path_from_uri
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
        self.editor = Editor(lsp.PositionEncodingKind.Utf16)
        self.shows_text = False
        self.given_settings: object = None
        self._disk = 0  # counts the changes of files, as far as the editor tells of them
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

    def close_within(self, uris: Sequence[str]) -> None:
        """Forget documents that were renamed or deleted, or whose directory was; check the others again."""
        for uri in list(self.documents):
            if any(uri == gone or uri.startswith(f"{gone.rstrip('/')}/") for gone in uris):
                self.close_document(uri)
        self.files_changed()

    def show_text(self, found: Sequence[Mapping[str, Any]]) -> None:
        """Show what models see as a message, for an editor that does not show it itself."""
        if found and not self.shows_text:
            texts = (each["text"] or each["problem"] or "" for each in found)
            shown = [f"{each['runtime']}:\n{text}" for each, text in zip(found, texts, strict=True)]
            lines = "\n\n".join(shown).split("\n")
            self.window_show_message(
                lsp.ShowMessageParams(lsp.MessageType.Info, "\n".join(map(printable, lines)))
            )

    def schedule_check(self, uri: str, pause: float = 0.0) -> None:
        """Check a document again, together with the files around it as they then are on disk."""
        self._states[uri] = self._states.get(uri, 0) + 1
        self.scheduler.schedule(uri, pause, lambda: self._check(uri))

    async def _check(self, uri: str) -> None:
        document = self.documents.get(uri)
        if document is None or self.pulls:
            return
        began = time.monotonic()
        diagnostics = await self._diagnostics(document)
        if uri in self.documents:
            self._pauses[uri] = min(time.monotonic() - began, _PAUSE)
        if self.documents.get(uri) is document:
            self.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(uri, diagnostics, document.version)
            )

    async def diagnose(self, uri: str) -> list[lsp.Diagnostic]:
        """Return the findings of a document, for an editor that asks for them; empty if it has no skill."""
        document = self.documents.get(uri)
        return [] if document is None else await self._diagnostics(document)

    async def _diagnostics(self, document: Document) -> list[lsp.Diagnostic]:
        try:
            answer = await self._answer(document, published)
        except GivenUpError as error:
            answer = [given_up_diagnostic(error.reason)], ()
            if isinstance(error, InternalError):
                self.report_internal_error(error)
        if answer is None:  # not a skill, or the configuration is invalid, which has been shown
            return []
        if self.documents.get(document.uri) is document:
            self._shown_errors.clear()  # an error that was fixed and comes back is shown again
            for problem in answer[1]:
                self.log_to_client(lsp.MessageType.Error, problem)
        return answer[0]

    @property
    def pulls(self) -> bool:
        """Whether the editor asks for findings itself; then none are sent unasked."""
        about = self.client_capabilities.text_document
        return about is not None and about.diagnostic is not None

    def files_changed(self) -> None:
        """Check every open document again: a link of one skill may lead to a file of another."""
        self._disk += 1
        for uri in list(self.documents):
            self.schedule_check(uri)
        workspace = self.client_capabilities.workspace
        if self.pulls and workspace and workspace.diagnostics and workspace.diagnostics.refresh_support:
            self.workspace_diagnostic_refresh(None)

    def configure(self, value: object) -> None:
        """Take the editor's settings; what is wrong with them is shown, each once."""
        settings = editor_settings.read(value)
        for problem in settings.problems:
            self.show_error_once(problem, lsp.MessageType.Warning)
        if settings.options != self.editor.options:
            self.editor = self.editor._replace(options=settings.options)
            self.files_changed()

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
        editor = self.editor._replace(
            encoding=self.workspace.position_encoding or lsp.PositionEncodingKind.Utf16
        )

        def job() -> Answer | SkilltoolError | None:
            if self.documents.get(document.uri) is not document:
                return None
            state = self._states.get(document.uri, 0)
            try:
                question = Question(document, state, self._disk, editor, function, arguments)
                answer: Answer | None = self.worker.ask(question)
            except SkilltoolError as error:
                return error
            return answer

        answer = await self.scheduler.run_on_thread(job)
        if isinstance(answer, SkilltoolError):
            self.show_error_once(str(answer))
            return None
        return answer

    def show_error_once(self, text: str, level: lsp.MessageType = lsp.MessageType.Error) -> None:
        """Show an error that the user has to fix elsewhere, such as an invalid configuration."""
        if text not in self._shown_errors:
            self._shown_errors.add(text)
            self.window_show_message(lsp.ShowMessageParams(level, printable(text)))

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
