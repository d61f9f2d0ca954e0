"""What pygls leaves open of the protocol: messages of an editor that make no sense."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.protocol import LanguageServerProtocol


class Protocol(LanguageServerProtocol):
    """Answers each request, also one that cannot be read, and takes no change of what was never opened."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Return a message as the type of its method.

        Raises `JsonRpcInvalidParams` for one that does not fit; a request has got that for an answer.
        """
        try:
            return super().structure_message(data)
        except JsonRpcException:
            wrong = JsonRpcInvalidParams(f"invalid parameters of {data.get('method', 'a response')}")
            if "method" in data and isinstance(data.get("id"), int | str):
                self._send_response(data["id"], error=wrong.to_response_error())
            raise wrong from None

    def handle_message(self, message: Any) -> None:
        """Do what a message asks for; raises `JsonRpcInvalidParams` for a change of no open document."""
        if getattr(message, "method", None) == lsp.TEXT_DOCUMENT_DID_CHANGE:
            uri = message.params.text_document.uri
            # Kept as they were sent by pygls 2.0, unquoted by later ones.
            if self.workspace.text_documents.keys().isdisjoint((uri, unquote(uri))):
                raise JsonRpcInvalidParams(f"a change of a document that is not open: {uri}")
        super().handle_message(message)
