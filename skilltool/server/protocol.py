"""What pygls leaves open in the protocol: invalid messages from an editor."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.protocol import LanguageServerProtocol


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
