"""What a page of strangers' texts may do in a browser, and which requests are answered at all."""

from __future__ import annotations

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Another name for this machine, which a page elsewhere made up, is refused (DNS rebinding).
_HOSTS = frozenset({"127.0.0.1", "localhost", "[::1]"})
PAGE = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
FILE = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; sandbox"
_EVERYWHERE = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Guard:
    """Answers only requests to read, to this machine by its own name, that no other site makes."""

    def __init__(self, app: ASGIApp) -> None:
        """Take the application that answers the others."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "websocket":
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("Content-Security-Policy", PAGE)
                for name, value in _EVERYWHERE.items():
                    headers[name] = value
            await send(message)

        refusal = _refusal(scope["method"], Headers(scope=scope))
        await (refusal or self._app)(scope, receive, guarded)


def _refusal(method: str, headers: Headers) -> PlainTextResponse | None:
    """Return the answer to a request that is refused, None for others."""
    hosts = headers.getlist("host")
    if len(hosts) != 1 or _without_port(hosts[0]) not in _HOSTS:
        return PlainTextResponse("skilltool preview answers requests to 127.0.0.1 and localhost only\n", 421)
    if method not in {"GET", "HEAD"}:
        return PlainTextResponse("only GET\n", 405, {"Allow": "GET, HEAD"})
    from_elsewhere = headers.get("sec-fetch-site") in {"cross-site", "same-site"}
    if from_elsewhere and headers.get("sec-fetch-mode") != "navigate":
        return PlainTextResponse("requests of other sites are refused\n", 403)
    return None


def _without_port(host: str) -> str:
    name, colon, port = host.lower().rpartition(":")
    return name if colon and port.isdigit() else host.lower()
