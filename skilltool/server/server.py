"""The server: open documents, their analyses, and what is published to the client."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInternalError
from pygls.lsp.server import LanguageServer

from skilltool import __version__
from skilltool.errors import SkilltoolError
from skilltool.server.analysis import Analysis
from skilltool.server.diagnostics import lsp_diagnostics
from skilltool.server.document import Document, may_be_skill
from skilltool.server.protocol import Protocol
from skilltool.server.scheduler import Scheduler
from skilltool.server.uris import path_from_uri
from skilltool.text.printable import printable

Answer = TypeVar("Answer")
PAUSE = 0.15  # seconds without typing before a text is checked
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
        self._analyses: dict[str, Analysis] = {}
        self._shown_errors: set[str] = set()
        self.scheduler = Scheduler(self.report_internal_error)

    def update_document(self, uri: str, pause: float = 0.0) -> None:
        """Take the text that the editor has now, and check it after a pause in seconds."""
        path = path_from_uri(uri)
        if path is None or not may_be_skill(path):
            return
        current = self.workspace.get_text_document(uri)
        self.documents[uri] = Document.of(uri, path, current.version, current.source)
        self.schedule_check(uri, pause)

    def close_document(self, uri: str) -> None:
        """Forget a document and withdraw its findings."""
        if self.documents.pop(uri, None) is not None:
            self.scheduler.cancel(uri)
            self._analyses.pop(uri, None)
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    def schedule_check(self, uri: str, pause: float = 0.0) -> None:
        """Check a document again, together with the files around it as they then are on disk."""
        self._analyses.pop(uri, None)
        self.scheduler.schedule(uri, pause, lambda: self._check(uri))

    async def _check(self, uri: str) -> None:
        answer = await self.ask(uri, lambda analysis: (analysis, lsp_diagnostics(analysis)))
        document = self.documents.get(uri)
        if document is None:
            return
        if answer is None:  # not a skill, or the configuration is invalid, which has been shown
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, [], document.version))
            return
        self._shown_errors.clear()  # an error that was fixed and comes back is shown again
        analysis, diagnostics = answer
        if analysis.document is document:
            self.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(uri, diagnostics, document.version)
            )
        for problem in analysis.report.problems:
            self.log_to_client(lsp.MessageType.Error, problem)

    async def ask(self, uri: str, question: Callable[[Analysis], Answer]) -> Answer | None:
        """Answer a question about a document; None if it is not a skill or has changed in the meantime."""
        document = self.documents.get(uri)
        if document is None:
            return None

        encoding = self.workspace.position_encoding or lsp.PositionEncodingKind.Utf16

        def job() -> Answer | SkilltoolError | None:
            if self.documents.get(uri) is not document:
                return None
            analysis = self._analyses.get(uri)
            if analysis is None or analysis.document is not document:
                analysis = self._analyses[uri] = Analysis(document, encoding)
            try:
                with analysis.using_editor_text():
                    return question(analysis) if analysis.is_skill else None
            except SkilltoolError as error:
                return error

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
        _LOG.error(text)
        self.window_log_message(lsp.LogMessageParams(level, f"skilltool: {printable(text)}"))

    def report_internal_error(self, error: BaseException) -> None:
        """Log a defect of skilltool, with its traceback on standard error; the session goes on."""
        _LOG.error("internal error", exc_info=error)
        text = f"skilltool: internal error, please report it: {error!r}"
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
