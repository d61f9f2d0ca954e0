"""The server: the overview, the page of each skill, exact texts, files of skills, and news of changes."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote, unquote_to_bytes

from markupsafe import Markup
from starlette.applications import Starlette
from starlette.convertors import PathConvertor, register_url_convertor
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from skilltool.errors import SkilltoolError
from skilltool.preview import html
from skilltool.preview.connections import Turns
from skilltool.preview.html import HERE, TABS, Addresses, Choice
from skilltool.preview.live import Live
from skilltool.preview.model import Given, Page, Project
from skilltool.preview.routing import Routing, read
from skilltool.preview.worker import Worker

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
    if headers.get("content-length", "0") != "0" or "transfer-encoding" in headers:
        return PlainTextResponse("the request must not have a body\n", 413, {"Connection": "close"})
    from_elsewhere = headers.get("sec-fetch-site") in {"cross-site", "same-site"}
    if from_elsewhere and headers.get("sec-fetch-mode") != "navigate":
        return PlainTextResponse("requests from other sites are rejected\n", 403)
    return None


def _without_port(host: str) -> str:
    name, colon, port = host.lower().rpartition(":")
    return name if colon and port.isdigit() else host.lower()


_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_STATIC = {path.name: path for path in (HERE / "static").iterdir() if path.suffix in _TYPES}
_IMAGES = {
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "gif": "image/gif",
    "webp": "image/webp",
    "avif": "image/avif",
    "svg": "image/svg+xml",
}
T = TypeVar("T")
_MAX_ARGUMENTS = 100_000  # characters


def application(live: Live, worker: Worker, routed: Path | None = None) -> Starlette:
    """Return the application; `worker` is asked on other threads, `routed` is a file written by `route`."""
    pages = _Pages(live, worker, routed)
    routes = [
        Route("/", pages.overview),
        Route("/rows", pages.rows),
        Route("/skill/{name}", pages.skill),
        Route("/client/{name}", pages.client),
        Route("/rule/{name}", pages.rule),
        Route("/routing", pages.routing),
        Route("/text/{name}/{runtime}/{part}", pages.text),
        Route("/file/{name}/{path:any}", pages.file),
        Route("/static/{name}", _static),
        Route("/events", pages.events),
    ]
    return Starlette(routes=routes, middleware=[Middleware(Guard)])


class _AnyPath(PathConvertor):
    """A path that may hold line breaks."""

    regex = r"[\s\S]*"


register_url_convertor("any", _AnyPath())


class _Pages:
    """Answers requests from what was last read."""

    def __init__(self, live: Live, worker: Worker, routed: Path | None) -> None:
        self._live = live
        self._worker = worker
        self._routed = routed
        self._read: tuple[object, Routing] | None = None  # with the time and size of the file
        self._to = Addresses()
        self._turns = Turns()
        self._rows: tuple[Project, str] | None = None  # as they were last asked for

    async def overview(self, request: Request) -> Response:
        version = self._live.version
        project = self._live.project
        every = request.query_params.get("rows") == "all"
        try:
            routing = None if self._routed is None else await asyncio.to_thread(self._result, self._routed)
        except SkilltoolError:  # its own page says why
            routing = None
        content = await asyncio.to_thread(
            html.overview_page, project, self._to, self._live.problem, every, routing
        )
        return self._document(content, f"{project.name} - skilltool preview", version)

    async def routing(self, request: Request) -> Response:
        """Show what was called for which case, as the file has it now."""
        version = self._live.version
        if self._routed is None:
            return self._message(
                "Not here", "No `skilltool route` result was given with --routing.", version, 404
            )
        try:
            found = await asyncio.to_thread(self._result, self._routed)
        except SkilltoolError as error:
            return self._message("Not available", str(error), version, 503)
        return self._document(html.routing_page(found, self._to), "Routing - skilltool preview", version)

    def _result(self, file: Path) -> Routing:
        """Return the result in a file, which is read again when it has changed."""
        try:
            status = file.stat()
            now = status.st_mtime_ns, status.st_size
        except OSError:  # reading it says why
            now = None
        if now is None or self._read is None or self._read[0] != now:
            self._read = now, read(file)
        return self._read[1]

    async def rows(self, request: Request) -> Response:
        """Return all rows of the overview, as data for its script."""
        project = self._live.project
        if self._rows is None or self._rows[0] is not project:
            self._rows = project, await asyncio.to_thread(html.rows_data, project, self._to)
        raw = self._rows[1].encode("utf-8", "backslashreplace")
        return Response(raw, media_type="application/json")

    async def client(self, request: Request) -> Response:
        """Show one client: its budget, where it looks, its listing."""
        version = self._live.version
        project = self._live.project
        name = request.path_params["name"]
        content = await asyncio.to_thread(html.client_page, project, name, self._to, self._live.problem)
        if content is None:
            return self._message("Not here", "This client has no skills here now.", version, 404)
        return self._document(content, f"{name} - skilltool preview", version)

    async def rule(self, request: Request) -> Response:
        """Show the manual of a rule."""
        version = self._live.version
        name = request.path_params["name"]
        content = html.rule_page(name)
        if content is None:
            return self._message("Not here", "There is no such rule.", version, 404)
        page = Markup('<article class="prose"><h1>{}</h1><h2>Manual</h2><div>{}</div></article>').format(
            name, content
        )
        return self._document(page, name, version)

    async def skill(self, request: Request) -> Response:
        version = self._live.version
        query = request.query_params
        name = request.path_params["name"]
        compared = (query.get("client", ""), query.get("with", ""))
        arguments = query.get("args", "")[:_MAX_ARGUMENTS]
        try:
            page = await self._turns.ask(
                self._worker.page, name, arguments, compared if compared[1] else None
            )
        except SkilltoolError as error:
            return self._message("Not available", f"{error}; this page waits for a change", version, 503)
        if page is None:
            return self._message(
                "This skill is gone",
                "This skill no longer exists; this page waits for it to return.",
                version,
                404,
            )
        tab = query.get("tab", "")
        choice = Choice(_shown(page, *compared), tab if tab in TABS else "")
        content = html.skill_page(page, self._to, choice, self._live.problem)
        return self._document(content, f"{page.row.name} - skilltool preview", version)

    async def text(self, request: Request) -> Response:
        where = request.path_params
        arguments = request.query_params.get("args", "")[:_MAX_ARGUMENTS]
        return await self._answer(
            lambda: self._worker.text(where["name"], where["runtime"], where["part"], arguments), _exact
        )

    async def file(self, request: Request) -> Response:
        name = request.path_params["name"]
        # As it was sent: what a server makes of the path has no bytes that are not UTF-8.
        path = os.fsdecode(unquote_to_bytes(request.scope["raw_path"].split(b"/", 3)[3]))
        return await self._answer(lambda: self._worker.file(name, path), lambda raw: _file(path, raw))

    async def events(self, request: Request) -> Response:
        return StreamingResponse(self._live.versions(), media_type="text/event-stream")

    async def _answer(self, ask: Callable[[], T | None], respond: Callable[[T], Response]) -> Response:
        try:
            found = await self._turns.ask(ask)
        except SkilltoolError as error:
            return PlainTextResponse(f"{error}\n", 503)
        return PlainTextResponse("there is no such text or file\n", 404) if found is None else respond(found)

    def _document(self, content: str, title: str, version: int, status: int = 200) -> Response:
        """Return a page; `version` was current before it was made, so that an older page is replaced."""
        return HTMLResponse(html.document(content, title, version=version), status)

    def _message(self, heading: str, text: str, version: int, status: int) -> Response:
        return self._document(html.message_page(heading, text, self._to), heading, version, status)


def _shown(page: Page, first: str, second: str) -> list[Given]:
    """Return what is shown: of the client asked for, else of the owner, or the first that loads it."""
    by_runtime = {given.view.runtime: given for given in page.given}
    loading = [name for name, given in by_runtime.items() if given.view.key is not None]
    chosen = first if first in by_runtime else next(iter([*loading, *by_runtime]), "")
    return [by_runtime[name] for name in dict.fromkeys([chosen, second]) if name in by_runtime]


def _exact(text: str) -> Response:
    headers = {"Content-Security-Policy": FILE}
    return Response(text.encode("utf-8", "surrogatepass"), 200, headers, "text/plain; charset=utf-8")


def _file(path: str, raw: bytes) -> Response:
    """Return a file of a skill: an image as such, text as text whatever it is, anything else to be saved."""
    headers = {"Content-Security-Policy": FILE}
    kind = _IMAGES.get(path.rpartition(".")[2].lower())
    if kind is None and b"\0" not in raw and _is_utf8(raw):
        kind = "text/plain; charset=utf-8"
    if kind is None:
        kind = "application/octet-stream"
        headers["Content-Disposition"] = (
            f"attachment; filename*=UTF-8''{quote(os.fsencode(path.rpartition('/')[2]))}"
        )
    return Response(raw, 200, headers, kind)


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


async def _static(request: Request) -> Response:
    path = _STATIC.get(request.path_params["name"])
    if path is None:
        return PlainTextResponse("there is no such file\n", 404)
    return Response(path.read_bytes(), media_type=_TYPES[path.suffix])
