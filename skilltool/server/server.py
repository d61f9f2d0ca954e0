"""The server: the documents that are open, what is known of them, and what is said to the client."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInternalError
from pygls.lsp.server import LanguageServer

from skilltool import __version__
from skilltool.errors import SkilltoolError
from skilltool.report.printable import printable
from skilltool.server.diagnostics import published
from skilltool.server.document import Analysis, Document, may_be_skill
from skilltool.server.protocol import Protocol
from skilltool.server.scheduler import Work
from skilltool.server.uris import path_of

Answer = TypeVar("Answer")
PAUSE = 0.15  # seconds without typing, after which a text is checked
_LOG = logging.getLogger(__name__)


class Server(LanguageServer):
    """A session with one client.

    Changes come as whole texts: pygls, which would put partial ones together, counts lines at characters that
    are no line ends to the protocol (U+2028, form feed).
    """

    def __init__(self) -> None:
        """Open nothing yet."""
        whole = lsp.TextDocumentSyncKind.Full
        super().__init__("skilltool", __version__, text_document_sync_kind=whole, protocol_cls=Protocol)
        self.documents: dict[str, Document] = {}
        self.asked_to_stop = False
        self._analyses: dict[str, Analysis] = {}
        self._said: set[str] = set()
        self.work = Work(self.failed)

    def opened(self, uri: str, pause: float = 0.0) -> None:
        """Take the text that the editor now has, and check it after a pause in seconds."""
        path = path_of(uri)
        if path is None or not may_be_skill(path):
            return
        held = self.workspace.get_text_document(uri)
        self.documents[uri] = Document.of(uri, path, held.version, held.source)
        self.check(uri, pause)

    def closed(self, uri: str) -> None:
        """Forget a document and take its findings back."""
        if self.documents.pop(uri, None) is not None:
            self.work.forget(uri)
            self._analyses.pop(uri, None)
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    def check(self, uri: str, pause: float = 0.0) -> None:
        """Check a document again, with its surroundings as they are on disk by then."""
        self._analyses.pop(uri, None)
        self.work.later(uri, pause, lambda: self._check(uri))

    async def _check(self, uri: str) -> None:
        found = await self.ask(uri, lambda analysis: (analysis, published(analysis)))
        document = self.documents.get(uri)
        if document is None:
            return
        if found is None:  # no skill, or the configuration is wrong, and that was said
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, [], document.version))
            return
        self._said.clear()  # what is mended and then broken again is said again
        analysis, diagnostics = found
        if analysis.document is document:
            self.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(uri, diagnostics, document.version)
            )
        for problem in analysis.run.problems:
            self.say(lsp.MessageType.Error, problem)

    async def ask(self, uri: str, question: Callable[[Analysis], Answer]) -> Answer | None:
        """Return the answer to a question about a document; None if it is no skill or has changed by then."""
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
                with analysis.held():
                    return question(analysis) if analysis.is_skill else None
            except SkilltoolError as error:
                return error

        answer = await self.work.on_thread(job)
        if isinstance(answer, SkilltoolError):
            self.complain(str(answer))
            return None
        return answer

    def complain(self, text: str) -> None:
        """Show once what the user has to mend outside of the document, such as a wrong configuration."""
        if text not in self._said:
            self._said.add(text)
            self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, printable(text)))

    def say(self, level: lsp.MessageType, text: str) -> None:
        """Write one line to the client's log and to standard error."""
        _LOG.error(text)
        self.window_log_message(lsp.LogMessageParams(level, f"skilltool: {printable(text)}"))

    def failed(self, error: BaseException) -> None:
        """Say that something of ours is broken; the session goes on."""
        _LOG.error("a task failed", exc_info=error)
        text = f"skilltool: internal error, please report it: {error!r}"
        self.window_log_message(lsp.LogMessageParams(lsp.MessageType.Error, printable(text)))

    def report_server_error(self, error: Exception, source: object) -> None:
        """Say what pygls caught: an error in a handler, or a message that it could not make sense of.

        A request has got its error response already.
        """
        if isinstance(error, JsonRpcInternalError):
            _LOG.error("\n".join((error.data or {}).get("traceback", ())))
            self.failed(error)
        else:
            self.say(lsp.MessageType.Warning, f"a message of the editor was passed over: {error}")
